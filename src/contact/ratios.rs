//! Constants of the contact tests, each with its unit, its reason, and the effect of a smaller or
//! larger value on contacts. A share of a thickness refers to the thinner body, a share of a size to
//! the smaller body.
//!
//! No constant is derived. The tests in `tests/it/contacts`, `tests/motion/dynamics` and
//! `tests/motion/solver` hold their effects.

// Lengths in proportion to the pair.

/// Slop, the overlap that stays, as a share of the thickness. Smaller values flicker on meshes whose
/// faces do not quite meet, larger values are seen as sinking.
pub(super) const SLOP_OF_THICKNESS: f64 = 0.002;
/// Least slop, as a share of the radius: the `f32` vertices of a plate resolve no smaller length,
/// however thin it is.
pub(super) const SLOP_OF_RADIUS: f64 = 1e-7;
/// Thickness assumed for a sheet, which has none, as a share of its radius. Smaller values let sheets
/// through each other, larger values hold them apart from behind.
pub(super) const SHEET_OF_RADIUS: f64 = 0.04;
/// Distance below which contacts are always foreseen, in slops. Smaller values lose contacts of bodies
/// at rest, larger values add candidates without end.
pub(super) const SPECULATIVE_SLOPS: f64 = 4.0;
/// Deepest overlap of a feature pair, in slops and as a share of the thickness; the larger of the two
/// counts. Smaller values let loaded thin parts fall through, larger values find the far sides of thin
/// parts. For a vertex the thickness is that of the body that the vertex is in.
pub(super) const DEPTH_SLOPS: f64 = 30.0;
pub(super) const DEPTH_OF_THICKNESS: f64 = 0.25;
/// Deepest overlap of a vertex in a body of any thickness, as a share of the size: half the size less a
/// reserve for the far side. Smaller values lose small parts in thick floors, larger values push them
/// out of the wrong side.
pub(super) const VERTEX_DEPTH_OF_SIZE: f64 = 0.45;
/// Travel between two tests, as a share of the thickness. Smaller values take more passes, larger
/// values test only when a part is already in the middle of another.
pub(super) const TRAVEL_OF_THICKNESS: f64 = 0.25;
/// Depth to which overlap is searched before any is known, in edges of the finer mesh. Smaller values
/// miss a body that came in deep in one pass, larger values find every triangle of a fine mesh near
/// every other.
pub(super) const SEARCH_EDGES: f64 = 4.0;
/// Travel beyond the foreseen distance before a pass ends, in travels between two tests. Smaller values
/// end passes for overlap that is pushed out anyway, larger values let bodies so deep into each other
/// that the way out is uncertain.
pub(super) const UNFORESEEN: f64 = 0.25;
/// Distance beside a face within which a point still counts as over it, in slops. Smaller values leave
/// cracks between faces, larger values make one point touch two faces.
pub(super) const FACE_EDGE_SLOPS: f64 = 0.5;
/// Distance within which an old contact passes its impulse on, as a share of the size. Smaller values
/// start stacks anew in every pass, larger values give a load to a contact that never bore it.
pub(super) const MATCHING_OF_SIZE: f64 = 0.02;
/// Depth that is searched, in depths known from the last search. Smaller values lose a body that sinks
/// quickly.
pub(super) const KNOWN_DEPTHS: f64 = 1.5;

// From pass to pass.

/// Motion, in slops, within which contacts are only updated, not found again. Larger values save
/// searches of bodies at rest, but let them creep.
pub(super) const STILL_SLOPS: f64 = 0.1;
/// Distance for which contacts are foreseen for several passes at once, in edges of the finer mesh.
/// Smaller values find contacts again more often, larger values find every triangle of a fine mesh near
/// every other.
pub(super) const CARRIED_EDGES: f64 = 1.0;
/// Least travel for which contacts are foreseen, in slops: it covers many passes of a body that hardly
/// moves. Smaller values find contacts again whenever the solver changes a velocity a little.
pub(super) const PATIENCE_SLOPS: f64 = 2.0;
/// Largest relative rotation of two bodies while their contacts are recycled, rad. Larger values miss
/// vertices that come to stand out as a thin part topples, smaller values find contacts of rolling
/// bodies in every pass.
pub(super) const CARRIED_TURN: f64 = 0.03;
/// Cosine of the angle within which two normals belong to one contact (60°). Larger values lose
/// impulses as bodies roll.
pub(super) const ALIKE: f64 = 0.5;
/// Cosine of that angle for a region, whose normal is an axis of a box (26°).
pub(super) const REGION_ALIKE: f64 = 0.9;
/// Overlap, in slops, from which a feature is deep: its way out is tested, and a load above it may be
/// kept without features. Smaller values test many ways out, larger values take the far side of a thin
/// wall for the inside.
pub(super) const DEEP_SLOPS: f64 = 2.0;
/// Share of a way out at either end that lies on the surfaces themselves.
pub(super) const WAY_OUT_ENDS: f64 = 1e-4;
/// Largest depth of a recycled contact: `HELD_DEPTHS` in depths plus `HELD_OF_SIZE` as a share of the
/// size. A deeper contact is dropped, because its face has ended.
pub(super) const HELD_DEPTHS: f64 = 2.0;
pub(super) const HELD_OF_SIZE: f64 = 0.1;
/// Largest sideways slip of a loaded contact whose features are gone, as a share of the size, and the
/// number of passes for which it is kept. Smaller values drop heavy loads through gaps between
/// features, larger values glue bodies together.
pub(super) const ORPHAN_ASIDE_OF_SIZE: f64 = 0.15;
pub(super) const ORPHAN_PASSES: u32 = 30;
/// Number of passes in which triangles may intersect without a contact of any depth before the bodies
/// are reported as overlapping deeper than contacts can show.
pub(super) const UNEXPLAINED_PASSES: u32 = 5;
/// Largest number of passes of a step. Faster pairs travel farther in each and get a wider margin.
pub(super) const MAX_PASSES: f64 = 16.0;
/// Largest number of passes of a step taken so that a pair does not travel through its whole thickness
/// between two tests. Fewer let thin parts through each other, more take long for a part that only
/// flies by.
pub(super) const MAX_THIN_PASSES: f64 = 64.0;
/// The whole thickness, in travels between two tests.
pub(super) const THROUGH: f64 = 1.0 / TRAVEL_OF_THICKNESS;
/// Largest number of passes of a step taken because a mesh is fine. Fewer search farther in each, which
/// costs a fine mesh up to the cube of the distance.
pub(super) const MAX_FINE_PASSES: f64 = 64.0;
/// Least travel of bodies with fine meshes between two tests, in edges of the finer mesh: triangles
/// that near are found anyway. Overlap deeper than this travel is searched once per step.
pub(super) const FINE_EDGES: f64 = 0.5;
/// Number that allows a longer travel on less fine meshes: at most about the square of this number of
/// triangle pairs are near at once, as if it were the number of edges across the smaller body. Smaller
/// values take more passes, larger values test more candidates in each.
pub(super) const FINE_ACROSS: f64 = 150.0;
