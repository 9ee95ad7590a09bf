//! Keys of one table that need, allow or exclude each other.

/// Lines of a table. A line without a value removes its key.
pub struct Mix {
    pub table: &'static str,
    pub lines: &'static str,
    pub is_right: bool,
}

const fn right(table: &'static str, lines: &'static str) -> Mix {
    Mix { table, lines, is_right: true }
}

const fn wrong(table: &'static str, lines: &'static str) -> Mix {
    Mix { table, lines, is_right: false }
}

pub const MIXES: [Mix; 91] = [
    // Figures.
    wrong("model", "strength = 1"),
    wrong("model", "strength = 1\nfigure = 'ragdoll'"),
    wrong("powered", "self_collision = true"),
    right("powered", "self_collision = false"),
    wrong("model", "self_collision = true\nfigure = 'ragdoll'"),
    right("model", "self_collision = true\nfigure = 'kinematic'"),
    // Animations.
    wrong("borrowed", "skeleton = 'mine.asf'"),
    right("borrowed", "map = {}"),
    wrong("borrowed", "map = { a = 1 }"),
    right("borrowed", "clip = 'walk'\nstride = [0, 0, 1]"),
    right("joint motion", "speed = 2.0\nlooped = true"),
    right("joint motion", "stride = [0, 0.0, 0]\nmap = {}"),
    wrong("joint motion", "stride = [0, 0, 1]"),
    wrong("joint motion", "clip = 'walk'"),
    wrong("joint motion", "skeleton = 'mine.asf'"),
    wrong("joint motion", "map = { a = 'b' }"),
    wrong("joint motion", "speed = 0"),
    // Rules for checks.
    right("check", "min =\noverlap = '0.1 mm'"),
    right("check", "min =\nignore = true"),
    right("check", "min =\ntouching = true"),
    right("check", "min =\nignore = true\ntouching = false"),
    right("check", "overlap = '0.1 mm'\ntouching = true"),
    wrong("check", "min =\nignore = false"),
    wrong("check", "min =\ntouching = false"),
    wrong("check", "min =\nignore = true\ntouching = true"),
    wrong("check", "min =\nignore = true\noverlap = '1 mm'"),
    // Expectations.
    wrong("expect", "never = ['nut', 'washer']"),
    wrong("expect", "part = 'nut'\nends_at = [0, 0, 0]\nwithin = 1"),
    wrong("expect", "before = 1"),
    wrong("expect", "max_force = 1"),
    wrong("expect", "within = 1"),
    wrong("expect", "ends_at = [0, 0, 0]"),
    wrong("never", "touches = ['nut', 'washer']"),
    wrong("never", "before = 1"),
    wrong("never", "max_force = 1"),
    right("touches", "before ="),
    wrong("touches", "max_force = 1"),
    wrong("touches", "within = 1"),
    wrong("force", "max_torque = 1"),
    wrong("force", "max_deviation = 1"),
    wrong("force", "max_stalled = 1"),
    wrong("force", "before = 1"),
    wrong("ends", "max_force = 1"),
    wrong("ends", "max_torque = 1"),
    wrong("ends", "lost = 1"),
    right("joint limits", "max_force =\nmax_torque = 1"),
    right("joint limits", "max_force =\nmax_deviation = 1"),
    right("joint limits", "max_force =\nmax_stalled = 1"),
    wrong("joint limits", "within = 1"),
    wrong("joint limits", "pair = ['nut', 'washer']"),
    // Joints.
    right("joint", "min = -10\nmax = 10.5"),
    right("joint", "kind = 'slider'\nmin = -1\nmax = 1"),
    wrong("joint", "kind = 'ball'\nmin = 0"),
    wrong("joint", "kind = 'ball'\nmax = 0"),
    wrong("joint", "kind = 'fixed'\nmin = 0"),
    wrong("joint", "kind = 'fixed'\nmax = 0"),
    wrong("joint", "cone = 10"),
    wrong("joint", "twist = [0, 1]"),
    wrong("joint", "kind = 'slider'\ncone = 10"),
    wrong("joint", "kind = 'fixed'\ntwist = [0, 1]"),
    wrong("joint", "kind = 'fixed'\ndrive = { stiffness = 1 }"),
    right("joint", "drive = { stiffness = 1, target = 720, velocity = 3.5, max = inf }"),
    wrong("joint", "drive = { stiffness = 1, target = [1, 2, 3] }"),
    right("ball", "cone = 45\ntwist = [-10, 10]\nfriction = 1"),
    right("ball", "drive = { stiffness = 1, target = [10, 20, 30] }"),
    right("ball", "drive = { damping = 1, velocity = 0.0 }"),
    wrong("ball", "drive = { stiffness = 1, target = 10 }"),
    wrong("ball", "drive = { stiffness = 1, target = [1, 2] }"),
    wrong("ball", "drive = { stiffness = 1, target = [1, 2, 3, 4] }"),
    wrong("ball", "drive = { stiffness = 1, target = [inf, 2, 3] }"),
    wrong("ball", "drive = { stiffness = 1, velocity = 1 }"),
    wrong("ball", "a = 'world'\nb = 'world'"),
    right("ball", "b = 'world'"),
    // Drives.
    right("drive", "stiffness =\ndamping = 1"),
    right("drive", "stiffness = 0\ndamping = 1"),
    wrong("drive", "stiffness = 0\ndamping = 0.0"),
    wrong("drive", "stiffness =\nmax = 1"),
    wrong("drive", "stiffness = -1\ndamping = 1"),
    right("drive rule", "max =\nfrequency = 2"),
    right("drive rule", "max =\nstiffness = 2"),
    right("drive rule", "max =\ndamping = 2"),
    right("drive rule", "frequency = 2\nmax = 1"),
    wrong("drive rule", "frequency = 2\nstiffness = 1"),
    wrong("drive rule", "frequency = 2\ndamping = 0"),
    wrong("drive rule", "max =\nfrequency = -1"),
    // Scenes.
    wrong("no model", "ground ="),
    right("no model", "name = 'a floor'"),
    wrong("no model", "ground =\nmodel = []"),
    right("no model", "ground =\nmodel = [{ file = '../assets/chain.glb' }]"),
    wrong("top", "models = []"),
    wrong("top", "Name = 'x'"),
];
