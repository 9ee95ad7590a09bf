//! Robots of others, with or without their meshes.

use super::Models;
use super::robots_fit::{links_are_where_matrices_say, reads_as_others_do, stands};

pub fn robots_are_read_as_others_read_them(models: &Models) -> usize {
    let folder = std::fs::read_dir(models.path("robots")).unwrap();
    let files =
        folder.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "urdf"));
    let mut count = 0;
    for path in files {
        reads_as_others_do(&path);
        links_are_where_matrices_say(&path, 20);
        stands(&path);
        count += 1;
    }
    count
}
