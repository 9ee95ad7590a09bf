//! Tests of the program, started from a shell, and of the pages about the program.

mod bench;
mod bench_trees;
mod check;
mod cli;
mod compare;
mod expect;
mod export;
mod export_csv;
mod export_figures;
mod files;
mod first_hour;
#[path = "../common/frame.rs"]
mod frame;
#[path = "../common/frame_shapes.rs"]
mod frame_shapes;
#[path = "../common/gltf.rs"]
mod gltf;
#[path = "../graphics/mod.rs"]
mod graphics;
mod hostile_limits;
mod hostile_motion;
mod interrupt;
#[path = "../common/parts_file.rs"]
mod parts_file;
mod placing;
mod readme;
#[path = "../common/rounds.rs"]
mod rounds;
mod scene_copies;
mod scene_schema;
mod suite;
mod sweep;
mod whole_files;
mod whole_tables;
mod workshop;
