//! The commands of `docs/scale.md` and `docs/python.md`. They run as printed if their programs are
//! installed, and the tables that they make are those of one process.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use super::page::{Block, Page};

/// A folder with the scene of the page, its model, and the program on the path.
struct Site {
    folder: tempfile::TempDir,
    page: Page,
}

impl Site {
    fn new() -> Self {
        let (folder, page) = (tempfile::tempdir().unwrap(), Page::read("docs/scale.md"));
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/parts.glb");
        fs::copy(model, folder.path().join("parts.glb")).unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_tumble"), folder.path().join("bin/tumble")).unwrap();
        let site = Self { folder, page };
        fs::write(site.path("drop.toml"), site.block("toml", "steps = ")).unwrap();
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the block of a kind that begins with a text.
    fn block(&self, kind: &str, start: &str) -> String {
        let is_it = |block: &&Block| block.kind == kind && block.text.starts_with(start);
        let block = self.page.blocks.iter().find(is_it);
        block.unwrap_or_else(|| panic!("no block {kind} begins with {start}")).text.clone()
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        command.args(["-c", line]).current_dir(self.folder.path()).env("PATH", path);
        command
    }

    fn run(&self, line: &str) -> Output {
        self.shell(line).output().unwrap()
    }

    fn has(&self, program: &str) -> bool {
        let has = self.run(&format!("command -v {program}")).status.success();
        if !has {
            eprintln!("{program} is not installed here: nothing is run");
        }
        has
    }

    /// Returns the numbers of the runs with a result.
    fn runs(&self, sweep: &str) -> BTreeSet<String> {
        let Ok(entries) = fs::read_dir(self.path(sweep).join("runs")) else { return BTreeSet::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".json") && !name.starts_with('.')).collect()
    }

    /// Returns the table of the page's sweep, made by one process, once for all tests.
    fn table_of_one_process(&self) -> &'static [u8] {
        static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
        TABLE.get_or_init(|| self.make_table())
    }

    fn make_table(&self) -> Vec<u8> {
        let line = self
            .block("sh", "tumble sweep drop.toml")
            .lines()
            .next()
            .unwrap()
            .replace("--out drops", "--out one");
        let output = self.run(&line);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.run("tumble sweep merge one");
        fs::read(self.path("one/table.csv")).unwrap()
    }
}

/// Returns the process of a shard, found by its command line and its folder.
fn process_of(shard: &str, folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().unwrap();
    let mut processes = fs::read_dir("/proc").ok()?.flatten();
    let found = processes.find(|process| {
        let is_here = fs::read_link(process.path().join("cwd")).is_ok_and(|own| own == folder);
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        is_here
            && words.first().is_some_and(|word| word.ends_with(b"tumble"))
            && words.contains(&shard.as_bytes())
    });
    Some(found?.file_name().into_string().unwrap())
}

fn started(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Checks that a shard that is killed under GNU parallel goes on, and that the tables are those of one
/// process.
#[test]
#[cfg(target_os = "linux")]
fn gnu_parallel_runs_four_shards_of_which_one_is_killed_and_goes_on() {
    let site = Site::new();
    if !site.has("parallel") {
        return;
    }
    let block = site.block("sh", "parallel ");
    let (line, merge) = block.split_once('\n').unwrap();
    let mut child = started(site.shell(line));
    let mut killed = false;
    while child.try_wait().unwrap().is_none() {
        if !killed
            && site.runs("drops").len() >= 8
            && let Some(process) = process_of("3/4", site.folder.path())
        {
            killed = Command::new("kill").args(["-KILL", &process]).status().unwrap().success();
        }
        std::thread::yield_now();
    }
    assert!(killed, "the shard ended before it could be killed");
    assert!(!child.wait().unwrap().success(), "parallel tells that a shard failed");
    assert!(site.runs("drops").len() < 200);
    let again = site.run(line);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(site.run(merge).status.code(), Some(1), "some washers fall off");
    assert!(fs::read(site.path("drops/table.csv")).unwrap() == site.table_of_one_process());
}

/// Checks that four shards of a check under GNU parallel give the JSON of an undivided check.
#[test]
fn gnu_parallel_checks_an_assembly_in_four_shards() {
    let site = Site::new();
    if !site.has("parallel") {
        return;
    }
    let block = site.block("sh", "parallel tumble check");
    let (line, merge) = block.trim_end().split_once('\n').unwrap();
    let output = site.run(line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(site.run(merge).status.code(), Some(0));
    assert!(fs::read_to_string(site.path("check.html")).unwrap().contains("Check of parts.glb"));
    let json = site.run("tumble check parts.glb --clearance 100mm --merge answers --json --fail-on none");
    let whole = site.run("tumble check parts.glb --clearance 100mm --json --fail-on none");
    assert!(json.stdout == whole.stdout && json.stdout.len() > 1000);
}

/// Checks that the job script does the runs of its shard, with `srun` replaced by a shell.
#[test]
fn the_script_for_slurm_does_the_shard_of_its_task() {
    let site = Site::new();
    let srun = site.path("bin/srun");
    fs::write(&srun, "#!/bin/sh\nexec \"$@\"\n").unwrap();
    fs::set_permissions(&srun, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(site.path("drops.sh"), site.block("sh", "#!/bin/sh")).unwrap();
    let task = |number: &str| {
        let mut command = site.shell("sh drops.sh");
        command.envs([("SLURM_ARRAY_TASK_ID", number), ("SLURM_CPUS_PER_TASK", "2")]).output().unwrap()
    };
    let output = task("5");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("200 runs, 4 in shard 5/64"), "{text}");
    assert_eq!(site.runs("drops").len(), 4);
    assert_eq!(task("65").status.code(), Some(2), "there is no shard 65 of 64");
}

/// Checks the command of the Job, and the file by the published schema if the Python package
/// `kubernetes-validate` is installed.
#[test]
fn the_job_for_kubernetes_does_the_shard_of_its_index() {
    let site = Site::new();
    let job = site.block("yaml", "apiVersion: ");
    let command = job.split_once(">-\n").unwrap().1.split_once("resources:").unwrap().0;
    let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = BTreeSet::new();
    for index in ["0", "15"] {
        let output = site.shell(&command).env("JOB_COMPLETION_INDEX", index).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let before = found.len();
        found = site.runs("drops");
        assert!(
            (12..=13).contains(&(found.len() - before)),
            "{} runs of 200 in 16 shards",
            found.len() - before
        );
    }
    assert!(site.block("yaml", "apiVersion: ").contains("completions: 16") && command.contains("/16 "));
    fs::write(site.path("job.yaml"), &job).unwrap();
    if !site.run("python3 -c 'import kubernetes_validate'").status.success() {
        eprintln!("kubernetes-validate is not installed here: the schema is not checked");
        return;
    }
    let check = "import kubernetes_validate, yaml; kubernetes_validate.validate(yaml.safe_load(open('job.yaml')), '1.32', strict=True)";
    let output = site.run(&format!("python3 -c \"{check}\""));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::write(site.path("job.yaml"), job.replace("completions: 16", "completion: 16")).unwrap();
    assert!(!site.run(&format!("python3 -c \"{check}\"")).status.success(), "the schema sees a wrong key");
}

#[test]
fn snakemake_runs_the_shards_and_merges_them() {
    let site = Site::new();
    if !site.has("snakemake") {
        return;
    }
    fs::write(site.path("Snakefile"), site.block("python", "SHARDS = ")).unwrap();
    let output = site.run(&site.block("sh", "snakemake "));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read(site.path("drops/table.csv")).unwrap() == site.table_of_one_process());
}

#[test]
fn the_python_of_the_page_makes_a_sweep_and_plots_its_table_where_pandas_is() {
    let site = Site::new();
    let page = Page::read("docs/python.md");
    let code = &page.blocks.iter().find(|block| block.kind == "python").unwrap().text;
    assert!(code.lines().count() <= 10 && code.lines().all(|line| line.chars().count() <= 120), "{code}");
    if !site.run("python3 -c 'import matplotlib, pandas'").status.success() {
        eprintln!("python3 has no pandas and matplotlib here: nothing is run");
        return;
    }
    let ends = "print(falls.to_numpy().mean() * len(table), len(table), falls.shape)";
    fs::write(site.path("page.py"), format!("{code}{ends}")).unwrap();
    let output = site.shell("python3 page.py").env("MPLBACKEND", "Agg").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let last = printed.lines().last().unwrap();
    let broken = fs::read_to_string(site.path("drops/table.csv")).unwrap().matches(",broken,broken,").count();
    let (falls, rest) = last.split_once(' ').unwrap();
    assert!(
        broken > 0 && (falls.parse::<f64>().unwrap() - broken as f64).abs() < 1e-9,
        "{last}, {broken} broken"
    );
    assert_eq!(rest, "150 (5, 3)");
    assert!(fs::metadata(site.path("falls.png")).unwrap().len() > 5_000);
}
