//! Ten models of the kinds that \[simplify\] measures (Table 1), with about as many triangles as the
//! paper's.
//!
//! Each consists of several closed shells that overlap: small dense parts such as wheels and hubs
//! beside long parts with few triangles, many of them slanted. Lengths are in m, z up, x forward;
//! standing models stand on z = 0.
//!
//! - `animals.rs`: a rat and a horned dinosaur.
//! - `assembly.rs`: a model assembled from closed shells.
//! - `chair.rs`: a wooden chair.
//! - `forklift.rs`: a forklift truck.
//! - `helicopter.rs`: a light helicopter.
//! - `jet.rs`: a fighter.
//! - `section.rs`: cross-sections of unit size, and the stations along a body where they are placed.
//! - `skateboard.rs`: a skateboard.
//! - `space_station.rs`: a space station.
//! - `starship.rs`: a starship like those in films.
//! - `windmill.rs`: a tower mill.

mod animals;
mod assembly;
mod chair;
mod forklift;
mod helicopter;
mod jet;
mod section;
mod skateboard;
mod space_station;
mod starship;
mod windmill;

use crate::generate::Triangles;

/// Model of a real or imagined object, in place of one of the ten of \[simplify\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replica {
    Windmill,
    Helicopter,
    Chair,
    SpaceStation,
    Rat,
    /// Horned dinosaur, in place of the triceratops.
    Quadruped,
    Skateboard,
    Forklift,
    /// Fighter, in place of the F16.
    Jet,
    /// Starship, in place of the Enterprise.
    Starship,
}

impl Replica {
    /// All replicas, in the order of the paper's tables.
    pub const ALL: [Self; 10] = [
        Self::Windmill,
        Self::Helicopter,
        Self::Chair,
        Self::SpaceStation,
        Self::Rat,
        Self::Quadruped,
        Self::Skateboard,
        Self::Forklift,
        Self::Jet,
        Self::Starship,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Windmill => "windmill",
            Self::Helicopter => "helicopter",
            Self::Chair => "chair",
            Self::SpaceStation => "space-station",
            Self::Rat => "rat",
            Self::Quadruped => "quadruped",
            Self::Skateboard => "skateboard",
            Self::Forklift => "forklift",
            Self::Jet => "jet",
            Self::Starship => "starship",
        }
    }

    pub fn triangles(self) -> Triangles {
        match self {
            Self::Windmill => windmill::windmill(),
            Self::Helicopter => helicopter::helicopter(),
            Self::Chair => chair::chair(),
            Self::SpaceStation => space_station::space_station(),
            Self::Rat => animals::rat(),
            Self::Quadruped => animals::quadruped(),
            Self::Skateboard => skateboard::skateboard(),
            Self::Forklift => forklift::forklift(),
            Self::Jet => jet::jet(),
            Self::Starship => starship::starship(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{open_edge_count, signed_volume};
    use crate::mesh::{Flaws, Mesh};

    /// Triangle counts of the paper's models, Table 1.
    const PAPER: [usize; 10] = [3526, 6448, 2481, 10235, 1180, 5660, 22842, 2529, 4428, 1422];

    /// Returns the groups of triangles that share vertices, each as a separate model.
    fn shells((positions, triangles): &Triangles) -> Vec<Triangles> {
        let mut root: Vec<usize> = (0..positions.len()).collect();
        let find = |root: &mut Vec<usize>, mut v: usize| {
            while root[v] != v {
                root[v] = root[root[v]];
                v = root[v];
            }
            v
        };
        for t in triangles {
            for pair in [[t[0], t[1]], [t[1], t[2]]] {
                let [a, b] = pair.map(|v| find(&mut root, v as usize));
                root[a] = b;
            }
        }
        let mut groups = std::collections::BTreeMap::<usize, Vec<[u32; 3]>>::new();
        for t in triangles {
            groups.entry(find(&mut root, t[0] as usize)).or_default().push(*t);
        }
        groups.into_values().map(|group| (positions.clone(), group)).collect()
    }

    #[test]
    fn every_shell_of_a_replica_is_closed_and_wound_outward() {
        for replica in Replica::ALL {
            let model = replica.triangles();
            assert_eq!(open_edge_count(&model), 0, "{replica:?} is open");
            let shells = shells(&model);
            assert!(shells.len() > 8, "{replica:?} has {} parts", shells.len());
            for (i, shell) in shells.iter().enumerate() {
                let corner = shell.0[shell.1[0][0] as usize];
                assert!(signed_volume(shell) > 0.0, "{replica:?}: shell {i} at {corner} is inside out");
            }
        }
    }

    #[test]
    fn replicas_have_about_as_many_triangles_as_the_papers_models() {
        for (replica, expected) in Replica::ALL.into_iter().zip(PAPER) {
            let count = replica.triangles().1.len();
            assert!(
                (0.9..=1.1).contains(&(count as f64 / expected as f64)),
                "{replica:?}: {count}, {expected}"
            );
        }
    }

    #[test]
    fn a_mesh_takes_replicas_as_they_are() {
        for replica in Replica::ALL {
            let (positions, triangles) = replica.triangles();
            let mesh = Mesh::new(replica.name(), &positions, &triangles).unwrap();
            let component_count = mesh.surface().flaws.component_count;
            let flaws = Flaws { component_count, ..Flaws::default() };
            assert_eq!(mesh.surface().flaws, flaws, "{replica:?}");
            assert_eq!(mesh.triangles(), triangles, "{replica:?}");
            assert_eq!(component_count as usize, shells(&(positions, triangles)).len(), "{replica:?}");
        }
    }

    #[test]
    fn standing_replicas_touch_the_ground() {
        use Replica::{Chair, Forklift, Helicopter, Quadruped, Rat, Skateboard, Windmill};
        for replica in [Windmill, Helicopter, Chair, Rat, Quadruped, Skateboard, Forklift] {
            let (positions, _) = replica.triangles();
            let (low, high) = positions
                .iter()
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)));
            assert!(low.abs() < 0.02 * high, "{replica:?}: {low}");
        }
    }
}
