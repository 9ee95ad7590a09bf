//! `boxtree-space`: histogram of a tree's nodes by the share of their parent's box that is empty, not
//! counting the part that the division itself cuts off. \[boxtree\] Fig. 1

use super::chart::Panel;
use super::experiment::{Experiment, Family, Takes};
use super::table::Table;
use super::{Chart, Findings, Options, Plot, Series, Shape, ShapeError, Watch};
use crate::arrays::{MapEach, from_each};
use crate::tree::SplitRule;
use crate::tree::build::{self, MovedSide, Topology};
use crate::volume::Aabb;

pub const EXPERIMENT: Experiment = Experiment {
    name: "boxtree-space",
    about: "empty share of the boxes, apart from the part that divisions cut off",
    item: Some("[boxtree] Fig. 1"),
    family: Family::Meshes,
    takes: Takes { meshes: true, ..Takes::NOTHING },
    run: |options, watch| Ok(run(options, watch)?),
};

const SHAPES: [Shape; 5] = [Shape::Torus, Shape::BumpySphere, Shape::Pipe, Shape::Gear, Shape::Housing];
const RULES: [SplitRule; 2] = [SplitRule::Binned, SplitRule::Volume];
const BIN_COUNT: usize = 10;

const NOTES: [&str; 2] = [
    "nodes: all but the root of a tree of axis-aligned boxes; empty: the share of the parent's box that is \
     outside the child's, after the side that the division moved is set to the child's; flat boxes are compared \
     only along their nonzero extents",
    "sides shared: mean number of the six sides that lie in the parent's sides",
];

fn run(options: &Options, watch: Watch) -> Result<Findings, ShapeError> {
    let mut table = Table::new(&[
        "mesh",
        "triangles",
        "rule",
        "empty up to (%)",
        "nodes",
        "share (%)",
        "up to (%)",
        "sides shared",
    ]);
    let mut series = Vec::new();
    for mesh in options.meshes(&SHAPES, &[5000], &[20_000]) {
        let mesh = mesh?;
        for rule in options.rules(&RULES) {
            watch(&format!("{}, {}", mesh.name(), rule.name()));
            let space = Space::of(&build::build(&mesh, rule, false));
            let shares = space.shares();
            for (end, count, [share, up_to]) in shares {
                table.rows.push(vec![
                    mesh.name().into(),
                    mesh.triangles().len().into(),
                    rule.name().into(),
                    end.into(),
                    count.into(),
                    share.into(),
                    up_to.into(),
                    space.sides_shared().into(),
                ]);
            }
            let points = shares.iter().map(|&(end, _, [_, up_to])| (end as f64, up_to)).collect();
            series.push(Series { name: format!("{}, {}", mesh.name(), rule.name()), points });
        }
    }
    let chart = Chart {
        title: "Nodes of trees of boxes, by the empty share of their parents' boxes".to_owned(),
        plot: Plot::Panels {
            x_label: "empty up to (%)".to_owned(),
            x_log: false,
            panels: vec![Panel { y_label: "nodes (%)".to_owned(), y_log: false, series }],
        },
    };
    Ok(Findings { table, chart, disagreements: Vec::new(), notes: NOTES.map(str::to_owned).to_vec() })
}

/// Histogram of a tree's nodes without the root, by the share of the parent's box that is empty, not
/// counting the part that the division cuts off.
#[derive(Clone, Debug, Default)]
struct Space {
    /// Number of nodes per tenth of the empty share. The upper end belongs to a tenth.
    bins: [u64; BIN_COUNT],
    shared_sides: u64,
}

impl Space {
    fn of(topology: &Topology) -> Self {
        let mut space = Self::default();
        for nested in nested(topology) {
            let tenths = (BIN_COUNT as f64 * empty_share(&nested)).ceil() as usize;
            space.bins[tenths.clamp(1, BIN_COUNT) - 1] += 1;
            let Nested { outer, inner, .. } = nested;
            for axis in 0..3 {
                space.shared_sides += u64::from(inner.min[axis] == outer.min[axis]);
                space.shared_sides += u64::from(inner.max[axis] == outer.max[axis]);
            }
        }
        space
    }

    /// Returns per bin: its upper end (%), its number of nodes, their share (%), and the cumulative
    /// share (%).
    fn shares(&self) -> [(usize, u64, [f64; 2]); BIN_COUNT] {
        let all = self.node_count();
        let mut before = 0;
        from_each(|k| {
            before += self.bins[k];
            let share = |count: u64| 100.0 * count as f64 / all;
            ((k + 1) * 100 / BIN_COUNT, self.bins[k], [share(self.bins[k]), share(before)])
        })
    }

    fn sides_shared(&self) -> f64 {
        self.shared_sides as f64 / self.node_count()
    }

    /// Returns the number of nodes without the root, but at least 1. A tree over one triangle only has
    /// a root.
    fn node_count(&self) -> f64 {
        self.bins.iter().sum::<u64>().max(1) as f64
    }
}

/// Box of a node and box of its parent.
#[derive(Clone, Copy)]
struct Nested {
    outer: Aabb,
    /// Bound of the outer box that the division moved, at its position in the inner box.
    moved: MovedSide,
    inner: Aabb,
}

/// Returns the boxes of every node except the root.
fn nested(topology: &Topology) -> impl Iterator<Item = Nested> {
    let parents = topology.nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf());
    parents.flat_map(|(index, node)| {
        let children = node.children(index).map_each(|child| topology.nodes[child].bounds);
        [0, 1].map_each(|k| {
            let moved = MovedSide::of(&children[k], usize::from(node.axis), node.upper_sides[k]);
            Nested { outer: node.bounds, moved, inner: children[k] }
        })
    })
}

/// Returns the share of the outer box that the inner box leaves empty, after the bound that the
/// division moved is moved in the outer box too.
fn empty_share(&Nested { outer, moved, inner }: &Nested) -> f64 {
    let (outer, inner) = (moved.restrict(outer).size().as_dvec3(), inner.size().as_dvec3());
    // A box without extent along an axis counts as filled along that axis.
    let full = |axis: usize| if outer[axis] > 0.0 { inner[axis] / outer[axis] } else { 1.0 };
    1.0 - full(0) * full(1) * full(2)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::mesh::Mesh;

    /// Creates one triangle per entry, with a box that begins at `x` (m), is 1 m long, and has the
    /// given sizes along y and z.
    fn row(boxes: &[(f32, [f32; 2])]) -> Mesh {
        let mut positions = Vec::new();
        for &(x, [y, z]) in boxes {
            positions.extend([Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, y, 0.0), Vec3::new(x, y, z)]);
        }
        let triangles: Vec<_> = (0..boxes.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Mesh::new("row", &positions, &triangles).unwrap()
    }

    fn space(mesh: &Mesh, rule: SplitRule) -> Space {
        Space::of(&build::build(mesh, rule, false))
    }

    #[test]
    fn of_equal_cubes_in_a_row_only_what_divisions_cut_off_is_empty() {
        let cubes = row(&[0.0, 2.0, 4.0, 6.0].map(|x| (x, [1.0; 2])));
        for rule in RULES {
            let space = space(&cubes, rule);
            assert_eq!(space.bins, [6, 0, 0, 0, 0, 0, 0, 0, 0, 0], "{}", rule.name());
            assert_eq!(space.shares()[0], (10, 6, [100.0, 100.0]));
            assert_eq!(space.sides_shared(), 5.0);
        }
    }

    /// Tests two boxes. The larger box fills its part. The smaller box leaves half of its part empty,
    /// or all of it if it is flat.
    #[test]
    fn a_smaller_neighbour_leaves_its_part_empty() {
        for (sides, bin) in [([1.0, 0.5], 4), ([0.25, 1.0], 7), ([1.0, 0.0], 9)] {
            let space = space(&row(&[(0.0, [1.0; 2]), (5.0, sides)]), SplitRule::Binned);
            assert_eq!((space.bins[0], space.bins[bin]), (1, 1), "{sides:?}");
            assert_eq!(space.shares()[bin], (10 * bin + 10, 1, [50.0, 100.0]));
            assert_eq!(space.sides_shared(), 4.5);
        }
    }

    #[test]
    fn every_node_but_the_root_is_in_a_bin() {
        for shape in [Shape::Pipe, Shape::Soup] {
            let mesh = shape.mesh(3000).unwrap();
            let space = space(&mesh, SplitRule::Volume);
            assert_eq!(space.bins.iter().sum::<u64>(), 2 * mesh.triangles().len() as u64 - 2);
            assert!((space.shares()[9].2[1] - 100.0).abs() < 1e-9);
            assert!((0.0..=6.0).contains(&space.sides_shared()));
        }
    }
}
