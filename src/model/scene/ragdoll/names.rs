//! Role of a joint, guessed from its name: whether it is too small to move independently, whether it is
//! left or right, and which joint of a body it is. The limits of the joint follow from that. The names
//! are those of common rigs; a joint with another name gets average limits.

/// Joint of a body that a name stands for. Elbows and knees bend in one direction only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Trunk,
    Neck,
    Clavicle,
    Shoulder,
    Elbow,
    Wrist,
    Hip,
    Knee,
    Ankle,
    Tail,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Range of a joint, degrees: the largest angle off its axis, and the smallest and largest angle about
/// the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub cone: f64,
    pub twist: [f64; 2],
}

impl Role {
    /// Returns the range of a ball joint whose axis is the limb.
    pub fn reach(self) -> Reach {
        let (cone, twist) = match self {
            Self::Trunk => (20.0, 15.0),
            Self::Neck => (40.0, 50.0),
            Self::Clavicle => (20.0, 10.0),
            Self::Shoulder => (90.0, 60.0),
            Self::Wrist => (45.0, 45.0),
            Self::Hip => (70.0, 40.0),
            Self::Ankle => (30.0, 15.0),
            Self::Tail => (40.0, 20.0),
            Self::Elbow | Self::Knee | Self::Other => (45.0, 30.0),
        };
        Reach { cone, twist: [-twist, twist] }
    }

    /// Returns the range of a joint that bends in one direction about a hinge; `cone` is how far the
    /// hinge axis itself may lean. Returns `None` for other joints.
    pub fn bend(self) -> Option<Reach> {
        let most = match self {
            Self::Elbow => 145.0,
            Self::Knee => 140.0,
            _ => return None,
        };
        Some(Reach { cone: 8.0, twist: [-5.0, most] })
    }
}

/// Splits a name into lower-case words: `LeftForeArm`, `left_fore_arm` and `foreArm.L` share `fore` and
/// `arm`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

pub(super) fn side(name: &str) -> Option<Side> {
    words(name).iter().find_map(|word| match word.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    })
}

/// Returns whether a joint is minor: fingers, toes, twist joints along a limb, parts of the face, ends
/// of chains, and helpers for animators.
pub(super) fn is_minor(name: &str) -> bool {
    const WORDS: [&str; 20] = [
        "index", "middle", "ring", "little", "roll", "end", "nub", "tip", "jaw", "eye", "eyelid", "ear",
        "tongue", "teeth", "brow", "lip", "hair", "nose", "ik", "pole",
    ];
    const PARTS: [&str; 5] = ["finger", "thumb", "pinky", "toe", "twist"];
    let words = words(name);
    let joined = words.concat();
    words.iter().any(|w| WORDS.contains(&w.as_str())) || PARTS.iter().any(|p| joined.contains(p))
}

/// Returns the role of each joint of a skeleton. `parents` are indices into the same list and have no
/// cycles.
pub(super) fn roles(names: &[&str], parents: &[Option<usize>]) -> Vec<Role> {
    let mut roles: Vec<Option<Role>> = vec![None; names.len()];
    for start in 0..names.len() {
        // Visited from the root down, because roles along a limb depend on the role above.
        let mut path: Vec<usize> = std::iter::successors(Some(start), |&at| parents[at]).collect();
        while let Some(at) = path.pop() {
            let above = parents[at].and_then(|p| roles[p]);
            roles[at] = roles[at].or_else(|| Some(role(names[at], above)));
        }
    }
    let mut roles: Vec<Role> = roles.into_iter().map(|r| r.unwrap_or(Role::Other)).collect();
    for (at, parent) in parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        // Some rigs name joints instead of limbs. There the joint above the elbow is the shoulder, and
        // the joint above the knee is the hip.
        match (roles[at], roles[parent]) {
            (Role::Elbow, Role::Clavicle) => roles[parent] = Role::Shoulder,
            (Role::Knee, Role::Trunk) if side(names[parent]).is_some() => roles[parent] = Role::Hip,
            _ => {}
        }
    }
    roles
}

/// Returns the role of a joint by its name. If the name has only "arm" or "leg", the role of its parent
/// decides.
fn role(name: &str, above: Option<Role>) -> Role {
    const NAMES: [(Role, &[&str]); 10] = [
        (Role::Tail, &["tail"]),
        (Role::Elbow, &["forearm", "lowerarm", "elbow"]),
        (Role::Shoulder, &["upperarm", "uparm"]),
        (Role::Wrist, &["wrist", "hand", "fist", "palm"]),
        (Role::Knee, &["calf", "shin", "lowerleg", "knee"]),
        (Role::Hip, &["upperleg", "upleg", "thigh"]),
        (Role::Ankle, &["foot", "ankle"]),
        (Role::Clavicle, &["shoulder", "clavicle", "collar"]),
        (Role::Neck, &["neck", "head"]),
        (Role::Trunk, &["hip", "pelvis", "spine", "chest", "torso", "abdomen", "waist", "body"]),
    ];
    let words = words(name);
    let joined: String = words.concat();
    let named = NAMES.iter().find(|(_, parts)| parts.iter().any(|p| joined.contains(p)));
    if let Some((role, _)) = named {
        return *role;
    }
    let has = |word: &str| words.iter().any(|w| w == word);
    match above {
        Some(Role::Hip) if has("leg") => Role::Knee,
        Some(Role::Knee) if has("leg") => Role::Ankle,
        Some(Role::Ankle) if has("leg") => Role::Other,
        Some(Role::Shoulder) if has("arm") => Role::Elbow,
        Some(Role::Elbow) if has("arm") => Role::Wrist,
        Some(Role::Wrist) if has("arm") => Role::Other,
        _ if has("leg") => Role::Hip,
        _ if has("arm") => Role::Shoulder,
        _ => Role::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the roles of a chain in which each joint is the parent of the next.
    fn chain(names: &[&str]) -> Vec<Role> {
        let parents: Vec<Option<usize>> = (0..names.len()).map(|i: usize| i.checked_sub(1)).collect();
        roles(names, &parents)
    }

    #[test]
    fn the_limbs_of_common_rigs_are_known() {
        use Role::*;
        let arm = [Clavicle, Shoulder, Elbow, Wrist];
        for names in [
            ["mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand"],
            ["clavicle_l", "upperarm_l", "lowerarm_l", "hand_l"],
            ["Shoulder.R", "UpperArm.R", "LowerArm.R", "Fist.R"],
            ["right_clavicle", "right_upper_arm", "right_forearm", "right_hand"],
        ] {
            assert_eq!(chain(&names), arm, "{names:?}");
        }
        let leg = [Trunk, Hip, Knee, Ankle];
        for names in [
            ["mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"],
            ["pelvis", "thigh_l", "calf_l", "foot_l"],
            ["torso_joint_1", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3"],
            ["b_Hip_01", "b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017"],
        ] {
            assert_eq!(chain(&names), leg, "{names:?}");
        }
        assert_eq!(chain(&["Chest", "shoulder_L", "elbow_L", "wrist_L"])[1..], [Shoulder, Elbow, Wrist]);
        assert_eq!(chain(&["Armature", "Bone", "Bone.001"]), [Other; 3]);
    }

    #[test]
    fn fingers_toes_and_twists_are_minor_and_limbs_are_not() {
        for name in
            ["LeftHandIndex1", "thumb_01_l", "Ring2.L", "LeftToeBase", "toes.l", "upperarm_twist_01_l"]
        {
            assert!(is_minor(name), "{name}");
        }
        for name in ["LeftForeArm", "Spring", "Head", "hand.l", "foot_r", "Skeleton_arm_joint_L__2_", "heart"]
        {
            assert!(!is_minor(name), "{name}");
        }
        assert_eq!(
            ["UpperArm.L", "hand_r", "left_foot", "Neck"].map(side),
            [Some(Side::Left), Some(Side::Right), Some(Side::Left), None]
        );
    }
}
