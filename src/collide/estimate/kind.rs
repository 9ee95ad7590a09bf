//! Kinds of hierarchies that can have occupancy counts.

/// Hierarchy to which occupancy counts are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AdbKind {
    /// Tight axis-aligned boxes.
    #[default]
    Aabb,
    Octree,
    /// Restricted boxtree. \[adb\] §5 names boxtrees and DOPs as future work.
    Boxtree,
    Dop24,
}

impl AdbKind {
    pub const ALL: [Self; 4] = [Self::Aabb, Self::Octree, Self::Boxtree, Self::Dop24];

    pub fn name(self) -> &'static str {
        match self {
            Self::Aabb => "adb-aabb",
            Self::Octree => "adb-octree",
            Self::Boxtree => "adb-boxtree",
            Self::Dop24 => "adb-dop24",
        }
    }
}
