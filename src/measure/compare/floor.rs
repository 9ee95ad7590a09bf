//! Height below which a body counts as fallen out of the scene.

use glam::DVec3;

use crate::arrays::MapEach;
use crate::body::Motion;
use crate::scene::Scene;
use crate::volume::Aabb;
use crate::world::articulated;

/// Returns the up direction, opposite to gravity, and the height along it below which a body has fallen
/// out of the scene. This is the lowest point of the scene minus the largest diagonal of a movable
/// body, or of bodies that joints or skeletons connect. `None` without gravity or movable bodies.
pub fn floor(scene: &Scene) -> Option<(DVec3, f64)> {
    let up = (-scene.gravity).try_normalize()?;
    let bounds = |body: usize| {
        let def = &scene.bodies[body];
        def.mesh.map_or(Aabb::EMPTY, |mesh| scene.meshes[mesh as usize].bounds().transformed(&def.pose))
    };
    let union =
        |bodies: &mut dyn Iterator<Item = usize>| bodies.fold(Aabb::EMPTY, |all, b| all.union(&bounds(b)));
    let is_moved = |&body: &usize| scene.bodies[body].motion == Motion::Dynamic;
    let all = union(&mut (0..scene.bodies.len()));
    let alone = (0..scene.bodies.len()).filter(is_moved).map(bounds);
    let held =
        articulated(scene).into_iter().map(|(members, ..)| union(&mut members.iter().map(|&b| b as usize)));
    let lengths = alone.chain(held).filter(|bounds| !bounds.is_empty()).map(|b| f64::from(b.diagonal()));
    let longest = lengths.reduce(f64::max)?;
    let [low, high] = [all.min, all.max].map_each(|corner| corner.as_dvec3() * up);
    Some((up, low.min(high).element_sum() - longest))
}
