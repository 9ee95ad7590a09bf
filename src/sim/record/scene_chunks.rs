//! Chunks before the first step of a recording: surfaces, paints and drawn surfaces, then the scene
//! that refers to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::check;
use super::container::{self, ChunkError, ChunkPlace, Scan, Source};
use super::format::{self, Opening, SurfaceId};
use crate::mesh::{Mesh, Surface};
use crate::scene::Scene;
use crate::scene::looks::{DrawnSurface, Paint};

/// Number of triangles that any file may have. Each triangle takes some 200 bytes as edges and as nodes
/// of a hierarchy.
const TRIANGLES_OF_ANY_FILE: u64 = 1 << 20;
/// Bytes of a file for each triangle that it may have beyond `TRIANGLES_OF_ANY_FILE`.
const BYTES_PER_TRIANGLE: u64 = 4;

/// Reason why no scene could be read.
pub(super) enum SceneFault {
    Chunk(ChunkError),
    NoScene(String),
}

/// Surfaces and paints read so far, in the order of their chunks.
struct Contents {
    meshes: BTreeMap<SurfaceId, Arc<Mesh>>,
    paints: Vec<Paint>,
    drawn: Vec<DrawnSurface>,
    triangle_count: u64,
    triangle_limit: u64,
}

/// Reads chunks up to and including that of the scene. Returns the version of the program that wrote
/// the recording, and the checked scene.
pub(super) fn read_scene<'a>(
    source: &mut dyn Source,
    scan: &Scan,
    chunks: &mut impl Iterator<Item = &'a ChunkPlace>,
) -> Result<(String, Scene), SceneFault> {
    let mut contents = Contents {
        meshes: BTreeMap::new(),
        paints: Vec::new(),
        drawn: Vec::new(),
        triangle_count: 0,
        triangle_limit: TRIANGLES_OF_ANY_FILE + scan.length / BYTES_PER_TRIANGLE,
    };
    for &place in chunks {
        if !matches!(place.kind, format::GEOMETRY | format::PAINT | format::DRAWN | format::OPENING) {
            continue;
        }
        let payload = container::read_chunk(source, place).map_err(SceneFault::Chunk)?;
        if place.kind == format::OPENING {
            let opening = format::decode(&payload).map_err(|e| SceneFault::NoScene(e.to_string()))?;
            return contents.finish(opening).map_err(SceneFault::NoScene);
        }
        contents.add(place.kind, &payload).map_err(SceneFault::NoScene)?;
    }
    let reason = scan.problem.as_ref().map(ChunkError::to_string);
    Err(SceneFault::NoScene(reason.unwrap_or_else(|| "the file ends before it".to_owned())))
}

impl Contents {
    /// Adds the contents of one chunk of kind `kind`.
    fn add(&mut self, kind: u32, payload: &[u8]) -> Result<(), String> {
        match kind {
            format::PAINT => self.paints.push(decode(payload, "a paint")?),
            format::DRAWN => self.drawn.push(decode(payload, "a drawn surface")?),
            _ => {
                let surface: Surface = decode(payload, "a mesh")?;
                self.triangle_count += surface.triangles.len() as u64;
                if self.triangle_count > self.triangle_limit {
                    let limit = self.triangle_limit;
                    return Err(format!(
                        "it has more than {limit} triangles, the limit for a file of its size"
                    ));
                }
                check::surface(&surface)?;
                self.meshes.insert(SurfaceId::of(payload), Arc::new(Mesh::from(surface)));
            }
        }
        Ok(())
    }

    /// Adds the surfaces and paints to the scene of `opening`, and checks the scene.
    fn finish(self, opening: Opening<Scene>) -> Result<(String, Scene), String> {
        let Opening { tumble_version, mut scene, meshes: ids } = opening;
        for id in &ids {
            let mesh = self.meshes.get(id).ok_or_else(|| format!("mesh {id} is missing"))?;
            scene.meshes.push(Arc::clone(mesh));
        }
        (scene.paints, scene.drawn) = (self.paints, self.drawn);
        check::scene(&scene)?;
        Ok((tumble_version, scene))
    }
}

/// Decodes a payload. `name` states in an error what the payload should contain.
fn decode<T: DeserializeOwned>(payload: &[u8], name: &str) -> Result<T, String> {
    format::decode(payload).map_err(|e| format!("{name}: {e}"))
}
