//! The tables of a scene file, each in a small right scene.

/// Table in a right scene. Its own lines stand between those before and after it.
pub struct Table {
    pub name: &'static str,
    /// Place of its schema in that of a scene file.
    pub pointer: &'static str,
    /// Lines before its keys, with its head.
    before: &'static str,
    /// Keys of the table, one per line.
    keys: &'static str,
    after: &'static str,
    pub required: &'static [&'static str],
}

impl Table {
    /// Returns the scene with other lines in the table. Each replaces the line with the same key, if
    /// there is one. A line without a value removes its key.
    pub fn with(&self, lines: &str) -> String {
        let key = |line: &str| line.split('=').next().unwrap().trim().to_owned();
        let replaced: Vec<String> = lines.lines().map(key).collect();
        let kept = self.keys.lines().filter(|line| !replaced.contains(&key(line)));
        let added = lines.lines().filter(|line| !line.trim_end().ends_with('='));
        let keys: Vec<&str> = kept.chain(added).collect();
        format!("{}\n{}\n{}\n", self.before, keys.join("\n"), self.after)
    }
}

const fn table(name: &'static str, pointer: &'static str, before: &'static str, keys: &'static str) -> Table {
    Table { name, pointer, before, keys, after: "", required: &[] }
}

/// Two parts that stand apart.
const PARTS: &str = "[[model]]\nfile = '../assets/parts.glb'\nnodes = ['nut', 'washer']";
const HINGE: &str = "[[model]]\nfile = '../assets/parts.glb'\nnodes = ['nut', 'washer']\n\
    [[joint]]\nkind = 'hinge'\na = 'world'\nb = 'nut'\nanchor = [0, 0, 0]\ndrive = { stiffness = 1 }";

pub const TABLES: [Table; 27] = [
    Table { after: PARTS, ..table("top", "", "", "") },
    table("no model", "", "", "ground = {}"),
    Table {
        required: &["file"],
        ..table(
            "model",
            "/properties/model/items",
            "[[model]]",
            "file = '../assets/parts.glb'\nnodes = ['nut']",
        )
    },
    table(
        "powered",
        "/properties/model/items",
        "[[model]]",
        "file = '../assets/walker.glb'\nanimation = { clip = 'walk' }\nfigure = 'powered'",
    ),
    table("robot", "/properties/model/items", "[[model]]", "file = '../assets/arm.urdf'"),
    Table {
        required: &["count", "spacing"],
        ..table(
            "copies",
            "/properties/model/items/properties/copies",
            "[[model]]\nfile = '../assets/parts.glb'\nnodes = ['nut']\n[model.copies]",
            "count = [1, 2, 1]\nspacing = [1, 1, 1]",
        )
    },
    table(
        "animation",
        "/properties/model/items/properties/animation",
        "[[model]]\nfile = '../assets/walker.glb'\n[model.animation]",
        "",
    ),
    table(
        "borrowed",
        "/properties/model/items/properties/animation",
        "[[model]]\nfile = '../assets/walker.glb'\n[model.animation]",
        "file = '../assets/walker.glb'",
    ),
    table(
        "joint motion",
        "/properties/model/items/properties/animation",
        "[[model]]\nfile = '../assets/arm.urdf'\n[model.animation]",
        "file = '../assets/arm.csv'",
    ),
    Table {
        before: "[[part]]",
        required: &["name"],
        after: PARTS,
        ..table("part", "/properties/part/items", "", "name = 'nut'")
    },
    Table {
        before: "[[pair]]",
        required: &["a", "b", "rule"],
        after: PARTS,
        ..table("pair", "/properties/pair/items", "", "a = 'nut'\nb = 'washer'\nrule = 'ignore'")
    },
    Table {
        before: "[[pair]]",
        required: &["a", "b", "rule", "clearance"],
        after: PARTS,
        ..table(
            "fit",
            "/properties/pair/items",
            "",
            "a = 'nut'\nb = 'washer'\nrule = 'fit'\nclearance = '20 um'",
        )
    },
    Table {
        before: "[[check]]",
        required: &["a", "b", "min"],
        after: PARTS,
        ..table("check", "/properties/check/items", "", "a = 'nut'\nb = 'washer'\nmin = '1 mm'")
    },
    Table {
        before: "[[expect]]",
        required: &["lost"],
        after: PARTS,
        ..table("expect", "/properties/expect/items", "", "lost = 0")
    },
    Table {
        before: "[[expect]]",
        required: &["never"],
        after: PARTS,
        ..table("never", "/properties/expect/items", "", "never = ['nut', 'washer']")
    },
    Table {
        before: "[[expect]]",
        required: &["touches"],
        after: PARTS,
        ..table("touches", "/properties/expect/items", "", "touches = ['nut', 'washer']\nbefore = 1")
    },
    Table {
        before: "[[expect]]",
        required: &["pair", "max_force"],
        after: PARTS,
        ..table("force", "/properties/expect/items", "", "pair = ['nut', 'washer']\nmax_force = 1")
    },
    Table {
        before: "[[expect]]",
        required: &["part", "ends_at", "within"],
        after: PARTS,
        ..table("ends", "/properties/expect/items", "", "part = 'nut'\nends_at = [0, 0, 0]\nwithin = 1")
    },
    Table {
        before: "[[expect]]",
        required: &["joint", "max_force"],
        after: HINGE,
        ..table("joint limits", "/properties/expect/items", "", "joint = 'hinge of *'\nmax_force = 1")
    },
    Table {
        before: "[[joint]]",
        required: &["kind", "a", "b", "anchor"],
        after: PARTS,
        ..table(
            "joint",
            "/properties/joint/items",
            "",
            "kind = 'hinge'\na = 'world'\nb = 'nut'\nanchor = [0, 0, 0]",
        )
    },
    Table {
        before: "[[joint]]",
        after: PARTS,
        ..table(
            "ball",
            "/properties/joint/items",
            "",
            "kind = 'ball'\na = 'washer'\nb = 'nut'\nanchor = [0, 0, 0]",
        )
    },
    Table {
        before: "[[joint]]\nkind = 'slider'\na = 'world'\nb = 'nut'\nanchor = [0, 0, 0]\n[joint.drive]",
        after: PARTS,
        required: &["stiffness"],
        ..table("drive", "/properties/joint/items/properties/drive", "", "stiffness = 1")
    },
    Table {
        before: "[[drive]]",
        after: HINGE,
        required: &["joint", "max"],
        ..table("drive rule", "/properties/drive/items", "", "joint = 'hinge of *'\nmax = 1")
    },
    Table { after: PARTS, ..table("ground", "/properties/ground", "[ground]", "") },
    Table {
        after: PARTS,
        required: &["eye", "target"],
        ..table("camera", "/properties/camera", "[camera]", "eye = [1, 1, 1]\ntarget = [0, 0, 0]")
    },
    Table { after: PARTS, ..table("config", "/properties/config", "[config]", "") },
    Table {
        after: PARTS,
        required: &["us"],
        ..table("budget", "/properties/config/properties/budget", "[config.budget]", "us = 100")
    },
];
