//! A region of two surfaces of which only their boxes are known. \[adb\] §3

use glam::DVec3;

use crate::pose::Pose;

/// Two boxes that overlap, whose contents probably intersect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Middle of the overlap, body space of a, m.
    pub center: DVec3,
    /// Unit, from a to b, body space of a.
    pub normal: DVec3,
    /// The nodes, which tell regions of a pair apart.
    pub nodes: (u32, u32),
}

impl Region {
    /// This region of b's space, where a and b have changed places, in the space of a.
    pub fn seen_from(self, b_to_a: &Pose) -> Self {
        Self {
            center: b_to_a.transform_point(self.center),
            normal: -b_to_a.transform_vector(self.normal),
            nodes: (self.nodes.1, self.nodes.0),
        }
    }
}
