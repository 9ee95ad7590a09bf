//! The rules as text, and a paragraph of interpretation for each paper.

use super::item::Paper;

/// Rules for the verdict of an item.
pub const RULES: [&str; 3] = [
    "An item **holds** if our measurements confirm every order and bound that its paper states, and no two \
     quantities that the paper calls alike differ by more than a factor of 1.5. It **holds in order** if all \
     orders and bounds hold and only likenesses fail, or if the paper states its claim in words and the numbers \
     of the test are our choice. It **differs** if an order or a bound fails and a named change of the \
     comparison, the switch, restores it; the table then shows both numbers. An item without orders and bounds \
     differs if a likeness fails and the switch restores it.",
    "The tests compare counts where the paper gives counts, otherwise operations, otherwise times. Contenders \
     take turns over the same work five times. One time is below another if it is below it in all five repeats; \
     the interval of their ratio, which covers 94 of 100 cases, then excludes 1. The 95 % interval of a time \
     follows it in parentheses. Times are on one core unless a row gives its number of threads. Counts are the \
     same on every machine.",
    "The papers' meshes are not available. Generated meshes replace them: a torus, a bumpy sphere, a pipe elbow, \
     a gear and a housing, each scaled to a cube of side 2, and ten models of the kinds of [simplify].",
];

/// Returns the paragraphs before the items of a paper.
pub fn reading(paper: Paper) -> &'static [&'static str] {
    match paper {
        Paper::Boxtree => &BOXTREE,
        Paper::Boxes => &BOXES,
        Paper::Simplify => &SIMPLIFY,
        Paper::Adb => &ADB,
        Paper::Cab => &CAB,
    }
}

const BOXTREE: [&str; 2] = [
    "A boxtree stores one plane per node, by which a child's box differs from its parent's. As the paper says, \
     the tree is small and its tests are cheap. The division rule of the author's released code makes good trees. \
     Moving work to the parent's pair pays; look-up tables do not.",
    "A boxtree needs more nodes than a tree of tight boxes, and the larger nodes of that tree no longer hurt, \
     because caches hold megabytes. With eight children per node, the idea saves memory, not time: \"The \
     boxtree's idea apart from its width\", below, measures it separately.",
];

const BOXES: [&str; 2] = [
    "The paper gives figures without numbers and sets without sizes; the sizes are ours (`lab/boxes/sets.rs`). \
     HYBRID is the fastest where boxes are crowded, as in the paper. The methods that hash or search filter \
     better than HYBRID, but each of their tests costs more, so today's caches change some ranks.",
    "Reusing the order of the boxes' ends saves almost nothing here, because a radix sort sorts them. Refitted \
     trees gain from coherence; docs/results.md measures them in motion.",
];

const SIMPLIFY: [&str; 2] = [
    "The paper's RAPID is `obb-principal` with the rule `principal`; its own method is \
     `obb-principal+parts-always`. The paper specifies neither the widths of cells nor the speeds of instances; \
     ours are in `mesh/simplify/widths.rs` and `lab/parts/room.rs`.",
    "We interpret the paper's collisions as colliding pairs of instances, and size each room so that as many \
     pairs collide as in the paper. The instances then fill about the cube of the share that the paper gives (see \
     the notes of `parts-query`), so the paper's shares may be shares of a side, not of a volume.",
];

const ADB: [&str; 1] = [
    "The paper's model is measured as printed, except for the area from which a cell counts. Our measurements \
     reproduce its error rates, but not its lead in time: exact tests now cost less than an evaluation of the \
     model. A probability is useful where an exact search is cut off.",
];

const CAB: [&str; 2] = [
    "The motions are formulas, tuned to the paper's number of hits, so counts never change. We read AABB\\* \
     literally: every node is fitted to the corners of all links below it. With that reading the paper's order \
     holds in every table. Our hand lies on its table, and its boxes overlap far fewer others than the paper's \
     hand, whose surroundings the paper does not describe.",
    "Two results go beyond the paper. Unions of the children's boxes give the boxes of AABB\\* from a fraction of \
     the points. And for so few links no hierarchy is worth its construction: see \"Leaves of links against trees \
     of links\", below.",
];
