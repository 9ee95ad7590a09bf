//! The window on a world: what runs becomes visible, in a window or in pictures without one.
//!
//! ```text
//! loader ─→ show (shapes, hierarchies) ─┐
//! simulation ─→ source (steps so far) ──┼─ app ─→ panels/ (egui) ─→ window (winit)
//! actions (keys, mouse) ────────────────┘    └──→ gpu/ (wgpu)   ─→ picture (files)
//! ```
//!
//! The simulation has a thread of its own and never waits for a picture; a picture never waits for a step.
//!
//! - `acting.rs`: the effect of every action.
//! - `actions.rs`: what a user can do, and the keys that do it.
//! - `app.rs`: the viewer without its window.
//! - `assembly.rs`: the parts as a tree, and which are hidden.
//! - `budget.rs`: what a budget leaves of a step, in figures and words.
//! - `camera.rs`: the camera.
//! - `canvas.rs`: a window with a graphics device behind it.
//! - `caps.rs`: the caps of a section, as triangles.
//! - `checking.rs`: a check of the parts as they stand.
//! - `controls.rs`: drives that a user sets.
//! - `cut.rs`: the section plane, and the lines and areas that it cuts.
//! - `detail.rs`: coarser versions of a shape for where it is small in the picture.
//! - `drawing.rs`: the contents of a picture, collected from the app.
//! - `findings.rs`: the findings of what is shown, by name.
//! - `gpu/`: the graphics device and its passes.
//! - `loader.rs`: loads what the user opens on a thread of its own.
//! - `measure.rs`: the distance of two parts, or their depth in each other.
//! - `overlay.rs`: lines over the picture: contacts, boxes of hierarchies.
//! - `panels/`: the panels around the view.
//! - `parts/`: the levels at which surfaces show their parts, as pictures.
//! - `pick.rs`: what is under the mouse.
//! - `picture.rs`: pictures without a window.
//! - `playhead.rs`: which step is looked at, and how it moves on by itself.
//! - `priority.rs`: the simulation goes first where the processor also draws.
//! - `review.rs`: which findings are accepted, and a word on each.
//! - `ruler.rs`: two points on surfaces, and the way between them.
//! - `selection.rs`: what is selected, and what is done with it.
//! - `shading.rs`: vertices and normals that the graphics card draws of a surface.
//! - `show.rs`: a scene made ready to be drawn.
//! - `simulation.rs`: a world that steps on a thread of its own, and keeps what it did.
//! - `skin.rs`: a skin in a pose, on the processor.
//! - `source.rs`: where the steps come from: a simulation or a recording.
//! - `stage.rs`: what is loaded, and the step that is on show.
//! - `status.rs`: what a window shows, in words that a script can read.
//! - `system_error.rs`: what the window library says when the system fails it.
//! - `tiles.rs`: the levels of a scene's parts in one picture.
//! - `visit.rs`: going to a finding and back.
//! - `window.rs`: the window: events in, pictures out.

mod acting;
mod actions;
mod app;
mod assembly;
mod budget;
mod camera;
mod canvas;
mod caps;
mod checking;
mod controls;
mod cut;
mod detail;
mod drawing;
mod findings;
mod gpu;
mod loader;
mod measure;
mod overlay;
mod panels;
mod parts;
mod pick;
mod picture;
mod playhead;
mod priority;
mod review;
mod ruler;
mod selection;
mod shading;
mod show;
mod simulation;
mod skin;
mod source;
mod stage;
mod status;
mod system_error;
mod tiles;
mod visit;
mod window;

pub use app::{App, Dialog, Options};
pub use budget::BudgetChoice;
pub use gpu::GpuError;
pub use loader::is_recording;
pub use measure::{Gap, Measure};
pub use panels::show as show_panels;
pub use parts::{PartCounts, counted};
pub use picture::{PictureError, PictureOptions, Studio, parse_size, save};
pub use show::Look;
pub use status::Status;
pub use system_error::SystemError;
pub use tiles::MeshParts;
pub use window::{OnChange, OnNotes, ViewerError, WindowOptions, WindowReport, open};
