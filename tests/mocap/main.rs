//! Captured motion: files as models, clips carried over to other skeletons, and what hostile files do. Real
//! files come from a folder of models beside the repository, or from `TUMBLE_MODELS`.

mod files;
mod hostile;
mod retarget;

use std::fs;
use std::path::{Path, PathBuf};

use glam::{DMat4, DVec3};
use tumble::scene::load_model;
use tumble::scene::model::{Clip, LocalTransform, Model, TrackValues};

/// `None` where the folder with the models is not there.
fn shared(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("TUMBLE_MODELS").map(PathBuf::from);
    let folder = folder.unwrap_or(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models"));
    Some(folder.join(file)).filter(|path| path.exists())
}

fn walker() -> Model {
    load_model(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/walker.glb")).unwrap()
}

/// World matrices of all nodes at a key of a clip whose tracks have the same keys, else at rest.
fn worlds(model: &Model, at: Option<(&Clip, usize)>) -> Vec<DMat4> {
    let mut locals: Vec<LocalTransform> = model.nodes.iter().map(|n| n.local).collect();
    if let Some((clip, key)) = at {
        for track in &clip.tracks {
            if let LocalTransform::Parts { translation, rotation, scale } = &mut locals[track.node as usize] {
                match &track.values {
                    TrackValues::Translation(v) => *translation = v[key.min(v.len() - 1)],
                    TrackValues::Rotation(v) => *rotation = v[key.min(v.len() - 1)].normalize(),
                    TrackValues::Scale(v) => *scale = v[key.min(v.len() - 1)],
                }
            }
        }
    }
    let mut worlds = vec![DMat4::IDENTITY; model.nodes.len()];
    let mut stack: Vec<(u32, DMat4)> = model.roots.iter().map(|&r| (r, DMat4::IDENTITY)).collect();
    while let Some((node, above)) = stack.pop() {
        let world = above * locals[node as usize].matrix();
        worlds[node as usize] = world;
        stack.extend(model.nodes[node as usize].children.iter().map(|&c| (c, world)));
    }
    worlds
}

fn node(model: &Model, name: &str) -> usize {
    model.nodes.iter().position(|n| n.name == name).unwrap_or_else(|| panic!("{name} in {}", model.source))
}

fn places(model: &Model, at: Option<(&Clip, usize)>) -> Vec<DVec3> {
    worlds(model, at).iter().map(|w| w.w_axis.truncate()).collect()
}

fn key_count(clip: &Clip) -> usize {
    clip.tracks.iter().map(|t| t.times.len()).max().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

const BVH: &str = "HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT knee
  {
    OFFSET 0 -2 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
      OFFSET 0 -1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 5 0 0 0 0 0 0 0
1 2 3 90 0 0 90 0 0
";

const ASF: &str = "# two bones
:version 1.10
:units
  mass 1.0
  length 0.0254
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -1 0
    length 2
    axis 0 0 90 XYZ
    dof rx rz
    limits (-10 10)
           (-10 10)
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 1
    axis 0 0 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root thigh
    thigh shin
  end
";

const AMC: &str = ":FULLY-SPECIFIED
:DEGREES
1
root 0 5 0 0 0 0
thigh 0 0
shin 0
2
root 1 2 3 90 0 90
thigh 90 0
shin 90
";
