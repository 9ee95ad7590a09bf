//! Steps of a scene of rigid and articulated bodies, with checks, recordings and reports.
//!
//! [`world`] steps a scene, [`check`] says where its parts clash, and [`record`], [`report`] and
//! [`convert`] write what a run leaves behind. `docs/architecture.md` of tumble describes the rooms.

#![forbid(unsafe_code)]

#[cfg(test)]
use tumble_collide::generate;
use tumble_collide::{arrays, articulation, broad, digits, estimate, mesh, order, parallel, plan, pose};
use tumble_collide::{query, random, timing, tree, unions, volume};
use tumble_dynamics::{body, contact, solver};
use tumble_model::{config, files, import, scene};

// Row 8
pub mod check;
// Row 9
pub mod world;
// Row 10
pub mod convert;
pub mod record;
pub mod report;
