//! Limits of the resources that a file may request. Each is documented with its unit, the reason for
//! its size, or the cost at the limit.
//!
//! Short files can request unlimited memory and time: by counts, by many references to one object, by
//! copies of copies. So each quantity is counted before memory is allocated for it. An error states the
//! requested number and the limit (`at_most`). Unless stated otherwise, a limit is about ten times
//! the need of the largest known real files.

use crate::digits::grouped;

/// Fails if `count` exceeds `limit`. `what` names the counted items in the message.
pub(crate) fn at_most(limit: usize, count: usize, what: &str) -> Result<(), String> {
    if count <= limit {
        return Ok(());
    }
    Err(format!("there are {} {what}, the limit is {}", grouped(count as u64), grouped(limit as u64)))
}

// Files and their text

/// Bytes of one file, and of all buffers of a model together. They hold about ten million triangles.
pub(crate) const FILE_BYTES: u64 = 512 << 20;
/// Bytes of a scene file. A scene of a thousand placed parts has a hundredth of that.
pub(crate) const SCENE_FILE_BYTES: u64 = 16 << 20;
/// Entries in one top-level list of a glTF file (nodes, meshes, materials …). A parsed entry takes up
/// to 450 bytes.
pub(crate) const JSON_LIST: usize = 1 << 19;
/// Objects in the whole JSON of a glTF file (primitives, channels, scenes …). A parsed object takes up
/// to 450 bytes.
pub(crate) const JSON_OBJECTS: usize = 1 << 21;
/// Values below `extensions` and `extras`. They are kept unparsed and take up to 650 bytes each.
pub(crate) const JSON_EXTENSION_VALUES: usize = 1 << 20;
/// Values that are not objects in the whole JSON. Each takes up to 32 bytes; a node's matrix has
/// sixteen.
pub(crate) const JSON_VALUES: usize = 1 << 24;
/// Bytes of a line of text. A face of a hundred thousand corners needs that many.
pub(crate) const LINE_BYTES: usize = 1 << 21;
/// Bytes of a name; a longer name is cut. Every copy, link and note repeats names.
pub(crate) const NAME_BYTES: usize = 256;
/// Bytes of a name pattern. The limit bounds the recursion for nested braces.
pub(crate) const PATTERN_BYTES: usize = 1024;
/// Patterns of a scene file times the names with which they are compared. The limit takes about ten
/// seconds.
pub(crate) const PATTERN_MATCHES: usize = 1 << 26;
/// Notes on a scene; further notes are only counted.
pub(crate) const NOTES: usize = 10_000;

// Geometry of a model

/// Depth of a model's node tree. Real files have a few dozen levels. Some code walks from each node up
/// to the root.
pub(crate) const NODE_DEPTH: u32 = 4096;
/// Largest coordinate, m. Beyond it, exact predicates and boxes in `f32` have no significant digits
/// left.
pub(crate) const COORDINATE: f64 = 1e10;
/// Numbers that any model may take, plus the numbers per byte of its buffers. Accessors may be used
/// several times, and some have no data (their numbers are zeros). A file that uses every byte once
/// takes at most one number per byte.
pub(crate) const NUMBERS_OF_ANY_FILE: u64 = 4 << 20;
pub(crate) const NUMBERS_PER_BYTE: u64 = 16;
/// Numbers of a model, whatever the size of its buffers. As `f64` they take two gigabytes.
pub(crate) const NUMBERS: u64 = 1 << 28;
/// Largest width and height of an image in pixels, and bytes that decoding one image may take.
pub(crate) const IMAGE_SIDE: u32 = 16384;
pub(crate) const IMAGE_BYTES: u64 = 512 << 20;
/// Pixels that are decoded for one model: 32 images of 4096 × 4096, which takes a few seconds.
pub(crate) const PIXELS: u64 = 1 << 29;

/// Sum of the cubes of the corner counts of non-convex faces: for any file, plus an allowance per
/// corner. Triangulation takes 0.1 ns per unit if a face winds around a few points, and a thousandth of
/// that in usual cases.
pub(crate) const FACE_CUBES: u64 = 1 << 33;
pub(crate) const FACE_CUBES_PER_CORNER: u64 = 1 << 16;
/// Sum of the squares of the corner counts of the faces that exceed `FACE_CUBES`, which are tested for
/// self-intersection. One face of thirty thousand corners reaches the limit.
pub(crate) const FACE_SQUARES: u64 = 1 << 30;

// Captured motion

/// Joints and end sites of a captured skeleton. Skeletons with all fingers have about a hundred.
pub(crate) const CAPTURED_JOINTS: usize = 4096;
/// Joints times frames of a captured motion: about 150 MB of keys. Thirty joints at two frames per
/// second fill it in nineteen hours.
pub(crate) const CAPTURED_KEYS: usize = 1 << 22;

// Collision filters of a model

/// Distinct filters. Each stores one bit per filter, eight megabytes in all.
pub(crate) const FILTERS: usize = 1 << 13;
/// Names of systems to which filters belong. Each stores one bit per filter, at most 64 megabytes in
/// all.
pub(crate) const FILTER_SYSTEMS: usize = 1 << 16;

// The scene

/// Bodies of a scene.
pub const BODIES: usize = 100_000;
/// Nodes, vertices and triangles, counted for every copy and for every collider that refers to them
/// again. Each takes about 30 ns. A further part of a file with the same mesh at the same scale counts
/// as one.
pub(crate) const LAID_OUT: usize = 1 << 26;
/// Triangles of distinct surfaces: the limit of any scene, or the number per triangle of its files if
/// that gives more. With its hierarchies a triangle takes about 200 bytes. Several colliders can refer
/// to one mesh, and the mesh at another scale is another surface.
pub(crate) const SURFACE_TRIANGLES: usize = 1 << 22;
pub(crate) const SURFACES_PER_TRIANGLE: usize = 16;
/// Links of an articulated character. All pairs of its links are visited.
pub(crate) const FIGURE_LINKS: usize = 1 << 12;
/// Triangles that are drawn but do not collide. They take half a gigabyte.
pub(crate) const DRAWN_TRIANGLES: usize = 1 << 24;
/// Joints of a scene. Each takes a kilobyte in the solver.
pub(crate) const JOINTS: usize = 100_000;
/// Expectations of a scene file. Each takes two bytes per body.
pub(crate) const EXPECTATIONS: usize = 1024;
/// Pairs of bodies that match `[[pair]]` rules. Each takes twelve bytes.
pub(crate) const PAIR_RULES: usize = 1 << 22;
/// Samples of one clip, and samples times nodes. Longer clips are sampled more coarsely, with a note.
pub(crate) const CLIP_SAMPLES: f64 = 20_000.0;
pub(crate) const CLIP_SAMPLED_NODES: f64 = 4e6;
/// Poses of all animated links and joints of a scene. They take half a gigabyte.
pub(crate) const POSES: usize = 1 << 23;
/// Nodes that are transformed to compute these poses. The limit takes a few seconds.
pub(crate) const POSED_NODES: usize = 1 << 27;
/// Pairs of nearby bodies at the start of a scene: for any scene, plus an allowance per body. A heap
/// has about fifteen per body. A pair takes up to 20 kB.
pub const PAIRS: usize = 10_000;
pub const PAIRS_PER_BODY: usize = 32;

// Robots

/// Bytes of a robot's file. The files of the largest humanoids have a tenth of a megabyte.
pub(crate) const XML_BYTES: u64 = 16 << 20;
/// Bytes of a COLLADA file, which stores numbers as text: about three million triangles.
pub(crate) const COLLADA_BYTES: u64 = 256 << 20;
/// Nodes of a COLLADA scene, including those of copies of copies.
pub(crate) const COLLADA_NODES: usize = 1 << 18;
/// Elements directly below the nodes of a COLLADA scene, counted once per copy of a node.
pub(crate) const COLLADA_ELEMENTS: usize = 1 << 22;
/// Elements, texts and comments of an XML file.
pub(crate) const XML_NODES: u32 = 1 << 19;
/// Attributes of one element. The parser compares them with each other; real elements have a dozen.
pub(crate) const XML_ATTRIBUTES: usize = 64;
/// Namespaces that an element and its ancestors declare. Files of older robots have fifteen.
pub(crate) const XML_NAMESPACES: usize = 32;
/// Vertices and triangles of a file's meshes, counted once per color in which they are shown, and of a
/// robot's shapes, once per size and color. They take a hundred megabytes.
pub(crate) const PAINTED: usize = 1 << 22;
/// Links of a robot and pieces of their meshes. Each takes about 500 bytes; the largest robots have a
/// thousand.
pub(crate) const ROBOT_PIECES: usize = 1 << 18;
/// Links and joints of a robot.
pub(crate) const ROBOT_LINKS: usize = 1 << 12;
