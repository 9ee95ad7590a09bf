//! Files that the program replaces are complete before and after. A kill, a full disk or a refused
//! scene destroys no existing file.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tumble::files::{STAGING, Staging};
use tumble::generate::torus;
use tumble::random::Random;
use tumble::record::RunReader;

use crate::gltf;
#[cfg(feature = "viewer")]
use crate::graphics::can_draw;
use crate::rounds::rounds;

pub const OLD: &[u8] = b"what was there";

fn tumble(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.current_dir(folder);
    command
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the program with a limit of `blocks` blocks of 512 bytes per file. It fails as on a full disk.
pub fn on_a_full_disk(folder: &Path, blocks: u64, arguments: &str) -> Output {
    let line = format!("ulimit -f {blocks}; exec {} {arguments}", env!("CARGO_BIN_EXE_tumble"));
    Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap()
}

pub fn names(folder: &Path) -> Vec<String> {
    let name = |e: std::io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

/// Creates a folder with a model of a few thousand triangles.
fn workshop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    gltf::write(folder.path(), "ring", &torus(0.2, 0.05, 64, 32));
    folder
}

/// A file that the program replaces, the arguments with which it does, and a test whether a new file is
/// complete.
struct Replaced {
    file: &'static str,
    arguments: &'static [&'static str],
    is_whole: fn(&Path) -> bool,
}

const REPLACED: &[Replaced] = &[
    Replaced {
        file: "ring.obj",
        arguments: &["convert", "ring.gltf", "--to", "obj", "--force"],
        is_whole: |path| {
            fs::read_to_string(path).unwrap().lines().filter(|l| l.starts_with("f ")).count() == 4096
        },
    },
    Replaced {
        file: "run.tumble",
        arguments: &["run", "chain", "--steps", "20", "--record", "run.tumble", "--force"],
        is_whole: |path| RunReader::open(path).is_ok_and(|run| run.step_count() >= 1),
    },
    Replaced {
        file: "out/comparison.json",
        arguments: &[
            "compare",
            "chain",
            "--with",
            "boxtree8,aabb",
            "--steps",
            "6",
            "--repeats",
            "1",
            "--out",
            "out",
            "--force",
        ],
        is_whole: |path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).is_ok(),
    },
    Replaced {
        file: "out/bodies.csv",
        arguments: &["export", "chain.tumble", "--to", "csv", "--out", "out", "--force"],
        // The lines are the names of the columns, and one line per body at the start and after each of
        // 20 steps.
        is_whole: |path| fs::read_to_string(path).unwrap().lines().count() == 1 + 18 * 21,
    },
    #[cfg(feature = "viewer")]
    Replaced {
        file: "ring.png",
        arguments: &["export", "ring.gltf", "--to", "png", "--size", "320x200", "--force"],
        is_whole: |path| image::open(path).is_ok(),
    },
];

/// Runs a test for each file, in a separate folder, with the path of the file. A picture needs a
/// graphics driver.
fn for_each_replaced(mut ask: impl FnMut(&Replaced, &Path, &Path)) {
    for one in REPLACED {
        #[cfg(feature = "viewer")]
        if one.file.ends_with(".png") && !can_draw(&[]) {
            continue;
        }
        let folder = workshop();
        fs::create_dir(folder.path().join("out")).unwrap();
        if one.arguments.contains(&"chain.tumble") {
            let record = ["run", "chain", "--steps", "20", "--record", "chain.tumble"];
            assert!(tumble(folder.path()).args(record).output().unwrap().status.success());
        }
        ask(one, folder.path(), &folder.path().join(one.file));
    }
}

#[test]
fn a_kill_leaves_the_old_file_or_the_new_one_whole() {
    let mut random = Random::new(5, 0);
    for_each_replaced(|one, folder, path| {
        // Returns how often the folder was polled while the program ran, up to its end or to a kill.
        let looks = |limit: u64| {
            fs::write(path, OLD).unwrap();
            let mut child = tumble(folder)
                .args(one.arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut count = 0;
            while count < limit && child.try_wait().unwrap().is_none() {
                names(path.parent().unwrap());
                count += 1;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            count
        };
        let whole = looks(u64::MAX);
        assert!((one.is_whole)(path), "{}", one.file);
        let (mut old, mut new) = (0, 0);
        for _ in 0..rounds(100) {
            looks((random.uniform() * whole as f64) as u64);
            match fs::read(path).unwrap() == OLD {
                true => old += 1,
                false => {
                    assert!((one.is_whole)(path), "{}: neither the old file nor the new one", one.file);
                    new += 1;
                }
            }
        }
        assert!(old > 0, "{}: it was never killed in time: {new} are new", one.file);
        // The next run replaces the files that the kills left.
        looks(u64::MAX);
        let left = names(path.parent().unwrap()).into_iter().filter(|name| name.contains("unfinished"));
        assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
    });
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_half() {
    for_each_replaced(|one, folder, path| {
        fs::write(path, OLD).unwrap();
        let before = names(path.parent().unwrap());
        let output = on_a_full_disk(folder, 1, &one.arguments.join(" "));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{}: {said}", one.file);
        assert!(said.contains("File too large"), "{}: {said}", one.file);
        assert_eq!(fs::read(path).unwrap(), OLD, "{}", one.file);
        assert_eq!(names(path.parent().unwrap()), before, "{}", one.file);
    });
}

#[cfg(feature = "viewer")]
#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    if !can_draw(&[]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = on_a_full_disk(folder.path(), 0, "export chain --to png --size 64x64 --out a.png");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("a.png: cannot be written"), "{}", stderr(&output));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn a_comparison_that_cannot_be_recorded_to_its_end_says_so_and_keeps_what_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let compare = "compare chain --with boxtree8,aabb --steps 400 --repeats 1 --json";
    let run = "run chain --steps 400 --record whole.tumble --record-contacts none";
    assert!(tumble(folder.path()).args(run.split(' ')).output().unwrap().status.success());
    // The limit leaves room for all steps except the last ones.
    let blocks = (fs::metadata(folder.path().join("whole.tumble")).unwrap().len() - 20_000) / 512;
    let output = on_a_full_disk(folder.path(), blocks, &format!("{compare} --out new"));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for name in ["boxtree8", "aabb"] {
        assert!(
            stderr(&output).contains(&format!("{name}: the recording ends early")),
            "{}",
            stderr(&output)
        );
    }
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["contenders"][0]["recording_fault"].as_str().unwrap().contains("steps are saved"));
    let held = RunReader::open(&folder.path().join("new/1-boxtree8.tumble")).unwrap().step_count();
    assert!((300..400).contains(&held), "{held}");

    // An incomplete comparison replaces no file of an earlier comparison.
    let old = folder.path().join("old");
    fs::create_dir(&old).unwrap();
    fs::write(old.join("1-boxtree8.tumble"), OLD).unwrap();
    let output = on_a_full_disk(folder.path(), blocks, &format!("{compare} --out old --force"));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("the existing files are unchanged"), "{}", stderr(&output));
    assert_eq!(names(&old), ["1-boxtree8.tumble"]);
    assert_eq!(fs::read(old.join("1-boxtree8.tumble")).unwrap(), OLD);
}

#[test]
fn one_comparison_at_a_time_writes_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let compare = ["compare", "chain", "--with", "boxtree8,aabb", "--steps", "2", "--out", "out", "--force"];
    let staging = Staging::begin(&folder.path().join("out")).unwrap();
    let output = tumble(folder.path()).args(compare).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("another process is writing to it"), "{}", stderr(&output));
    drop(staging);
    assert!(tumble(folder.path()).args(compare).output().unwrap().status.success());
    assert!(!folder.path().join("out").join(STAGING).exists());
}

#[test]
fn parts_that_differ_behind_a_dot_become_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["part.1", "part.2"] {
        gltf::write(folder.path(), name, &torus(0.2, 0.05, 8, 6));
        let model = format!("{name}.gltf");
        let output = tumble(folder.path()).args(["convert", &model, "--to", "obj"]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let written: Vec<String> = names(folder.path()).into_iter().filter(|n| n.ends_with(".obj")).collect();
    assert_eq!(written, ["part.1.obj", "part.2.obj"]);
}

#[test]
fn a_scene_file_is_not_written_where_it_could_not_be_read() {
    let folder = workshop();
    let refused = |arguments: &[&str]| {
        let output = tumble(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    // The program recognizes a scene however the extension is spelled.
    fs::write(folder.path().join("S.TOML"), "[[model]]\nfile = \"ring.gltf\"\n").unwrap();
    let said = refused(&["convert", "S.TOML", "--to", "scene", "--out", "again.toml"]);
    assert!(said.contains("S.TOML: is already a scene"), "{said}");
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"j\xff"));
        fs::create_dir(&odd).unwrap();
        fs::rename(folder.path().join("ring.bin"), odd.join("ring.bin")).unwrap();
        fs::rename(folder.path().join("ring.gltf"), odd.join("ring.gltf")).unwrap();
        let output = tumble(&odd)
            .args(["convert", "ring.gltf", "--to", "scene", "--out", "../again.toml"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("ring.gltf: has a path that is not valid UTF-8"));
    }
    assert!(!folder.path().join("again.toml").exists());
}

/// Returns the temporary file that a recording has before its first whole step.
pub fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap().to_str().unwrap();
    path.with_file_name(format!(".{name}.tumble-unfinished"))
}
