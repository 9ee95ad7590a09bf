//! Recognition of the joints of a human figure: limbs and head by their names, the trunk by the node
//! tree. The hips are the lowest common ancestor of both legs. The spine leads from there to the common
//! ancestor of both arms, and the neck from there to the head.

use std::collections::BTreeMap;

use crate::import::model::Model;
use crate::order::Order;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BodySide {
    Left,
    Right,
}

pub(super) const SIDES: [BodySide; 2] = [BodySide::Left, BodySide::Right];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shin,
    Foot,
    Toes,
}

/// Joints of a human figure, as node indices.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub hips: u32,
    /// Joints from above the hips up to the common ancestor of both arms.
    pub spine: Vec<u32>,
    /// Joints between the spine and the head.
    pub neck: Vec<u32>,
    pub head: Option<u32>,
    pub limbs: BTreeMap<(BodySide, Part), u32>,
}

/// Meaning of a single name. It may be ambiguous until the other names are known: some rigs call an
/// upper arm an arm or a shoulder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Is(Part),
    Hip,
    Leg,
    Shoulder,
    Arm,
    Wrist,
}

const WORDS: [(&str, Word); 34] = [
    ("clavicle", Word::Is(Part::Clavicle)),
    ("collar", Word::Is(Part::Clavicle)),
    ("humerus", Word::Is(Part::UpperArm)),
    ("shldr", Word::Is(Part::UpperArm)),
    ("uparm", Word::Is(Part::UpperArm)),
    ("upperarm", Word::Is(Part::UpperArm)),
    ("armupper", Word::Is(Part::UpperArm)),
    ("elbow", Word::Is(Part::Forearm)),
    ("forearm", Word::Is(Part::Forearm)),
    ("lowerarm", Word::Is(Part::Forearm)),
    ("armlower", Word::Is(Part::Forearm)),
    ("radius", Word::Is(Part::Forearm)),
    ("fist", Word::Is(Part::Hand)),
    ("hand", Word::Is(Part::Hand)),
    ("femur", Word::Is(Part::Thigh)),
    ("thigh", Word::Is(Part::Thigh)),
    ("upleg", Word::Is(Part::Thigh)),
    ("upperleg", Word::Is(Part::Thigh)),
    ("legupper", Word::Is(Part::Thigh)),
    ("calf", Word::Is(Part::Shin)),
    ("knee", Word::Is(Part::Shin)),
    ("lowerleg", Word::Is(Part::Shin)),
    ("leglower", Word::Is(Part::Shin)),
    ("shin", Word::Is(Part::Shin)),
    ("tibia", Word::Is(Part::Shin)),
    ("ankle", Word::Is(Part::Foot)),
    ("foot", Word::Is(Part::Foot)),
    ("ball", Word::Is(Part::Toes)),
    ("toe", Word::Is(Part::Toes)),
    ("toes", Word::Is(Part::Toes)),
    ("hip", Word::Hip),
    ("leg", Word::Leg),
    ("shoulder", Word::Shoulder),
    ("wrist", Word::Wrist),
];

/// Words in names that have no meaning here.
const NOISE: [&str; 11] = ["b", "base", "bip", "bn", "bone", "cc", "def", "jnt", "joint", "rig", "skeleton"];

/// Recognizes a human figure by the names of its nodes. Fails with the missing parts if the hips or a
/// leg cannot be found; all other parts are optional.
pub(super) fn recognise(model: &Model, names: &[&str]) -> Result<Figure, Vec<&'static str>> {
    let depths = depths(model);
    let mut named: BTreeMap<(BodySide, Word), Vec<u32>> = BTreeMap::new();
    let (mut heads, mut necks) = (Vec::new(), Vec::new());
    let mut by_depth: Vec<u32> = (0..model.nodes.len() as u32).collect();
    by_depth.order_by_key(|&n| depths[n as usize]);
    for node in by_depth.into_iter().filter(|&n| model.nodes[n as usize].skin.is_none()) {
        match meaning(names[node as usize]) {
            (Some(side), stem) => {
                if let Some(word) = word(&stem) {
                    named.entry((side, word)).or_default().push(node);
                }
            }
            (None, stem) if stem == "head" => heads.push(node),
            (None, stem) if stem == "neck" => necks.push(node),
            _ => {}
        }
    }
    let mut limbs = BTreeMap::new();
    for side in SIDES {
        let of = |word| named.get(&(side, word)).cloned().unwrap_or_default();
        for (part, node) in leg(model, of).into_iter().chain(arm(of)) {
            limbs.insert((side, part), node);
        }
    }
    let tree = Tree { model, depths: &depths };
    let meet =
        |part: &dyn Fn(BodySide) -> Option<u32>| tree.meet(part(BodySide::Left)?, part(BodySide::Right)?);
    let limb = |part| limbs.get(&part).copied();
    let hips = meet(&|side| limb((side, Part::Thigh)));
    let needed = [
        ("the left upper leg", limb((BodySide::Left, Part::Thigh))),
        ("the right upper leg", limb((BodySide::Right, Part::Thigh))),
        ("the left lower leg", limb((BodySide::Left, Part::Shin))),
        ("the right lower leg", limb((BodySide::Right, Part::Shin))),
        ("hips that both legs hang on", hips),
    ];
    let (Some(hips), true) = (hips, needed.iter().all(|n| n.1.is_some())) else {
        return Err(needed.iter().filter(|n| n.1.is_none()).map(|n| n.0).collect());
    };
    let chest = meet(&|side| limb((side, Part::Clavicle)).or_else(|| limb((side, Part::UpperArm))));
    let spine = chest.and_then(|c| tree.path(hips, c)).unwrap_or_default();
    let top = spine.last().copied().unwrap_or(hips);
    // If no node is named a head, the last of several necks is the head.
    let last_neck = necks.last().copied().filter(|_| necks.len() > 1);
    let head = heads.into_iter().chain(last_neck).find(|&h| tree.path(top, h).is_some());
    let mut neck = head.and_then(|h| tree.path(top, h)).unwrap_or_default();
    neck.pop();
    Ok(Figure { hips, spine, neck, head, limbs })
}

/// Returns the joints of a leg from the thigh down. Gaps between named joints are filled, in order, by
/// nodes that are only named leg.
fn leg(model: &Model, of: impl Fn(Word) -> Vec<u32>) -> Vec<(Part, u32)> {
    let mut plain = of(Word::Leg).into_iter();
    let mut found: Vec<(Part, u32)> = Vec::new();
    for part in [Part::Thigh, Part::Shin, Part::Foot, Part::Toes] {
        let mut named = of(Word::Is(part));
        if part == Part::Thigh && named.is_empty() && plain.len() < 2 {
            named = of(Word::Hip);
        }
        // Rigs have handles named feet beside the legs, so nodes below the joint found before have
        // priority.
        let above = found.last().map(|f| f.1);
        let hanging = named.iter().copied().find(|&n| above.is_some_and(|a| is_below(model, n, a)));
        let node = hanging.or(named.first().copied()).or_else(|| plain.next());
        found.extend(node.map(|n| (part, n)));
    }
    found
}

/// Returns the joints of an arm. Gaps between named joints are filled by nodes that are only named arm,
/// shoulder or wrist.
fn arm(of: impl Fn(Word) -> Vec<u32>) -> Vec<(Part, u32)> {
    let named = |part| of(Word::Is(part)).first().copied();
    let mut plain = of(Word::Arm);
    let mut shoulder = of(Word::Shoulder).first().copied();
    let mut clavicle = named(Part::Clavicle);
    if plain.len() > 3 && clavicle.is_none() && shoulder.is_none() {
        clavicle = Some(plain.remove(0));
    }
    let mut plain = plain.into_iter();
    let upper = named(Part::UpperArm).or_else(|| plain.next()).or_else(|| shoulder.take());
    let fore = named(Part::Forearm).or_else(|| plain.next());
    let hand = named(Part::Hand).or(of(Word::Wrist).first().copied()).or_else(|| plain.next());
    let parts = [Part::Clavicle, Part::UpperArm, Part::Forearm, Part::Hand];
    let nodes = [clavicle.or(shoulder), upper, fore, hand];
    parts.into_iter().zip(nodes).filter_map(|(part, node)| Some((part, node?))).collect()
}

fn word(stem: &str) -> Option<Word> {
    if stem == "arm" {
        return Some(Word::Arm);
    }
    WORDS.iter().find(|w| w.0 == stem).map(|w| w.1)
}

/// Returns the side that a name states, and the rest of the name in lower case, without numbers and
/// words of `NOISE`.
fn meaning(name: &str) -> (Option<BodySide>, String) {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut side = None;
    let mut stem = String::new();
    for word in words(name) {
        match word.as_str() {
            "l" | "left" => side = Some(BodySide::Left),
            "r" | "right" => side = Some(BodySide::Right),
            word if NOISE.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()) => {}
            word => stem += word,
        }
    }
    if side.is_some() {
        return (side, stem);
    }
    // Prefixes without a separator, as in Acclaim's lfemur and in leftupleg.
    let prefixes =
        [("left", BodySide::Left), ("right", BodySide::Right), ("l", BodySide::Left), ("r", BodySide::Right)];
    for (prefix, side) in prefixes {
        if let Some(rest) = stem.strip_prefix(prefix) {
            let rest = rest.strip_suffix("joint").unwrap_or(rest);
            if word(rest).is_some() {
                return (Some(side), rest.to_owned());
            }
        }
    }
    (None, stem)
}

/// Splits names such as `LHipJoint`, `upper_arm.L` and `Leg01` into lower-case words and numbers.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (at, &c) in letters.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map(|b| letters[b]);
        let begins = before.is_some_and(|b| {
            let lower_after = letters.get(at + 1).is_some_and(|n| n.is_lowercase());
            (c.is_uppercase() && (b.is_lowercase() || (b.is_uppercase() && lower_after)))
                || c.is_numeric() != b.is_numeric()
        });
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

struct Tree<'a> {
    model: &'a Model,
    depths: &'a [u32],
}

impl Tree<'_> {
    fn parent(&self, node: u32) -> Option<u32> {
        self.model.nodes[node as usize].parent
    }

    /// Returns the lowest common ancestor of two nodes.
    fn meet(&self, mut a: u32, mut b: u32) -> Option<u32> {
        (a, b) = (self.parent(a)?, self.parent(b)?);
        while a != b {
            if self.depths[a as usize] >= self.depths[b as usize] {
                a = self.parent(a)?;
            } else {
                b = self.parent(b)?;
            }
        }
        Some(a)
    }

    /// Returns the nodes on the path from `top` (excluded) down to `node`; `None` if `node` is not
    /// below `top`.
    fn path(&self, top: u32, node: u32) -> Option<Vec<u32>> {
        let mut path = Vec::new();
        let mut at = node;
        while at != top {
            path.push(at);
            at = self.parent(at)?;
        }
        path.reverse();
        Some(path)
    }
}

/// Returns whether `node` is a descendant of `other`.
pub(super) fn is_below(model: &Model, mut node: u32, other: u32) -> bool {
    while let Some(parent) = model.nodes[node as usize].parent {
        if parent == other {
            return true;
        }
        node = parent;
    }
    false
}

/// Returns the number of ancestors per node.
fn depths(model: &Model) -> Vec<u32> {
    let mut depths = vec![0; model.nodes.len()];
    let parentless = (0..model.nodes.len() as u32).filter(|&n| model.nodes[n as usize].parent.is_none());
    let mut stack: Vec<u32> = parentless.collect();
    while let Some(node) = stack.pop() {
        for &child in &model.nodes[node as usize].children {
            depths[child as usize] = depths[node as usize] + 1;
            stack.push(child);
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_rigs_mean_the_same() {
        let cases = [
            ("LeftUpLeg", BodySide::Left, Word::Is(Part::Thigh)),
            ("mixamorig:LeftUpLeg", BodySide::Left, Word::Is(Part::Thigh)),
            ("lfemur", BodySide::Left, Word::Is(Part::Thigh)),
            ("UpperLeg.R", BodySide::Right, Word::Is(Part::Thigh)),
            ("upperleg.r", BodySide::Right, Word::Is(Part::Thigh)),
            ("right_upper_leg", BodySide::Right, Word::Is(Part::Thigh)),
            ("Bip01 R Thigh", BodySide::Right, Word::Is(Part::Thigh)),
            ("RHipJoint", BodySide::Right, Word::Hip),
            ("lhipjoint", BodySide::Left, Word::Hip),
            ("RightLeg", BodySide::Right, Word::Leg),
            ("leg_joint_L_3", BodySide::Left, Word::Leg),
            ("Skeleton_arm_joint_L__4_", BodySide::Left, Word::Arm),
            ("b_RightForeArm_07", BodySide::Right, Word::Is(Part::Forearm)),
            ("rradius", BodySide::Right, Word::Is(Part::Forearm)),
            ("LeftToeBase", BodySide::Left, Word::Is(Part::Toes)),
            ("ltoes", BodySide::Left, Word::Is(Part::Toes)),
            ("Shoulder.L", BodySide::Left, Word::Shoulder),
        ];
        for (name, side, expected) in cases {
            let (found, stem) = meaning(name);
            assert_eq!((found, word(&stem)), (Some(side), Some(expected)), "{name}");
        }
        for name in
            ["LeftToeBase_end", "LFingers", "LeftHandThumb1", "HeadTop_End", "Head_end", "lowerback", "ring"]
        {
            let (side, stem) = meaning(name);
            assert!(side.is_none() && stem != "head" || word(&stem).is_none(), "{name}: {stem}");
        }
        assert_eq!(meaning("mixamorig:Head").1, "head");
    }
}
