//! Measurements that the paper publishes in its Tables 1 to 5 (on a Pentium 4 at 1.8 GHz; the hand, on
//! a Pentium III at 866 MHz).

use crate::articulation::LinkTreeKind;

/// Sums over all frames; times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    pub queries: u64,
    pub false_alarms: u64,
    pub query: f64,
    pub update: f64,
    pub test: f64,
    /// Total as printed. One total is not the sum of its parts (Table 1, AABB*: 15.49).
    pub total: f64,
}

/// One of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperTable {
    Convex3 = 1,
    Convex6 = 2,
    NonConvex = 3,
    Braided = 4,
    Hand = 5,
}

impl PaperTable {
    pub fn frame_count(self) -> f64 {
        if self == Self::Hand { 4000.0 } else { 10_000.0 }
    }

    /// Returns the rows of the table, in the paper's order.
    fn rows(self) -> [(u64, u64, f64, f64, f64, f64); 5] {
        match self {
            Self::Convex3 => [
                (1_200_000, 1_199_786, 19.34, 0.0, 0.0, 19.34),
                (71_534, 71_320, 1.86, 135.86, 4.94, 142.67),
                (84_148, 83_934, 1.99, 8.08, 5.42, 15.94),
                (5_740, 5_526, 0.16, 14.63, 1.75, 16.54),
                (5_740, 5_526, 0.16, 6.34, 2.06, 8.56),
            ],
            Self::Convex6 => [
                (1_200_000, 1_199_646, 20.52, 0.0, 0.0, 20.52),
                (130_112, 129_758, 2.97, 136.34, 7.04, 146.34),
                (149_466, 149_112, 3.44, 8.04, 7.45, 18.94),
                (7_194, 6_840, 0.21, 14.62, 1.60, 16.43),
                (7_194, 6_840, 0.21, 6.33, 2.26, 8.80),
            ],
            Self::NonConvex => [
                (1_200_000, 1_199_927, 22.24, 0.0, 0.0, 22.24),
                (130_112, 130_039, 3.71, 135.79, 7.13, 146.63),
                (148_784, 148_711, 3.97, 8.06, 7.46, 19.50),
                (3_405, 3_332, 0.34, 14.70, 0.85, 15.88),
                (3_405, 3_332, 0.34, 6.36, 1.38, 8.08),
            ],
            Self::Braided => [
                (1_200_000, 1_190_472, 21.37, 0.0, 0.0, 21.37),
                (65_936, 56_408, 3.88, 136.34, 4.67, 144.89),
                (93_502, 83_974, 4.55, 8.11, 5.64, 18.29),
                (24_731, 15_203, 2.83, 14.90, 3.01, 20.74),
                (24_731, 15_203, 2.80, 6.35, 4.01, 13.17),
            ],
            Self::Hand => [
                (288_072, 287_308, 16.08, 0.0, 0.0, 16.08),
                (25_893, 25_129, 7.92, 68.42, 1.00, 77.35),
                (27_337, 26_573, 8.79, 4.48, 0.88, 14.16),
                (11_031, 10_267, 5.62, 6.65, 0.52, 12.79),
                (11_031, 10_267, 5.65, 3.01, 0.56, 9.22),
            ],
        }
    }

    /// Returns the row of a kind of hierarchy; `None` for kinds that the paper does not measure.
    pub fn row(self, kind: LinkTreeKind) -> Option<Published> {
        let [brute, aabb_vertices, aabb_corners, obb, cab] = self.rows();
        let (queries, false_alarms, query, update, test, total) = match kind {
            LinkTreeKind::BruteForce => brute,
            LinkTreeKind::AabbVertices => aabb_vertices,
            LinkTreeKind::AabbCorners => aabb_corners,
            LinkTreeKind::Obb => obb,
            LinkTreeKind::Cab => cab,
            LinkTreeKind::AabbUnions | LinkTreeKind::CabSum => return None,
        };
        Some(Published { queries, false_alarms, query, update, test, total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cab::methods::KINDS;

    const ALL: [PaperTable; 5] = [
        PaperTable::Convex3,
        PaperTable::Convex6,
        PaperTable::NonConvex,
        PaperTable::Braided,
        PaperTable::Hand,
    ];

    #[test]
    fn in_every_table_all_kinds_find_the_same_hits() {
        for (table, hits) in ALL.into_iter().zip([214, 354, 73, 9528, 764]) {
            for kind in KINDS {
                let row = table.row(kind).unwrap();
                assert_eq!(row.queries - row.false_alarms, hits, "{table:?}, {}", kind.name());
            }
        }
    }

    #[test]
    fn totals_are_the_sums_of_their_parts_but_for_one() {
        for table in ALL {
            for kind in KINDS {
                let row = table.row(kind).unwrap();
                let misprinted = table == PaperTable::Convex3 && kind == LinkTreeKind::AabbCorners;
                let sum = row.query + row.update + row.test;
                assert_eq!((sum - row.total).abs() < 0.021, !misprinted, "{table:?}, {}", kind.name());
            }
        }
    }
}
