//! Collision detection between triangle meshes, exactly as they were modelled: bounding-volume hierarchies,
//! broad phases, hierarchies over links, and exact queries.
//!
//! A [`mesh::Mesh`] is a surface; a [`tree::Tree`] is a hierarchy over its triangles, of any kind;
//! [`query::intersect`], [`query::distance`] and [`query::penetration`] ask about two placed surfaces:
//!
//! ```
//! use glam::DVec3;
//! use tumble_collide::query::{PairMemory, Placed, intersect};
//! use tumble_collide::tree::{SplitRule, Tree, TreeKind};
//! use tumble_collide::{generate, mesh::Mesh, pose::Pose};
//!
//! let (positions, triangles) = generate::torus(0.2, 0.05, 24, 12);
//! let ring = Mesh::new("ring", &positions, &triangles)?;
//! let tree = Tree::build(TreeKind::default(), SplitRule::default(), &ring);
//! let at = |x: f64| Placed::new(&tree, &ring, Pose::from_position(DVec3::X * x));
//! assert!(intersect(&at(0.0), &at(0.3), &mut PairMemory::default()));
//! # Ok::<(), tumble_collide::mesh::MeshError>(())
//! ```
//!
//! The modules are declared in numbered rows, which `docs/architecture.md` of tumble explains. Units are
//! those of the caller; hierarchies store `f32` bounds rounded outward, exact predicates run in `f64` with
//! an exact fallback. The feature `schema` describes the kinds for JSON schemas. Hidden modules serve the
//! packages of tumble, and may change at any time.

#![forbid(unsafe_code)]

// Row 0
#[doc(hidden)]
pub mod arrays;
pub mod digits;
#[doc(hidden)]
pub mod order;
#[doc(hidden)]
pub mod parallel;
pub mod pose;
pub mod random;
pub mod timing;
#[doc(hidden)]
pub mod unions;
// Row 1
#[doc(hidden)]
pub mod lookup;
pub mod volume;
// Row 2
pub mod generate;
pub mod mesh;
// Row 3
pub mod tree;
// Row 4
pub mod articulation;
pub mod query;
// Row 5
pub mod broad;
pub mod estimate;
pub mod plan;
