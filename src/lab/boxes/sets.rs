//! Sets of boxes, static and moving. \[boxes\] §4.1 describes the sets without sizes. The sizes here
//! are chosen so that the number of overlapping pairs grows as the paper says. The sets from `Skewed`
//! on are not in the paper.

use glam::{DVec3, Vec3};

use crate::random::Random;
use crate::volume::Aabb;

/// Family of sets with any number of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxSet {
    /// Boxes with edges of 0.1 to 0.2, uniform in the unit cube: about n²/94 pairs.
    Random,
    /// Cubes of edge 0.1 on the unit sphere: about n²/620 pairs.
    DenseSphere,
    /// Unit cubes that touch each other and fill a larger cube: about 13 n pairs.
    Adjacent,
    /// Cubes on the unit sphere, smaller for larger sets: about 5.5 n pairs.
    Sphere,
    /// Cubes in the unit cube, smaller for larger sets: about 7.5 n pairs.
    Uniform,
    /// The uniform set with each coordinate cubed: crowded small and long boxes near the coordinate
    /// planes.
    Skewed,
    /// Cubes with edge lengths over four powers of ten: about 8 n pairs.
    Mixed,
    /// Boxes a hundred times as long as thick, each along one axis: about 5 n pairs.
    Needles,
    /// The uniform set, and one box that encloses it.
    Giant,
}

impl BoxSet {
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::DenseSphere => "sphere-dense",
            Self::Adjacent => "adjacent",
            Self::Sphere => "sphere",
            Self::Uniform => "uniform",
            Self::Skewed => "skewed",
            Self::Mixed => "mixed",
            Self::Needles => "needles",
            Self::Giant => "giant",
        }
    }

    /// Returns about `count` boxes. For `Adjacent` it is a cubic number.
    pub fn boxes(self, count: usize) -> Vec<Aabb> {
        let mut random = Random::new(1, count as u64);
        let n = count as f64;
        let anywhere = |r: &mut Random| DVec3::new(r.uniform(), r.uniform(), r.uniform());
        let between = |r: &mut Random, low: f64, high: f64| low + (high - low) * r.uniform();
        let even = |r: &mut Random| (anywhere(r), DVec3::splat(between(r, 0.3, 0.9) * libm::cbrt(1.0 / n)));
        let many = |random: &mut Random, one: &dyn Fn(&mut Random) -> (DVec3, DVec3)| -> Vec<Aabb> {
            (0..count)
                .map(|_| {
                    let (center, half) = one(random);
                    Aabb::new((center - half).as_vec3(), (center + half).as_vec3())
                })
                .collect()
        };
        match self {
            Self::Random => many(&mut random, &|r| {
                let half = DVec3::new(between(r, 0.05, 0.1), between(r, 0.05, 0.1), between(r, 0.05, 0.1));
                (anywhere(r), half)
            }),
            Self::DenseSphere => many(&mut random, &|r| (r.rotation() * DVec3::Z, DVec3::splat(0.05))),
            Self::Adjacent => adjacent(libm::cbrt(n).round() as usize, &mut random),
            Self::Sphere => {
                let apart = (4.0 * std::f64::consts::PI / n).sqrt();
                many(&mut random, &|r| (r.rotation() * DVec3::Z, DVec3::splat(apart * between(r, 0.5, 1.0))))
            }
            Self::Uniform => many(&mut random, &even),
            Self::Skewed => {
                let cubed = |v: Vec3| v * v * v;
                let even = many(&mut random, &even);
                even.iter().map(|b| Aabb::new(cubed(b.min), cubed(b.max))).collect()
            }
            Self::Mixed => {
                let longest = libm::cbrt(150.0 / n);
                many(&mut random, &|r| {
                    (anywhere(r), DVec3::splat(0.5 * longest * libm::exp10(-4.0 * r.uniform())))
                })
            }
            Self::Needles => {
                let length = libm::cbrt(720.0 / n);
                many(&mut random, &|r| {
                    let mut half = DVec3::splat(0.005 * length);
                    half[(3.0 * r.uniform()) as usize] = 0.5 * length;
                    (anywhere(r), half)
                })
            }
            Self::Giant => {
                let mut boxes = many(&mut random, &even);
                if let Some(last) = boxes.last_mut() {
                    *last = Aabb::new(Vec3::splat(-1.0), Vec3::splat(2.0));
                }
                boxes
            }
        }
    }
}

/// Returns the unit cubes of a grid in random order.
fn adjacent(side: usize, random: &mut Random) -> Vec<Aabb> {
    let corner = |i: usize| Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32);
    let mut boxes: Vec<Aabb> = (0..side.pow(3)).map(|i| Aabb::new(corner(i), corner(i) + 1.0)).collect();
    for i in (1..boxes.len()).rev() {
        boxes.swap(i, ((i + 1) as f64 * random.uniform()) as usize);
    }
    boxes
}

/// Boxes in motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovingSet {
    /// Boxes that drift, each in its own direction, by about 1 % of their size per frame.
    Drift(BoxSet),
    /// The uniform set in drift. Per frame, a fiftieth of the boxes enters and as many leave.
    Turnover,
    /// Swinging chains of 16 links.
    Chains,
}

impl MovingSet {
    pub const ALL: [Self; 8] = [
        Self::Drift(BoxSet::Uniform),
        Self::Drift(BoxSet::Adjacent),
        Self::Drift(BoxSet::Sphere),
        Self::Drift(BoxSet::Skewed),
        Self::Drift(BoxSet::Mixed),
        Self::Drift(BoxSet::Needles),
        Self::Turnover,
        Self::Chains,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Drift(set) => set.name(),
            Self::Turnover => "turnover",
            Self::Chains => "chains",
        }
    }

    /// Returns about `count` boxes and their motion, at the start.
    pub fn start(self, count: usize) -> Motion {
        if self == Self::Chains {
            return Motion::Chains(Chains::new(count.div_ceil(LINKS)));
        }
        let boxes = match self {
            Self::Drift(set) => set.boxes(count),
            _ => BoxSet::Uniform.boxes(count),
        };
        let mut random = Random::new(2, count as u64);
        // A uniform distribution up to √3 % has a standard deviation of 1 %.
        let most = 0.01 * 3f64.sqrt();
        let velocity = |b: &Aabb| {
            let way = DVec3::new(random.signed(), random.signed(), random.signed()).as_vec3();
            most as f32 * b.size() * way
        };
        let velocities = boxes.iter().map(velocity).collect();
        Motion::Drift { boxes, velocities, turnover: self == Self::Turnover }
    }
}

/// State of a moving set at any frame.
pub enum Motion {
    Drift { boxes: Vec<Aabb>, velocities: Vec<Vec3>, turnover: bool },
    Chains(Chains),
}

/// Number of frames for which a box is absent, and period of its absences in frames.
const AWAY: usize = 5;
const CYCLE: usize = 50;

impl Motion {
    pub fn frame(&self, frame: usize) -> Vec<Aabb> {
        match self {
            Self::Chains(chains) => chains.frame(frame),
            Self::Drift { boxes, velocities, turnover } => {
                let moved =
                    |(b, v): (&Aabb, &Vec3)| Aabb::new(b.min + frame as f32 * *v, b.max + frame as f32 * *v);
                let present = |index: usize| !turnover || (index + frame) % CYCLE >= AWAY;
                let all = boxes.iter().zip(velocities).map(moved).enumerate();
                all.map(|(index, b)| if present(index) { b } else { Aabb::EMPTY }).collect()
            }
        }
    }
}

const LINKS: usize = 16;

/// Chains that hang in a square grid with spacing 1.2. Each link has length 0.3 and swings relative to
/// the link above.
pub struct Chains {
    /// Amplitude and phase of the two swing angles, per link of each chain.
    swings: Vec<[[f64; 2]; 2]>,
}

impl Chains {
    fn new(count: usize) -> Self {
        let mut random = Random::new(3, count as u64);
        let mut swing = || [0.2 + 0.4 * random.uniform(), std::f64::consts::TAU * random.uniform()];
        Self { swings: (0..count * LINKS).map(|_| [swing(), swing()]).collect() }
    }

    fn frame(&self, frame: usize) -> Vec<Aabb> {
        let chains = self.swings.chunks_exact(LINKS);
        let side = (chains.len() as f64).sqrt().ceil() as usize;
        let time = frame as f64;
        let mut boxes = Vec::with_capacity(self.swings.len());
        for (chain, swings) in chains.enumerate() {
            let mut from = 1.2 * DVec3::new((chain % side) as f64, (chain / side) as f64, 0.0);
            let (mut turn, mut rise) = (0.0, 0.0);
            for [[wide, early], [high, late]] in swings {
                turn += wide * libm::sin(0.05 * time + early);
                rise += high * libm::sin(0.07 * time + late);
                let level = libm::cos(rise);
                let along = DVec3::new(libm::cos(turn) * level, libm::sin(turn) * level, libm::sin(rise));
                let to = from + 0.3 * along;
                let bounds = Aabb::from_f64(from.min(to) - 0.05, from.max(to) + 0.05);
                boxes.push(bounds);
                from = to;
            }
        }
        boxes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair_count(boxes: &[Aabb]) -> usize {
        let later = |i: usize| boxes[i + 1..].iter().filter(|b| b.overlaps(&boxes[i])).count();
        (0..boxes.len()).map(later).sum()
    }

    #[test]
    fn sets_have_about_as_many_pairs_as_they_say() {
        let n = 2000.0;
        for (set, expected) in [
            (BoxSet::Random, n * n / 94.0),
            (BoxSet::DenseSphere, n * n / 620.0),
            (BoxSet::Sphere, 5.5 * n),
            (BoxSet::Uniform, 7.0 * n),
            (BoxSet::Skewed, 7.0 * n),
            (BoxSet::Mixed, 7.0 * n),
            (BoxSet::Needles, 4.5 * n),
            (BoxSet::Giant, 8.0 * n),
        ] {
            let boxes = set.boxes(2000);
            let ratio = pair_count(&boxes) as f64 / expected;
            assert!(boxes.len() == 2000 && (0.7..1.4).contains(&ratio), "{}: {ratio}", set.name());
        }
    }

    #[test]
    fn adjacent_cubes_meet_all_their_neighbours() {
        let boxes = BoxSet::Adjacent.boxes(1001);
        assert_eq!((boxes.len(), pair_count(&boxes)), (1000, (28 * 28 * 28 - 1000) / 2));
    }

    #[test]
    fn boxes_move_by_a_hundredth_of_their_size_and_enter_and_leave() {
        let motion = MovingSet::Turnover.start(5000);
        let [now, next] = [motion.frame(7), motion.frame(8)];
        let present = |boxes: &[Aabb]| boxes.iter().filter(|b| !b.is_empty()).count();
        assert_eq!((present(&now), present(&next)), (4500, 4500));
        let both = || now.iter().zip(&next).filter(|(a, b)| !a.is_empty() && !b.is_empty());
        assert_eq!(both().count(), 4400);
        let squared = |(a, b): (&Aabb, &Aabb)| ((b.min - a.min) / a.size()).length_squared() / 3.0;
        let deviation = (both().map(squared).sum::<f32>() / 4400.0).sqrt();
        assert!((0.009..0.011).contains(&deviation), "{deviation}");
    }

    #[test]
    fn links_of_a_chain_hold_on_to_each_other() {
        let boxes = MovingSet::Chains.start(100).frame(30);
        assert_eq!(boxes.len(), 7 * LINKS);
        for chain in boxes.chunks(LINKS) {
            assert!(chain.windows(2).all(|two| two[0].overlaps(&two[1])));
        }
    }
}
