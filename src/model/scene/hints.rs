//! Hints for a wrong name or file: similar names, and the tools for files of other kinds.

use std::path::Path;

use crate::import::alike::{NAMES_COMPARED, most_alike};
use crate::import::{is_model, model_extensions};
use crate::order::Order;

/// Number of names that are listed if none is similar to the wanted name.
const NAMES_LISTED: usize = 5;

/// Returns `; did you mean "lid"?` if a name is similar to `wanted`, whose wildcards do not count.
/// Otherwise returns the first few names, or an empty text if there are no names.
pub fn instead<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = most_alike(wanted, names.clone()) {
        return format!("; did you mean {name:?}?");
    }
    let mut names: Vec<&str> = names.take(NAMES_COMPARED).collect();
    names.order();
    names.dedup();
    let listed: Vec<String> = names.iter().take(NAMES_LISTED).map(|n| format!("{n:?}")).collect();
    match names.len() {
        0 => String::new(),
        count if count > NAMES_LISTED => {
            format!("; there are {} and {} more", listed.join(", "), count - NAMES_LISTED)
        }
        _ => format!("; there is {}", listed.join(", ")),
    }
}

/// Returns advice for an existing path that is neither a scene nor a model.
pub(super) fn advice(path: &Path) -> String {
    if path.is_dir() {
        let inside = entries(path);
        let known = inside.iter().map(String::as_str).filter(|name| is_known(Path::new(name)));
        return format!(
            "is a folder: name a scene or a model in it{}",
            instead("", known).replacen("; ", ": ", 1)
        );
    }
    if !path.is_file() {
        return "is not a regular file".to_owned();
    }
    advice_by_name(path)
}

/// Returns advice for a file whose extension shows that it is neither a scene nor a model.
pub(super) fn advice_by_name(path: &Path) -> String {
    let extension = extension(path).unwrap_or_default();
    let convert = "tumble reads glTF, STL, OBJ, PLY, COLLADA and URDF: ";
    match extension.as_str() {
        "tumble" => {
            "is a recording, not a scene: `tumble play` reads and checks it, `tumble view` shows it".into()
        }
        "off" | "3mf" | "3ds" | "x3d" => {
            format!("{convert}convert it with `assimp export part.{extension} part.glb`")
        }
        "zae" => "is a zip archive with a COLLADA file: `unzip` it and open its .dae".into(),
        "step" | "stp" => format!(
            "{convert}triangulate it with FreeCAD (Export, glTF) or with Python's trimesh and cascadio: \
             `trimesh.load(\"part.{extension}\").export(\"part.glb\")`"
        ),
        "iges" | "igs" | "brep" => format!("{convert}triangulate it with FreeCAD (Export, glTF)"),
        "xacro" => {
            "is a robot with macros: `xacro robot.xacro > robot.urdf` expands them, and tumble reads that"
                .into()
        }
        "mjcf" | "xml" => "is read if it is a robot's URDF: call it .urdf. MuJoCo's MJCF is not: `pip install \
             mjcf-urdf-simple-converter`, then `python3 -c 'import mjcf_urdf_simple_converter as m; \
             m.convert(\"robot.xml\", \"robot.urdf\")'` writes its bodies, joints and meshes as URDF, without boxes, \
             balls and cylinders"
            .into(),
        "sdf" => format!(
            "is a description of a robot or of another simulator's world; {convert}convert its meshes, and write \
             its joints as [[joint]] in a scene file"
        ),
        "fbx" | "blend" | "usd" | "usda" | "usdc" | "usdz" => {
            format!("{convert}convert it with Blender (open or import it, then Export glTF 2.0)")
        }
        _ => format!(
            "is neither a scene (.toml) nor a model ({}) nor a recording (.tumble)",
            model_extensions()
        ),
    }
}

/// Returns whether the extension is that of a scene or a model.
pub(super) fn is_known(path: &Path) -> bool {
    extension(path).as_deref() == Some("toml") || is_model(path)
}

/// Returns the names in a folder, sorted; none if it cannot be read. A large folder is listed only in
/// part.
pub(super) fn entries(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.take(NAMES_COMPARED).flatten().map(|e| e.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.order();
    names
}

pub(super) fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_told_what_is_read() {
        let step = advice_by_name(Path::new("part.STEP"));
        assert!(step.starts_with("tumble reads glTF, STL, OBJ, PLY, COLLADA and URDF: "), "{step}");
        let zae = advice_by_name(Path::new("robot.zae"));
        assert!(zae.contains("zip archive with a COLLADA file"), "{zae}");
    }

    #[test]
    fn names_are_listed_where_none_is_like_the_wanted_one() {
        assert_eq!(instead("lid", ["lip"].into_iter()), "; did you mean \"lip\"?");
        assert_eq!(instead("lid", ["crate"].into_iter()), "; there is \"crate\"");
        assert_eq!(instead("lid", [].into_iter()), "");
    }
}
