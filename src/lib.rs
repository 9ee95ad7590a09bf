//! **tumble** simulates rigid and articulated bodies whose surfaces are triangle meshes, exactly as they
//! were modelled: non-convex, open, unwelded.
//!
//! One frame is one call of [`world::World::step`], and the modules below are listed in the order in which
//! a frame meets them:
//!
//! ```text
//! scene/ → body/ + mesh/ → tree/ (volume/), articulation/ → broad/ → narrow/ → solver/ → timing → record/, report/, viewer/
//! glTF     what moves      hierarchies                      pairs     contacts  velocities  per stage  what a run leaves
//! ```
//!
//! A module imports only from rows above its own; the table stands in `docs/architecture.md` and is checked
//! by `tests/layers.rs`. SI units, right-handed, y up, column vectors. Trees hold `f32` rounded outward,
//! exact predicates run in `f64` with an exact fallback, poses and the solver in `f64`.

#![forbid(unsafe_code)]

// Row 0
pub mod files;
pub mod pose;
pub mod random;
pub mod timing;
// Row 1
pub mod volume;
// Row 2
pub mod mesh;
// Row 3
pub mod articulation;
pub mod body;
pub mod tree;
// Row 4
pub mod broad;
pub mod narrow;
// Row 5
pub mod config;
pub mod solver;
// Row 6
pub mod scene;
// Row 7
pub mod world;
// Row 8
pub mod record;
#[cfg(feature = "reference")]
pub mod reference;
pub mod report;
// Row 9
pub mod experiment;
// Row 10
#[cfg(feature = "viewer")]
pub mod viewer;
// Row 11
pub mod cli;
