//! Loads of welds in each sub-step: from the impulses of contacts, joints, gears and bounces.

use glam::DVec3;

use super::Solver;
use super::joint_frames::Frames;
use crate::body::{Bodies, Joint};
use crate::contact::PairContacts;

impl Solver {
    /// Adds the loads of the welds in a sub-step that has ended. `fall`: velocity that gravity added, m/s.
    pub(super) fn add_weld_loads(
        &mut self,
        joints: &[Joint],
        pairs: &[PairContacts],
        bodies: &Bodies,
        fall: DVec3,
    ) {
        let Self { welds, weld_loads, moving, rows, joint_impulses, gears, .. } = self;
        if welds.links().is_empty() {
            return;
        }
        weld_loads.find_unexplained(moving, bodies, fall);
        for row in rows.iter() {
            let (pair, point) = (&pairs[row.pair()], row.point(moving));
            for (body, sign) in [(pair.a, -1.0), (pair.b, 1.0)] {
                let arm = point - moving[body as usize].center;
                weld_loads.explain(body, arm, row.impulses().map(|impulse| sign * impulse));
            }
        }
        for (joint, impulses) in joints.iter().zip(&*joint_impulses) {
            if let Some(frames) = Frames::new(joint, &impulses.angles, moving) {
                let wrench = [impulses.last.linear(&frames), impulses.last.angular(&frames)];
                let ends = Frames::own_slots(joint, moving);
                for (body, sign, slot) in [(joint.a, -1.0, ends[0]), (joint.b, 1.0, ends[1])] {
                    let arm = frames.origin_b - moving[slot].center;
                    weld_loads.explain(body, arm, wrench.map(|impulse| sign * impulse));
                }
            }
        }
        for gear in gears.iter() {
            gear.wrenches((joints, joint_impulses), moving, |body, point, wrench| {
                let center = moving.get(body as usize).map_or(DVec3::ZERO, |body| body.center);
                weld_loads.explain(body, point - center, wrench);
            });
        }
        weld_loads.assign(welds.links(), joints, moving);
    }

    /// Adds the loads of the welds as bodies bounced.
    pub(super) fn add_bounce_loads(&mut self, joints: &[Joint], pairs: &[PairContacts], bodies: &Bodies) {
        let Self { welds, weld_loads, moving, rows, bounces, .. } = self;
        if welds.links().is_empty() || bounces.is_empty() {
            return;
        }
        weld_loads.find_unexplained(moving, bodies, DVec3::ZERO);
        for (row, more) in bounces.pushes(rows) {
            let (pair, point) = (&pairs[row.pair()], row.point(moving));
            for (body, sign) in [(pair.a, -1.0), (pair.b, 1.0)] {
                let arm = point - moving[body as usize].center;
                weld_loads.explain(body, arm, [sign * more, DVec3::ZERO]);
            }
        }
        weld_loads.assign(welds.links(), joints, moving);
    }
}
