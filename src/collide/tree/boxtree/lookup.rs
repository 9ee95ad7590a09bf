//! Axis alignment with products from lookup tables. \[boxtree\] §3.2.2
//!
//! Each node stores its offset from its parent as a number of steps of the root's extent, rounded down
//! so that boxes only grow. For each axis of b, a query fills a table that maps every number of steps
//! to a vector in a's frame. The paper's tables have 1,000 entries. Finer tables enlarge boxes less but
//! take longer to fill.

use glam::Vec3A;

use super::face_axes::{TumbledBox, apart, depth, roots};
use super::node::BoxNode;
use super::overlap::{OverlapTest, TreeSide};
use super::restricted::Boxtree;
use crate::tree::search::Search;
use crate::volume::Operations;

/// Tables of a query, reused so that they are allocated only once.
#[derive(Default)]
pub(crate) struct Tables(Vec<Vec3A>);

pub(crate) struct Lookup<'a> {
    roots: [TumbledBox; 2],
    /// Vectors in a's frame of 0, 1, 2, … steps along each axis of b.
    tables: &'a [Vec3A],
    step_count: usize,
    /// Number of steps of each node of b.
    steps: &'a [u16],
}

impl<'a> Lookup<'a> {
    pub fn new(
        [a, b]: [&'a Boxtree; 2],
        step_count: usize,
        search: &Search,
        Tables(tables): &'a mut Tables,
    ) -> Self {
        let rotation = search.b_to_a.rotation_matrix();
        let extent = b.root.max.as_dvec3() - b.root.min.as_dvec3();
        tables.clear();
        for (axis, along) in [rotation.x_axis, rotation.y_axis, rotation.z_axis].into_iter().enumerate() {
            let step = extent[axis] / (step_count - 1) as f64 * along;
            tables.extend((0..step_count).map(|q| Vec3A::from((q as f64 * step).as_vec3())));
        }
        Self { roots: roots(a.extent(), b.extent(), search), tables, step_count, steps: &b.steps }
    }
}

impl OverlapTest for Lookup<'_> {
    type Carried = TumbledBox;
    const STEP_A: Operations = Operations::new(0, 0, 0);
    const STEP_B: Operations = Operations::new(0, 3, 0);
    /// Three axes, two ends each.
    const PAIR: Operations = Operations::new(0, 0, 6);

    fn root(&self, side: TreeSide) -> TumbledBox {
        self.roots[side as usize]
    }

    #[inline(always)]
    fn step(&self, side: TreeSide, parent: &TumbledBox, node: BoxNode, index: u32) -> TumbledBox {
        if side == TreeSide::A {
            return parent.restricted(node).0;
        }
        // The test does not use b's own box.
        let steps = usize::from(self.steps[index as usize]);
        let moved = self.tables[self.step_count * node.axis() + steps];
        let mut own = *parent;
        own.cut_other(node, moved.max(Vec3A::ZERO), moved.min(Vec3A::ZERO));
        own
    }

    #[inline(always)]
    fn overlap(&self, a: &TumbledBox, b: &TumbledBox) -> bool {
        !apart(a.min, a.max, b.other_min, b.other_max)
    }

    #[inline(always)]
    fn depth(&self, a: &TumbledBox, b: &TumbledBox) -> f32 {
        depth(a.min, a.max, b.other_min, b.other_max)
    }
}
