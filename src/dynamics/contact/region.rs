//! Region of two surfaces of which only the boxes are known. \[adb\] §3

use glam::DVec3;

use crate::pose::Pose;

/// Two overlapping boxes whose contents probably intersect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Center of the overlap of the two boxes, body space of a, m.
    pub center: DVec3,
    /// Unit normal from a to b, body space of a.
    pub normal: DVec3,
    /// Indices of the nodes in both hierarchies, which distinguish the regions of a pair.
    pub nodes: (u32, u32),
}

impl Region {
    /// Returns this region in the space of a. It was found with the bodies swapped, in b's space.
    #[inline]
    pub fn seen_from(self, b_to_a: &Pose) -> Self {
        Self {
            center: b_to_a.transform_point(self.center),
            normal: -b_to_a.transform_vector(self.normal),
            nodes: (self.nodes.1, self.nodes.0),
        }
    }
}
