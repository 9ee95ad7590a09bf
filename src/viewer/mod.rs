//! The viewer of a world. It shows runs in a window, or in pictures without a window.
//!
//! ```text
//! loader ─→ show (shapes, hierarchies) ─┐
//! simulation ─→ source (steps so far) ──┼─ app ─→ panels/ (egui) ─→ window (winit)
//! actions (keys, mouse) ────────────────┘    └──→ gpu/ (wgpu)   ─→ picture (files)
//! ```
//!
//! The simulation has its own thread and never waits for a picture. A picture never waits for a step.
//!
//! - `acting.rs`: the effect of every action.
//! - `actions.rs`: actions of a user, and the keys that trigger them.
//! - `app.rs`: the viewer without its window.
//! - `assembly.rs`: the parts as a tree, and the hidden parts.
//! - `budget.rs`: the effect of a budget on a step, in numbers and text.
//! - `camera.rs`: the camera.
//! - `canvas.rs`: a window with its graphics device.
//! - `caps.rs`: the caps of a section, as triangles.
//! - `checking.rs`: a check of the parts in their poses at a step.
//! - `controls.rs`: drives that a user sets.
//! - `cut.rs`: the section plane, and the lines and areas that it cuts.
//! - `detail.rs`: levels of detail of a shape.
//! - `drawing.rs`: the contents of a picture, collected from the app.
//! - `findings.rs`: the findings of the shown scene.
//! - `gpu/`: the graphics device and its passes.
//! - `loader.rs`: loads the user's choice on a separate thread.
//! - `measure.rs`: distance or penetration depth of two parts.
//! - `overlay.rs`: lines over the picture: contacts, boxes of hierarchies.
//! - `panels/`: the panels around the view.
//! - `parts/`: pictures of the levels at which surfaces show their parts.
//! - `pick.rs`: the surface under the mouse.
//! - `picture.rs`: pictures without a window.
//! - `playhead.rs`: the shown step, and its playback.
//! - `priority.rs`: precedence of the simulation if the processor also draws.
//! - `ruler.rs`: two points on surfaces, and the distance between them.
//! - `selection.rs`: the selected parts, and operations on them.
//! - `shading.rs`: vertices and normals of a drawn surface.
//! - `show.rs`: a scene prepared for drawing.
//! - `simulation.rs`: a world that steps on its own thread, with its history.
//! - `skin.rs`: a skin in a pose, on the processor.
//! - `snapshot.rs`: pictures of pairs of parts for reports.
//! - `source.rs`: the source of the steps, which is a simulation or a recording.
//! - `stage.rs`: the loaded scene, and its shown step.
//! - `status.rs`: the state of a window in a form that a script can read.
//! - `system_error.rs`: errors of the window library.
//! - `tiles.rs`: the levels of a scene's parts in one picture.
//! - `visit.rs`: visits to findings.
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
mod ruler;
mod selection;
mod shading;
mod show;
mod simulation;
mod skin;
mod snapshot;
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
pub use snapshot::PairStudio;
pub use status::Status;
pub use system_error::SystemError;
pub use tiles::MeshParts;
pub use window::{OnChange, OnNotes, ViewerError, WindowOptions, WindowReport, open};
