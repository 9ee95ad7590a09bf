//! Contacts between triangle meshes, and an impulse solver for bodies and joints.
//!
//! [`body`] has the data of bodies and joints, [`contact`] turns pairs of near surfaces into contacts, and
//! [`solver`] turns contacts and joints into velocities and poses. `docs/architecture.md` of tumble
//! describes the rooms.

#![forbid(unsafe_code)]

use tumble_collide::{arrays, mesh, pose, query, tree, unions};

#[cfg(test)]
use tumble_collide::{generate, random};

// Row 3
pub mod body;
// Row 5
pub mod contact;
// Row 6
pub mod solver;
