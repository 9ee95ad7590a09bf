//! **tumble** simulates rigid and articulated bodies whose surfaces are triangle meshes, exactly as they
//! were modelled: non-convex, open, unwelded.
//!
//! One frame is one call of [`world::World::step`]. The diagram shows the modules that the data of a
//! frame passes through, from left to right:
//!
//! ```text
//! import/ → scene/ → mesh/ → tree/ → query/ ─┐
//!  files     bodies   surfaces  hierarchies   ├→ world/ → contact/ → solver/ → record/, report/, viewer/
//!            articulation/ (links), broad/ ───┘   steps    contacts   velocities   what a run leaves behind
//! ```
//!
//! A world is created from a scene, which is loaded from a file or built in code:
//!
//! ```
//! use glam::{DVec3, Vec3};
//! use tumble::generate;
//! use tumble::mesh::Mesh;
//! use tumble::scene::{BodyDef, Scene};
//! use tumble::world::World;
//!
//! let mut scene = Scene::new("a ring falls");
//! let (positions, triangles) = generate::cuboid(Vec3::new(2.0, 0.2, 2.0), 0.5);
//! let floor = scene.add_mesh(Mesh::new("floor", &positions, &triangles)?);
//! let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
//! let ring = scene.add_mesh(Mesh::new("ring", &positions, &triangles)?);
//! scene.add_body(BodyDef::fixed(&scene, floor));
//! scene.add_body(BodyDef::dynamic(&scene, ring, 2700.0).at(DVec3::new(0.0, 0.4, 0.0)));
//!
//! let mut world = World::new(&scene)?;
//! for _ in 0..60 {
//!     let timings = world.step();
//!     assert!(timings.total() > timings.query);
//! }
//! assert_eq!(world.sleeping_count(), 1, "it has come to rest on the floor");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The features `program` (the command line `cli`, the experiments `lab`) and `viewer` (the window) are on by
//! default; `default-features = false` leaves both out, with all code that only they need.
//!
//! The modules are declared in numbered rows. A module imports only from rows above its own; the table
//! is in `docs/architecture.md`, and `tests/it/layers/` checks it. SI units, right-handed, y up, column
//! vectors. Trees store `f32` bounds rounded outward, exact predicates run in `f64` with an exact
//! fallback, and poses and the solver use `f64`.

#![forbid(unsafe_code)]

// Row 0
mod arrays;
pub mod digits;
pub mod files;
mod order;
mod parallel;
pub mod pose;
pub mod random;
pub mod timing;
mod unions;
// Row 1
mod lookup;
pub mod volume;
// Row 2
pub mod mesh;
// Row 3
pub mod body;
pub mod tree;
// Row 4
pub mod articulation;
pub mod query;
// Row 5
pub mod broad;
pub mod contact;
pub mod estimate;
pub mod plan;
// Row 6
pub mod config;
pub mod import;
pub mod solver;
// Row 7
pub mod scene;
// Row 8
pub mod check;
// Row 9
pub mod world;
// Row 10
pub mod convert;
pub mod generate;
pub mod record;
pub mod report;
// Row 11
#[cfg(feature = "program")]
pub mod lab;
// Row 12
#[cfg(feature = "program")]
pub mod publish;
#[cfg(feature = "program")]
pub mod sweep;
// Row 13
#[cfg(feature = "viewer")]
pub mod viewer;
// Row 14
#[cfg(feature = "program")]
pub mod cli;
