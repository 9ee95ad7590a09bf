//! Files of triangles and of robots: the same surface from every format, the notes on its flaws, and
//! damaged files.

mod agree;
mod collada;
pub mod compressed;
mod converted;
mod costly;
mod hostile;
mod joint_motion;
mod physics;
mod robots;
mod round_trips;
mod strangers;
mod trees;
mod triangles;
pub mod writers;
