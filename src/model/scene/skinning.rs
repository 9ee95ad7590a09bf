//! Skins for drawing: each vertex is a blend of its joints. The rigid links that collide are not drawn.
//!
//! A joint with a link follows the link's body; every other joint has its own column in the figure's
//! motion. A drawn skin matches glTF at rest, and while a clip changes the size of no joint.

use std::collections::BTreeSet;

use glam::{DAffine3, DMat3, DMat4};

use super::builder::Builder;
use super::figure::{Followed, Skinned, rest_positions};
use super::looks::{Carrier, DrawnSurface, Follows, SkinJoint, Skinning};
use crate::arrays::MapEach;
use crate::import::NoteKind;
use crate::import::clip::split;
use crate::import::model::part_name;
use crate::import::model::{Geometry, Influence, Model, Node, Skin};
use crate::lookup::Lookup;
use crate::pose::Pose;

impl Skinned {
    fn parts<'a>(&self, model: &'a Model) -> Option<(&'a Node, &'a Geometry, &'a Skin)> {
        let node = &model.nodes[self.node as usize];
        let (geometry, skin) = node.geometry.zip(node.skin)?;
        Some((node, &model.geometries[geometry as usize], &model.skins[skin as usize]))
    }

    /// Returns the influences scaled so that they add up to 1. A vertex without influences follows the
    /// owner of one of its triangles.
    fn influences(&self, geometry: &Geometry) -> Vec<Influence> {
        let mut sole = vec![0; geometry.influences.len()];
        for (corners, &owner) in geometry.triangles.iter().zip(&self.owners) {
            for &v in corners {
                sole[v as usize] = owner;
            }
        }
        let whole = |(influence, joint): (&Influence, u16)| {
            let total: f32 = influence.weights.iter().sum();
            if total > 0.0 && total.is_finite() {
                return Influence { weights: influence.weights.map_each(|w| w / total), ..*influence };
            }
            let mut whole = Influence::default();
            (whole.joints[0], whole.weights[0]) = (joint, 1.0);
            whole
        };
        geometry.influences.iter().zip(sole).map(whole).collect()
    }
}

/// Returns the joints (indices into the skin) that have a weight above 0.
fn used_joints(influences: &[Influence]) -> BTreeSet<u16> {
    let named = |i: &Influence| i.joints.into_iter().zip(i.weights).filter(|j| j.1 > 0.0).map(|j| j.0);
    influences.iter().flat_map(named).collect()
}

/// Returns the joints that skins follow and that have no link, in the order of their nodes.
pub(super) fn joints_beside(
    model: &Model,
    skins: &[Skinned],
    worlds: &[DMat4],
    links: &[Followed],
) -> Vec<Followed> {
    let mut beside = BTreeSet::new();
    for skinned in skins {
        let Some((_, geometry, skin)) = skinned.parts(model) else { continue };
        let used = used_joints(&skinned.influences(geometry));
        beside.extend(used.into_iter().map(|j| skin.joints[usize::from(j)]));
    }
    for link in links {
        beside.remove(&link.node);
    }
    let followed = |node: u32| {
        let world = &worlds[node as usize];
        // A node scaled to zero has no pose, but still a position.
        let flat = || (Pose::from_position(world.w_axis.truncate()), DMat3::from_mat4(*world));
        let (pose, rest) = split(world).unwrap_or_else(flat);
        Followed { node, pose, rest }
    };
    beside.into_iter().map(followed).collect()
}

/// Returns per joint of the skins the link that it follows: that of the joint or of its nearest
/// ancestor with a link; without such an ancestor, the link nearest at rest.
pub(super) fn nearest_links(
    model: &Model,
    skins: &[Skinned],
    worlds: &[DMat4],
    links: &[Followed],
    owner: &Lookup<u32, u32>,
) -> Lookup<u32, u32> {
    let nearest = |joint: u32| {
        let above = std::iter::successors(Some(joint), |&n| model.nodes[n as usize].parent);
        let place = worlds[joint as usize].w_axis.truncate();
        let far = |link: &Followed| link.pose.position.distance_squared(place);
        let near = || (0..links.len()).min_by(|&a, &b| far(&links[a]).total_cmp(&far(&links[b])));
        let near = || near().map(|link| link as u32);
        above.filter_map(|n| owner.get(&n).copied()).next().or_else(near).map(|link| (joint, link))
    };
    let joints = skins.iter().filter_map(|s| Some(&s.parts(model)?.2.joints)).flatten();
    joints.filter_map(|&joint| nearest(joint)).collect()
}

/// Adds the drawn surfaces that replace the links of the last skeleton. `followed` lists the links,
/// then the other joints; `carried` maps a joint (node) to its index in `followed`.
pub(super) fn draw(
    builder: &mut Builder,
    model: &Model,
    skins: &[Skinned],
    worlds: &[DMat4],
    followed: &[Followed],
    carried: &Lookup<u32, u32>,
) {
    let Some(skeleton) = builder.scene.skeletons.len().checked_sub(1) else { return };
    let (first_body, link_count) = {
        let skeleton = &builder.scene.skeletons[skeleton];
        (skeleton.first_body, skeleton.link_count)
    };
    for skinned in skins {
        let Some((node, geometry, skin)) = skinned.parts(model) else { continue };
        let name = part_name(model, skinned.node);
        if !builder.may_draw(&name, geometry.triangles.len()) {
            continue;
        }
        let mut influences = skinned.influences(geometry);
        let used = used_joints(&influences);
        let joint = |&j: &u16| {
            let (node, inverse_bind) = (skin.joints[usize::from(j)], skin.inverse_bind[usize::from(j)]);
            let slot = carried.get(&node).copied()?;
            let carrier = match slot.checked_sub(link_count) {
                None => Carrier::Body(first_body + slot),
                Some(joint) => Carrier::Joint(joint),
            };
            let Pose { rotation, position } = followed[slot as usize].pose;
            let back = DAffine3::from_rotation_translation(rotation, position).inverse();
            let bind = back * DAffine3::from_mat4(worlds[node as usize] * inverse_bind);
            bind.is_finite().then_some(SkinJoint { carrier, bind })
        };
        let joints: Option<Vec<SkinJoint>> = used.iter().map(joint).collect();
        let positions = rest_positions(geometry, &node.weights);
        let finite = positions.iter().all(|p| p.is_finite());
        let Some(joints) = joints.filter(|_| finite) else {
            builder.note(NoteKind::Ignored, name, "has a skin that is not finite; its links are drawn");
            continue;
        };
        let places: Lookup<u16, u16> = used.into_iter().zip(0..).collect();
        for influence in &mut influences {
            for (joint, weight) in influence.joints.iter_mut().zip(influence.weights) {
                *joint =
                    if weight > 0.0 { *places.get(joint).expect("a joint that weighs is used") } else { 0 };
            }
        }
        // Triangles of a link that was left out for want of area belong to the first link.
        let owner = |&j: &u16| {
            let slot = carried.get(&skin.joints[usize::from(j)]).copied();
            first_body + slot.filter(|s| *s < link_count).unwrap_or(0)
        };
        let owners = skinned.owners.iter().map(owner).collect();
        let paint = builder.paint_like(first_body, &geometry.colors);
        let skeleton = skeleton as u32;
        builder.scene.drawn.push(DrawnSurface {
            name,
            positions,
            triangles: geometry.triangles.clone(),
            paint,
            follows: Follows::Joints(Skinning { skeleton, joints, influences, owners }),
        });
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::import::clip::world_matrices;
    use crate::import::load_model_bytes;
    use crate::scene::assemble::{FigureMode, add_model};
    use crate::scene::figure::Drive;
    use crate::scene::placement::{Placement, Recenter};
    use crate::scene::{Scene, builtin};

    fn walker() -> Model {
        load_model_bytes("walker.glb", builtin::file("../assets/walker.glb").unwrap()).unwrap()
    }

    /// Returns the scene of a model that plays its first clip once.
    fn placed(model: &Model, placement: DMat4) -> Scene {
        let mut builder = Builder::new(Scene::new("placed"));
        let drive = Drive { clip: &model.clips[0], speed: 1.0, looped: false, stride: DVec3::ZERO };
        let place = Placement { matrix: placement, recenter: Recenter::Off };
        add_model(
            &mut builder,
            model,
            &place,
            &|_| true,
            Some(&drive),
            FigureMode::Kinematic { self_collision: false },
            None,
        );
        builder.scene
    }

    /// Returns the position of each vertex of a drawn skin at a time (s), computed from the sampled
    /// poses.
    fn carried(scene: &Scene, drawn: &DrawnSurface, time: f64) -> Vec<DVec3> {
        let Follows::Joints(skinning) = &drawn.follows else { panic!("{} has no skin", drawn.name) };
        let skeleton = &scene.skeletons[skinning.skeleton as usize];
        let pose = |carrier| {
            let column = match carrier {
                Carrier::Body(body) => body - skeleton.first_body,
                Carrier::Joint(joint) => skeleton.link_count + joint,
            };
            skeleton.motion.pose(column as usize, time).unwrap()
        };
        let poses: Vec<Pose> = skinning.joints.iter().map(|j| pose(j.carrier)).collect();
        let vertex = |(position, influence): (&Vec3, &Influence)| {
            let by = |j: u16| {
                let bound = skinning.joints[usize::from(j)].bind.transform_point3(position.as_dvec3());
                poses[usize::from(j)].transform_point(bound)
            };
            let blend = influence.joints.into_iter().zip(influence.weights);
            blend.map(|(j, weight)| f64::from(weight) * by(j)).sum()
        };
        drawn.positions.iter().zip(&skinning.influences).map(vertex).collect()
    }

    /// Returns the largest distance of a vertex of a drawn skin from its position by glTF, at several
    /// times of the clip, m.
    fn farthest(model: &Model) -> f64 {
        let turned = glam::DQuat::from_rotation_y(0.8);
        let place = DVec3::new(3.0, -1.0, 2.0);
        let placement = DMat4::from_scale_rotation_translation(DVec3::splat(1.5), turned, place);
        let scene = placed(model, placement);
        assert_eq!(scene.drawn.len(), 1);
        let (node, skin) = model.nodes.iter().find_map(|n| Some((n, n.skin?))).unwrap();
        let geometry = &model.geometries[node.geometry.unwrap() as usize];
        let skin = &model.skins[skin as usize];
        let mut farthest = 0.0f64;
        for step in 0..7 {
            // Only sample times are compared: between samples poses are blended, and the skin is
            // approximate.
            let rate = scene.skeletons[0].motion.rate;
            let time = (model.clips[0].duration * f64::from(step) / 6.0 * rate).round() / rate;
            let worlds = world_matrices(model, Some((&model.clips[0], time)), placement);
            for (vertex, found) in carried(&scene, &scene.drawn[0], time).into_iter().enumerate() {
                let (position, influence) = (geometry.positions[vertex], geometry.influences[vertex]);
                let total: f64 = influence.weights.iter().map(|w| f64::from(*w)).sum();
                let by = |(&j, &weight): (&u16, &f32)| {
                    let matrix =
                        worlds[skin.joints[usize::from(j)] as usize] * skin.inverse_bind[usize::from(j)];
                    f64::from(weight) / total * matrix.transform_point3(position.as_dvec3())
                };
                let expected: DVec3 = influence.joints.iter().zip(&influence.weights).map(by).sum();
                farthest = farthest.max(expected.distance(found));
            }
        }
        farthest
    }

    #[test]
    fn a_drawn_skin_is_where_gltf_puts_it_all_through_its_clip() {
        let farthest = farthest(&walker());
        assert!(farthest < 1e-5, "{farthest} m");
    }

    #[test]
    fn a_joint_without_a_link_still_moves_its_vertices() {
        let mut model = walker();
        let all = placed(&model, DMat4::IDENTITY).bodies.len();
        // Makes joint 3 too weak to own a triangle.
        for geometry in &mut model.geometries {
            for influence in &mut geometry.influences {
                for slot in 0..8 {
                    influence.weights[slot] *= if influence.joints[slot] == 3 { 0.2 } else { 1.0 };
                }
                // A vertex that followed only joint 3 now follows it and joint 0.
                if influence.weights.iter().sum::<f32>() < 0.5 {
                    (influence.joints[7], influence.weights[7]) = (0, 0.8);
                }
            }
        }
        let scene = placed(&model, DMat4::IDENTITY);
        assert_eq!((scene.bodies.len(), scene.skeletons[0].joints.len()), (all - 1, 1));
        assert_eq!(scene.skeletons[0].motion.width as usize, all);
        let farthest = farthest(&model);
        assert!(farthest < 1e-5, "{farthest} m");
    }

    #[test]
    fn weights_add_up_to_one_and_a_vertex_without_any_goes_with_its_triangle() {
        let halves =
            Influence { joints: [4, 2, 0, 0, 0, 0, 0, 0], weights: [3.0, 1.0, 0., 0., 0., 0., 0., 0.] };
        let influences = vec![halves, Influence::default(), halves, Influence::default()];
        let geometry = Geometry { influences, triangles: vec![[0, 1, 2]], ..Geometry::default() };
        let found = Skinned { node: 0, owners: vec![4] }.influences(&geometry);
        let strongest = found.iter().map(|i| (i.joints[0], i.weights[0])).collect::<Vec<_>>();
        assert_eq!(strongest, [(4, 0.75), (4, 1.0), (4, 0.75), (0, 1.0)]);
        assert_eq!(used_joints(&found).into_iter().collect::<Vec<_>>(), [0, 2, 4]);
    }

    #[test]
    fn the_owner_of_a_triangle_is_the_link_that_has_it() {
        let scene = placed(&walker(), DMat4::IDENTITY);
        let drawn = &scene.drawn[0];
        let Follows::Joints(skinning) = &drawn.follows else { panic!() };
        assert_eq!(skinning.owners.len(), drawn.triangles.len());
        let rest: Vec<Pose> = scene.skeletons[0].motion.poses[..scene.bodies.len()].to_vec();
        assert_eq!(rest, scene.bodies.iter().map(|b| b.pose).collect::<Vec<_>>());
        for (index, body) in scene.bodies.iter().enumerate() {
            let mesh = &scene.meshes[body.mesh.unwrap() as usize];
            let own = skinning.owners.iter().filter(|o| **o as usize == index).count();
            let flaws = mesh.surface().flaws;
            let dropped = flaws.degenerate_triangle_count + flaws.duplicate_triangle_count;
            assert_eq!(own, mesh.triangles().len() + dropped as usize, "{}", body.name);
        }
        // Each triangle, transformed to its owner's space, has its corners among the vertices of that
        // link.
        for (corners, &owner) in drawn.triangles.iter().zip(&skinning.owners) {
            let joint = skinning.joints.iter().find(|j| j.carrier == Carrier::Body(owner)).unwrap();
            let mesh = &scene.meshes[scene.bodies[owner as usize].mesh.unwrap() as usize];
            for &v in corners {
                let bound = joint.bind.transform_point3(drawn.positions[v as usize].as_dvec3()).as_vec3();
                let near = |other: &Vec3| other.distance(bound) < 1e-5;
                assert!(mesh.vertices().iter().any(near), "{bound} is no vertex of {}", mesh.name());
            }
        }
    }
}
