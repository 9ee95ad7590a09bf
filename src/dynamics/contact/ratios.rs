//! Constants of the contact tests, each with its unit, its reason, and the effect of a smaller or
//! larger value on contacts. Unless a comment specifies another body, a thickness is that of the
//! thinner body, and a size or radius that of the smaller body.
//!
//! No constant is derived from theory. The tests in `tests/it/contacts`, `tests/motion/dynamics` and
//! `tests/motion/solver` verify their effects.

// Lengths in proportion to the pair.

/// Slop, the overlap that is not pushed out, as a share of the thickness. Smaller values make contacts
/// flicker on meshes whose faces do not quite meet; larger values are visible as sinking.
pub(super) const SLOP_OF_THICKNESS: f64 = 0.002;
/// Least slop, as a share of the body's radius. The `f32` vertices of a plate resolve no smaller
/// length, however thin the plate is.
pub(super) const SLOP_OF_RADIUS: f64 = 1e-7;
/// Thickness assumed for a sheet, which has none, as a share of its radius. Smaller values let sheets
/// pass through each other; larger values make contacts with the back of sheets.
pub(super) const SHEET_OF_RADIUS: f64 = 0.04;
/// Least speculative distance, in slops. Smaller values lose contacts of bodies at rest; larger values
/// add many candidates.
pub(super) const SPECULATIVE_SLOPS: f64 = 4.0;
/// Deepest overlap of a feature pair: the larger of `DEPTH_SLOPS` slops and `DEPTH_OF_THICKNESS` as a
/// share of the thickness. Smaller values let loaded thin parts fall through; larger values find the
/// far sides of thin parts. For a vertex, the thickness is that of the body penetrated by the vertex.
pub(super) const DEPTH_SLOPS: f64 = 30.0;
pub(super) const DEPTH_OF_THICKNESS: f64 = 0.25;
/// Upper limit on the deepest overlap of a vertex in a thick body, as a share of the size: half the
/// size less a reserve for the far side. Smaller values lose small parts in thick floors; larger values
/// push them out of the wrong side.
pub(super) const VERTEX_DEPTH_OF_SIZE: f64 = 0.45;
/// Largest travel between two tests, as a share of the thickness. Smaller values take more passes;
/// larger values test so late that a part may already be in the middle of another.
pub(super) const TRAVEL_OF_THICKNESS: f64 = 0.25;
/// Depth searched for overlap before any is known, in edges of the finer mesh. Smaller values miss a
/// body that became deep within one pass; larger values report nearly all triangle pairs of fine
/// meshes.
pub(super) const SEARCH_EDGES: f64 = 4.0;
/// Travel beyond the speculative distance that ends a pass, as a share of the travel between two tests.
/// Smaller values end passes for overlap that contacts push out anyway; larger values let bodies
/// overlap so deeply that the way out is uncertain.
pub(super) const UNFORESEEN: f64 = 0.25;
/// Distance beside a face within which a point still counts as over the face if the surface goes on
/// there, in slops. Smaller values leave cracks behind concave edges; larger values make one point touch
/// two faces.
pub(super) const CRACK_SLOPS: f64 = 0.5;
/// Largest distance behind a concave edge, beside both of its faces, within which a vertex counts as over
/// them, in slops; at most the overlap beyond the modeled one. With smaller values, parts that overlap at
/// the bottom of a notch lose their contacts; larger values make the facing filter keep many triangle pairs.
pub(super) const CORNER_SLOPS: f64 = 4.0;
/// Distance beside a face within which a point still counts as over the face where the surface ends, and
/// distance beyond an edge's end within which a point still counts as on the edge: eight times the rounding
/// of `f32` coordinates, as a share of the sum of both radii; at most [`CRACK_SLOPS`]. Smaller values leave
/// cracks where rounded faces meet; larger values let parts touch across the clearance of a fit.
pub(super) const BORDER_OF_RADIUS: f64 = 8.0 * f32::EPSILON as f64;
/// Distance within which an old contact passes its impulse on to a new one, as a share of the size.
/// Smaller values lose the impulses of stacks in every pass; larger values give impulses to contacts
/// that never bore them.
pub(super) const MATCHING_OF_SIZE: f64 = 0.02;
/// Depth to which overlap is searched, as a multiple of the depth that the last search found. Smaller
/// values lose a body that sinks quickly.
pub(super) const KNOWN_DEPTHS: f64 = 1.5;

// From pass to pass.

/// Relative motion, in slops, up to which contacts are only updated, not searched again. Larger values
/// save searches of bodies at rest, but let the bodies creep.
pub(super) const STILL_SLOPS: f64 = 0.1;
/// Largest travel over which one search gives speculative contacts for several passes, in edges of the
/// finer mesh. Smaller values search more often; larger values report nearly all triangle pairs of fine
/// meshes.
pub(super) const CARRIED_EDGES: f64 = 1.0;
/// Least travel covered by speculative contacts, in slops. It covers many passes of a body that hardly
/// moves. Smaller values repeat the search whenever the solver changes a velocity a little.
pub(super) const PATIENCE_SLOPS: f64 = 2.0;
/// Largest relative rotation of two bodies while their contacts are recycled, rad. Larger values miss
/// vertices that become the lowest as a thin part topples; smaller values repeat the search of rolling
/// bodies in every pass.
pub(super) const CARRIED_TURN: f64 = 0.03;
/// Cosine of the largest angle between two normals that count as one contact (60°). Larger cosines lose
/// impulses as bodies roll.
pub(super) const ALIKE: f64 = 0.5;
/// Cosine of the same angle for a region, whose normal is an axis of a box (26°).
pub(super) const REGION_ALIKE: f64 = 0.9;
/// Overlap, in slops, from which a feature is deep. The way out of a deep feature is tested, and a deep
/// loaded contact may be kept without features. Smaller values test more ways out; larger values take
/// the far side of a thin wall for the inside.
pub(super) const DEEP_SLOPS: f64 = 2.0;
/// Share of the way out of a feature that is not tested at either end, because the ends lie on the
/// surfaces themselves.
pub(super) const WAY_OUT_ENDS: f64 = 1e-4;
/// Largest depth of a recycled contact: `HELD_DEPTHS` times the deepest overlap of a feature pair, plus
/// `HELD_OF_SIZE` times the size. A deeper contact is dropped, because its face has probably ended.
pub(super) const HELD_DEPTHS: f64 = 2.0;
pub(super) const HELD_OF_SIZE: f64 = 0.1;
/// Limits of an orphan, a loaded contact whose features are gone: its largest sideways slip as a share
/// of the size, and the number of passes for which it is kept. Smaller values drop heavy loads through
/// gaps between features; larger values glue bodies together.
pub(super) const ORPHAN_ASIDE_OF_SIZE: f64 = 0.15;
pub(super) const ORPHAN_PASSES: u32 = 30;
/// Largest number of passes in which triangles may intersect without a deep contact. After more passes,
/// the bodies are reported as overlapping deeper than contacts can show.
pub(super) const UNEXPLAINED_PASSES: u32 = 5;
/// Largest number of passes of a step. A pair that needs more travels farther in each pass and gets a
/// wider margin.
pub(super) const MAX_PASSES: f64 = 16.0;
/// Largest number of passes of a step that keep a pair from travelling through its whole thickness
/// between two tests. Smaller limits let thin parts pass through each other; larger limits take long
/// for a part that only flies past.
pub(super) const MAX_THIN_PASSES: f64 = 64.0;
/// Travel in a step from which a pair is swept, in travels between two tests. Smaller values sweep slow
/// bodies, which contacts stop as well; larger values take many passes for fast bodies.
pub(super) const SWEPT_FROM: f64 = 64.0;
/// The whole thickness as a multiple of the travel between two tests.
pub(super) const THROUGH: f64 = 1.0 / TRAVEL_OF_THICKNESS;
/// Largest number of passes of a step needed because a mesh is fine. Smaller limits search farther in
/// each pass, which costs a fine mesh up to the cube of the distance.
pub(super) const MAX_FINE_PASSES: f64 = 64.0;
/// Least travel of bodies with fine meshes between two tests, in edges of the finer mesh. Triangles
/// within this distance are found anyway. Overlap deeper than this travel is searched once per step.
pub(super) const FINE_EDGES: f64 = 0.5;
/// Parameter that allows a longer travel for coarser meshes. It acts like a number of edges across the
/// smaller body: at most about its square of triangle pairs are near each other at once. Smaller values
/// take more passes; larger values test more candidates in each pass.
pub(super) const FINE_ACROSS: f64 = 150.0;
