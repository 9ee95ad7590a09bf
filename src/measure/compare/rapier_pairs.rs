//! Pairs of a scene that must not collide in rapier3d, and pairs that rapier3d treats differently.

use rapier3d::prelude::{PairFilterContext, PhysicsHooks, RigidBodyHandle, SolverFlags};

use crate::articulation::SkinKind;
use crate::body::{CombineModes, Gear, Joint, WORLD};
use crate::check::{Meeting, Pairing, Reason, Said};
use crate::contact::PairRule;
use crate::scene::{BodyFilters, FigureKind, Scene};

/// Filter of the pairs that the scene excludes from collision.
pub(super) struct Filter {
    pairing: Pairing,
    /// Whether any rule besides joints excludes pairs. rapier itself handles joints.
    is_any: bool,
}

impl Filter {
    pub fn new(scene: &Scene) -> Self {
        let has_filters = scene.filters != BodyFilters::default();
        let has_figures = scene.skeletons.iter().any(|s| s.kind == FigureKind::Kinematic);
        let is_any = !scene.pair_rules.is_empty() || has_filters || has_figures;
        Self { pairing: Pairing::new(scene), is_any }
    }

    /// Returns whether rapier must call the filter.
    pub fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns whether the two bodies of a joint may collide, as far as the joint decides.
    pub fn lets_meet(&self, joint: &Joint) -> bool {
        let is_alone = [joint.a, joint.b].contains(&WORLD);
        is_alone || self.pairing.said(joint.a, joint.b) != Said::Apart(Reason::Joint)
    }

    fn keeps_apart(&self, a: u32, b: u32) -> bool {
        !matches!(self.pairing.meeting(a, b), Meeting::Collide | Meeting::Permanent)
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

/// Describes pairs that behave differently in rapier, apart from shapes and joints.
pub(super) fn unlike(scene: &Scene) -> impl Iterator<Item = String> + '_ {
    let permanent = scene.pair_rules.iter().filter(|rule| rule.2 == PairRule::Permanent);
    let name = |body: u32| &scene.bodies[body as usize].name;
    let permanent = permanent.map(move |&(a, b, _)| {
        format!("{} and {} overlap as modelled: rapier pushes them apart", name(a), name(b))
    });
    let fits = scene.pair_rules.iter().filter(|rule| rule.2.clearance() > 0.0);
    let fits = fits.map(move |&(a, b, _)| {
        format!("{} and {} are a fit: rapier does not move a surface inward", name(a), name(b))
    });
    let watched = scene.skeletons.iter().filter(|s| s.kind == FigureKind::Kinematic && s.self_collision);
    let watched =
        watched.map(|figure| format!("{}: its links are not watched for self-collision", figure.name));
    let skins = (scene.config.skins == SkinKind::Exact && !scene.skeletons.is_empty())
        .then(|| "exact skins: they are the rigid surfaces of their links".to_owned());
    let is_combined = scene.bodies.iter().any(|body| body.combine != CombineModes::default());
    let combined = is_combined.then(|| {
        "combination of friction and bounce in the file: rapier takes the geometric mean and the larger"
            .to_owned()
    });
    let filtered = scene.filters.has_parts().then(|| {
        "collision filters of parts of a body: in rapier two bodies collide if any of their parts may"
            .to_owned()
    });
    let gears = Gear::of_controls(&scene.controls, &scene.joints).count();
    let gears = (gears > 0).then(|| format!("{gears} joints that follow others: only their drives follow"));
    let resists = scene.bodies.iter().any(|body| body.rolling > 0.0 || body.spinning > 0.0);
    let rolling = resists.then(|| "resistance to rolling and spinning: rapier has none".to_owned());
    permanent
        .chain(fits)
        .chain(watched)
        .chain(skins)
        .chain(combined)
        .chain(filtered)
        .chain(gears)
        .chain(rolling)
}
