//! Articulated bodies: how links hang together, and hierarchies of volumes over them that follow the links'
//! poses every frame. \[cab\]
//!
//! A hierarchy mirrors the articulation; its leaves are boxes fitted to the links once. The kinds differ in
//! volumes and in how a parent's is had from its children's. Volumes are closed and conservative, so a kind
//! can only add pairs; oriented boxes of either kind have the same leaves and find the same pairs.

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
