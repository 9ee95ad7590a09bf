//! Comparisons of several methods on one scene, and the tables, turns and pages that measurements share.
//!
//! [`compare`] runs one scene under several contenders. [`turns`] and [`table`] serve every measurement, and
//! [`page`] every written page. `docs/architecture.md` of tumble describes the rooms.

#![forbid(unsafe_code)]

#[cfg(test)]
use tumble_collide::generate;
use tumble_collide::{arrays, articulation, broad, digits, mesh, order, parallel, plan, pose, query, random};
use tumble_collide::{timing, tree, volume};
#[cfg(feature = "reference")]
use tumble_dynamics::solver;
use tumble_dynamics::{body, contact};
use tumble_model::{config, files, import, scene};
use tumble_sim::{check, record, report, world};

// Row 11
pub mod page;
pub mod table;
pub mod turns;
// Row 12
pub mod compare;
