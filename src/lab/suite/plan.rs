//! The measurements of the report. Each is one command, and an item reads one or several of them.

/// Scope of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Quick: a few minutes, few poses, meshes up to 80,000 triangles, sets up to 50,653 boxes.
    Quick,
    /// Full: about twenty minutes, meshes up to 300,000 triangles, sets up to 103,823 boxes.
    Full,
}

impl Scope {
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// An experiment with its options, as `tumble bench` takes them.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Name of the measurement and of its file.
    pub name: &'static str,
    /// Experiment, and the options that both scopes have in common.
    common: &'static [&'static str],
    quick: &'static str,
    full: &'static str,
}

impl Measurement {
    /// Returns the arguments after `tumble bench`.
    pub fn arguments(&self, scope: Scope) -> impl Iterator<Item = &'static str> {
        let own = match scope {
            Scope::Quick => self.quick,
            Scope::Full => self.full,
        };
        self.common.iter().flat_map(|part| part.split_whitespace()).chain(own.split_whitespace())
    }

    /// Returns the command that repeats the measurement.
    pub fn command(&self, scope: Scope) -> String {
        let words: Vec<&str> = self.arguments(scope).collect();
        format!("tumble bench {}", words.join(" "))
    }
}

const fn measured(
    name: &'static str,
    common: &'static [&'static str],
    quick: &'static str,
    full: &'static str,
) -> Measurement {
    Measurement { name, common, quick, full }
}

/// Shapes that replace those of the papers.
const FIVE: &str = "torus,bumpy,pipe,gear,housing";
const SIX: &str = "torus,bumpy,pipe,gear,housing,soup";
const TREES: &str = "boxtree8,aabb8,boxtree,boxtree-compact,aabb,obb,sphere,dop24,dop24-both,octree";
const TESTS: &str = "boxtree,boxtree-align,boxtree-sat,boxtree-lookup,boxtree-lookup-4000,\
    boxtree-per-pair,boxtree-align-per-pair,boxtree-sat-per-pair";
const RULES: &str = "binned,volume,volume-drawn,longest-side,perpendicular,volume-literal";
const BROAD: &str = "wide-tree,hybrid,hash2,sweep1,sweep2,sweep3,sweep4";

/// All measurements, the fastest of each paper first.
pub const MEASUREMENTS: [Measurement; 36] = [
    measured("boxtree-space", &["boxtree-space"], "--sizes 5000", "--sizes 20000"),
    measured("node-size", &["node-size --sizes 10000"], "--steps 5", "--steps 20"),
    measured(
        "boxtree-build",
        &["boxtree-build --rules binned,volume,volume-drawn --shapes torus,bumpy,pipe"],
        "--sizes 3000,10000,30000",
        "--sizes 3000,10000,30000,100000,300000",
    ),
    measured(
        "boxtree-distance",
        &["boxtree-distance --kinds boxtree --shapes pipe,housing"],
        "--sizes 64000 --steps 20",
        "--sizes 64000,80000 --steps 500",
    ),
    measured(
        "boxtree-tests",
        &["boxtree-tests --shapes torus,bumpy,pipe,gear --kinds", TESTS],
        "--sizes 3000,20000 --steps 20",
        "--sizes 3000,20000,100000 --steps 50",
    ),
    measured(
        "boxtree-trees",
        &["boxtree-vs-trees --shapes", SIX, "--kinds", TREES],
        "--sizes 20000 --steps 10",
        "--sizes 10000,100000 --steps 50",
    ),
    measured(
        "boxtree-as-built",
        &["boxtree-vs-trees --query any-as-built --shapes", SIX, "--kinds", TREES],
        "--sizes 20000 --steps 5",
        "--sizes 10000,100000 --steps 20",
    ),
    measured(
        "boxtree-all-pairs",
        &["boxtree-vs-trees --query all --kinds boxtree8,aabb8 --shapes", SIX],
        "--sizes 20000 --steps 5",
        "--sizes 10000,100000 --steps 20",
    ),
    measured(
        "boxtree-rules",
        &[
            "boxtree-vs-trees --kinds boxtree --rules",
            RULES,
            "--shapes torus,turned,bumpy,pipe,gear,housing --sizes 20000",
        ],
        "--steps 5",
        "--steps 20",
    ),
    measured(
        "boxtree-bare",
        &[
            "boxtree-vs-trees --kinds boxtree-bare",
            "--rules binned,volume,volume-drawn,perpendicular --shapes torus,turned,bumpy,pipe",
        ],
        "--sizes 5000 --steps 2",
        "--sizes 20000 --steps 5",
    ),
    measured(
        "boxes-random",
        &["boxes-random --broad", BROAD],
        "--sizes 1000,5000,10000",
        "--sizes 1000,5000,10000,20000,50000",
    ),
    measured(
        "boxes-sphere-dense",
        &["boxes-sphere-dense --broad", BROAD],
        "--sizes 1000,5000,10000,20000",
        "--sizes 1000,2000,5000,10000,20000,50000,100000",
    ),
    measured(
        "boxes-adjacent",
        &["boxes-adjacent --broad", BROAD],
        "--sizes 10648,50653",
        "--sizes 10648,50653,103823",
    ),
    measured(
        "boxes-sphere",
        &["boxes-sphere --broad", BROAD],
        "--sizes 10000,50000",
        "--sizes 10000,50000,100000",
    ),
    measured("parts-figure", &["parts-figure"], "", ""),
    measured("parts-edges", &["parts-edges"], "", ""),
    measured("parts-levels", &["parts-levels"], "", ""),
    measured("parts-build", &["parts-build"], "", ""),
    measured(
        "parts-query",
        &["parts-query"],
        "--kinds obb-principal,obb-principal+parts-always --rules principal --steps 200",
        "--steps 500",
    ),
    measured("adb-node-size", &["adb-node-size"], "--sizes 10000", "--sizes 10000,100000"),
    measured("adb-tables", &["adb-tables"], "--quick", ""),
    measured(
        "adb-terms",
        &["adb-terms --shapes", FIVE],
        "--sizes 5000 --steps 10",
        "--sizes 5000,20000 --steps 40",
    ),
    measured(
        "adb-octree",
        &["adb-octree --kinds aabb,octree --shapes", FIVE, "--sizes 20000"],
        "--steps 4",
        "--steps 20",
    ),
    measured(
        "adb-models",
        &["adb-models --shapes", FIVE, "--sizes 5000,20000,80000 --k-min 5,10"],
        "--steps 20",
        "--steps 80",
    ),
    measured("adb-pmin", &["adb-pmin --shapes", FIVE, "--sizes 20000"], "--steps 20", "--steps 80"),
    measured("adb-kmin", &["adb-kmin --shapes", FIVE, "--sizes 20000"], "--steps 20", "--steps 80"),
    measured("adb-parts", &["adb-parts --shapes", FIVE, "--sizes 20000"], "--steps 10", "--steps 20"),
    measured(
        "adb-cells",
        &["adb-cells --shapes", FIVE],
        "--sizes 5000,20000 --steps 20",
        "--sizes 5000,20000 --steps 80",
    ),
    measured(
        "adb-share",
        &["adb-share --shapes", FIVE],
        "--sizes 20000 --steps 5",
        "--sizes 5000,20000 --steps 40",
    ),
    measured("adb-cutoff", &["adb-cutoff"], "--quick", "--steps 40"),
    measured("cab-crowd", &["cab-crowd --quick"], "--steps 60", "--steps 240"),
    measured("cab-convex-3", &["cab-convex-3 --steps 10000"], "--quick", ""),
    measured("cab-convex-6", &["cab-convex-6 --steps 10000"], "--quick", ""),
    measured("cab-nonconvex", &["cab-nonconvex --steps 10000"], "--quick", ""),
    measured("cab-braided", &["cab-braided --steps 10000"], "--quick", ""),
    measured("cab-hand", &["cab-hand --steps 4000"], "--quick", ""),
];
