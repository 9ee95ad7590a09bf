//! A hexagon bolt and its nut, with helical threads of the ISO profile (60° flanks, crest p/8, root
//! p/4).
//!
//! The thread is a lattice whose rows follow the helix, so crests and roots are sharp edges of the
//! mesh. At both ends the rows collapse into a plain circle, where the thread runs out. The axis is z.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::Triangles;
use super::shell::{Facing, Frame, Shell, polar};

/// Number of columns around a thread. At 24, both rows of the root meet the end circles exactly at a
/// column, so that no sliver is left where the thread runs out.
const COLUMNS: usize = 24;
/// Height of the basic profile from root to crest, in pitches: 5/8 of the height of the 60° triangle.
const DEPTH: f64 = 0.541_266;
/// Corners of the profile: distance along the axis from the middle of the root, in pitches, and height
/// from 0 (root) to 1 (crest).
const PROFILE: [(f64, f64); 4] = [(0.125, 0.0), (0.4375, 1.0), (0.5625, 1.0), (0.875, 0.0)];
/// Rows of the lattice per pitch: the corners of the profile, and the middles of the flanks.
const ROWS: [(f64, f64); 6] =
    [PROFILE[0], (0.28125, 0.5), PROFILE[1], PROFILE[2], (0.71875, 0.5), PROFILE[3]];

/// Threaded surface from height `from` to height `to`. It ends in plain circles of `from_radius` and
/// `to_radius`.
struct Thread {
    /// Radius at the root of an outer thread or the crest of an inner one, m.
    minor_radius: f64,
    pitch: f64,
    from: f64,
    to: f64,
    from_radius: f64,
    to_radius: f64,
}

impl Thread {
    fn point(&self, row: isize, column: usize) -> DVec3 {
        let per_pitch = ROWS.len() as isize;
        let (position, height) = ROWS[row.rem_euclid(per_pitch) as usize];
        let turn = column as f64 / COLUMNS as f64;
        let z = self.from + self.pitch * (row.div_euclid(per_pitch) as f64 + position + turn);
        let angle = TAU * turn;
        let thread = self.minor_radius + height * DEPTH * self.pitch;
        let run_out = |distance: f64| (distance / (0.6 * self.pitch)).clamp(0.0, 1.0);
        let (low, high) = (run_out(z - self.from), run_out(self.to - z));
        let radius = if low < high {
            self.from_radius + (thread - self.from_radius) * low
        } else {
            self.to_radius + (thread - self.to_radius) * high
        };
        polar(radius, angle).extend(z.clamp(self.from, self.to))
    }

    /// Adds the surface. It faces outward with `Facing::Front` (a bolt), toward the axis with
    /// `Facing::Back` (a nut).
    fn build(&self, shell: &mut Shell, facing: Facing) {
        let per_pitch = ROWS.len() as isize;
        let last = (((self.to - self.from) / self.pitch).ceil() as isize + 1) * per_pitch;
        for row in -2 * per_pitch..last {
            for column in 0..COLUMNS {
                let [a, b] = [self.point(row, column), self.lattice(row, column + 1)];
                let [c, d] = [self.lattice(row + 1, column + 1), self.point(row + 1, column)];
                match facing {
                    Facing::Front => shell.quad([a, b, c, d]),
                    Facing::Back => shell.quad([a, d, c, b]),
                }
            }
        }
    }

    /// Returns a lattice point. The column after the last one is the first column one pitch higher,
    /// because the helix rises by one pitch per turn.
    fn lattice(&self, row: isize, column: usize) -> DVec3 {
        if column == COLUMNS { self.point(row + ROWS.len() as isize, 0) } else { self.point(row, column) }
    }
}

fn circle(radius: f64) -> Vec<DVec2> {
    (0..COLUMNS).map(|i| polar(radius, TAU * i as f64 / COLUMNS as f64)).collect()
}

/// Returns the corners of a hexagon with the given distance between opposite flats.
fn hexagon(across_flats: f64) -> Vec<DVec2> {
    (0..6).map(|i| polar(across_flats / 1.732_050_807_568_877_2, TAU * i as f64 / 6.0)).collect()
}

fn scaled(points: &[DVec2], factor: f64) -> Vec<DVec2> {
    points.iter().map(|p| *p * factor).collect()
}

/// Dimensions of a bolt, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bolt {
    pub major_radius: f64,
    pub pitch: f64,
    pub thread_length: f64,
    pub shank_length: f64,
    pub head_height: f64,
    pub across_flats: f64,
    pub spacing: f64,
}

impl Bolt {
    /// Bolt of 20 mm diameter with a coarse 4 mm pitch, so that the thread is visible and contacts
    /// resolve it.
    pub const M20: Self = Self {
        major_radius: 0.010,
        pitch: 0.004,
        thread_length: 0.034,
        shank_length: 0.018,
        head_height: 0.0125,
        across_flats: 0.030,
        spacing: 0.004,
    };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let minor = self.major_radius - DEPTH * self.pitch;
        let tip = 0.92 * minor;
        let thread = Thread {
            minor_radius: minor,
            pitch: self.pitch,
            from: 0.0,
            to: self.thread_length,
            from_radius: tip,
            to_radius: self.major_radius,
        };
        thread.build(&mut shell, Facing::Front);
        shell.face(Frame::up(0.0), Facing::Back, &circle(tip), &[]);
        let shank = circle(self.major_radius);
        let under = Frame::up(self.thread_length + self.shank_length);
        shell.wall(&Frame::up(self.thread_length).ring(&shank), &under.ring(&shank));
        let outline = shell.subdivide(&hexagon(self.across_flats));
        shell.face(under, Facing::Back, &outline, &[shank]);
        let chamfer = 0.08 * self.across_flats / 2.0;
        let shoulder = under.raised(self.head_height - chamfer);
        let top = under.raised(self.head_height);
        let crown = scaled(&outline, 0.90);
        shell.wall(&under.ring(&outline), &shoulder.ring(&outline));
        shell.tube(&[shoulder.ring(&outline), top.ring(&crown)]);
        shell.face(top, Facing::Front, &crown, &[]);
        let length = self.thread_length + self.shank_length + self.head_height;
        shell.finish(DVec3::new(0.0, 0.0, -length / 2.0))
    }
}

/// Dimensions of a nut, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nut {
    /// Largest radius of the thread's groove.
    pub major_radius: f64,
    pub pitch: f64,
    pub height: f64,
    pub across_flats: f64,
    pub spacing: f64,
}

impl Nut {
    /// Nut for [`Bolt::M20`], with 0.3 mm of radial clearance.
    pub const M20: Self =
        Self { major_radius: 0.0103, pitch: 0.004, height: 0.018, across_flats: 0.032, spacing: 0.0035 };

    pub fn triangles(&self) -> Triangles {
        let mut shell = Shell::new(self.spacing);
        let mouth = self.major_radius + 0.0004;
        let thread = Thread {
            minor_radius: self.major_radius - DEPTH * self.pitch,
            pitch: self.pitch,
            from: 0.0,
            to: self.height,
            from_radius: mouth,
            to_radius: mouth,
        };
        thread.build(&mut shell, Facing::Back);
        let outline = shell.subdivide(&hexagon(self.across_flats));
        let crown = scaled(&outline, 0.92);
        let chamfer = 0.08 * self.across_flats / 2.0;
        let (low, high) = (Frame::up(0.0), Frame::up(self.height));
        let (low_shoulder, high_shoulder) = (Frame::up(chamfer), Frame::up(self.height - chamfer));
        shell.face(low, Facing::Back, &crown, &[circle(mouth)]);
        shell.face(high, Facing::Front, &crown, &[circle(mouth)]);
        shell.tube(&[low.ring(&crown), low_shoulder.ring(&outline)]);
        shell.wall(&low_shoulder.ring(&outline), &high_shoulder.ring(&outline));
        shell.tube(&[high_shoulder.ring(&outline), high.ring(&crown)]);
        shell.finish(DVec3::new(0.0, 0.0, -self.height / 2.0))
    }
}
