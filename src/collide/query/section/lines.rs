//! Pieces of a section, joined into lines at shared edges. Each piece leads across a triangle from one
//! of its edges to another. Edges are identified by their vertices, and points are not compared, so the
//! result does not depend on rounding.

use glam::DVec3;

/// Edge that the plane crosses: its vertex behind the plane, then its vertex in front.
pub(super) type CrossedEdge = [u32; 2];

/// Intersection of the plane with a triangle. As seen from the tip of the plane's normal, the solid
/// lies to the left.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub from: CrossedEdge,
    pub to: CrossedEdge,
}

/// Line of a section, body space.
pub(super) struct Line {
    /// Points in order, m. A closed line does not repeat its first point.
    pub points: Vec<DVec3>,
    pub is_closed: bool,
    /// Whether all pieces run in the direction of the line.
    pub is_aligned: bool,
}

const NONE: u32 = u32::MAX;

/// Pieces joined at their ends. End `2k` is the start of piece `k`, end `2k + 1` its stop.
struct Joints {
    /// Mate of each end: the end of another piece that it is joined to, or [`NONE`].
    mates: Vec<u32>,
    /// Index in `points` of each end's point.
    point_of: Vec<u32>,
    points: Vec<DVec3>,
}

/// Joins pieces into lines. Every piece is in exactly one line. `at` returns the point where the plane
/// crosses an edge, and is called once per edge. A point that coincides with its predecessor is
/// dropped, and so is a line of one point.
pub(super) fn join(pieces: &[Piece], at: impl FnMut(CrossedEdge) -> DVec3) -> Vec<Line> {
    let joints = Joints::new(pieces, at);
    let end_count = joints.mates.len() as u32;
    let mut is_used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    // Open lines first, from a start if they have one, otherwise from either end.
    let starts = (0..end_count).step_by(2).chain((1..end_count).step_by(2));
    let open = starts.filter(|&end| joints.mates[end as usize] == NONE);
    for first in open.chain((0..end_count).step_by(2)) {
        if !is_used[first as usize / 2] {
            lines.extend(joints.follow(first, &mut is_used));
        }
    }
    lines
}

impl Joints {
    fn new(pieces: &[Piece], mut at: impl FnMut(CrossedEdge) -> DVec3) -> Self {
        let mut ends: Vec<(CrossedEdge, u32)> = Vec::with_capacity(2 * pieces.len());
        for (k, piece) in pieces.iter().enumerate() {
            let end = 2 * k as u32;
            ends.extend([(piece.from, end), (piece.to, end + 1)]);
        }
        ends.sort_unstable();
        let mut joints =
            Self { mates: vec![NONE; ends.len()], point_of: vec![0; ends.len()], points: Vec::new() };
        for of_edge in ends.chunk_by(|x, y| x.0 == y.0) {
            for &(_, end) in of_edge {
                joints.point_of[end as usize] = joints.points.len() as u32;
            }
            joints.points.push(at(of_edge[0].0));
            joints.pair(of_edge);
        }
        joints
    }

    /// Joins the ends at one edge in pairs: each stop with a start, then the remaining ends with each
    /// other.
    fn pair(&mut self, ends: &[(CrossedEdge, u32)]) {
        let of = |bit: u32| ends.iter().map(|&(_, end)| end).filter(move |end| end & 1 == bit);
        for (stop, start) in of(1).zip(of(0)) {
            self.join(stop, start);
        }
        let (stop_count, start_count) = (of(1).count(), of(0).count());
        let mut left = of(u32::from(stop_count > start_count)).skip(stop_count.min(start_count));
        while let (Some(one), Some(other)) = (left.next(), left.next()) {
            self.join(one, other);
        }
    }

    fn join(&mut self, one: u32, other: u32) {
        self.mates[one as usize] = other;
        self.mates[other as usize] = one;
    }

    /// Follows a line from one of its ends.
    fn follow(&self, first: u32, is_used: &mut [bool]) -> Option<Line> {
        let point = |end: u32| self.points[self.point_of[end as usize] as usize];
        let mut line = Line { points: vec![point(first)], is_closed: false, is_aligned: true };
        let mut end = first;
        loop {
            is_used[end as usize / 2] = true;
            line.is_aligned &= end & 1 == 0;
            let next = point(end ^ 1);
            if line.points.last() != Some(&next) {
                line.points.push(next);
            }
            end = self.mates[(end ^ 1) as usize];
            if end == NONE || end == first {
                break;
            }
        }
        line.is_closed = end == first;
        if line.is_closed && line.points.len() > 1 && line.points.last() == line.points.first() {
            line.points.pop();
        }
        (line.points.len() > 1).then_some(line)
    }
}
