//! Articulated bodies: how their links are connected, and hierarchies of volumes over the links, which
//! follow their poses. \[cab\]
//!
//! A hierarchy mirrors the articulation. Its leaves are boxes fitted once to the links. Kinds of
//! hierarchies differ in the volumes, and in how a parent's volume follows from its children's. Volumes
//! are closed and conservative, so a kind can report too many pairs but never misses one. All kinds of
//! oriented boxes have the same leaves and report the same pairs.
//!
//! - `aligned.rs`: axis-aligned boxes of links, around points or boxes.
//! - `aligned_nodes.rs`: the hierarchy of axis-aligned boxes.
//! - `cab.rs`: the axes of a parent box by the CAB method, from the longest axes of its children.
//! - `descend.rs`: the traversal of two hierarchies, or of one against itself.
//! - `eight.rs`: axis-aligned boxes around eight leaves, which exclude leaves that cannot overlap.
//! - `frame.rs`: the poses of links in `f32`, relative to an origin in `f64`, eight links at once.
//! - `kind.rs`: the kind of hierarchy over the links.
//! - `link_tree.rs`: the hierarchy of one articulation, of any kind.
//! - `meeting.rs`: the test of whether two links are a pair, the same for all kinds.
//! - `oriented.rs`: oriented boxes of links: leaves, parents around two, and the overlap test.
//! - `oriented_nodes.rs`: the hierarchy of oriented boxes, CAB and OBB by covariance.
//! - `principal.rs`: the axes of a parent box by principal component analysis.
//! - `shape.rs`: the volumes of a link's surface.
//! - `skeleton.rs`: the connection of the links of an acyclic articulation.
//! - `skin.rs`: a link's exact surface by linear blend skinning, in the link's body space.
//! - `topology.rs`: the binary hierarchy over a skeleton's links.

mod aligned;
mod aligned_nodes;
mod cab;
mod descend;
mod eight;
mod frame;
mod kind;
mod link_tree;
mod meeting;
mod oriented;
mod oriented_nodes;
mod principal;
mod shape;
mod skeleton;
mod skin;
mod topology;

pub use kind::LinkTreeKind;
pub use link_tree::{LinkBox, LinkTree};
pub use meeting::{PlacedLink, links_meet};
pub use shape::LinkShape;
pub use skeleton::{Skeleton, SkeletonError};
pub use skin::{Deviation, LinkSkin, SkinKind, SkinVertex};
