//! Time of impact of two triangles, by conservative advancement.
//!
//! A plane across the direction between the nearest points separates the triangles. Each step bounds
//! the duration for which it still does, from the speeds and accelerations of the corners along that
//! direction, which are fixed in world space.

use glam::DVec3;

use super::course::{Course, Moment, lasting};
use crate::arrays::from_each;
use crate::query::exact::{Gap, gap};

/// Number of steps after which the advancement of one pair gives up.
const MOST_STEPS: u32 = 400;
/// Share of the target distance at which the steps aim, so that they end below the target.
const AIM: f64 = 0.99;

/// A triangle pair and the distance (m) at which it counts as touching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    pub triangles: [u32; 2],
    pub target: f64,
}

/// End of the advancement of one triangle pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Share at which the pair is within its target, or up to which it is proven free.
    pub share: f64,
    /// Gap at that share, in the space of [`Course`]; `None` if the advancement gave up.
    pub gap: Option<Gap>,
}

/// Returns the first share from `share` to `end` at which the pair is within its target; `None` if it
/// stays farther apart. The pair must be free before `share`. Subtracts the steps from `left`.
pub(super) fn advance(
    course: &Course,
    goal: &Goal,
    mut share: f64,
    end: f64,
    left: &mut u32,
) -> Option<Arrival> {
    for _ in 0..MOST_STEPS {
        if share > end {
            return None;
        }
        *left = left.saturating_sub(1);
        let moment = course.at(share);
        let (gap, free) = measure(course, &moment, goal, end);
        if gap.square <= goal.target * goal.target {
            return Some(Arrival { share, gap: Some(gap) });
        }
        share = free;
    }
    (share <= end).then_some(Arrival { share, gap: None })
}

/// Returns the gap of the pair at a moment, and the share until which the pair is proven to stay
/// farther apart than its target. The proof may stop beyond `end`.
pub(super) fn measure(course: &Course, moment: &Moment, goal: &Goal, end: f64) -> (Gap, f64) {
    let spokes = from_each::<_, 2>(|side| moment.spokes(course, side, goal.triangles[side]));
    let corners = [spokes[0], spokes[1].map(|spoke| moment.between + spoke)];
    let gap = gap(&corners[0], &corners[1]);
    let normal = (gap.points[1] - gap.points[0]).normalize_or_zero();
    let aim = AIM * goal.target;
    (gap, moment.share + parted(course, (&spokes, moment.between), normal, aim, end - moment.share))
}

/// Motion of a corner along a direction.
#[derive(Clone, Copy)]
struct Track {
    /// Position, m.
    at: f64,
    /// Speed of the rotation now, m per interval.
    speed: f64,
    /// Greatest speed of the rotation, m per interval.
    top: f64,
    /// Greatest acceleration, m per interval².
    bend: f64,
}

/// Returns the duration, as a share, for which the triangles stay farther apart than `aim` (m) along
/// `normal`. Durations beyond `enough` need not be the longest.
fn parted(
    course: &Course,
    (spokes, between): (&[[DVec3; 3]; 2], DVec3),
    normal: DVec3,
    aim: f64,
    enough: f64,
) -> f64 {
    let slide = course.closing.dot(normal);
    let tracks = from_each::<_, 2>(|side| {
        let (turn, angle) = (course.motions[side].turn, course.angles[side]);
        let across = normal.cross(turn);
        let slope = if angle > 0.0 { across.length() / angle } else { 0.0 };
        from_each::<_, 3>(|k| {
            let spoke = spokes[side][k];
            let around = turn.cross(spoke).length();
            let (top, bend) = (slope * around, slope * around * angle);
            Track { at: normal.dot(spoke), speed: across.dot(spoke), top, bend }
        })
    });
    let start = between.dot(normal) - aim;
    let mut least = f64::INFINITY;
    for a in &tracks[0] {
        for b in &tracks[1] {
            let room = start + b.at - a.at;
            let steady = lasting(room, slide + a.top + b.top);
            if steady > enough {
                least = least.min(steady);
                continue;
            }
            let curved = lasting_curved(room, slide + a.speed - b.speed, a.bend + b.bend);
            least = least.min(steady.max(curved));
        }
    }
    least
}

/// Returns the duration for which a gap (m) lasts that closes at `speed` now, accelerated by at most
/// `bend`.
fn lasting_curved(gap: f64, speed: f64, bend: f64) -> f64 {
    if gap <= 0.0 || bend <= 0.0 {
        return lasting(gap, speed);
    }
    let root = (speed * speed + 2.0 * bend * gap).sqrt();
    if speed > 0.0 { 2.0 * gap / (speed + root) } else { (root - speed) / bend }
}
