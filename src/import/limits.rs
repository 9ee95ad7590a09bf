//! How much a file may ask for: each limit with its unit, why it is this and what breaks beyond it.
//!
//! Short files can ask for all memory and for ever: by counts, by naming one thing many times, by copies of
//! copies. What is counted here is counted before it is taken, and whoever refuses says how much there is and
//! how much is read ([`at_most`]). Where nothing else is said, a limit is some ten times what the largest
//! real files known have.

use crate::digits::grouped;

/// `Err` with a sentence if there are more of something than are read.
pub(crate) fn at_most(limit: usize, count: usize, what: &str) -> Result<(), String> {
    if count <= limit {
        return Ok(());
    }
    Err(format!("there are {} {what}, and at most {} are read", grouped(count as u64), grouped(limit as u64)))
}

// Files and their text

/// Bytes of a file, and of all buffers of a model together: about ten million triangles.
pub(crate) const FILE_BYTES: u64 = 512 << 20;
/// Bytes of a scene file; those of a thousand placed parts have a hundredth of it.
pub(crate) const SCENE_FILE_BYTES: u64 = 16 << 20;
/// Entries of one list at the top of a glTF file: nodes, meshes, materials … Parsed, one takes up to 450
/// bytes.
pub(crate) const JSON_LIST: usize = 1 << 19;
/// Objects in the whole JSON of a glTF file, 450 bytes at most each: primitives, channels, scenes.
pub(crate) const JSON_OBJECTS: usize = 1 << 21;
/// Values below `extensions` and `extras`, which are kept as they stand: up to 650 bytes each.
pub(crate) const JSON_EXTENSION_VALUES: usize = 1 << 20;
/// Values in the whole JSON that are no objects, 32 bytes at most each: sixteen for each node's matrix.
pub(crate) const JSON_VALUES: usize = 1 << 24;
/// Bytes of a line of a text; a face of a hundred thousand corners has one.
pub(crate) const LINE_BYTES: usize = 1 << 21;
/// Bytes of a name. Names are repeated by every copy, every link and every note; longer ones are cut.
pub(crate) const NAME_BYTES: usize = 256;
/// Bytes of a pattern of names: nested braces are taken apart by recursion.
pub(crate) const PATTERN_BYTES: usize = 1024;
/// Patterns of a scene file times the names they are compared with: some ten seconds.
pub(crate) const PATTERN_MATCHES: usize = 1 << 26;
/// Notes on a scene; the rest are counted.
pub(crate) const NOTES: usize = 10_000;

// Geometry of a model

/// Levels of a model's tree of nodes; real files have a few dozen. Chains are walked up once a node.
pub(crate) const NODE_DEPTH: u32 = 4096;
/// Coordinates beyond this (m) leave exact predicates and boxes in `f32` no digits to compute with.
pub(crate) const COORDINATE: f64 = 1e10;
/// Numbers a model may take whatever its size, and for each byte of its buffers. Accessors may be used many
/// times, and some have no bytes behind them (zeros, by the specification). A file that uses every byte once
/// takes at most one number a byte.
pub(crate) const NUMBERS_OF_ANY_FILE: u64 = 4 << 20;
pub(crate) const NUMBERS_PER_BYTE: u64 = 16;
/// Numbers of a model however large its buffers are: two gigabytes as `f64`.
pub(crate) const NUMBERS: u64 = 1 << 28;
/// Pixels of one side of an image, and bytes that decoding one image may take.
pub(crate) const IMAGE_SIDE: u32 = 16384;
pub(crate) const IMAGE_BYTES: u64 = 512 << 20;
/// Pixels that are decoded for one model: 32 images of 4096 a side, a few seconds.
pub(crate) const PIXELS: u64 = 1 << 29;

/// Cubes of the corners of faces that are not convex, of a file and for each of its corners. Cutting one into
/// triangles takes 0.1 ns a cube where it winds round a few places, a thousandth of that where it is usual.
pub(crate) const FACE_CUBES: u64 = 1 << 33;
pub(crate) const FACE_CUBES_PER_CORNER: u64 = 1 << 16;
/// Squares of the corners of faces beyond that, of which it is asked whether they cross themselves: a face of
/// thirty thousand corners.
pub(crate) const FACE_SQUARES: u64 = 1 << 30;

// Captured motion

/// Joints and end sites; bodies with all their fingers have about a hundred.
pub(crate) const CAPTURED_JOINTS: usize = 4096;
/// Joints times frames: some 150 MB of keys, or nine hours of thirty joints at two frames a second.
pub(crate) const CAPTURED_KEYS: usize = 1 << 22;

// Collision filters of a model

/// Distinct filters: each keeps a bit for every other one, eight megabytes.
pub(crate) const FILTERS: usize = 1 << 13;
/// Names of systems that filters belong to: each keeps a bit for every filter, 64 megabytes at most.
pub(crate) const FILTER_SYSTEMS: usize = 1 << 16;

// The scene

/// Bodies of a scene.
pub(crate) const BODIES: usize = 100_000;
/// Nodes, vertices and triangles that are laid out, those of every copy and of every collider that names them
/// again: each costs some 30 ns.
pub(crate) const LAID_OUT: usize = 1 << 26;
/// Triangles of distinct surfaces that any scene may have, and for each triangle of its files: with
/// hierarchies some 200 bytes each. Colliders can name a mesh many times, and every other size of it is a
/// surface of its own.
pub(crate) const SURFACE_TRIANGLES: usize = 1 << 22;
pub(crate) const SURFACES_PER_TRIANGLE: usize = 16;
/// Links of a figure: its pairs of links are looked at one by one.
pub(crate) const FIGURE_LINKS: usize = 1 << 12;
/// Triangles that are drawn and do not collide: half a gigabyte.
pub(crate) const DRAWN_TRIANGLES: usize = 1 << 24;
/// Joints of a scene, a kilobyte each where they are stepped.
pub(crate) const JOINTS: usize = 100_000;
/// Expectations of a scene file, two bytes for each body each.
pub(crate) const EXPECTATIONS: usize = 1024;
/// Pairs of bodies that `[[pair]]` rules name, twelve bytes each.
pub(crate) const PAIR_RULES: usize = 1 << 22;
/// Samples of one clip, and samples times nodes; longer clips are sampled more coarsely, with a note.
pub(crate) const CLIP_SAMPLES: f64 = 20_000.0;
pub(crate) const CLIP_SAMPLED_NODES: f64 = 4e6;
/// Poses of all animated links and joints of a scene: half a gigabyte.
pub(crate) const POSES: usize = 1 << 23;
/// Nodes that are placed to find those poses: a few seconds.
pub(crate) const POSED_NODES: usize = 1 << 27;
/// Pairs of bodies near each other that a scene may begin with, and how many more for each of its bodies. A
/// heap has some fifteen for each; a pair takes up to 20 kB.
pub(crate) const PAIRS: usize = 10_000;
pub(crate) const PAIRS_PER_BODY: usize = 32;

// Robots

/// Bytes of a robot's file; the largest humanoids have a tenth of a megabyte.
pub(crate) const XML_BYTES: u64 = 16 << 20;
/// Bytes of a COLLADA file, whose numbers are text: some three million triangles.
pub(crate) const COLLADA_BYTES: u64 = 256 << 20;
/// Nodes of a COLLADA scene, of which copies may be made of copies.
pub(crate) const COLLADA_NODES: usize = 1 << 18;
/// Elements directly below nodes of a COLLADA scene, each as often as its node is copied.
pub(crate) const COLLADA_ELEMENTS: usize = 1 << 22;
/// Elements, texts and comments of an XML file.
pub(crate) const XML_NODES: u32 = 1 << 19;
/// Attributes of one element, which are compared with each other; real ones have a dozen.
pub(crate) const XML_ATTRIBUTES: usize = 64;
/// Namespaces that an element and those around it declare; those of old robots are fifteen.
pub(crate) const XML_NAMESPACES: usize = 32;
/// Vertices and triangles of meshes that one file shows in several colors, counted once a color, and of the
/// shapes of a robot, each of a size and a color once: a hundred megabytes.
pub(crate) const PAINTED: usize = 1 << 22;
/// Links of a robot and parts of its meshes, some 500 bytes each; the largest have a thousand.
pub(crate) const ROBOT_PIECES: usize = 1 << 18;
/// Links and joints of a robot.
pub(crate) const ROBOT_LINKS: usize = 1 << 12;
