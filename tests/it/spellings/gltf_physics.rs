//! Spellings of the physics of glTF: KHR_physics_rigid_bodies and the related OMI extensions.

use serde_json::{Value, json};

use super::gltf::{corners, tile};
use super::{Row, refused, row};

const TILE: &str = "n: 0 0 0, 1 0 0, 1 1 0";
const KHR: &str = "KHR_physics_rigid_bodies";

/// Returns a file whose first node has a surface and whose second is `second`; `root` are the
/// extensions of the file.
fn file(root: &Value, second: &Value) -> String {
    tile(&[corners()], &json!({}), |file| {
        let mut second = second.clone();
        second["name"] = "b".into();
        file["nodes"].as_array_mut().unwrap().push(second);
        file["scenes"] = json!([{ "nodes": [0, 1] }]);
        file["extensions"] = root.clone();
        let empty = serde_json::Map::new();
        file["extensionsUsed"] = root.as_object().unwrap_or(&empty).keys().cloned().collect();
    })
}

/// Returns a node with a body of the newer extensions.
fn khr(body: Value) -> Value {
    json!({ "extensions": { KHR: body } })
}

fn body(about: &'static str, motion: Value, wanted: &str) -> Row {
    let text = file(&json!({}), &khr(json!({ "motion": motion })));
    row(about, "a.gltf", text, &format!("{TILE}\nb is {wanted}"))
}

pub fn rows() -> Vec<Row> {
    [motions(), shapes(), colliders(), joints(), omi()].into_iter().flatten().collect()
}

fn motions() -> Vec<Row> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let whole = json!({
        "mass": 2, "centerOfMass": [0.1, 0.2, 0.3], "inertiaDiagonal": [1, 2, 3], "inertiaOrientation": [0, 0, half, half],
        "linearVelocity": [1, 0, 0], "angularVelocity": [0, 2, 0], "gravityFactor": 0.5,
    });
    let wrong = |about, motion: Value, says| {
        refused(about, "a.gltf", file(&json!({}), &khr(json!({ "motion": motion }))), says)
    };
    vec![
        body("a motion that says nothing", json!({}), "dynamic at 0 0 0"),
        body("isKinematic", json!({ "isKinematic": true }), "kinematic at 0 0 0"),
        body("type static", json!({ "type": "static" }), "static at 0 0 0"),
        body("type kinematic", json!({ "type": "kinematic" }), "kinematic at 0 0 0"),
        body("type dynamic", json!({ "type": "dynamic" }), "dynamic at 0 0 0"),
        // The axes of the moments are rotated by 90° about z: the first is along y.
        body(
            "all that a motion says",
            whole,
            "dynamic at 0 0 0; mass 2; center 0.1 0.2 0.3; moments 2 1 3; velocity 1 0 0; spin 0 2 0; gravity 0.5",
        ),
        wrong("a mass below 0", json!({ "mass": -1 }), "its mass is negative"),
        wrong("a moment below 0", json!({ "inertiaDiagonal": [1, -1, 1] }), "its inertia is negative"),
        wrong(
            "no rotation",
            json!({ "inertiaDiagonal": [1, 1, 1], "inertiaOrientation": [0, 0, 0, 0] }),
            "is no rotation",
        ),
        wrong("another type", json!({ "type": "frozen" }), "is unknown"),
    ]
}

fn shapes() -> Vec<Row> {
    let of = |about, shape: Value, wanted: &str| {
        let root = json!({ "KHR_implicit_shapes": { "shapes": [{ "type": "sphere" }, shape] } });
        let text = file(&root, &khr(json!({ "collider": { "geometry": { "shape": 1 } } })));
        row(about, "a.gltf", text, &format!("{TILE}\nb collides as {wanted}"))
    };
    let wrong = |about, shape: Value, says| {
        refused(
            about,
            "a.gltf",
            file(&json!({ "KHR_implicit_shapes": { "shapes": [shape] } }), &json!({})),
            says,
        )
    };
    vec![
        of("box", json!({ "type": "box", "box": { "size": [1, 2, 3] } }), "box 1 2 3"),
        of("a box without a size", json!({ "type": "box" }), "box 1 1 1"),
        of("sphere", json!({ "type": "sphere", "sphere": { "radius": 0.2 } }), "sphere 0.2"),
        of("a sphere without a radius", json!({ "type": "sphere" }), "sphere 0.5"),
        of(
            "capsule",
            json!({ "type": "capsule", "capsule": { "height": 2, "radiusTop": 0.3, "radiusBottom": 0.4 } }),
            "capsule 2 0.3 0.4",
        ),
        of("a capsule without numbers", json!({ "type": "capsule" }), "capsule 0.5 0.25 0.25"),
        of(
            "cylinder",
            json!({ "type": "cylinder", "cylinder": { "height": 2, "radiusTop": 0.3, "radiusBottom": 0 } }),
            "cylinder 2 0.3 0",
        ),
        of(
            "a cylinder with one radius",
            json!({ "type": "cylinder", "cylinder": { "radius": 0.7 } }),
            "cylinder 0.5 0.7 0.7",
        ),
        of(
            "plane",
            json!({ "type": "plane", "plane": { "sizeX": 2, "sizeZ": 3, "doubleSided": true } }),
            "plane 2 3 from both sides",
        ),
        of("a plane without end", json!({ "type": "plane" }), "plane ∞ ∞"),
        of("convex", json!({ "type": "convex", "convex": { "mesh": 0 } }), "the hull of mesh 0"),
        of("trimesh", json!({ "type": "trimesh", "trimesh": { "mesh": 0 } }), "mesh 0"),
        wrong("a box of nothing", json!({ "type": "box", "box": { "size": [0, 0, 0] } }), "is degenerate"),
        wrong("a sphere of nothing", json!({ "type": "sphere", "sphere": { "radius": 0 } }), "is degenerate"),
        wrong(
            "a cylinder below 0",
            json!({ "type": "cylinder", "cylinder": { "height": -1 } }),
            "is degenerate",
        ),
        wrong(
            "a capsule of nothing",
            json!({ "type": "capsule", "capsule": { "radiusTop": 0, "radiusBottom": 0 } }),
            "is degenerate",
        ),
        wrong("a plane of nothing", json!({ "type": "plane", "plane": { "sizeX": 0 } }), "is degenerate"),
        wrong("no known shape", json!({ "type": "torus" }), "unknown type"),
        wrong(
            "a mesh that is not there",
            json!({ "type": "convex", "convex": { "mesh": 1 } }),
            "mesh is 1, there are 1",
        ),
    ]
}

fn colliders() -> Vec<Row> {
    let materials = json!([
        { "staticFriction": 0.1, "dynamicFriction": 0.2, "restitution": 0.3, "frictionCombine": "minimum", "restitutionCombine": "maximum" },
        { "restitution": 1.5, "frictionCombine": "average", "restitutionCombine": "multiply" },
    ]);
    let root = json!({ KHR: { "physicsMaterials": materials, "collisionFilters": [
        { "collisionSystems": ["a"], "collideWithSystems": ["b"] }, { "collisionSystems": ["b"], "notCollideWithSystems": ["b"] },
    ] } });
    let of = |about, own: Value, wanted: &str| {
        row(about, "a.gltf", file(&root, &khr(own)), &format!("{TILE}\n{}", wanted.replace("|", "\n")))
            .says("Repaired: restitution was 1.5, now 1")
    };
    let hull = json!({ "node": 0, "convexHull": true });
    vec![
        of("a node", json!({ "collider": { "geometry": { "node": 0 } } }), "b collides as node n"),
        of("its hull", json!({ "collider": { "geometry": hull } }), "b collides as the hull of node n"),
        of(
            "a mesh",
            json!({ "collider": { "geometry": { "mesh": 0 } } }),
            "b collides as: 0 0 0, 1 0 0, 1 1 0",
        ),
        of(
            "its hull, too",
            json!({ "collider": { "geometry": { "mesh": 0, "convexHull": true } } }),
            "b collides as the hull of mesh 0",
        ),
        of(
            "a material, and a filter",
            json!({ "collider": { "geometry": { "node": 0 }, "physicsMaterial": 0, "collisionFilter": 1 } }),
            "b collides as node n|b collides as with friction 0.1 0.2, bounce 0.3, combined minimum maximum|b collides as in filter 1",
        ),
        of(
            "a material that says little, and too much bounce",
            json!({ "collider": { "geometry": { "node": 0 }, "physicsMaterial": 1 } }),
            "b collides as node n|b collides as with friction 0.6 0.6, bounce 1, combined average multiply",
        ),
        of("neither a shape nor a node", json!({ "collider": { "geometry": {} } }), "")
            .says("Ignored: has neither a shape nor a node nor a mesh"),
        of("a trigger", json!({ "trigger": { "geometry": { "node": 0 } } }), "b notices as node n"),
        of("a trigger of nodes", json!({ "trigger": { "nodes": [0, 1] } }), "b notices of n b"),
    ]
}

fn joints() -> Vec<Row> {
    let of = |about, settings: Value, wanted: &str| {
        let root = json!({ KHR: { "physicsJoints": [{}, settings] } });
        let second = json!({ "translation": [0, 0, 2], "extensions": { KHR: { "joint": { "connectedNode": 0, "joint": 1 } } } });
        let at = "0 0 2 (x 1 0 0, y 0 1 0) and 0 0 0 (x 1 0 0, y 0 1 0)";
        row(about, "a.gltf", file(&root, &second), &format!("{TILE}\nb joins n at {at}{wanted}"))
    };
    let limit = |limit: Value| json!({ "limits": [limit] });
    let drive = |drive: Value| json!({ "drives": [drive] });
    let free = "; x free; y free; z free; about x free; about y free; about z free";
    let but = |from: &str, to: &str| {
        assert!(free.contains(from), "{from}");
        free.replacen(from, to, 1)
    };
    let collide = json!({ "extensions": { KHR: { "joint": { "connectedNode": 0, "joint": 0, "enableCollision": true } } } });
    let at = "0 0 0 (x 1 0 0, y 0 1 0)";
    vec![
        of("nothing is held", json!({}), free),
        of(
            "an axis within limits",
            limit(json!({ "linearAxes": [1], "min": -1, "max": 2 })),
            &but("y free", "y -1 to 2"),
        ),
        of("one bound", limit(json!({ "linearAxes": [2], "max": 2 })), &but("; z free", "; z -∞ to 2")),
        of(
            "the bounds of the older words",
            limit(json!({ "angularAxes": [0], "lowerLimit": -1, "upperLimit": 2 })),
            &but("about x free", "about x -1 to 2"),
        ),
        of(
            "axes that are locked",
            limit(json!({ "linearAxes": [0, 1, 2], "angularAxes": [1, 2], "min": 0, "max": 0 })),
            "; about x free",
        ),
        of(
            "a limit that gives",
            limit(json!({ "angularAxes": [2], "min": -1, "max": 1, "stiffness": 5, "damping": 0.5 })),
            &but("about z free", "about z -1 to 1 soft 5 0.5"),
        ),
        of(
            "damping alone is hard",
            limit(json!({ "angularAxes": [2], "min": -1, "max": 1, "damping": 0.5 })),
            &but("about z free", "about z -1 to 1"),
        ),
        of("a cone", limit(json!({ "angularAxes": [1, 2], "max": 0.5 })), &format!("{free}; cone 0.5")),
        of(
            "three angular axes",
            limit(json!({ "angularAxes": [0, 1, 2], "min": -1, "max": 1 })),
            "; x free; y free; z free; about x -1 to 1; about y -1 to 1; about z -1 to 1",
        )
        .says("Assumed: a limit on the angle over three axes is taken as a range of each"),
        of(
            "a distance over two axes, which gives",
            limit(json!({ "linearAxes": [0, 2], "min": 0.5, "max": 2, "stiffness": 5 })),
            &format!("{free}; distance over x z from 0.5 to 2 soft 5 0"),
        ),
        of(
            "a distance of one end",
            limit(json!({ "linearAxes": [0, 1, 2], "min": -1 })),
            &format!("{free}; distance over x y z from 0 to ∞"),
        )
        .says("Ignored: a distance is never below 0: min -1 says nothing"),
        of(
            "a drive by force",
            drive(json!({
                "type": "linear", "axis": 1, "mode": "force", "positionTarget": 1, "velocityTarget": 2, "stiffness": 3, "damping": 4, "maxForce": 5,
            })),
            &but("y free", "y free driven by force 1 2 3 4 5"),
        ),
        of(
            "a drive by acceleration, with no end to its force",
            drive(json!({ "type": "angular", "axis": 2, "mode": "acceleration" })),
            &but("about z free", "about z free driven by acceleration 0 0 0 0 ∞"),
        ),
        row(
            "bodies that are joined and collide",
            "a.gltf",
            file(&json!({ KHR: { "physicsJoints": [{}] } }), &collide),
            &format!("{TILE}\nb joins n at {at}, which collide{free}"),
        ),
    ]
}

fn omi() -> Vec<Row> {
    let shapes = json!({ "shapes": [{ "type": "box" }, { "type": "sphere", "sphere": { "radius": 2 } }] });
    let of = |about, root: Value, own: Value, wanted: &str| {
        row(
            about,
            "a.gltf",
            file(&root, &json!({ "extensions": own })),
            &format!("{TILE}\n{}", wanted.replace('|', "\n")),
        )
    };
    let motion = |motion: Value| json!({ "OMI_physics_body": { "motion": motion } });
    let at = "0 0 0 (x 1 0 0, y 0 1 0)";
    let both = json!({
        "KHR_implicit_shapes": { "shapes": [{ "type": "capsule" }] }, "OMI_physics_shape": shapes,
        KHR: { "physicsJoints": [{}] },
        "OMI_physics_joint": { "physicsJoints": [{ "limits": [{ "linearAxes": [0], "min": 0, "max": 0 }] }] },
    });
    vec![
        of(
            "a motion's defaults",
            json!({}),
            motion(json!({ "type": "dynamic" })),
            "b is dynamic at 0 0 0; mass 1; center 0 0 0",
        ),
        of(
            "an inertia of 0 says nothing",
            json!({}),
            motion(json!({ "type": "dynamic", "inertiaDiagonal": [0, 0, 0] })),
            "b is dynamic at 0 0 0; mass 1; center 0 0 0",
        ),
        of(
            "indices count within their own family",
            both,
            json!({
                "OMI_physics_body": { "collider": { "shape": 1 }, "trigger": { "shape": 0 } },
                "OMI_physics_joint": { "connectedNode": 0, "joint": 0 },
            }),
            &format!(
                "b collides as sphere 2|b notices as box 1 1 1|b joins n at {at}; y free; z free; about x free; about y free; about z free"
            ),
        ),
        of(
            "gravity",
            json!({ "OMI_physics_gravity": { "gravity": 3, "direction": [2, 0, 0] } }),
            json!({}),
            "gravity 3 0 0",
        ),
        of(
            "gravity that says nothing",
            json!({ "OMI_physics_gravity": {} }),
            json!({}),
            "gravity 0 -9.80665 0",
        ),
        of(
            "gravity of a place",
            json!({}),
            json!({ "OMI_physics_gravity": { "type": "point", "gravity": 3 } }),
            "",
        )
        .says("Ignored: its point gravity, 3 m/s², acts in one place only: it is left out"),
    ]
}
