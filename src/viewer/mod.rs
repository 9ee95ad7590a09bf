//! The window on a world: what runs becomes visible, in a window or in pictures without one.
//!
//! ```text
//! loader ─→ show (shapes, hierarchies) ─┐
//! simulation ─→ source (steps so far) ──┼─ app ─→ panels/ (egui) ─→ window (winit)
//! actions (keys, mouse) ────────────────┘    └──→ gpu/ (wgpu)   ─→ picture (files)
//! ```
//!
//! The simulation has a thread of its own and never waits for a picture; a picture never waits for a step.

mod actions;
mod app;
mod budget;
mod camera;
mod canvas;
mod detail;
mod gpu;
mod loader;
mod overlay;
mod panels;
mod parts;
mod pick;
mod picture;
mod playhead;
mod priority;
mod problems;
mod shading;
mod show;
mod simulation;
mod skin;
mod source;
mod stage;
mod status;
mod system_error;
mod tiles;
mod window;

pub use app::{App, Dialog, Options};
pub use budget::BudgetChoice;
pub use gpu::GpuError;
pub use loader::is_recording;
pub use panels::show as show_panels;
pub use parts::{PartCounts, counted};
pub use picture::{PictureError, PictureOptions, Studio, parse_point, parse_size, save};
pub use show::Look;
pub use status::Status;
pub use system_error::SystemError;
pub use tiles::MeshParts;
pub use window::{OnChange, ViewerError, WindowOptions, WindowReport, open};
