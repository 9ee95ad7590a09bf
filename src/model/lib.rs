//! Readers of models, robots and captured motion, and the scenes made from them.
//!
//! [`import`] reads a file into a model, and [`scene`] makes the bodies, joints and figures of one or more
//! models. [`files`] does all reading and writing of files for the rooms above. `docs/architecture.md` of
//! tumble describes the rooms.

#![forbid(unsafe_code)]

#[cfg(test)]
use tumble_collide::generate;
use tumble_collide::{arrays, articulation, broad, digits, lookup, mesh, order, plan, pose, query, random};
use tumble_collide::{tree, volume};
use tumble_dynamics::{body, contact, solver};

// Row 0
pub mod files;
// Row 6
pub mod config;
pub mod import;
// Row 7
pub mod scene;
