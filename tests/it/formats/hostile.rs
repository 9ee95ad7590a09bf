//! Damaged files of triangles never panic: they load, or they are refused with a position.

use glam::Vec3;
use proptest::prelude::*;
use tumble::import::{ReadAs, load_model};

use super::robots;
use super::writers::{PlyKind, dae, obj, ply, stl_binary, stl_text, torus, write};

const SPOKES: [&[u8]; 16] = [
    b"nan",
    b"-inf",
    b"-1",
    b"0",
    b"1e999",
    b"4294967295",
    b"1000000000",
    b"\n",
    b"\r",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"\xef\xbb\xbf",
    b"\\",
    b"/",
    b"endsolid\n",
    b"end_header\n",
];

/// Returns the bytes with parts cut off, left out, doubled, inserted or replaced.
fn damaged(bytes: &[u8], edits: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(at, kind, value) in edits {
        let at = at % bytes.len().max(1);
        let end = (at + usize::from(value)).min(bytes.len());
        match kind % 6 {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 => drop(bytes.splice(at..at, SPOKES[usize::from(value) % SPOKES.len()].iter().copied())),
            4 => {
                let spoke = SPOKES[usize::from(value) % SPOKES.len()];
                let end = (at + spoke.len()).min(bytes.len());
                bytes.splice(at..end, spoke.iter().copied());
            }
            _ => bytes[at..end.min(at + 1)].fill(value),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_damage_panics_and_what_is_refused_has_a_place(
        edits in prop::collection::vec((any::<usize>(), 0u8.., any::<u8>()), 1..4),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let part = torus("ring", Vec3::ZERO, 1.0, 0.3, 6, 4);
        let parts = [part.clone(), part.clone()];
        for (name, bytes) in [
            ("a.stl", stl_text(&parts).into_bytes()),
            ("b.stl", stl_binary(&part, "solid")),
            ("a.obj", obj(&parts, false).into_bytes()),
            ("a.ply", ply(&part, PlyKind::Text)),
            ("b.ply", ply(&part, PlyKind::LittleEndian)),
            ("c.ply", ply(&part, PlyKind::BigEndian)),
            ("a.dae", dae(&parts).into_bytes()),
            ("a.urdf", robots::ARM.as_bytes().to_vec()),
        ] {
            let path = write(folder.path(), name, damaged(&bytes, &edits));
            match load_model(&path, &ReadAs::default()) {
                Ok(model) => {
                    for geometry in &model.geometries {
                        let count = geometry.positions.len() as u32;
                        prop_assert!(geometry.triangles.as_flattened().iter().all(|v| *v < count));
                        prop_assert!(geometry.positions.iter().all(|p| p.is_finite()));
                    }
                }
                Err(error) => {
                    let said = error.to_string();
                    let places = ["line ", "byte ", "the header", "the file", "cannot be read"];
                    prop_assert!(places.iter().any(|p| said.contains(p)) && !said.contains('\n'), "{}", said);
                }
            }
        }
    }
}
