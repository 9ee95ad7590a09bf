//! The program as it is started from a shell, and what its pages say of it.

mod bench;
mod cli;
mod compare;
mod export;
mod files;
mod first_hour;
#[path = "../common/gltf.rs"]
mod gltf;
#[path = "../graphics/mod.rs"]
mod graphics;
mod hostile_limits;
mod hostile_motion;
mod interrupt;
mod readme;
#[path = "../common/rounds.rs"]
mod rounds;
mod scene_copies;
mod whole_files;
