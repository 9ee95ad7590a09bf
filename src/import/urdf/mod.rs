//! URDF → [`Model`]: links with masses and surfaces, held together by joints.
//!
//! A link is a node below that of its parent, turned and moved by its joint; links of fixed joints are part
//! of the body of the link they are fixed to, and keep their node as a frame. What collides are the file's
//! collision geometries, what is drawn its visual ones. Meshes are looked for beside the file and in the
//! packages that are named; one that is missing is a warning, one that is damaged an error. z is up.
//!
//! - `build.rs`: links and joints made into a model.
//! - `description.rs`: links and joints as the file says them.
//! - `draft.rs`: the model while it is put together.
//! - `elements.rs`: the elements of the file made into that description.
//! - `joint_elements.rs`: those of joints.
//! - `joints.rs`: joints between nodes, and those that can be posed.
//! - `links.rs`: links as nodes, with what collides and what is drawn.
//! - `mass.rs`: masses that add up.
//! - `meshes.rs`: the surfaces of mesh files, each read once.
//! - `packages.rs`: where mesh files lie.
//! - `tree.rs`: which link hangs on which.
//! - `unread.rs`: elements that are not read.
//! - `weights.rs`: what moves, with everything that is fixed to it.

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

/// Reads a robot; `package_paths` are folders in which its packages are looked for. With `drawn_collide` its
/// visual geometries collide in place of its collision geometries.
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

/// Reads a robot that is no file; it has no meshes.
pub(super) fn load_text(name: &str, text: &str, drawn_collide: bool) -> Result<Model, LoadError> {
    let no_mesh = |path: &Path| {
        let reason = "is no part of the robot".to_owned();
        Err(LoadError::NotAFile { path: path.to_owned(), reason })
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
