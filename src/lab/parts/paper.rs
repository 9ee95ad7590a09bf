//! Measurements that the paper publishes in Fig. 4 and Tables 1 to 3 (SGI Indigo², MIPS R4400 at 250
//! MHz, 5000 steps).

use super::room::Density;
use crate::generate::Replica;

/// The paper's models, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperModel {
    Windmill,
    Helicopter,
    Chair,
    Spacestation,
    Rat,
    Triceratops,
    Skateboard,
    Forklift,
    F16,
    Enterprise,
}

/// Number of steps that the paper measured.
const STEPS: f64 = 5000.0;

/// Row of Table 1; times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Built {
    pub instances: usize,
    /// Triangles per instance.
    pub triangles: usize,
    /// Number of components on each simplified mesh, the coarsest first.
    pub components: &'static [u32],
    /// Time to simplify the mesh and find components, s.
    pub simplify: f64,
    pub bottom_up: f64,
    pub top_down: f64,
    /// "Bounding volume per instance", in a unit that the paper does not state. It is the total of all
    /// nodes, because the topmost volume is equal for both methods.
    pub volume: f64,
    /// RAPID's time to build, s.
    pub plain: f64,
    pub plain_volume: f64,
}

/// Results for a model at one density, from Tables 2 and 3. Arrays contain RAPID's value, then
/// U-Collide's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queried {
    /// Number of colliding pairs, of instances or of triangles: the paper does not state which.
    pub collisions: u64,
    /// Time per step, s.
    pub time: [f64; 2],
    /// Number of nodes visited over all steps.
    pub nodes: [u64; 2],
}

impl Queried {
    pub fn collisions_a_step(&self) -> f64 {
        self.collisions as f64 / STEPS
    }
}

/// Numbers of triangles, edges and points of the simplified models in Fig. 4, in their order on the
/// page.
pub const DRAWN_LEVELS: [[u32; 3]; 8] =
    [[17, 9, 4], [493, 6, 0], [8, 7, 6], [8, 10, 4], [4, 8, 1], [20, 20, 0], [48, 5, 0], [690, 74, 14]];

/// Values for the densities in the paper's order: dense, normal and sparse.
type Row = ([u64; 3], [[f64; 2]; 3], [[u64; 2]; 3]);

impl PaperModel {
    pub const ALL: [Self; 10] = [
        Self::Windmill,
        Self::Helicopter,
        Self::Chair,
        Self::Spacestation,
        Self::Rat,
        Self::Triceratops,
        Self::Skateboard,
        Self::Forklift,
        Self::F16,
        Self::Enterprise,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Windmill => "Windmill",
            Self::Helicopter => "Helicopter",
            Self::Chair => "Chair",
            Self::Spacestation => "Spacestation",
            Self::Rat => "Rat",
            Self::Triceratops => "Triceratops",
            Self::Skateboard => "Skateboard",
            Self::Forklift => "Forklift",
            Self::F16 => "F16",
            Self::Enterprise => "Enterprise",
        }
    }

    /// Returns the generated model that replaces the paper's model.
    pub fn replica(self) -> Replica {
        match self {
            Self::Windmill => Replica::Windmill,
            Self::Helicopter => Replica::Helicopter,
            Self::Chair => Replica::Chair,
            Self::Spacestation => Replica::SpaceStation,
            Self::Rat => Replica::Rat,
            Self::Triceratops => Replica::Quadruped,
            Self::Skateboard => Replica::Skateboard,
            Self::Forklift => Replica::Forklift,
            Self::F16 => Replica::Jet,
            Self::Enterprise => Replica::Starship,
        }
    }

    /// Returns whether most of the model consists of long thin parts, such as sails and struts, blades
    /// and boom, legs and rungs, trusses and panels, or nacelles on struts.
    pub fn is_elongated(self) -> bool {
        matches!(
            self,
            Self::Windmill | Self::Helicopter | Self::Chair | Self::Spacestation | Self::Enterprise
        )
    }

    pub fn built(self) -> Built {
        type Row = (usize, usize, &'static [u32], [f64; 3], f64, f64, f64);
        let (instances, triangles, components, times, volume, plain, plain_volume): Row = match self {
            Self::Windmill => (100, 3526, &[4, 4, 11], [0.36, 0.57, 0.35], 276.0, 0.36, 436.0),
            Self::Helicopter => (35, 6448, &[7, 3, 8], [0.57, 0.83, 0.77], 573.0, 0.72, 1025.0),
            Self::Chair => (100, 2481, &[8, 11, 0], [0.24, 0.65, 0.27], 7810.0, 0.25, 10399.0),
            Self::Spacestation => (20, 10_235, &[28, 41, 51], [1.10, 8.08, 1.10], 1941.0, 1.14, 2705.0),
            Self::Rat => (200, 1180, &[3, 9, 7], [0.12, 0.25, 0.13], 139.0, 0.11, 117.0),
            Self::Triceratops => (40, 5660, &[4, 10], [0.40, 0.42, 0.66], 649.0, 0.61, 601.0),
            Self::Skateboard => (10, 22_842, &[11, 8], [2.10, 4.91, 2.94], 1650.0, 2.66, 1809.0),
            Self::Forklift => (80, 2529, &[4, 7, 3], [0.26, 0.14, 0.28], 1.48e6, 0.26, 1.66e6),
            Self::F16 => (50, 4428, &[4, 2, 2], [0.45, 0.24, 0.49], 352.0, 0.46, 348.0),
            Self::Enterprise => (150, 1422, &[8, 0], [0.98, 0.18, 0.15], 7.27e7, 0.13, 1.02e8),
        };
        let [simplify, bottom_up, top_down] = times;
        Built { instances, triangles, components, simplify, bottom_up, top_down, volume, plain, plain_volume }
    }

    pub fn queried(self, density: Density) -> Queried {
        let (collisions, time, nodes) = self.row();
        let at = match density {
            Density::Dense => 0,
            Density::Normal => 1,
            Density::Sparse => 2,
        };
        Queried { collisions: collisions[at], time: time[at], nodes: nodes[at] }
    }

    fn row(self) -> Row {
        match self {
            Self::Windmill => (
                [572_394, 111_548, 16_077],
                [[0.733, 0.335], [0.113516, 0.068434], [0.020152, 0.012674]],
                [[330_202_542, 213_824_501], [63_894_027, 41_451_429], [9_319_980, 5_927_499]],
            ),
            Self::Helicopter => (
                [107_027, 20_388, 3192],
                [[0.093428, 0.063392], [0.019228, 0.012998], [0.0037, 0.002668]],
                [[77_569_724, 50_280_421], [15_374_727, 9_816_672], [2_484_058, 1_572_789]],
            ),
            Self::Chair => (
                [510_796, 75_046, 10_151],
                [[0.2034, 0.160178], [0.032756, 0.026536], [0.006324, 0.006072]],
                [[144_954_471, 112_391_953], [21_555_385, 16_794_014], [2_899_858, 2_264_126]],
            ),
            Self::Spacestation => (
                [70_447, 13_692, 2065],
                [[0.039104, 0.027584], [0.008066, 0.005604], [0.001528, 0.001092]],
                [[29_767_382, 19_985_683], [5_827_253, 3_909_421], [889_271, 581_203]],
            ),
            Self::Rat => (
                [1_176_528, 233_628, 35_116],
                [[0.6274, 0.44776], [0.140146, 0.099404], [0.033194, 0.023194]],
                [[397_614_854, 316_675_111], [79_774_076, 63_546_366], [11_999_895, 9_593_104]],
            ),
            Self::Triceratops => (
                [198_962, 40_705, 6775],
                [[0.096716, 0.077646], [0.02061, 0.01757], [0.00429, 0.003668]],
                [[66_255_389, 57_398_844], [13_994_163, 12_235_287], [2_341_780, 2_045_785]],
            ),
            Self::Skateboard => (
                [32_697, 11_118, 2558],
                [[0.013558, 0.012842], [0.004908, 0.004692], [0.001296, 0.001254]],
                [[10_198_879, 9_632_627], [3_555_106, 3_427_609], [833_820, 791_443]],
            ),
            Self::Forklift => (
                [565_922, 102_249, 14_012],
                [[0.2226, 0.2208], [0.043592, 0.043034], [0.008172, 0.00784]],
                [[164_030_935, 163_289_124], [30_329_028, 30_193_989], [4_205_738, 4_202_565]],
            ),
            Self::F16 => (
                [138_417, 28_131, 4511],
                [[0.077502, 0.07623], [0.017474, 0.016708], [0.003824, 0.003588]],
                [[57_886_338, 57_971_941], [11_867_579, 11_881_557], [1_900_567, 1_885_667]],
            ),
            Self::Enterprise => (
                [1_677_138, 282_050, 38_570],
                [[0.858909, 0.543322], [0.137036, 0.099162], [0.020814, 0.018732]],
                [[579_426_848, 383_526_252], [99_317_494, 65_541_615], [13_191_728, 8_922_053]],
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentages that the paper prints beside the times and beside the nodes: dense, normal, sparse.
    const PERCENTAGES: [(PaperModel, [f64; 3], [f64; 3]); 10] = [
        (PaperModel::Windmill, [54.0, 40.0, 37.0], [35.0, 35.0, 36.0]),
        (PaperModel::Helicopter, [32.0, 32.0, 28.0], [35.0, 36.0, 37.0]),
        (PaperModel::Chair, [21.0, 19.0, 4.0], [22.0, 22.0, 22.0]),
        (PaperModel::Spacestation, [30.0, 31.0, 29.0], [33.0, 33.0, 35.0]),
        (PaperModel::Rat, [29.0, 29.0, 30.0], [20.0, 20.0, 20.0]),
        (PaperModel::Triceratops, [20.0, 15.0, 15.0], [13.0, 13.0, 13.0]),
        (PaperModel::Skateboard, [5.0, 4.0, 3.0], [6.0, 4.0, 5.0]),
        (PaperModel::Forklift, [1.0, 1.0, 4.0], [0.5, 0.4, 0.1]),
        (PaperModel::F16, [2.0, 4.0, 6.0], [-0.1, -0.1, 0.8]),
        (PaperModel::Enterprise, [37.0, 28.0, 10.0], [34.0, 34.0, 32.0]),
    ];

    #[test]
    fn figures_differ_by_the_printed_percentages() {
        for (model, times, nodes) in PERCENTAGES {
            for (k, density) in [Density::Dense, Density::Normal, Density::Sparse].into_iter().enumerate() {
                let queried = model.queried(density);
                let less = |[plain, guided]: [f64; 2]| 100.0 * (1.0 - guided / plain);
                let (time, node) = (less(queried.time), less(queried.nodes.map(|n| n as f64)));
                let label = format!("{}, {}", model.name(), density.name());
                // The tolerance is needed because 29.46 is printed as 30.
                assert!((time - times[k]).abs() < 0.55, "{label}: {time} printed as {}", times[k]);
                let digits = if nodes[k].fract() == 0.0 { 0.51 } else { 0.051 };
                assert!((node - nodes[k]).abs() < digits, "{label}: {node} printed as {}", nodes[k]);
            }
        }
    }

    #[test]
    fn there_are_more_than_200_000_triangles_in_every_world() {
        for model in PaperModel::ALL {
            let built = model.built();
            assert!((200_001..360_000).contains(&(built.instances * built.triangles)), "{}", model.name());
            assert!((2..=3).contains(&built.components.len()));
        }
    }
}
