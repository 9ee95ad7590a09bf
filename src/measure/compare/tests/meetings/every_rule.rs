//! A generated scene with every kind of rule about the pairs that may collide.

use glam::Vec3;

use super::super::by_hand::joint;
use super::Answer;
use crate::body::Motion::{self, Dynamic, Kinematic, Static};
use crate::body::WORLD;
use crate::check::{Reason, Said};
use crate::contact::PairRule;
use crate::generate;
use crate::mesh::Mesh;
use crate::scene::{BodyDef, FigureKind, LinkMotion, Scene, SkeletonDef};

/// Names and kinds of motion of the bodies, in the order of their indices.
const BODIES: [(&str, Motion); 29] = [
    ("floor", Static),
    ("wall", Static),
    ("hinged", Dynamic),
    ("door", Dynamic),
    ("knob", Dynamic),
    ("ruled", Dynamic),
    ("pressed", Dynamic),
    ("sleeve", Dynamic),
    ("zone", Static),
    ("gate", Dynamic),
    ("belt", Kinematic),
    ("lift", Kinematic),
    ("watched.1", Kinematic),
    ("watched.2", Kinematic),
    ("watched.3", Kinematic),
    ("watched.4", Kinematic),
    ("led.1", Kinematic),
    ("led.2", Kinematic),
    ("led.loose", Dynamic),
    ("hollow", Dynamic),
    ("odd", Dynamic),
    ("even", Dynamic),
    ("mixed", Dynamic),
    ("even.2", Dynamic),
    ("mixed.2", Dynamic),
    ("rag.1", Dynamic),
    ("rag.2", Dynamic),
    ("twice", Dynamic),
    ("swapped", Dynamic),
];

/// Figures: name of the first link, number of links, kind, and whether self-collisions are tested.
const FIGURES: [(&str, u32, FigureKind, bool); 3] = [
    ("watched.1", 4, FigureKind::Kinematic, true),
    ("led.1", 3, FigureKind::Kinematic, false),
    ("rag.1", 2, FigureKind::Ragdoll, false),
];

/// Joints: two bodies, and whether they collide.
const JOINTS: [(&str, &str, bool); 11] = [
    ("floor", "hinged", false),
    ("hinged", "door", false),
    ("door", "knob", true),
    ("ruled", "knob", false),
    ("sleeve", "pressed", false),
    ("zone", "door", false),
    ("twice", "door", true),
    ("door", "twice", false),
    ("belt", "lift", false),
    ("watched.1", "watched.3", false),
    ("twice", "world", false),
];

/// Pair rules, in the order in which they are added.
const RULES: [(&str, &str, PairRule); 15] = [
    ("knob", "ruled", PairRule::Collide),
    ("hinged", "ruled", PairRule::Ignore),
    ("hinged", "pressed", PairRule::Permanent),
    ("pressed", "sleeve", PairRule::Permanent),
    ("zone", "ruled", PairRule::Ignore),
    ("zone", "pressed", PairRule::Permanent),
    ("watched.1", "watched.2", PairRule::Ignore),
    ("watched.2", "watched.3", PairRule::Permanent),
    ("led.1", "led.2", PairRule::Collide),
    ("odd", "even.2", PairRule::Collide),
    ("odd", "mixed.2", PairRule::Collide),
    ("floor", "wall", PairRule::Collide),
    ("knob", "twice", PairRule::Ignore),
    ("knob", "twice", PairRule::Collide),
    ("swapped", "knob", PairRule::Ignore),
];

/// Pairs whose interaction is given by hand.
pub const ANSWERS: [(&str, &str, Answer); 31] = [
    ("floor", "wall", Answer::Never),
    ("floor", "door", Answer::Push),
    ("floor", "hinged", Answer::Never),
    ("hinged", "door", Answer::Never),
    ("door", "knob", Answer::Push),
    ("knob", "ruled", Answer::Push),
    ("hinged", "ruled", Answer::Never),
    ("hinged", "pressed", Answer::Permanent),
    ("pressed", "sleeve", Answer::Permanent),
    ("zone", "wall", Answer::Watch),
    ("zone", "gate", Answer::Never),
    ("zone", "door", Answer::Never),
    ("zone", "ruled", Answer::Never),
    ("zone", "pressed", Answer::Watch),
    ("gate", "door", Answer::Watch),
    ("belt", "floor", Answer::Push),
    ("belt", "lift", Answer::Never),
    ("watched.1", "watched.2", Answer::Never),
    ("watched.2", "watched.3", Answer::Never),
    ("watched.1", "watched.3", Answer::Never),
    ("watched.3", "watched.4", Answer::Watch),
    ("led.1", "led.2", Answer::Never),
    ("led.1", "led.loose", Answer::Never),
    ("led.1", "watched.1", Answer::Push),
    ("hollow", "floor", Answer::Never),
    ("odd", "even", Answer::Never),
    ("odd", "mixed", Answer::Push),
    ("odd", "even.2", Answer::Push),
    ("rag.1", "rag.2", Answer::Push),
    ("twice", "door", Answer::Never),
    ("swapped", "knob", Answer::Never),
];

/// Pairs whose specification in the scene is given by hand.
pub const SAID: [(&str, &str, Said); 13] = [
    ("floor", "wall", Said::Collide),
    ("floor", "hinged", Said::Apart(Reason::Joint)),
    ("door", "knob", Said::Collide),
    ("knob", "ruled", Said::Collide),
    ("hinged", "ruled", Said::Apart(Reason::Rule)),
    ("pressed", "sleeve", Said::Permanent),
    ("zone", "gate", Said::Collide),
    ("watched.1", "watched.3", Said::Apart(Reason::Joint)),
    ("watched.2", "watched.3", Said::Permanent),
    ("led.1", "led.2", Said::Apart(Reason::Figure)),
    ("odd", "even", Said::Apart(Reason::Filter)),
    ("odd", "even.2", Said::Collide),
    ("swapped", "knob", Said::Apart(Reason::Rule)),
];

pub fn scene() -> Scene {
    let mut scene = Scene::new("every rule");
    let (positions, triangles) = generate::cuboid(Vec3::ONE, 1.0);
    let mesh = scene.add_mesh(Mesh::new("cube", &positions, &triangles).unwrap());
    for (name, motion) in BODIES {
        let made = match motion {
            Dynamic => BodyDef::dynamic(&scene, mesh, 1000.0),
            _ => BodyDef::fixed(&scene, mesh),
        };
        scene.add_body(BodyDef { name: name.to_owned(), motion, ..made });
    }
    scene.bodies[index("hollow") as usize].mesh = None;
    for trigger in ["zone", "gate"] {
        scene.bodies[index(trigger) as usize].trigger = true;
    }
    scene.skeletons.extend(FIGURES.map(figure));
    scene.joints.extend(JOINTS.map(|(a, b, collide)| joint(index(a), index(b), collide)));
    scene.pair_rules.extend(RULES.map(|(a, b, rule)| (index(a), index(b), rule)));
    scene.filters = serde_json::from_value(filters()).unwrap();
    assert!(scene.filters.is_sound());
    scene
}

fn index(name: &str) -> u32 {
    if name == "world" {
        return WORLD;
    }
    BODIES.iter().position(|body| body.0 == name).unwrap() as u32
}

fn figure((first, link_count, kind, self_collision): (&str, u32, FigureKind, bool)) -> SkeletonDef {
    SkeletonDef {
        name: first.to_owned(),
        kind,
        first_body: index(first),
        link_count,
        parents: Vec::new(),
        self_collision,
        joints: Vec::new(),
        motion: LinkMotion::default(),
        driven: Vec::new(),
    }
}

/// Returns collision filters as a recording stores them. Filters 0 and 1 do not admit each other;
/// filter 2 admits all. Half of the triangles of a mixed body have filter 1, the others filter 2.
fn filters() -> serde_json::Value {
    let own = [("odd", 0), ("even", 1), ("mixed", 1), ("even.2", 1), ("mixed.2", 1)];
    let mut of_body = vec![serde_json::Value::Null; BODIES.len()];
    for (name, filter) in own {
        of_body[index(name) as usize] = serde_json::json!({ "copy": 0, "filter": filter });
    }
    let mixed = |name| serde_json::json!({ "body": index(name), "parts": [[0, 1], [6, 2]], "kinds": [1, 2] });
    serde_json::json!({
        "tables": [{ "count": 3, "admitted": [0b101, 0b110, 0b111] }],
        "copies": [0],
        "filters": of_body,
        "parts": [mixed("mixed"), mixed("mixed.2")],
    })
}
