//! How much a file may ask for: every limit with its unit, why it is this and what breaks beyond it.
//!
//! Short files can ask for all memory and for ever: by counts, by naming one thing many times, by copies of
//! copies. What is counted here is counted before it is taken, and whoever refuses says how much there is and
//! how much is read ([`at_most`]). Where nothing else is said, a limit is some ten times what the largest real
//! files known have.

use crate::digits::grouped;

/// `Err` with a sentence if there are more of something than are read.
pub(super) fn at_most(limit: usize, count: usize, what: &str) -> Result<(), String> {
    if count <= limit {
        return Ok(());
    }
    Err(format!("there are {} {what}, and at most {} are read", grouped(count as u64), grouped(limit as u64)))
}

// Files and their text

/// Bytes of a file, and of all buffers of a model together: about ten million triangles.
pub(super) const FILE_BYTES: u64 = 512 << 20;
/// Bytes of a scene file; those of a thousand placed parts have a hundredth of it.
pub(super) const SCENE_FILE_BYTES: u64 = 16 << 20;
/// Entries of one list at the top of a glTF file: nodes, meshes, materials … Parsed, one takes up to 450 bytes.
pub(super) const JSON_LIST: usize = 1 << 19;
/// Objects in the whole JSON of a glTF file, 450 bytes at most each: primitives, channels, scenes.
pub(super) const JSON_OBJECTS: usize = 1 << 21;
/// Values below `extensions` and `extras`, which are kept as they stand: up to 650 bytes each.
pub(super) const JSON_EXTENSION_VALUES: usize = 1 << 20;
/// Values in the whole JSON that are no objects, 32 bytes at most each: sixteen for each node's matrix.
pub(super) const JSON_VALUES: usize = 1 << 24;
/// Bytes of a name. Names are repeated by every copy, every link and every note; longer ones are cut.
pub(super) const NAME_BYTES: usize = 256;
/// Bytes of a pattern of names: nested braces are taken apart by recursion.
pub(super) const PATTERN_BYTES: usize = 1024;
/// Patterns of a scene file times the names they are compared with: some ten seconds.
pub(super) const PATTERN_MATCHES: usize = 1 << 26;
/// Notes on a scene; the rest are counted.
pub(super) const NOTES: usize = 10_000;

// Geometry of a model

/// Levels of a model's tree of nodes; real files have a few dozen. Chains are walked up once a node.
pub(super) const NODE_DEPTH: u32 = 4096;
/// Coordinates beyond this (m) leave exact predicates and boxes in `f32` no digits to compute with.
pub(super) const COORDINATE: f64 = 1e10;
/// Numbers a model may take whatever its size, and for each byte of its buffers. Accessors may be used many
/// times, and some have no bytes behind them (zeros, by the specification). A file that uses every byte once
/// takes at most one number a byte.
pub(super) const NUMBERS_OF_ANY_FILE: u64 = 4 << 20;
pub(super) const NUMBERS_PER_BYTE: u64 = 16;
/// Numbers of a model however large its buffers are: two gigabytes as `f64`.
pub(super) const NUMBERS: u64 = 1 << 28;
/// Pixels of one side of an image, and bytes that decoding one image may take.
pub(super) const IMAGE_SIDE: u32 = 16384;
pub(super) const IMAGE_BYTES: u64 = 512 << 20;
/// Pixels that are decoded for one model: 32 images of 4096 a side, a few seconds.
pub(super) const PIXELS: u64 = 1 << 29;

// Captured motion

/// Joints and end sites; bodies with all their fingers have about a hundred.
pub(super) const CAPTURED_JOINTS: usize = 4096;
/// Joints times frames: some 150 MB of keys, or nine hours of thirty joints at two frames a second.
pub(super) const CAPTURED_KEYS: usize = 1 << 22;

// Collision filters of a model

/// Distinct filters: each keeps a bit for every other one, eight megabytes.
pub(super) const FILTERS: usize = 1 << 13;
/// Names of systems that filters belong to: each keeps a bit for every filter, 64 megabytes at most.
pub(super) const FILTER_SYSTEMS: usize = 1 << 16;

// The scene

/// Bodies of a scene.
pub(crate) const BODIES: usize = 100_000;
/// Nodes, vertices and triangles that are laid out, those of every copy and of every collider that names them
/// again: each costs some 30 ns.
pub(super) const LAID_OUT: usize = 1 << 26;
/// Triangles of distinct surfaces that any scene may have, and for each triangle of its files: with hierarchies
/// some 200 bytes each. Colliders can name a mesh many times, and every other size of it is a surface of its own.
pub(super) const SURFACE_TRIANGLES: usize = 1 << 22;
pub(super) const SURFACES_PER_TRIANGLE: usize = 16;
/// Links of a figure: its pairs of links are looked at one by one.
pub(super) const FIGURE_LINKS: usize = 1 << 12;
/// Triangles that are drawn and do not collide: half a gigabyte.
pub(super) const DRAWN_TRIANGLES: usize = 1 << 24;
/// Joints of a scene, a kilobyte each where they are stepped.
pub(super) const JOINTS: usize = 100_000;
/// Pairs of bodies that `[[pair]]` rules name, twelve bytes each.
pub(super) const PAIR_RULES: usize = 1 << 22;
/// Samples of one clip, and samples times nodes; longer clips are sampled more coarsely, with a note.
pub(super) const CLIP_SAMPLES: f64 = 20_000.0;
pub(super) const CLIP_SAMPLED_NODES: f64 = 4e6;
/// Poses of all animated links and joints of a scene: half a gigabyte.
pub(super) const POSES: usize = 1 << 23;
/// Nodes that are placed to find those poses: a few seconds.
pub(super) const POSED_NODES: usize = 1 << 27;
/// Pairs of bodies near each other that a scene may begin with, and how many more for each of its bodies. A heap has
/// some fifteen for each; a pair takes up to 20 kB.
pub(crate) const PAIRS: usize = 10_000;
pub(crate) const PAIRS_PER_BODY: usize = 32;
