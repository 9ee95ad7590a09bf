//! Articulated bodies: how links hang together, and hierarchies of volumes over them that follow the links'
//! poses every frame. \[cab\]
//!
//! A hierarchy mirrors the articulation; its leaves are boxes fitted to the links once. The kinds differ in
//! volumes and in how a parent's is had from its children's. Volumes are closed and conservative, so a kind
//! can only add pairs; oriented boxes of either kind have the same leaves and find the same pairs.
//!
//! - `aligned.rs`: axis-aligned boxes of links, around points or boxes.
//! - `aligned_nodes.rs`: the hierarchy of axis-aligned boxes.
//! - `cab.rs`: the axes of a parent box after CAB, from the longest axes of its children.
//! - `descend.rs`: the traversal of two hierarchies, or of one against itself.
//! - `eight.rs`: axis-aligned boxes around eight leaves, which leave out those that cannot meet.
//! - `frame.rs`: the poses of links in `f32`, relative to an origin in `f64`, eight links at once.
//! - `kind.rs`: which hierarchy a run keeps over the links.
//! - `link_tree.rs`: the hierarchy of one articulation, of any kind.
//! - `meeting.rs`: when two links are near enough to be a pair, judged alike for all kinds.
//! - `oriented.rs`: oriented boxes of links: leaves, parents around two, and the overlap test.
//! - `oriented_nodes.rs`: the hierarchy of oriented boxes, CAB and OBB by covariance.
//! - `principal.rs`: the axes of a parent box by principal component analysis of its children's corners.
//! - `shape.rs`: a link's surface as the hierarchies see it.
//! - `skeleton.rs`: how the links of an acyclic articulation hang together.
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
