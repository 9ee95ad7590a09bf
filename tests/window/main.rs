//! Tests of the window: its panels without a screen, pictures, and a real window on a display in
//! memory.
#![cfg(feature = "viewer")]

#[path = "../common/assembly.rs"]
mod assembly;
#[path = "../common/brute.rs"]
mod brute;
mod display;
#[path = "../common/gltf.rs"]
mod gltf;
#[path = "../graphics/mod.rs"]
mod graphics;
mod panels;
mod pictures;
mod recorded_contacts;
#[path = "../common/rounds.rs"]
mod rounds;
mod sections;
