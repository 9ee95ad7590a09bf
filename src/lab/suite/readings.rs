//! The rules as text, and a paragraph of interpretation for each paper.

use super::item::Paper;

/// Rules for the verdict of an item.
pub const RULES: [&str; 3] = [
    "An item **holds** if every order and bound that its paper states is ours, and no two quantities that the paper \
     calls alike differ by more than 1.5 times. It **holds in order** if all orders and bounds do and only likenesses \
     fail, or if the paper states in words alone what the test puts in numbers. It **differs** if an order fails and the named switch restores \
     it; both figures stand in the table.",
    "Counts are compared where the paper gives counts, else operations, else times. Contenders take turns over the same \
     work, five times; one time is below another if it is in every repeat, so that the interval of their ratio, which \
     covers 94 of 100 cases, does not hold one. Behind a time stands its own 95 % interval. Times are of one core. Counts \
     are the same on every machine.",
    "The papers' meshes are not to be had. Generated ones stand for them: a torus, a bumpy sphere, a pipe elbow, a gear \
     and a housing, all scaled to a cube of side 2, and ten models of the kinds of [simplify].",
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
    "A boxtree stores one plane a node, by which a child's box differs from its parent's. The tree is small and its tests \
     are cheap, as the paper says, and the rule by which its author's released code divides makes good trees. Shifting work \
     to the parent's pair pays; look-up tables do not.",
    "A boxtree needs more nodes than a tree of tight boxes, whose bytes no longer hurt where caches are megabytes. With \
     eight children a node the idea is worth memory, not speed: \"The boxtree's idea apart from its width\", below, \
     measures it alone.",
];

const BOXES: [&str; 2] = [
    "The paper gives figures without numbers and sets without sizes; the sizes are ours (`lab/boxes/sets.rs`). HYBRID leads \
     where boxes are crowded, as in the paper. Methods that hash or search filter better than HYBRID and pay more for a \
     test, so that today's caches change some ranks.",
    "Keeping the order of ends saves next to nothing where ends are sorted by their digits. Trees that are refitted gain \
     from coherence; docs/results.md has them in motion.",
];

const SIMPLIFY: [&str; 2] = [
    "The paper's RAPID is `obb-principal` by the rule `principal`, its method `obb-principal+parts-always`. The paper gives \
     no rule for the widths of cells and no speeds of instances; `mesh/simplify/widths.rs` and `lab/parts/room.rs` have \
     ours.",
    "Collisions are taken for pairs of instances, and rooms are as large as makes as many collide as in the paper. Such rooms \
     are filled to about the cubes of the shares that the paper gives (the notes of `parts-query`), so that its shares \
     may be of sides.",
];

const ADB: [&str; 1] = [
    "The paper's model is measured as printed but for the area from which a cell counts. Its errors \
    are repeated. Its lead in time is not: exact tests have become cheaper than evaluating the model. A probability is \
    worth having where an exact search is cut off.",
];

const CAB: [&str; 2] = [
    "The motions are formulas, tuned to the paper's hits, so that counts never change. AABB\\* is read by the letter: every \
     node is fitted to the corners of all links below it. By that reading the paper's order holds in every table. The hand \
     lies on its table and meets far fewer boxes than the paper's, whose surroundings are not described.",
    "The paper does not have two things. Unions of the children's boxes are the boxes of AABB\\* for a fraction of the \
     points. And over so few links no hierarchy is worth making: \"Leaves of links against trees of links\", below.",
];
