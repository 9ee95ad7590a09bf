//! Compared methods of finding pairs of links: kinds of hierarchies, and their leaves alone.

use crate::articulation::LinkTreeKind;

/// Kinds of hierarchies, in the order of the paper's tables.
pub const KINDS: [LinkTreeKind; 5] = [
    LinkTreeKind::BruteForce,
    LinkTreeKind::AabbVertices,
    LinkTreeKind::AabbCorners,
    LinkTreeKind::Obb,
    LinkTreeKind::Cab,
];

/// Method to find pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    pub kind: LinkTreeKind,
    /// Whether only leaves are tested, eight at a time, without inner nodes.
    pub is_flat: bool,
}

/// The paper's kinds, the variant in its footnote, unions of boxes, and leaves alone.
pub const METHODS: [Method; 9] = [
    Method::of(KINDS[0]),
    Method::of(KINDS[1]),
    Method::of(KINDS[2]),
    Method::of(KINDS[3]),
    Method::of(KINDS[4]),
    Method::of(LinkTreeKind::CabSum),
    Method::of(LinkTreeKind::AabbUnions),
    Method { kind: LinkTreeKind::AabbUnions, is_flat: true },
    Method { kind: LinkTreeKind::Cab, is_flat: true },
];

impl Method {
    pub const fn of(kind: LinkTreeKind) -> Self {
        Self { kind, is_flat: false }
    }

    pub fn label(self) -> String {
        match (self.is_flat, self.kind) {
            (false, kind) => kind.label().to_owned(),
            // CAB and OBB have the same leaves.
            (true, LinkTreeKind::Cab) => "OBB, flat".to_owned(),
            (true, kind) => format!("{}, flat", kind.label()),
        }
    }
}
