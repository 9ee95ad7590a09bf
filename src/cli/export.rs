//! `tumble export`: what a scene or a recording shows, as files of others.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use glam::DVec3;
use serde::Serialize;

use super::models::ModelArguments;
use super::{Failure, Outcome, kinds, output, pictures};
use crate::files::{self, Existing};
use crate::scene::CameraDef;
use crate::viewer::{self, Look, MeshParts, Options, PictureOptions, Studio, counted};

/// Write pictures of a recording, or of a scene that is simulated for them. Needs no display.
#[derive(Args)]
pub(super) struct ExportArguments {
    /// A recording, a built-in scene, a scene file (.toml) or a model (.glb, .gltf, .stl, .obj,
    /// .ply, .dae, .urdf).
    run: String,
    #[command(flatten)]
    models: ModelArguments,
    /// What to write.
    #[arg(long)]
    to: Format,
    /// The step to show: 0 is the start. The last of a recording, or 0 of a scene, unless given.
    #[arg(long, value_name = "N", conflicts_with = "every", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    step: Option<u32>,
    /// A picture every N steps, from the start to the end of a recording or to --steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// With --every, the last step; the scene's own number unless given.
    #[arg(long, value_name = "N", requires = "every", allow_negative_numbers = true, value_parser = kinds::whole::<u32>)]
    steps: Option<u32>,
    /// Width and height, px: 1280x720 unless given; with --parts of each of its tiles, 640x480.
    #[arg(long, value_name = "WxH", value_parser = viewer::parse_size)]
    size: Option<[u32; 2]>,
    /// A file, or with --every a folder; named after the run unless given.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace files that are there already; what the pictures are made from is never replaced.
    #[arg(long)]
    force: bool,
    /// Where the camera stands, m.
    #[arg(long, value_name = "X,Y,Z", value_parser = kinds::point, requires = "target", allow_hyphen_values = true)]
    eye: Option<DVec3>,
    /// What the camera looks at, m.
    #[arg(long, value_name = "X,Y,Z", value_parser = kinds::point, requires = "eye", allow_hyphen_values = true)]
    target: Option<DVec3>,
    /// Show contacts and their forces.
    #[arg(long)]
    contacts: bool,
    /// Show the boxes of a level of the hierarchies; 0 is the root.
    #[arg(long, value_name = "LEVEL")]
    boxes: Option<u32>,
    /// Show what collides instead of what is drawn.
    #[arg(long)]
    colliding: bool,
    /// Show the simplified models of what collides beside its components, a row for each level, coarse to
    /// fine.
    #[arg(long, conflicts_with = "colliding")]
    parts: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture of a step, or one every so many steps.
    Png,
}

#[derive(Serialize)]
struct Written {
    pictures: Vec<Picture>,
    /// With --parts, what each surface has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    surfaces: Vec<MeshParts>,
}

#[derive(Serialize)]
struct Picture {
    step: u32,
    path: PathBuf,
}

pub(super) fn export(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    pictures::restart_without_window_system();
    match arguments.to {
        Format::Png => draw(arguments),
    }
}

fn draw(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    let camera = arguments.eye.zip(arguments.target);
    let wanted = PictureOptions {
        camera: camera.map(|(eye, target)| CameraDef { eye, target, vertical_fov: 40.0 }),
        options: Options {
            contacts: arguments.contacts,
            boxes: arguments.boxes.is_some(),
            level: arguments.boxes.unwrap_or(0),
            look: if arguments.colliding { Look::Colliding } else { Look::Drawn },
            ..Options::default()
        },
    };
    let size = arguments.size.unwrap_or(if arguments.parts { [640, 480] } else { [1280, 720] });
    let mut studio = Studio::new(arguments.models.shown(&arguments.run), size, &wanted)?;
    if arguments.contacts && !studio.has_contacts() {
        output::warn(
            "the recording keeps no contacts, so the pictures show none (tumble run --record-contacts pairs keeps them)",
        );
    }
    let stem = PathBuf::from(&arguments.run).file_stem().map_or_else(|| "tumble".into(), |s| s.to_owned());
    let mut written = Written { pictures: Vec::new(), surfaces: Vec::new() };
    let steps: Vec<u32> = match arguments.every {
        Some(every) => {
            let last = studio.last_step().or(arguments.steps).unwrap_or(studio.scene_steps());
            (0..=arguments.steps.map_or(last, |s| s.min(last))).step_by(every as usize).collect()
        }
        None => vec![arguments.step.or(studio.last_step()).unwrap_or(0)],
    };
    let out = arguments.out.clone();
    let path_of = |step: u32| {
        if arguments.every.is_some() {
            let folder = out.clone().unwrap_or_else(|| PathBuf::from(&stem));
            let mut name = stem.clone();
            name.push(format!("-{step:06}.png"));
            folder.join(name)
        } else {
            out.clone().unwrap_or_else(|| {
                let mut name = stem.clone();
                name.push(".png");
                PathBuf::from(name)
            })
        }
    };
    let existing = Existing::forced(arguments.force);
    for &step in &steps {
        files::check_target(&path_of(step), studio.files(), existing)?;
    }
    if let Some(folder) = steps.first().and_then(|&s| path_of(s).parent().map(PathBuf::from))
        && arguments.every.is_some()
    {
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let bar = output::progress(steps.len() as u64, "pictures");
    for step in steps {
        let path = path_of(step);
        let picture = if arguments.parts { studio.parts_picture(step)? } else { studio.picture(step)? };
        viewer::save(&picture, &path, existing)?;
        written.pictures.push(Picture { step, path });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.parts {
        written.surfaces = studio.parts();
    }
    if !(arguments.json || written.surfaces.is_empty()) {
        output::print(&written.surfaces.iter().map(lines).collect::<String>())?;
    }
    if arguments.json {
        output::print_json(&written)?;
    } else if let [only] = &written.pictures[..] {
        output::print(&only.path.display().to_string())?;
    } else if let Some(first) = written.pictures.first() {
        let folder = first.path.parent().unwrap_or(&first.path);
        output::print(&format!("{} pictures in {}", written.pictures.len(), folder.display()))?;
    }
    Ok(Outcome::Done)
}

/// A surface, and a line for each of its levels.
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
