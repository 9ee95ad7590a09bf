//! The shown step, and its playback. The playback advances in simulated time, scaled by a speed. It
//! never goes beyond the simulated steps, and it goes beyond the end of the scene only on request.

use std::collections::VecDeque;

/// Largest real time between two pictures that counts, s. Because of this limit, the playback does not
/// leap after the system has paused. The simulation runs ahead of the shown step by at least as much
/// time.
const LONGEST_PAUSE: f64 = 0.25;
/// Real time for which the simulation steps ahead at once, s. Consecutive steps find their data in the
/// caches. So they take no longer than without a window.
const BURST: f64 = 1.0;
/// Least lead of the simulation while a user controls it, in real seconds. It is two pictures.
const LIVE_LEAD: f64 = 1.0 / 30.0;

/// Least time, s, and least number of steps over which the pace is measured. Over fewer steps, the pace
/// would be random.
const PACE_TIME: f64 = 2.0;
const PACE_STEPS: f64 = 2.0;
/// Time from which on a pace is available, s.
const FIRST_PACE_TIME: f64 = 1.0;

/// The shown step, and its playback.
#[derive(Clone, Debug, PartialEq)]
pub struct Playhead {
    /// The position in steps. Its integer part is the shown step.
    position: f64,
    pub playing: bool,
    /// Requested simulated seconds per real second.
    pub speed: f64,
    /// The real time (s, since the start of playback) and the position of each picture, as far back as
    /// the pace needs them.
    shown: VecDeque<(f64, f64)>,
    /// Whether the user requested playback beyond the end of the scene.
    is_past_end: bool,
    /// Whether the user can control the simulation. If so, its lead is small. Then little time passes
    /// between the shown step and the effect of a control.
    is_controllable: bool,
    /// Whether the user controls the simulation now. If so, the run has no end.
    is_live: bool,
}

impl Playhead {
    /// Speeds that a user can choose.
    pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0];

    pub fn new(playing: bool) -> Self {
        Self {
            position: 0.0,
            playing,
            speed: 1.0,
            shown: VecDeque::new(),
            is_past_end: false,
            is_controllable: false,
            is_live: false,
        }
    }

    /// Returns the playhead for a run that the user can control.
    pub fn led(self) -> Self {
        Self { is_controllable: true, ..self }
    }

    pub fn step(&self) -> u32 {
        self.position as u32
    }

    /// Shows a step and pauses.
    pub fn stop_at(&mut self, step: u32) {
        self.playing = false;
        self.jump_to(step);
    }

    /// Shows a step, and plays or pauses as before.
    pub fn jump_to(&mut self, step: u32) {
        self.position = f64::from(step);
        self.shown.clear();
    }

    /// Plays on from the last simulated step, as close behind the simulation as possible, because the
    /// user controls it.
    pub fn take_control(&mut self, last: u32) {
        if !self.is_live || !self.playing {
            self.jump_to(last);
        }
        (self.playing, self.is_live) = (true, true);
    }

    /// Plays or pauses. If the shown step is `end` or later, this requests playback beyond the end.
    pub fn toggle(&mut self, end: Option<u32>) {
        self.playing = !self.playing;
        self.is_past_end = end.is_some_and(|end| self.step() >= end);
        self.shown.clear();
    }

    /// Returns the step at which to stop, which is the end of the scene. Returns `None` if the user
    /// controls the run or has requested to go beyond the end.
    pub fn stop(&self, end: Option<u32>) -> Option<u32> {
        end.filter(|&end| !self.is_live && (!self.is_past_end || self.step() < end))
    }

    /// Returns the recent pace while playing, in simulated seconds per real second. Returns `None`
    /// until enough was measured.
    pub fn pace(&self, dt: f64) -> Option<f64> {
        let ((start, from), (now, to)) = (*self.shown.front()?, *self.shown.back()?);
        (now - start >= FIRST_PACE_TIME).then(|| (to - from) * dt / (now - start))
    }

    /// Records the time of a picture. Drops pictures that the pace no longer needs.
    fn note(&mut self, elapsed: f64) {
        let now = self.shown.back().map_or(0.0, |s| s.0 + elapsed.max(0.0));
        self.shown.push_back((now, self.position));
        let is_enough = |&(time, position): &(f64, f64)| {
            now - time >= PACE_TIME && self.position - position >= PACE_STEPS
        };
        while self.shown.get(1).is_some_and(is_enough) {
            self.shown.pop_front();
        }
    }

    /// Advances by `elapsed` real seconds. The steps of `dt` (s) from `first` to `last` are available.
    /// Returns the step up to which the simulation should run.
    pub fn advance(&mut self, elapsed: f64, dt: f64, (first, last): (u32, u32), goes_on: bool) -> u32 {
        if self.playing {
            let moved = elapsed.clamp(0.0, LONGEST_PAUSE) * self.speed / dt;
            let wanted = self.position + moved;
            let most = f64::from(last);
            if wanted >= most && !goes_on {
                self.playing = false;
            }
            // If the simulation is slow, the lost time is not made up for. The fraction of the position
            // is kept, so that steps come evenly.
            self.position = wanted.min(most + 0.999);
            self.note(elapsed);
        }
        self.position = self.position.max(f64::from(first));
        if !goes_on {
            self.position = self.position.min(f64::from(last));
        }
        if !self.playing {
            return self.step();
        }
        let steps = |seconds: f64| (seconds * self.speed / dt).ceil().max(1.0);
        if self.is_controllable || self.is_live {
            // The lead is two pictures, and thus longer if pictures take longer.
            return (self.position + steps((2.0 * elapsed).clamp(LIVE_LEAD, LONGEST_PAUSE))) as u32;
        }
        let burst = steps(BURST);
        (((self.position + steps(LONGEST_PAUSE)) / burst).ceil() * burst) as u32
    }

    /// Selects the next higher (1) or next lower (−1) speed.
    pub fn change_speed(&mut self, by: i32) {
        let at = Self::SPEEDS.iter().position(|&s| s >= self.speed).unwrap_or(0) as i32;
        let to = (at + by).clamp(0, Self::SPEEDS.len() as i32 - 1);
        self.set_speed(Self::SPEEDS[to as usize]);
    }

    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
        self.shown.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 60.0;

    #[test]
    fn the_playhead_keeps_simulated_time_and_never_passes_the_last_step() {
        let mut head = Playhead::new(true);
        for _ in 0..30 {
            head.advance(1.0 / 30.0, DT, (0, 1000), true);
        }
        assert!((59..=60).contains(&head.step()), "{}", head.step());
        head.speed = 0.5;
        for _ in 0..60 {
            head.advance(1.0 / 30.0, DT, (0, 1000), true);
        }
        assert!((119..=120).contains(&head.step()), "{}", head.step());
        for _ in 0..10 {
            head.advance(10.0, DT, (0, 125), true);
        }
        assert_eq!(head.step(), 125, "a slow simulation is waited for");
        assert!(head.playing);
    }

    #[test]
    fn a_run_that_can_be_taken_in_hand_is_simulated_little_ahead() {
        let ahead = |mut head: Playhead| head.advance(1.0 / 60.0, DT, (0, 1000), true);
        assert!(ahead(Playhead::new(true)) >= 60);
        assert!(ahead(Playhead::new(true).led()) <= 4, "two pictures");
    }

    #[test]
    fn the_playhead_requests_the_next_steps_and_stops_at_the_end_of_a_recording() {
        let mut head = Playhead::new(true);
        assert!(head.advance(0.0, DT, (0, 0), true) >= 1);
        head.playing = false;
        assert_eq!(head.advance(1.0, DT, (0, 0), true), 0, "nothing is simulated while it waits");
        let mut head = Playhead::new(true);
        for _ in 0..9 {
            head.advance(0.2, DT, (0, 40), false);
        }
        assert_eq!((head.step(), head.playing), (40, false));
        head.stop_at(7);
        head.advance(0.2, DT, (20, 40), false);
        assert_eq!(head.step(), 20, "steps that were let go cannot be shown");
    }

    #[test]
    fn its_pace_is_what_the_simulation_keeps_up_with() {
        let mut head = Playhead::new(true);
        let mut last = 0;
        for picture in 0..300 {
            // Ten steps per second, in pictures of a thirtieth of a second.
            last = picture / 3;
            head.advance(1.0 / 30.0, DT, (0, last), true);
            let pace = head.pace(DT);
            // At picture 30 one second has passed, or slightly less by rounding.
            assert!(picture == 30 || pace.is_some() == (picture > 30), "picture {picture}");
            if picture > 90 {
                assert!((pace.unwrap() - 10.0 * DT).abs() < 0.02, "picture {picture}: {pace:?}");
            }
        }
        for _ in 0..90 {
            head.advance(1.0 / 30.0, DT, (0, last + 1000), true);
        }
        assert!((head.pace(DT).unwrap() - 1.0).abs() < 1e-6, "it keeps up again: {:?}", head.pace(DT));
        // One step per eight seconds, in pictures of half a second that count only half.
        let mut head = Playhead::new(true);
        for picture in 0..64 {
            head.advance(0.5, DT, (0, picture / 16), true);
        }
        assert!((head.pace(DT).unwrap() * 8.0 / DT - 1.0).abs() < 0.2, "{:?}", head.pace(DT));
        head.set_speed(2.0);
        assert_eq!(head.pace(DT), None, "another speed is another pace");
    }

    #[test]
    fn the_playhead_stops_at_the_end_of_the_scene_until_resumed() {
        let mut head = Playhead::new(true);
        assert_eq!(head.stop(Some(480)), Some(480));
        head.stop_at(480);
        assert_eq!(head.stop(Some(480)), Some(480), "arriving there is not going on");
        head.toggle(Some(480));
        assert!(head.playing);
        assert_eq!(head.stop(Some(480)), None);
        head.jump_to(500);
        assert_eq!(head.stop(Some(480)), None);
        head.jump_to(3);
        assert_eq!(head.stop(Some(480)), Some(480), "before the end it is ahead again");
        assert_eq!(head.stop(None), None, "a recording ends by itself");
    }

    #[test]
    fn a_run_moved_by_sliders_is_shown_at_once_and_has_no_end() {
        let mut head = Playhead::new(true);
        assert!(head.advance(0.0, DT, (0, 100), true) >= 60, "it runs ahead");
        head.take_control(60);
        assert_eq!((head.step(), head.stop(Some(60))), (60, None));
        let ahead = head.advance(0.0, DT, (0, 60), true);
        assert!((61..=63).contains(&ahead), "{ahead}");
        head.stop_at(20);
        head.take_control(61);
        assert_eq!((head.step(), head.playing), (61, true), "it plays on from where the simulation is");
    }

    #[test]
    fn speeds_go_up_and_down_by_one() {
        let mut head = Playhead::new(true);
        head.change_speed(1);
        assert_eq!(head.speed, 2.0);
        (0..20).for_each(|_| head.change_speed(-1));
        assert_eq!(head.speed, 0.1);
        (0..20).for_each(|_| head.change_speed(1));
        assert_eq!(head.speed, 10.0);
    }
}
