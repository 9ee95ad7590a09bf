//! Joints between light parts that bear heavy ones: the joints neither stretch nor jump, and drives
//! keep to their largest force.

use std::f64::consts::TAU;
use std::fmt::Write;

use glam::{DVec3, Vec3};
use tumble::generate;

use super::{G, Run, Setup};

/// A row of links of 1 kg and 0.3 m that starts at the origin, and a cube of 0.2 m at its end.
struct Row {
    links: usize,
    direction: DVec3,
}

const LENGTH: f64 = 0.3;

impl Row {
    /// Returns the scene file of the row. `joint` holds the keys of every joint, `load` the keys of the
    /// cube.
    fn setup(&self, joint: &str, load: &str) -> Setup {
        let size = self.direction.abs() * (LENGTH - 0.02) + (DVec3::ONE - self.direction.abs()) * 0.04;
        let link = generate::cuboid(size.as_vec3(), 0.3);
        let cube = generate::cuboid(Vec3::splat(0.2), 0.2);
        let mut setup = Setup::new("");
        for k in 0..self.links {
            let middle = self.direction * LENGTH * (k as f64 + 0.5);
            setup = setup.place(&format!("link{k}"), &link, middle, [0.0; 3], "mass = 1.0");
        }
        setup = setup.place("load", &cube, self.joint(self.links), [0.0; 3], load);
        for k in 0..=self.links {
            let [a, b] = self.ends(k);
            let [x, y, z] = self.joint(k).to_array();
            writeln!(
                setup.text,
                "[[joint]]\na = \"{a}\"\nb = \"{b}\"\nanchor = [{x:?}, {y:?}, {z:?}]\n{joint}"
            )
            .unwrap();
        }
        setup
    }

    /// Returns the initial position of a joint.
    fn joint(&self, index: usize) -> DVec3 {
        self.direction * LENGTH * index as f64
    }

    fn ends(&self, joint: usize) -> [String; 2] {
        let name = |k: usize| if k < self.links { format!("link{k}") } else { "load".to_owned() };
        [if joint == 0 { "world".to_owned() } else { name(joint - 1) }, name(joint)]
    }

    /// Returns the widest gap of all joints, m.
    fn gap(&self, run: &Run) -> f64 {
        let half = 0.5 * LENGTH * self.direction;
        let at = |name: &str, arm: DVec3| match name {
            "world" => DVec3::ZERO,
            "load" => run.state(name).pose.position,
            _ => run.state(name).pose.transform_point(arm),
        };
        let gap = |joint: usize| {
            let [a, b] = self.ends(joint);
            at(&a, half).distance(at(&b, -half))
        };
        (0..=self.links).map(gap).fold(0.0, f64::max)
    }
}

#[test]
fn a_ton_stretches_no_joint_of_a_kilogram() {
    for (joint, direction) in [("kind = \"ball\"", DVec3::NEG_Y), ("kind = \"fixed\"", DVec3::X)] {
        for links in [1, 10] {
            let row = Row { links, direction };
            let mut run = row.setup(joint, "mass = 1000.0").open();
            for step in 0..180 {
                run.world.step();
                let (gap, moved) =
                    (row.gap(&run), run.state("load").pose.position.distance(row.joint(links)));
                assert!(gap < 1e-5 && moved < 1e-4, "{links} {joint}, step {step}: {gap}, {moved} m");
            }
            assert_eq!(run.world.sleeping_count() as usize, links + 1, "{links} {joint}");
        }
    }
}

/// Compares the period with T = 2π·√(l/g)·(1 + θ²/16), θ = v/√(g·l). The cube is joined at its center,
/// and the mass of the links is negligible.
#[test]
fn a_ton_swings_on_ten_light_links_as_on_a_thread() {
    let row = Row { links: 10, direction: DVec3::NEG_Y };
    let speed = 0.5;
    let mut run = row.setup("kind = \"ball\"", "mass = 1000.0\nvelocity = [0.5, 0.0, 0.0]").open();
    let length = LENGTH * 10.0;
    let (mut crossings, mut before, mut widest) = (Vec::new(), 0.0, 0.0_f64);
    for step in 1..=900 {
        run.world.step();
        let x = run.state("load").pose.position.x;
        if before > 0.0 && x <= 0.0 {
            crossings.push((f64::from(step) - x / (x - before)) / 60.0);
        }
        widest = widest.max(row.gap(&run));
        before = x;
    }
    assert!(widest < 1e-3 * LENGTH, "{widest} m");
    let swings = crossings.len() - 1;
    let period = (crossings[swings] - crossings[0]) / swings as f64;
    let angle = speed / (G * length).sqrt();
    let expected = TAU * (length / G).sqrt() * (1.0 + angle * angle / 16.0);
    assert!((period / expected - 1.0).abs() < 0.01, "{period} instead of {expected}");
    // The damping of the links takes little energy from the swing.
    let energy = 0.5 * run.state("load").linear_velocity.length_squared()
        + G * (run.state("load").pose.position.y + length);
    assert!(energy > 0.9 * 0.5 * speed * speed, "{energy} J/kg are left");
}

/// Shakes the links above the cube sideways. They come to rest, although a string under such tension
/// oscillates about once per sub-step.
#[test]
fn a_shaken_chain_under_a_ton_comes_to_rest() {
    let row = Row { links: 10, direction: DVec3::NEG_Y };
    let mut run = row.setup("kind = \"ball\"", "mass = 1000.0").open();
    run.state_mut("link4").linear_velocity.x = 2.0;
    for step in 0..180 {
        run.world.step();
        let gap = row.gap(&run);
        assert!(gap < 0.01 * LENGTH, "step {step}: {gap} m");
    }
    assert_eq!(run.world.sleeping_count(), 11);
}

/// Carries a tool a hundred times heavier than a link on six hinges with springs, whose axes are
/// alternately across and along the weight. The spring of a hinge deflects by torque over stiffness.
#[test]
fn an_arm_holds_a_heavy_tool_as_stiffly_as_its_drives() {
    let row = Row { links: 6, direction: DVec3::X };
    let stiffness = 2e6;
    let mut setup = row.setup("kind = \"fixed\"", "mass = 100.0");
    let drive = format!("drive = {{ stiffness = {stiffness:?}, damping = 2e4 }}");
    for (k, axis) in (0..6).zip([DVec3::Z, DVec3::Y].into_iter().cycle()) {
        let place = setup.text.match_indices("kind = \"fixed\"").next().unwrap().0;
        let [x, y, z] = axis.to_array();
        let hinge = format!("kind = \"hinge\"\naxis = [{x:?}, {y:?}, {z:?}]\n{drive}");
        setup.text.replace_range(place..place + "kind = \"fixed\"".len(), &hinge);
        assert!(setup.text.matches("hinge").count() == k + 1);
    }
    let mut run = setup.open();
    run.seconds(3.0);
    let drop = -run.state("load").pose.position.y;
    let end = LENGTH * 6.0;
    let mut expected = 0.0;
    for hinge in [0, 2, 4] {
        let from = LENGTH * hinge as f64;
        let links = (hinge..6).map(|k| LENGTH * (k as f64 + 0.5) - from).sum::<f64>();
        expected += G * (100.0 * (end - from) + links) * (end - from) / stiffness;
    }
    assert!((drop / expected - 1.0).abs() < 0.05, "{drop} instead of {expected} m");
    assert!(drop < 0.01 * end && row.gap(&run) < 1e-5, "{drop} m, {} m", row.gap(&run));
    assert_eq!(run.world.sleeping_count(), 7);
}

/// Moves a carriage of 1 kg with a load of 100 kg on a vertical rail. The acceleration F/m − g may have
/// either sign.
#[test]
fn a_drive_pushes_a_load_with_its_force_and_no_more() {
    for share in [0.9, 1.1] {
        let mut run = lift(share, "").open();
        run.seconds(0.5);
        let speed = run.state("load").linear_velocity.y;
        let expected = (share - 1.0) * G * 0.5;
        assert!((speed / expected - 1.0).abs() < 0.01, "{share}: {speed} instead of {expected} m/s");
    }
}

/// Lowers a load with a drive that is too weak. The load sinks to the end of its rail and stays there.
#[test]
fn a_blocked_drive_rests_on_its_limit() {
    let mut run = lift(0.9, "min = -0.1\n").open();
    run.seconds(3.0);
    let y = run.state("load").pose.position.y - 0.3;
    assert!((y + 0.1).abs() < 1e-3, "{y} m");
    assert_eq!(run.world.sleeping_count(), 2);
}

/// Returns a carriage of 1 kg with a load of 100 kg on a vertical rail. Its drive pushes with `share`
/// of their weight.
fn lift(share: f64, limit: &str) -> Setup {
    let force = share * 101.0 * G;
    let shape = generate::cuboid(Vec3::splat(0.2), 0.2);
    let mut setup = Setup::new("").place("carriage", &shape, DVec3::ZERO, [0.0; 3], "mass = 1.0").place(
        "load",
        &shape,
        DVec3::Y * 0.3,
        [0.0; 3],
        "mass = 100.0",
    );
    writeln!(
        setup.text,
        "[[joint]]\nkind = \"slider\"\na = \"world\"\nb = \"carriage\"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n{limit}\
         drive = {{ velocity = 1.0, damping = 1e6, max = {force:?} }}\n\
         [[joint]]\nkind = \"fixed\"\na = \"carriage\"\nb = \"load\"\nanchor = [0, 0.1, 0]"
    )
    .unwrap();
    setup
}

/// Loads a shelf of 1 kg on a bracket of 1 kg. Only contacts support the load.
#[test]
fn a_shelf_on_a_light_bracket_bears_a_ton() {
    let board = generate::cuboid(Vec3::new(0.3, 0.04, 0.3), 0.1);
    let cube = generate::cuboid(Vec3::splat(0.2), 0.1);
    let mut setup = Setup::new("")
        .place("bracket", &board, DVec3::X * 0.15, [0.0; 3], "mass = 1.0")
        .place("shelf", &board, DVec3::X * 0.47, [0.0; 3], "mass = 1.0")
        .place("cube", &cube, DVec3::new(0.47, 0.1201, 0.0), [0.0; 3], "mass = 1000.0");
    for (a, b, x) in [("world", "bracket", 0.0), ("bracket", "shelf", 0.31)] {
        writeln!(setup.text, "[[joint]]\nkind = \"fixed\"\na = \"{a}\"\nb = \"{b}\"\nanchor = [{x:?}, 0, 0]")
            .unwrap();
    }
    let mut run = setup.open();
    for step in 0..180 {
        run.world.step();
        let [shelf, cube] = ["shelf", "cube"].map(|name| run.state(name).pose.position);
        let moved = shelf.distance(DVec3::X * 0.47);
        assert!(moved < 3e-3, "step {step}: the shelf moved by {moved} m");
        assert!((cube.y - 0.12).abs() < 3e-3, "step {step}: the cube is at {} m", cube.y);
    }
    assert_eq!(run.world.sleeping_count(), 3);
}
