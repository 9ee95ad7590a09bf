//! Which pairs of a scene rapier3d must keep apart, and what it pushes otherwise.

use std::collections::BTreeMap;

use rapier3d::prelude::{PairFilterContext, PhysicsHooks, RigidBodyHandle, SolverFlags};

use crate::articulation::SkinKind;
use crate::body::{CombineModes, Gear};
use crate::contact::PairRule;
use crate::scene::{BodyFilters, FigureKind, Scene};

/// Keeps apart what the scene or a filter keeps apart.
pub(super) struct Filter {
    /// What the scene says of pairs itself, by index, a < b: whether they are kept apart.
    rules: BTreeMap<(u32, u32), bool>,
    filters: BodyFilters,
}

impl Filter {
    pub fn new(scene: &Scene) -> Self {
        let rules = scene.pair_rules.iter().map(|&(a, b, rule)| ((a, b), rule == PairRule::Ignore));
        Self { rules: rules.collect(), filters: scene.filters.clone() }
    }

    /// Whether anything is kept apart.
    pub fn is_any(&self) -> bool {
        !self.rules.is_empty() || self.filters != BodyFilters::default()
    }

    /// Whether the scene says itself that a pair meets, whatever joins it.
    pub fn is_joined(&self, a: u32, b: u32) -> bool {
        self.rules.get(&(a.min(b), a.max(b))) == Some(&false)
    }

    fn keeps_apart(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        self.rules.get(&(a, b)).copied().unwrap_or_else(|| self.filters.keep_apart(a, b))
    }
}

impl PhysicsHooks for Filter {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let index = |handle: Option<RigidBodyHandle>| handle.map(|h| context.bodies[h].user_data as u32);
        let pair = index(context.rigid_body1).zip(index(context.rigid_body2));
        let is_apart = pair.is_some_and(|(a, b)| self.keeps_apart(a, b));
        (!is_apart).then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}

/// What of a scene moves otherwise in rapier, besides shapes and joints.
pub(super) fn unlike(scene: &Scene) -> impl Iterator<Item = String> + '_ {
    let permanent = scene.pair_rules.iter().filter(|rule| rule.2 == PairRule::Permanent);
    let name = |body: u32| &scene.bodies[body as usize].name;
    let permanent = permanent.map(move |&(a, b, _)| {
        format!("{} and {} overlap as modelled: rapier pushes them apart", name(a), name(b))
    });
    let watched = scene.skeletons.iter().filter(|s| s.kind == FigureKind::Kinematic && s.self_collision);
    let watched =
        watched.map(|figure| format!("{}: its links are not watched for self-collision", figure.name));
    let skins = (scene.config.skins == SkinKind::Exact && !scene.skeletons.is_empty())
        .then(|| "exact skins: they are the rigid surfaces of their links".to_owned());
    let is_combined = scene.bodies.iter().any(|body| body.combine != CombineModes::default());
    let combined = is_combined.then(|| {
        "how the file combines friction and bounce: rapier takes the geometric mean and the larger".to_owned()
    });
    let filtered = scene.filters.has_parts().then(|| {
        "collision filters of parts of a body: rapier lets bodies meet of which some parts do".to_owned()
    });
    let gears = Gear::of_controls(&scene.controls, &scene.joints).count();
    let gears = (gears > 0).then(|| format!("{gears} joints that follow others: their drives alone do"));
    let rolling = "resistance to rolling: rapier has none".to_owned();
    permanent.chain(watched).chain(skins).chain(combined).chain(filtered).chain(gears).chain([rolling])
}
