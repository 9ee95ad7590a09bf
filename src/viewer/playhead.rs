//! Which step is looked at, and how it moves on by itself: in simulated time, times a speed, but never past
//! what has been simulated.

/// Real time that counts at most between two pictures, s: after a pause of the system nothing leaps. The
/// simulation runs ahead of what is shown by at least as much.
const LONGEST_PAUSE: f64 = 0.25;
/// Simulated at a time, in real seconds: steps one after the other find their data where the last left it, and
/// cost what they cost without a window.
const BURST: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// In steps; its whole part is the step shown.
    position: f64,
    pub playing: bool,
    /// Simulated seconds a real second.
    pub speed: f64,
}

impl Playhead {
    /// The speeds a user can choose.
    pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0];

    pub fn new(playing: bool) -> Self {
        Self { position: 0.0, playing, speed: 1.0 }
    }

    pub fn step(&self) -> u32 {
        self.position as u32
    }

    /// Shows a step and stays there.
    pub fn stop_at(&mut self, step: u32) {
        self.playing = false;
        self.position = f64::from(step);
    }

    /// Shows a step and goes on as before.
    pub fn jump_to(&mut self, step: u32) {
        self.position = f64::from(step);
    }

    /// `elapsed` real seconds later, with steps of `dt` (s) from `first` to `last` to be had. Returns the step
    /// to simulate up to.
    pub fn advance(&mut self, elapsed: f64, dt: f64, (first, last): (u32, u32), goes_on: bool) -> u32 {
        if self.playing {
            let moved = elapsed.clamp(0.0, LONGEST_PAUSE) * self.speed / dt;
            let wanted = self.position + moved;
            let most = f64::from(last);
            if wanted >= most && !goes_on {
                self.playing = false;
            }
            // Behind a slow simulation the time that was missed is not made up for; what fits is kept, so that
            // steps come evenly.
            self.position = wanted.min(most + 0.999);
        }
        self.position = self.position.max(f64::from(first));
        if !goes_on {
            self.position = self.position.min(f64::from(last));
        }
        if !self.playing {
            return self.step();
        }
        let steps = |seconds: f64| (seconds * self.speed / dt).ceil().max(1.0);
        let burst = steps(BURST);
        (((self.position + steps(LONGEST_PAUSE)) / burst).ceil() * burst) as u32
    }

    /// One speed up (1) or down (−1).
    pub fn change_speed(&mut self, by: i32) {
        let at = Self::SPEEDS.iter().position(|&s| s >= self.speed).unwrap_or(0) as i32;
        let to = (at + by).clamp(0, Self::SPEEDS.len() as i32 - 1);
        self.speed = Self::SPEEDS[to as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 60.0;

    #[test]
    fn it_keeps_simulated_time_and_never_passes_what_is_there() {
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
    fn it_asks_for_what_it_will_show_and_stops_where_a_recording_ends() {
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
