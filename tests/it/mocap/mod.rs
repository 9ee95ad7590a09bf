//! Captured motion: files as models, clips retargeted to other skeletons, and hostile files.

mod files;
mod hostile;
mod likeness;
mod retarget;

use std::fs;
use std::path::{Path, PathBuf};

use tumble::import::model::Model;
use tumble::import::{ReadAs, load_model};

fn walker() -> Model {
    load_model(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/walker.glb"), &ReadAs::default()).unwrap()
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
