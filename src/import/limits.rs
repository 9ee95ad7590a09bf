//! Limits of the resources that a file may request: each with its unit, its reason and the failure
//! beyond it.
//!
//! Short files can request unlimited memory and time: by counts, by many references to one object, by
//! copies of copies. Each quantity is counted before it is allocated. An error states the requested
//! number and the limit ([`at_most`]). Unless stated otherwise, a limit is about ten times the need of
//! the largest known real files.

use crate::digits::grouped;

/// Fails with a message if `count` exceeds `limit`.
pub(crate) fn at_most(limit: usize, count: usize, what: &str) -> Result<(), String> {
    if count <= limit {
        return Ok(());
    }
    Err(format!("there are {} {what}, the limit is {}", grouped(count as u64), grouped(limit as u64)))
}

// Files and their text

/// Bytes of a file, and of all buffers of a model together: about ten million triangles.
pub(crate) const FILE_BYTES: u64 = 512 << 20;
/// Bytes of a scene file; a scene of a thousand placed parts has a hundredth of that.
pub(crate) const SCENE_FILE_BYTES: u64 = 16 << 20;
/// Entries of one top-level list of a glTF file: nodes, meshes, materials … A parsed entry takes up to
/// 450 bytes.
pub(crate) const JSON_LIST: usize = 1 << 19;
/// Objects in the whole JSON of a glTF file, at most 450 bytes each: primitives, channels, scenes.
pub(crate) const JSON_OBJECTS: usize = 1 << 21;
/// Values below `extensions` and `extras`, which are kept unparsed: up to 650 bytes each.
pub(crate) const JSON_EXTENSION_VALUES: usize = 1 << 20;
/// Values in the whole JSON that are no objects, at most 32 bytes each: a node's matrix has sixteen.
pub(crate) const JSON_VALUES: usize = 1 << 24;
/// Bytes of a line of a text; a face of a hundred thousand corners has that many.
pub(crate) const LINE_BYTES: usize = 1 << 21;
/// Bytes of a name; longer ones are cut. Every copy, link and note repeats names.
pub(crate) const NAME_BYTES: usize = 256;
/// Bytes of a name pattern: nested braces are parsed recursively.
pub(crate) const PATTERN_BYTES: usize = 1024;
/// Patterns of a scene file times the names they are compared with: about ten seconds.
pub(crate) const PATTERN_MATCHES: usize = 1 << 26;
/// Notes on a scene; the rest are only counted.
pub(crate) const NOTES: usize = 10_000;

// Geometry of a model

/// Levels of a model's node tree; real files have a few dozen. Chains of parents are walked once per
/// node.
pub(crate) const NODE_DEPTH: u32 = 4096;
/// Largest coordinate, m: beyond it, exact predicates and boxes in `f32` have no significant digits
/// left.
pub(crate) const COORDINATE: f64 = 1e10;
/// Numbers that any model may take, and numbers per byte of its buffers. Accessors may be used many
/// times, and some have no bytes behind them (zeros, by the specification). A file that uses every byte
/// once takes at most one number per byte.
pub(crate) const NUMBERS_OF_ANY_FILE: u64 = 4 << 20;
pub(crate) const NUMBERS_PER_BYTE: u64 = 16;
/// Numbers of a model, whatever the size of its buffers: two gigabytes as `f64`.
pub(crate) const NUMBERS: u64 = 1 << 28;
/// Pixels of one side of an image, and bytes that decoding one image may take.
pub(crate) const IMAGE_SIDE: u32 = 16384;
pub(crate) const IMAGE_BYTES: u64 = 512 << 20;
/// Pixels that are decoded for one model: 32 images of side 4096, a few seconds.
pub(crate) const PIXELS: u64 = 1 << 29;

/// Sum of the cubes of the corner counts of non-convex faces, for a file and per corner. The
/// triangulation of a face takes 0.1 ns per unit if it winds around a few points, and a thousandth of
/// that in usual cases.
pub(crate) const FACE_CUBES: u64 = 1 << 33;
pub(crate) const FACE_CUBES_PER_CORNER: u64 = 1 << 16;
/// Sum of the squares of the corner counts of the faces beyond that, which are tested for
/// self-intersection: one face of thirty thousand corners.
pub(crate) const FACE_SQUARES: u64 = 1 << 30;

// Captured motion

/// Joints and end sites; skeletons with all fingers have about a hundred.
pub(crate) const CAPTURED_JOINTS: usize = 4096;
/// Joints times frames: about 150 MB of keys, or nine hours of thirty joints at two frames per second.
pub(crate) const CAPTURED_KEYS: usize = 1 << 22;

// Collision filters of a model

/// Distinct filters: each keeps one bit per other filter, eight megabytes in all.
pub(crate) const FILTERS: usize = 1 << 13;
/// Names of systems to which filters belong: each keeps one bit per filter, 64 megabytes at most.
pub(crate) const FILTER_SYSTEMS: usize = 1 << 16;

// The scene

/// Bodies of a scene.
pub(crate) const BODIES: usize = 100_000;
/// Nodes, vertices and triangles that are instantiated, including those of every copy and of every
/// collider that refers to them again: about 30 ns each.
pub(crate) const LAID_OUT: usize = 1 << 26;
/// Triangles of distinct surfaces of any scene, and per triangle of its files: with hierarchies about
/// 200 bytes each. Several colliders can refer to one mesh, and every other size of it is a separate
/// surface.
pub(crate) const SURFACE_TRIANGLES: usize = 1 << 22;
pub(crate) const SURFACES_PER_TRIANGLE: usize = 16;
/// Links of an articulated character: its pairs of links are visited one by one.
pub(crate) const FIGURE_LINKS: usize = 1 << 12;
/// Triangles that are drawn but do not collide: half a gigabyte.
pub(crate) const DRAWN_TRIANGLES: usize = 1 << 24;
/// Joints of a scene, a kilobyte each in the solver.
pub(crate) const JOINTS: usize = 100_000;
/// Expectations of a scene file, each of which takes two bytes per body.
pub(crate) const EXPECTATIONS: usize = 1024;
/// Pairs of bodies in `[[pair]]` rules, twelve bytes each.
pub(crate) const PAIR_RULES: usize = 1 << 22;
/// Samples of one clip, and samples times nodes; longer clips are sampled more coarsely, with a note.
pub(crate) const CLIP_SAMPLES: f64 = 20_000.0;
pub(crate) const CLIP_SAMPLED_NODES: f64 = 4e6;
/// Poses of all animated links and joints of a scene: half a gigabyte.
pub(crate) const POSES: usize = 1 << 23;
/// Nodes that are transformed to compute those poses: a few seconds.
pub(crate) const POSED_NODES: usize = 1 << 27;
/// Pairs of nearby bodies at the start of a scene, and further ones per body. A heap has about fifteen
/// per body; a pair takes up to 20 kB.
pub(crate) const PAIRS: usize = 10_000;
pub(crate) const PAIRS_PER_BODY: usize = 32;

// Robots

/// Bytes of a robot's file; the largest humanoids have a tenth of a megabyte.
pub(crate) const XML_BYTES: u64 = 16 << 20;
/// Bytes of a COLLADA file, whose numbers are text: about three million triangles.
pub(crate) const COLLADA_BYTES: u64 = 256 << 20;
/// Nodes of a COLLADA scene, which may contain copies of copies.
pub(crate) const COLLADA_NODES: usize = 1 << 18;
/// Elements directly below nodes of a COLLADA scene, counted once per copy of the node.
pub(crate) const COLLADA_ELEMENTS: usize = 1 << 22;
/// Elements, texts and comments of an XML file.
pub(crate) const XML_NODES: u32 = 1 << 19;
/// Attributes of one element, which are compared with each other; real ones have a dozen.
pub(crate) const XML_ATTRIBUTES: usize = 64;
/// Namespaces that an element and its ancestors declare; old robots have fifteen.
pub(crate) const XML_NAMESPACES: usize = 32;
/// Vertices and triangles of meshes that one file shows in several colors, counted once per color, and
/// of the shapes of a robot, once per size and color: a hundred megabytes.
pub(crate) const PAINTED: usize = 1 << 22;
/// Links of a robot and parts of its meshes, about 500 bytes each; the largest robots have a thousand.
pub(crate) const ROBOT_PIECES: usize = 1 << 18;
/// Links and joints of a robot.
pub(crate) const ROBOT_LINKS: usize = 1 << 12;
