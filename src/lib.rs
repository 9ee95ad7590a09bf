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
//! The features `program` (the command line `cli`, comparisons) and `viewer` (the window) are on by default;
//! `default-features = false` leaves both out, with all code that only they need. `bench` adds the
//! experiments to `lab`.
//!
//! Most modules are in packages of their own, and this package hands them on. A module imports only from
//! rows above its own; the table is in `docs/architecture.md`, and `tests/it/layers/` checks it. SI units,
//! right-handed, y up, column vectors. Trees store `f32` bounds rounded outward, exact predicates run in
//! `f64` with an exact fallback, and poses and the solver use `f64`.

#![forbid(unsafe_code)]

// Rows 0 to 5: surfaces, hierarchies and queries.
#[doc(inline)]
pub use tumble_collide::{articulation, broad, digits, estimate, generate, mesh, plan, pose, query, random};
#[doc(inline)]
pub use tumble_collide::{timing, tree, volume};
// Rows 3 to 6: bodies, contacts, solver.
#[doc(inline)]
pub use tumble_dynamics::{body, contact, solver};
// Rows 0, 6 and 7: files, scenes.
#[doc(inline)]
pub use tumble_model::{config, files, import, scene};
// Rows 8 to 10: steps, and what they leave behind.
#[doc(inline)]
pub use tumble_sim::{check, convert, record, report, world};
// Rows 11 to 13: comparisons and experiments.
#[cfg(feature = "program")]
pub mod lab {
    //! Comparisons of methods on one scene and, with the feature `bench`, the experiments of the papers.

    #[cfg(feature = "bench")]
    #[doc(inline)]
    pub use tumble_lab::*;
    #[doc(inline)]
    pub use tumble_measure::compare;
}
// Row 14
#[cfg(feature = "program")]
pub mod publish;
#[cfg(feature = "program")]
pub mod sweep;
// Row 15
#[cfg(feature = "viewer")]
pub mod viewer;
// Row 16
#[cfg(feature = "program")]
pub mod cli;

#[cfg(feature = "program")]
use tumble_collide::{arrays, order, parallel};
#[cfg(feature = "program")]
use tumble_measure::{compare, page};
