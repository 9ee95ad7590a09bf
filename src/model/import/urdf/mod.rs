//! URDF → [`Model`]: links with masses and surfaces, connected by joints.
//!
//! The node of a link lies below that of its parent link, and the joint between them transforms it. A
//! link that is fixed to another is part of the other's body; its node remains as a frame. The file's
//! collision geometries collide, and its visual geometries are drawn. Meshes are searched beside the
//! file and in its packages. A missing mesh is a warning, a damaged one an error. z is up.
//!
//! - `build.rs`: links and joints made into a model.
//! - `description.rs`: links and joints as in the file.
//! - `draft.rs`: the model under construction.
//! - `elements.rs`: the elements of the file made into that description.
//! - `joint_elements.rs`: the elements of joints.
//! - `joints.rs`: joints between nodes, and those that can be posed.
//! - `links.rs`: links as nodes, with colliders and drawn surfaces.
//! - `mass.rs`: sums of masses.
//! - `meshes.rs`: the surfaces of mesh files, each read once.
//! - `packages.rs`: search for mesh files.
//! - `tree.rs`: the tree of links.
//! - `unread.rs`: ignored elements.
//! - `weights.rs`: masses of bodies, each a link with everything fixed to it.

mod build;
mod description;
mod draft;
mod elements;
mod joint_elements;
mod joints;
mod links;
mod mass;
mod meshes;
mod packages;
mod tree;
mod unread;
mod weights;

use std::path::{Path, PathBuf};

use super::error::LoadError;
use super::fault::Fault;
use super::limits::XML_BYTES;
use super::model::Model;
use super::xml::{self, XmlText};
use meshes::{Meshes, ReadMesh};
use packages::Packages;

/// Reads a robot. `package_paths` are folders in which its packages are searched. If `drawn_collide`,
/// its visual geometries collide in place of its collision geometries.
pub(super) fn load(
    path: &Path,
    package_paths: &[PathBuf],
    drawn_collide: bool,
    read_mesh: &ReadMesh,
) -> Result<Model, LoadError> {
    let text = xml::read(path, XML_BYTES)?;
    let packages = Packages::new(path, package_paths)
        .map_err(|source| LoadError::Read { path: path.to_owned(), source })?;
    let mut model = read(path, &text, drawn_collide, Meshes::new(packages, read_mesh))?;
    model.files.push(path.to_owned());
    Ok(model)
}

/// Reads a robot from memory. It cannot have meshes.
pub(super) fn load_text(name: &str, text: &str, drawn_collide: bool) -> Result<Model, LoadError> {
    let no_mesh = |path: &Path| {
        let reason = "is no part of the robot".to_owned();
        Err(LoadError::Refused { path: path.to_owned(), reason })
    };
    let text = XmlText { text: text.to_owned(), ..XmlText::default() };
    read(Path::new(name), &text, drawn_collide, Meshes::new(Packages::none(), &no_mesh))
}

fn read(path: &Path, text: &XmlText, drawn_collide: bool, mut meshes: Meshes) -> Result<Model, LoadError> {
    let wrong =
        |Fault { place, reason }| LoadError::Invalid { file: path.display().to_string(), place, reason };
    let document = xml::parse(&text.text).map_err(wrong)?;
    let mut robot = elements::read(document.root_element()).map_err(wrong)?;
    if drawn_collide {
        robot.links.iter_mut().for_each(|link| link.collisions.clone_from(&link.visuals));
    }
    let tree = tree::sort(&robot).map_err(wrong)?;
    let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    robot.said.of_text.clone_from(&text.said);
    build::model(path, &source, robot, &tree, &mut meshes)
}
