//! Tests of many steps, with the settings that a user gets: whole scenes, drops, stacks, heaps and
//! joints.

mod budget;
#[path = "../common/mod.rs"]
mod common;
mod draft;
mod drops;
mod dynamics;
mod fine;
#[path = "../common/gltf.rs"]
mod gltf;
mod golden;
mod hostile_piles;
mod rest;
#[path = "../common/rounds.rs"]
mod rounds;
mod solver;
mod threads;
