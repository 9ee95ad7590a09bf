//! Numbers that contacts are judged by, each with its unit, why it is what it is, and what becomes of
//! contacts where it is smaller or larger. Shares of a thickness are of the thinner body, shares of a size of
//! the smaller.
//!
//! None is derived; `tests/it/contacts`, `tests/motion/dynamics` and `tests/motion/solver` hold what
//! they give.

// Lengths in proportion to the pair.

/// Slop, as a share of the thickness: overlap that stays. Smaller flickers on meshes whose faces do not quite
/// meet, larger is seen as sinking.
pub(super) const SLOP_OF_THICKNESS: f64 = 0.002;
/// Slop at least, as a share of the radius: the `f32` vertices of a plate resolve no less, however thin it
/// is.
pub(super) const SLOP_OF_RADIUS: f64 = 1e-7;
/// Thickness of a sheet, which has none, as a share of its radius. Smaller lets sheets through each other,
/// larger holds them apart from behind.
pub(super) const SHEET_OF_RADIUS: f64 = 0.04;
/// Distance below which contacts are always foreseen, in slops. Smaller loses contacts of bodies that rest,
/// larger adds candidates without end.
pub(super) const SPECULATIVE_SLOPS: f64 = 4.0;
/// Deepest overlap of a feature pair, in slops and as a share of the thickness; the larger counts. Smaller
/// lets loaded thin parts fall through, larger finds their far sides. For a vertex the thickness is that of
/// the body it is in.
pub(super) const DEPTH_SLOPS: f64 = 30.0;
pub(super) const DEPTH_OF_THICKNESS: f64 = 0.25;
/// Deepest that a vertex may be in a body however thick, as a share of the size: half of it less what the
/// far side takes. Smaller loses small parts in thick floors, larger pushes them out of the wrong side.
pub(super) const VERTEX_DEPTH_OF_SIZE: f64 = 0.45;
/// Travel between two looks, as a share of the thickness. Smaller takes more passes, larger looks only when a
/// part is already in the middle of another.
pub(super) const TRAVEL_OF_THICKNESS: f64 = 0.25;
/// How deep overlap is looked for before any is known, in edges of the finer mesh. Smaller misses what came
/// in deep in one pass, larger finds every triangle of a fine mesh near every other.
pub(super) const SEARCH_EDGES: f64 = 4.0;
/// How far bodies may travel beyond what was foreseen before a pass ends, in travels between two looks.
/// Smaller ends passes for overlap that is pushed out anyway, larger lets bodies as deep into each other as
/// makes the way out uncertain.
pub(super) const UNFORESEEN: f64 = 0.25;
/// How far beside a face a point may lie and be on it, in slops. Smaller leaves cracks between faces, larger
/// makes one point touch two faces.
pub(super) const FACE_EDGE_SLOPS: f64 = 0.5;
/// Within which an old contact passes its impulse on, as a share of the size. Smaller starts stacks anew in
/// every pass, larger gives a load to a contact that never bore it.
pub(super) const MATCHING_OF_SIZE: f64 = 0.02;
/// Depth that is looked for, in depths known from the last search. Smaller loses a body that sinks quickly.
pub(super) const KNOWN_DEPTHS: f64 = 1.5;

// From pass to pass.

/// Motion, in slops, within which contacts are only moved, not found anew. Larger saves searches of what
/// rests, and lets it creep.
pub(super) const STILL_SLOPS: f64 = 0.1;
/// How far contacts are foreseen for several passes at once, in edges of the finer mesh. Smaller finds
/// contacts anew more often, larger finds every triangle of a fine mesh near every other.
pub(super) const CARRIED_EDGES: f64 = 1.0;
/// How far contacts are foreseen beyond what is always, at least, in slops: for many passes of what hardly
/// moves. Smaller finds contacts anew whenever the solver changes a velocity a little.
pub(super) const PATIENCE_SLOPS: f64 = 2.0;
/// By which angle, rad, bodies may turn against each other while contacts are only carried along. Larger
/// misses vertices that come to stand out as a thin part topples, smaller finds contacts of what rolls in
/// every pass.
pub(super) const CARRIED_TURN: f64 = 0.03;
/// Cosine of the angle within which two normals are of one contact (60°). Larger loses impulses as bodies
/// roll.
pub(super) const ALIKE: f64 = 0.5;
/// That cosine for a region, whose normal is an axis of a box (26°).
pub(super) const REGION_ALIKE: f64 = 0.9;
/// Overlap, in slops, from which a feature is deep: it must find its way out, and a load above it may be kept
/// without features. Smaller asks for many ways out, larger takes the far side of a thin wall for the inside.
pub(super) const DEEP_SLOPS: f64 = 2.0;
/// Share of a way out at either end that lies on the surfaces themselves.
pub(super) const WAY_OUT_ENDS: f64 = 1e-4;
/// How deep what is only held may come, in depths and, beyond, as a share of the size; deeper its face has
/// ended.
pub(super) const HELD_DEPTHS: f64 = 2.0;
pub(super) const HELD_OF_SIZE: f64 = 0.1;
/// How far aside, as a share of the size, a loaded contact may slip whose features are gone, and for how many
/// passes it is kept. Smaller drops heavy loads through gaps between features, larger glues bodies together.
pub(super) const ORPHAN_ASIDE_OF_SIZE: f64 = 0.15;
pub(super) const ORPHAN_PASSES: u32 = 30;
/// Passes in which triangles may intersect without a contact that has any depth before it is said that two
/// bodies overlap deeper than contacts can tell.
pub(super) const UNEXPLAINED_PASSES: u32 = 5;
/// Passes a step may take at most; faster pairs travel farther in each and are looked at from farther away.
pub(super) const MAX_PASSES: f64 = 16.0;
/// And those that a step may take so that a pair does not travel through its whole thickness between two
/// looks. Fewer let thin parts through each other, more take long for a part that only flies by.
pub(super) const MAX_THIN_PASSES: f64 = 64.0;
/// The whole thickness, in travels between two looks.
pub(super) const THROUGH: f64 = 1.0 / TRAVEL_OF_THICKNESS;
/// And those that a step may take because a mesh is fine. Fewer look farther in each, which costs a fine mesh
/// up to the cube of the distance.
pub(super) const MAX_FINE_PASSES: f64 = 64.0;
/// How far bodies of fine meshes travel between two looks at least, in edges of the finer mesh: what is that
/// near is found anyway. Overlap that is deeper than this travel is looked for once a step.
pub(super) const FINE_EDGES: f64 = 0.5;
/// And farther on meshes that are not so fine: so that no more than the square of this many edges of the
/// finer mesh, laid across the smaller body, are near at once. Smaller takes more passes, larger judges more
/// candidates in each.
pub(super) const FINE_ACROSS: f64 = 150.0;
