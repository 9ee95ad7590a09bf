//! The distance or penetration depth of two parts, computed exactly on a separate thread while the
//! parts move.
//!
//! Two bodies and their poses → a [`Measure`] with its step. Only the last request counts. When a
//! result arrives, a later step may be shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use glam::DVec3;

use super::app::App;
use super::gpu::Segment;
use super::simulation::Wake;
use crate::pose::Pose;
use crate::query::{PairMemory, Placed, Seed, crossing_reach, distance, penetration};
use crate::record::Rest;
use crate::scene::Scene;
use crate::tree::Tree;

/// Color of the line of a measure at the shown step, sRGB and opacity. The next color is for another
/// step.
const LINE: [u8; 4] = [255, 255, 255, 255];
const OLD_LINE: [u8; 4] = [150, 150, 150, 255];
/// Color around the lines. It makes them visible on white.
const OUTLINE_OF_LINE: [u8; 4] = [20, 20, 20, 255];
/// Color of a point that was snapped to a corner.
const CORNER: [u8; 4] = [120, 220, 120, 255];

/// The distance or depth of two parts at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    pub pair: [u32; 2],
    pub step: u32,
    pub gap: Gap,
    /// The two points between which the length is measured, in world space, m. If the parts only touch,
    /// both points are the same.
    pub points: [DVec3; 2],
    /// Whether the length is only a bound. This is so if the search ended early because too many
    /// triangles are near each other.
    pub is_bound: bool,
}

/// A length between two parts, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gap {
    /// The parts are disjoint. The length is the distance of their surfaces.
    Apart(f64),
    /// One part is entirely inside the other's solid. The length is the distance of their surfaces.
    Inside(f64),
    /// The parts overlap. The length is the greatest distance from the surface of one part to a point
    /// of the other part inside it.
    Deep(f64),
    /// The parts intersect, but at least one is not solid. The length is the depth by which their
    /// triangles pass through each other.
    Crossing(f64),
}

impl Gap {
    /// Returns the length, m.
    pub fn length(self) -> f64 {
        let (Self::Apart(length) | Self::Inside(length) | Self::Deep(length) | Self::Crossing(length)) = self;
        length
    }
}

/// Two parts at their poses, to be measured.
#[derive(Clone)]
struct Request {
    scene: Arc<Scene>,
    trees: [Arc<Tree>; 2],
    poses: [Pose; 2],
    pair: [u32; 2],
    step: u32,
}

/// A handle of the thread. When it is dropped, the thread ends.
pub struct Measurer {
    requests: Sender<Request>,
    results: Receiver<Measure>,
    asked: Option<([u32; 2], u32)>,
    last: Option<Measure>,
    stop: Arc<AtomicBool>,
}

impl Measurer {
    /// Starts the thread. Fails if the system refuses the thread. `wake` is called for every result.
    pub fn start(wake: &Wake) -> std::io::Result<Self> {
        let (requests, inbox) = channel::<Request>();
        let (outbox, results) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (wake, flag) = (Arc::clone(wake), Arc::clone(&stop));
        let work = move || {
            let mut memory = PairMemory::default();
            memory.stop_on(Arc::clone(&flag));
            let mut pair = None;
            while let Ok(mut request) = inbox.recv() {
                // If there are several requests, only the last counts.
                while let Ok(later) = inbox.try_recv() {
                    request = later;
                }
                if pair.replace(request.pair) != Some(request.pair) {
                    memory.seed = Seed::default();
                }
                let measure = measure(&request, &mut memory);
                if flag.load(Ordering::Relaxed) || outbox.send(measure).is_err() {
                    return;
                }
                wake();
            }
        };
        std::thread::Builder::new().name("measure".into()).spawn(work)?;
        Ok(Self { requests, results, asked: None, last: None, stop })
    }

    /// Requests the measure of two bodies with surfaces at a step. Does nothing if this was requested
    /// already.
    pub fn ask(
        &mut self,
        (scene, trees): (&Arc<Scene>, &[Arc<Tree>]),
        pair: [u32; 2],
        (poses, step): (&[Pose], u32),
    ) {
        if self.asked == Some((pair, step)) {
            return;
        }
        let [Some(a), Some(b)] = pair.map(|body| scene.bodies[body as usize].mesh) else { return };
        let request = Request {
            scene: Arc::clone(scene),
            trees: [a, b].map(|mesh| Arc::clone(&trees[mesh as usize])),
            poses: pair.map(|body| poses[body as usize]),
            pair,
            step,
        };
        self.asked = Some((pair, step));
        // Sending cannot fail, because the thread lives as long as the measurer.
        let _ = self.requests.send(request);
    }

    /// Returns the last result if it belongs to this pair.
    pub fn latest(&mut self, pair: [u32; 2]) -> Option<Measure> {
        while let Ok(measure) = self.results.try_recv() {
            self.last = Some(measure);
        }
        self.last.filter(|m| m.pair == pair)
    }
}

impl Drop for Measurer {
    fn drop(&mut self) {
        // The flag aborts a search, which might otherwise take seconds.
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Measures two bodies with surfaces.
fn measure(request: &Request, memory: &mut PairMemory) -> Measure {
    let Request { scene, trees, poses, pair, step } = request;
    let placed = |k: usize| {
        let mesh = scene.bodies[pair[k] as usize].mesh.unwrap_or(0);
        Placed::new(&trees[k], &scene.meshes[mesh as usize], poses[k])
    };
    let (a, b) = (placed(0), placed(1));
    let (gap, points) = gap(&a, &b, memory);
    Measure { pair: *pair, step: *step, gap, points, is_bound: memory.has_given_up() }
}

/// Returns the distance or depth of two surfaces, and the two points between which it is measured.
pub fn gap(a: &Placed, b: &Placed, memory: &mut PairMemory) -> (Gap, [DVec3; 2]) {
    let Some(nearest) = distance(a, b, f64::INFINITY, memory) else {
        // A body without a surface has no distance.
        return (Gap::Apart(f64::INFINITY), [a.pose.position, b.pose.position]);
    };
    let deep = may_be_deep(a, b).then(|| penetration(a, b, memory)).flatten();
    match deep {
        None if nearest.distance > 0.0 => (Gap::Apart(nearest.distance), nearest.points),
        Some(_) if nearest.distance > 0.0 => (Gap::Inside(nearest.distance), nearest.points),
        Some(deep) => (Gap::Deep(deep.depth), deep.points),
        None => (Gap::Crossing(crossing_reach(a, b, memory)), nearest.points),
    }
}

/// Returns whether a point of one part may be inside the other part.
fn may_be_deep(a: &Placed, b: &Placed) -> bool {
    let [around_a, around_b] = [a, b].map(|p| p.mesh.bounds().transformed(&p.pose));
    around_a.overlaps(&around_b)
}

impl App {
    /// Requests the measure of the two selected parts, and takes the last result.
    pub(super) fn update_measure(&mut self) {
        let pair = self.selection.pair().filter(|&pair| self.unmeasurable(pair).is_none());
        let (Some(pair), Some(stage)) = (pair, &self.stage) else {
            self.measure = None;
            return;
        };
        if self.measurer.is_none() {
            match Measurer::start(&self.wake) {
                Ok(measurer) => self.measurer = Some(measurer),
                Err(error) => return self.say(error.to_string(), true),
            }
        }
        if let Some(measurer) = &mut self.measurer {
            let at = (&stage.frame.poses[..], stage.frame.step);
            measurer.ask((&stage.show.scene, &stage.show.trees), pair, at);
            self.measure = measurer.latest(pair);
        }
    }

    /// Returns the reason why two parts cannot be measured, if any.
    pub fn unmeasurable(&self, pair: [u32; 2]) -> Option<String> {
        let bodies = &self.stage.as_ref()?.show.scene.bodies;
        let bare = pair.into_iter().find(|&body| bodies[body as usize].mesh.is_none())?;
        Some(format!("{} has no surface to measure", bodies[bare as usize].name))
    }

    /// Returns a note about the two parts that a reader of the measure needs, if there is one.
    pub fn measure_note(&self, pair: [u32; 2]) -> Option<String> {
        let stage = self.stage.as_ref()?;
        let name = |body: u32| &stage.show.scene.bodies[body as usize].name;
        let which = |is_it: &dyn Fn(u32) -> bool| {
            let names: Vec<&str> =
                pair.into_iter().filter(|&body| is_it(body)).map(|b| name(b).as_str()).collect();
            (!names.is_empty()).then(|| names.join(" and "))
        };
        let other = which(&|body| !stage.show.draws_body(body, self.options.look));
        let aside = which(&|body| stage.frame.rests[body as usize] == Rest::Quarantined);
        let hidden = which(&|body| stage.show.hidden.hides(body));
        let notes = [
            other.map(|names| format!("of {names} the rigid surface is measured, not the one that is drawn")),
            aside.map(|names| format!("{names}: set aside, at its last valid place")),
            hidden.map(|names| format!("{names}: hidden")),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Draws the lines of the measure and of the ruler.
    pub(super) fn draw_measures(&self, out: &mut Vec<Segment>) {
        let Some(stage) = &self.stage else { return };
        let mut line = |start: DVec3, end: DVec3, color: [u8; 4], width: f32| {
            out.push(Segment { start, end, color, width, through: true });
        };
        if let Some(measure) = &self.measure {
            let color = if measure.step == stage.frame.step { LINE } else { OLD_LINE };
            let [a, b] = measure.points;
            line(a, b, OUTLINE_OF_LINE, 4.0);
            line(a, b, color, 2.0);
            for end in [a, b] {
                line(end, end, OUTLINE_OF_LINE, 9.0);
                line(end, end, color, 6.0);
            }
        }
        let places: Vec<(DVec3, bool)> = self.ruler.places(&stage.frame).collect();
        if let [(a, _), (b, _)] = places[..] {
            line(a, b, OUTLINE_OF_LINE, 4.0);
            line(a, b, LINE, 2.0);
        }
        for (place, is_corner) in places {
            line(place, place, OUTLINE_OF_LINE, 9.0);
            line(place, place, if is_corner { CORNER } else { LINE }, 6.0);
        }
    }
}
