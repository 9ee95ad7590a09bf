//! Pictures of a recording, or of a scene that is simulated for the pictures.

use std::path::PathBuf;

use clap::Args;
use glam::DVec3;
use serde::Serialize;

use super::{ExportArguments, section};
use crate::cli::{Failure, Outcome, kinds, output, pictures};
use crate::files::{self, Existing};
use crate::import::Note;
use crate::query::Plane;
use crate::scene::CameraDef;
use crate::viewer::{self, Look, MeshParts, Options, PictureOptions, Studio, counted};

/// Options of pictures.
#[derive(Args)]
pub(super) struct PictureArguments {
    /// Step to show; 0 is the start. Default: the last step of a recording, or the start of a scene.
    #[arg(long, value_name = "N", conflicts_with = "every", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    step: Option<u32>,
    /// Last step with --every. Default: the last step of a recording, or the number of steps of the
    /// scene.
    #[arg(long, value_name = "N", requires = "every", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    steps: Option<u32>,
    /// Width and height, px. Default: 1280x720, or 640x480 for each picture of --parts.
    #[arg(long, value_name = "WxH", value_parser = viewer::parse_size)]
    size: Option<[u32; 2]>,
    /// Position of the camera, m.
    #[arg(long, value_name = "X,Y,Z", value_parser = kinds::point, requires = "target", allow_hyphen_values = true)]
    eye: Option<DVec3>,
    /// Point that the camera looks at, m.
    #[arg(long, value_name = "X,Y,Z", value_parser = kinds::point, requires = "eye", allow_hyphen_values = true)]
    target: Option<DVec3>,
    /// Show contacts and their forces.
    #[arg(long)]
    contacts: bool,
    /// Show the boxes of one level of the hierarchies; 0 is the root.
    #[arg(long, value_name = "LEVEL")]
    boxes: Option<u32>,
    /// Show the colliding surfaces instead of the drawn surfaces.
    #[arg(long)]
    colliding: bool,
    /// Cut the picture open along a plane. x=12mm removes everything beyond x = 12 mm; -x=12mm removes
    /// everything before it; 1,1,0=5mm cuts along any direction.
    #[arg(long, value_name = "PLANE", value_parser = section::plane, conflicts_with = "parts", allow_hyphen_values = true)]
    section: Option<Plane>,
    /// Show two columns, with one row per level, from coarse to fine: the simplified models of the
    /// colliding surfaces, and the components into which these models divide.
    #[arg(long, conflicts_with = "colliding")]
    parts: bool,
}

impl PictureArguments {
    /// Returns the name of the first given option.
    pub fn first_given(&self) -> Option<&'static str> {
        let Self { step, steps, size, eye, target, contacts, boxes, colliding, section, parts } = self;
        let all = [
            ("--step", step.is_some()),
            ("--steps", steps.is_some()),
            ("--size", size.is_some()),
            ("--eye", eye.is_some()),
            ("--target", target.is_some()),
            ("--contacts", *contacts),
            ("--boxes", boxes.is_some()),
            ("--colliding", *colliding),
            ("--section", section.is_some()),
            ("--parts", *parts),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    fn options(&self) -> PictureOptions {
        let camera = self.eye.zip(self.target);
        PictureOptions {
            camera: camera.map(|(eye, target)| CameraDef { eye, target, vertical_fov: 40.0 }),
            options: Options {
                contacts: self.contacts,
                boxes: self.boxes.is_some(),
                level: self.boxes.unwrap_or(0),
                section: self.section,
                look: if self.colliding { Look::Colliding } else { Look::Drawn },
                ..Options::default()
            },
        }
    }

    fn size(&self) -> [u32; 2] {
        self.size.unwrap_or(if self.parts { [640, 480] } else { [1280, 720] })
    }
}

#[derive(Serialize)]
struct Written {
    pictures: Vec<Picture>,
    /// The number of levels of each surface, with --parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    surfaces: Vec<MeshParts>,
    /// Notes of the import.
    import_notes: Vec<Note>,
}

#[derive(Serialize)]
struct Picture {
    step: u32,
    path: PathBuf,
}

/// Draws the pictures of a recording or a scene.
pub(super) fn draw(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    pictures::restart_without_window_system();
    let wanted = &arguments.pictures;
    let mut studio = Studio::new(arguments.models.shown(&arguments.run), wanted.size(), &wanted.options())?;
    if wanted.contacts && !studio.has_contacts() {
        output::warn(
            "the recording has no contacts, so the pictures show none (tumble run --record-contacts pairs records \
             them)",
        );
    }
    let import_notes = studio.notes().to_vec();
    let mut written = Written { pictures: Vec::new(), surfaces: Vec::new(), import_notes };
    let steps: Vec<u32> = match arguments.every {
        Some(every) => {
            let last = studio.last_step().or(wanted.steps).unwrap_or(studio.scene_steps());
            (0..=wanted.steps.map_or(last, |s| s.min(last))).step_by(every as usize).collect()
        }
        None => vec![wanted.step.or(studio.last_step()).unwrap_or(0)],
    };
    let existing = Existing::forced(arguments.force);
    for &step in &steps {
        files::check_target(&path_of(arguments, step), studio.files(), existing)?;
    }
    if let Some(folder) = steps.first().and_then(|&s| path_of(arguments, s).parent().map(PathBuf::from))
        && arguments.every.is_some()
    {
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let bar = output::progress(steps.len() as u64, "pictures");
    for step in steps {
        let path = path_of(arguments, step);
        let picture = if wanted.parts { studio.parts_picture(step)? } else { studio.picture(step)? };
        viewer::save(&picture, &path, existing)?;
        written.pictures.push(Picture { step, path });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if wanted.parts {
        written.surfaces = studio.parts();
    }
    print(arguments, &written)?;
    Ok(Outcome::Done)
}

/// Returns the path for the picture of a step.
fn path_of(arguments: &ExportArguments, step: u32) -> PathBuf {
    let stem = super::stem(&arguments.run);
    let mut name = stem.clone().into_os_string();
    if arguments.every.is_some() {
        name.push(format!("-{step:06}.png"));
        return arguments.out.clone().unwrap_or(stem).join(name);
    }
    name.push(".png");
    arguments.out.clone().unwrap_or_else(|| PathBuf::from(name))
}

fn print(arguments: &ExportArguments, written: &Written) -> Result<(), Failure> {
    if arguments.json {
        return output::print_json(written);
    }
    if !written.surfaces.is_empty() {
        output::print(&written.surfaces.iter().map(lines).collect::<String>())?;
    }
    if let [only] = &written.pictures[..] {
        output::print(&only.path.display().to_string())?;
    } else if let Some(first) = written.pictures.first() {
        let folder = first.path.parent().unwrap_or(&first.path);
        output::print(&format!("{} pictures in {}", written.pictures.len(), folder.display()))?;
    }
    Ok(())
}

/// Describes a surface, with one line per level.
fn lines(surface: &MeshParts) -> String {
    let mut out = format!("{}: {} triangles", surface.name, surface.triangles);
    if surface.levels.is_empty() {
        out += ", no level divides it";
    }
    for (level, counts) in (1..).zip(&surface.levels) {
        out += &format!("\n  level {level}, {counts}; {}", counted(counts.components, "component"));
    }
    out + "\n"
}
