//! Models without a scene file: the ways to open one, and the ground or fixed base that is added.

use std::path::Path;

use glam::{DMat4, DVec3};
use serde::{Deserialize, Serialize};

use super::assemble::{FigureMode, add_model};
use super::builder::Builder;
use super::error::SceneError;
use super::figure::Drive;
use super::finish::{empty_scene, finish, left_out};
use super::placement::{Placement, Recenter};
use super::robot::Base;
use super::surfaces::Surfaces;
use super::{CameraDef, Scene, rules};
use crate::body::Motion;
use crate::config::Config;
use crate::import::clip::world_matrices;
use crate::import::model::Model;
use crate::import::{MotionFile, NoteKind, Unit};

/// Way to open a model without a scene file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenAs {
    /// Every part stays where it is, for viewing and checking.
    Designed,
    /// Every part moves freely, with a ground below. A model with physics moves as its file specifies.
    #[default]
    Drop,
    /// A model moves as its file specifies, with its base fixed: robots.
    FixedBase,
}

impl OpenAs {
    pub const ALL: [Self; 3] = [Self::Designed, Self::Drop, Self::FixedBase];

    pub fn name(self) -> &'static str {
        match self {
            Self::Designed => "designed",
            Self::Drop => "drop",
            Self::FixedBase => "fixed-base",
        }
    }
}

/// Ways to open a model: the requested one, if any, and the default for a model without physics; and the
/// unit of its lengths, if the user gave one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Opening {
    pub asked: Option<OpenAs>,
    pub otherwise: OpenAs,
    pub unit: Option<Unit>,
}

/// Builds the scene of a model without a scene file. The first clip that moves a node plays. A model
/// with physics moves as its file specifies, unless it is opened as designed.
pub(super) fn bare_model(
    name: &str,
    model: &Model,
    opening: Opening,
    seed: Option<u64>,
) -> Result<Scene, SceneError> {
    if let Some(content) = MotionFile::of(model) {
        return Err(SceneError::MotionOnly { name: name.to_owned(), content: Box::new(content) });
    }
    if model.robot.is_none()
        && model.geometries.is_empty()
        && model.shapes.is_empty()
        && !model.nodes.is_empty()
    {
        return Err(SceneError::NoMesh {
            name: name.to_owned(),
            node_count: model.nodes.len(),
            left_out: left_out(&model.notes),
        });
    }
    let base = base(model, opening);
    let base = base.map_err(|reason| SceneError::Config { name: name.to_owned(), reason })?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |s| s.to_string_lossy());
    let mut builder = Builder::new(empty_scene(&stem, Config::default(), seed));
    builder.take_header(model);
    let drive = model.clips.iter().find(|c| !c.tracks.is_empty()).map(|clip| Drive {
        clip,
        speed: 1.0,
        looped: true,
        stride: DVec3::ZERO,
    });
    if let Some(drive) = &drive {
        let text = format!("its first animation {:?} plays, looped", drive.clip.name);
        builder.note(NoteKind::Assumed, &model.source, text);
    }
    let mut surfaces = Surfaces::default();
    surfaces.add(&mut builder, model, 1.0, drive.is_some(), &|_| true);
    builder.verdict().map_err(|reason| SceneError::Config { name: name.to_owned(), reason })?;
    let place = Placement { matrix: DMat4::IDENTITY, recenter: Recenter::Off };
    add_model(
        &mut builder,
        model,
        &place,
        &|_| true,
        drive.as_ref(),
        FigureMode::Kinematic { self_collision: false },
        base,
    );
    rules::note_size(&mut builder, &model.source, 0, opening.unit);
    open(&mut builder, model, opening);
    builder.scene.camera = camera(model);
    finish(name, builder)
}

/// Returns the requested kind of base, fixed or free; `None` if no base was requested. Fails if the
/// model cannot be opened in the requested way.
fn base(model: &Model, opening: Opening) -> Result<Option<Base>, String> {
    let is_moved = model.robot.as_ref().is_some_and(|robot| robot.joints.iter().any(|j| j.clip.is_some()));
    Ok(match opening.asked {
        Some(OpenAs::Designed) if is_moved => {
            return Err("its joints cannot move (--joints) and stay as designed".to_owned());
        }
        Some(OpenAs::FixedBase) if model.joints.is_empty() => {
            return Err(
                "has no joints, so there is no base to fix; --as designed keeps every part".to_owned()
            );
        }
        Some(OpenAs::FixedBase) => Some(Base::Fixed),
        Some(OpenAs::Drop) => Some(Base::Free),
        Some(OpenAs::Designed) | None => None,
    })
}

/// Sets the motion of the parts by the way to open the model, and adds a note of this way if it was the
/// default.
fn open(builder: &mut Builder, model: &Model, Opening { asked, otherwise, .. }: Opening) {
    let physical = model.has_physics();
    let moves = builder.scene.bodies.iter().any(|b| b.motion == Motion::Dynamic);
    if asked.is_none() && !physical && moves {
        let text = match otherwise {
            OpenAs::Designed => {
                "opened as designed: its parts stay where they stand (--as drop lets them fall on a ground)"
            }
            OpenAs::Drop | OpenAs::FixedBase => {
                "opened to drop: every part moves freely (--as designed keeps them where they stand)"
            }
        };
        builder.note(NoteKind::Assumed, &model.source, text);
    }
    // A model with physics keeps its motion and gets no ground, unless a way to open it was requested.
    match asked.or((!physical).then_some(otherwise)) {
        Some(OpenAs::Designed) => {
            let parts = builder.scene.bodies.iter_mut().filter(|b| b.motion == Motion::Dynamic);
            parts.for_each(|b| b.motion = Motion::Static);
        }
        Some(OpenAs::Drop) => rules::add_missing_ground(builder),
        Some(OpenAs::FixedBase) | None => rules::note_missing_ground(builder, &model.source),
    }
}

/// Returns the first camera in the file's scene. The point that it looks at is as far from the camera
/// as the origin is.
fn camera(model: &Model) -> Option<CameraDef> {
    let worlds = world_matrices(model, None, DMat4::IDENTITY);
    let (index, camera) =
        model.nodes.iter().enumerate().filter(|(_, n)| n.in_scene).find_map(|(i, n)| Some((i, n.camera?)))?;
    let eye = worlds[index].w_axis.truncate();
    let forward = (-worlds[index].z_axis.truncate()).try_normalize()?;
    let fov = model.cameras[camera as usize].vertical_fov;
    Some(CameraDef {
        eye,
        target: eye + forward * eye.length().max(1.0),
        vertical_fov: fov.map_or(super::default_fov(), f64::to_degrees),
    })
}
