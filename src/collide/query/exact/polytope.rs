//! Convex polytope of triangles that grows by one point at a time. The faces visible from the new point
//! are removed, and the rim of the hole is joined to the point. It serves to build hulls and to measure
//! penetration.
//!
//! Invariant: the polytope is closed, every face has links to the three faces across its edges, and
//! faces are wound counter-clockwise as seen from outside. Growing takes time in proportion to the
//! faces removed and added. Slots of removed faces are reused.

use glam::DVec3;

use crate::arrays::MapEach;

#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Indices of the corner points.
    pub corners: [u32; 3],
    /// Faces across the edges. Edge k leads from corner k to the next corner.
    across: [u32; 3],
    /// Outward unit normal; zero for a removed face or one without area.
    pub normal: DVec3,
}

#[derive(Default)]
pub(super) struct Polytope {
    pub points: Vec<DVec3>,
    /// Faces. Removed faces keep their slots until these are reused.
    faces: Vec<Face>,
    /// Distance of each face's plane from the origin along its normal; infinite for a face that was
    /// removed or has no area.
    offsets: Vec<f64>,
    free: Vec<u32>,
    /// Faces that the last point added.
    pub created: Vec<u32>,
    visible: Vec<u32>,
    /// Rim of the hole in order: each face outside the hole, with the index of its edge on the rim.
    rim: Vec<(u32, u8)>,
    stack: Vec<(u32, u8)>,
    is_visible: Vec<bool>,
}

impl Polytope {
    /// Starts from a tetrahedron. Returns false if it is flat: its least height is at most `least` (m).
    pub fn start(&mut self, corners: [DVec3; 4], least: f64) -> bool {
        self.points.clear();
        self.faces.clear();
        self.offsets.clear();
        self.free.clear();
        self.is_visible.clear();
        self.created.clear();
        let [p, q, r, s] = corners;
        let volume = (q - p).cross(r - p).dot(s - p);
        let sides = [(q - p).cross(r - p), (q - p).cross(s - p), (r - p).cross(s - p), (r - q).cross(s - q)];
        let largest = sides.iter().map(|side| side.length_squared()).fold(0.0, f64::max);
        if volume * volume <= least * least * largest || volume.is_nan() {
            return false;
        }
        self.points.extend_from_slice(&corners);
        // The points keep their order; the sign of the volume determines the winding of the faces.
        let winding: [[u32; 3]; 4] = if volume < 0.0 {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        } else {
            [[0, 2, 1], [0, 3, 2], [2, 3, 1], [1, 3, 0]]
        };
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (corners, across) in winding.into_iter().zip(across) {
            let face = self.add(corners);
            self.faces[face as usize].across = across;
            self.created.push(face);
        }
        true
    }

    /// Returns the face nearest to the origin, and the distance of its plane.
    pub fn nearest_face(&self) -> (u32, f64) {
        let mut nearest = (0, f64::INFINITY);
        for (face, &offset) in self.offsets.iter().enumerate() {
            if offset < nearest.1 {
                nearest = (face as u32, offset);
            }
        }
        nearest
    }

    pub fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    pub fn offset(&self, face: u32) -> f64 {
        self.offsets[face as usize]
    }

    /// Returns all faces that exist and have an area.
    pub fn face_ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.faces.len() as u32).filter(|&f| self.offset(f) < f64::INFINITY)
    }

    /// Returns the height of a point above a face, m; −∞ for a face that was removed.
    fn height(&self, face: u32, point: DVec3) -> f64 {
        self.faces[face as usize].normal.dot(point) - self.offsets[face as usize]
    }

    /// Adds a point that is above the face `seen`. Faces that are at most `least` (m) below the point
    /// stay. Returns false, without a change, if rounding does not leave a hole with a single rim.
    pub fn grow(&mut self, seen: u32, point: DVec3, least: f64) -> bool {
        self.created.clear();
        if !self.find_rim(seen, point, least) {
            return false;
        }
        let apex = self.points.len() as u32;
        self.points.push(point);
        for i in 0..self.visible.len() {
            let face = self.visible[i];
            self.offsets[face as usize] = f64::INFINITY;
            self.faces[face as usize].normal = DVec3::ZERO;
            self.free.push(face);
        }
        for i in 0..self.rim.len() {
            let (outer, edge) = self.rim[i];
            let [from, to] = self.edge(outer, edge);
            let face = self.add([to, from, apex]);
            self.faces[face as usize].across[0] = outer;
            self.faces[outer as usize].across[edge as usize] = face;
            self.created.push(face);
        }
        for i in 0..self.created.len() {
            let next = self.created[(i + 1) % self.created.len()];
            let face = self.created[i];
            self.faces[face as usize].across[1] = next;
            self.faces[next as usize].across[2] = face;
        }
        true
    }

    fn edge(&self, face: u32, edge: u8) -> [u32; 2] {
        let corners = self.faces[face as usize].corners;
        [corners[edge as usize], corners[(edge as usize + 1) % 3]]
    }

    /// Fills `visible` and `rim` by a depth-first search, so that the rim is in order. Returns whether
    /// the rim is valid.
    fn find_rim(&mut self, seen: u32, point: DVec3, least: f64) -> bool {
        self.visible.clear();
        self.rim.clear();
        self.stack.clear();
        self.visible.push(seen);
        self.is_visible[seen as usize] = true;
        self.stack.extend([(seen, 2), (seen, 1), (seen, 0)]);
        while let Some((inner, edge)) = self.stack.pop() {
            let face = self.faces[inner as usize].across[edge as usize];
            if self.is_visible[face as usize] {
                continue;
            }
            let [from, to] = self.edge(inner, edge);
            let Some(back) = (0..3).find(|&k| self.edge(face, k) == [to, from]) else {
                break;
            };
            if self.height(face, point) > least {
                self.is_visible[face as usize] = true;
                self.visible.push(face);
                self.stack.push((face, (back + 2) % 3));
                self.stack.push((face, (back + 1) % 3));
            } else {
                self.rim.push((face, back));
            }
        }
        for i in 0..self.visible.len() {
            self.is_visible[self.visible[i] as usize] = false;
        }
        // The rim must be one closed loop: every edge ends where the next begins. A disc of v faces has
        // v + 2 edges around it, minus two per inner vertex.
        let closed = (0..self.rim.len()).all(|i| {
            let (face, edge) = self.rim[i];
            let (next, next_edge) = self.rim[(i + 1) % self.rim.len()];
            self.edge(face, edge)[0] == self.edge(next, next_edge)[1]
        });
        closed && self.rim.len() >= 3 && self.rim.len() <= self.visible.len() + 2
    }

    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let [p, q, r] = corners.map_each(|c| self.points[c as usize]);
        let (pq, pr) = (q - p, r - p);
        let area = pq.cross(pr);
        let length = area.length();
        let has_area = length > 1e-14 * (pq.length_squared() * pr.length_squared()).sqrt();
        let normal = if has_area { area / length } else { DVec3::ZERO };
        let offset = if has_area { normal.dot(p) } else { f64::INFINITY };
        let face = Face { corners, across: [0; 3], normal };
        if let Some(slot) = self.free.pop() {
            self.faces[slot as usize] = face;
            self.offsets[slot as usize] = offset;
            slot
        } else {
            self.faces.push(face);
            self.offsets.push(offset);
            self.is_visible.push(false);
            self.faces.len() as u32 - 1
        }
    }
}
