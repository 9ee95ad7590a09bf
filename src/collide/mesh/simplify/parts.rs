//! Parts of a simplified surface: sets of elements that are connected by more than a point.
//! \[simplify\] §4.2, steps A1–C1
//!
//! Triangles that share sides form a part, together with the edges and points that belong to no other
//! part. Each remaining edge is a part, together with those of its ends that belong to no other part.
//! Each remaining point is a part. Expected linear time by hashing, except for edges between hubs that
//! are each in many parts.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{Element, Simplified};

use crate::arrays::MapEach;
use crate::unions::Unions;

/// Assignment of elements to parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// Part of each requested element, in the order of the request.
    pub part: Vec<u32>,
    pub part_count: u32,
}

/// Returns the parts of some elements of a surface, as if it had no other elements. Parts are ordered
/// by their first elements: those with triangles first, then edges, then points.
pub fn partition(surface: &Simplified, elements: &[u32]) -> Partition {
    let mut parts = Parts::default();
    let of = |number: &u32| surface.element(*number);
    parts.join_triangles(elements.iter().map(of));
    for element in elements.iter().map(of) {
        if let Element::Edge(ends) = element {
            parts.take_edge(ends);
        }
    }
    for element in elements.iter().map(of) {
        if let Element::Point(at) = element {
            parts.take_point(at);
        }
    }
    let mut triangle = parts.of_triangle.iter();
    let part = elements.iter().map(|number| match of(number) {
        Element::Triangle(_) => triangle.next().copied(),
        Element::Edge(ends) => parts.of_edge.get(&ends).copied(),
        Element::Point(at) => parts.of_point.get(&at).copied(),
    });
    let part = part.map(Option::unwrap_or_default).collect();
    Partition { part, part_count: parts.count }
}

#[derive(Default)]
struct Parts {
    count: u32,
    of_triangle: Vec<u32>,
    of_edge: HashMap<[u32; 2], u32>,
    of_point: HashMap<u32, u32>,
    /// Parts of the triangles at each vertex, ascending and each once.
    at_vertex: HashMap<u32, Vec<u32>>,
    in_part: HashSet<(u32, u32)>,
    /// Number of stray edges (edges that are no triangle's side) at each vertex, including those that
    /// belong to parts of triangles.
    strays_at: HashMap<u32, u32>,
    /// Part of the last stray edge at each vertex.
    stray_part: HashMap<u32, u32>,
}

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [a, c]]
}

impl Parts {
    /// Joins triangles (steps A1 and A2). Their sides get the part of the triangles.
    fn join_triangles(&mut self, elements: impl Iterator<Item = Element>) {
        let triangle = |element| if let Element::Triangle(corners) = element { Some(corners) } else { None };
        let corners_of: Vec<[u32; 3]> = elements.filter_map(triangle).collect();
        let mut joined = Unions::default();
        joined.begin(corners_of.len());
        let mut first_at: HashMap<[u32; 2], u32> = HashMap::default();
        for (own, &corners) in (0..).zip(&corners_of) {
            for side in sides(corners) {
                joined.unite(*first_at.entry(side).or_insert(own), own);
            }
        }
        // The root of a part is its first triangle.
        let mut number = vec![0; corners_of.len()];
        for triangle in 0..corners_of.len() as u32 {
            let root = joined.root(triangle);
            if root == triangle {
                number[triangle as usize] = self.count;
                self.count += 1;
            }
            let part = number[root as usize];
            self.of_triangle.push(part);
            for side in sides(corners_of[triangle as usize]) {
                self.of_edge.insert(side, part);
            }
            for corner in corners_of[triangle as usize] {
                if self.in_part.insert((corner, part)) {
                    self.at_vertex.entry(corner).or_default().push(part);
                }
            }
        }
    }

    /// Assigns an edge to a part (steps A2, A3, B1).
    fn take_edge(&mut self, ends: [u32; 2]) {
        if self.of_edge.contains_key(&ends) {
            return;
        }
        let around = ends.map_each(|v| self.at_vertex.get(&v).map_or(&[][..], Vec::as_slice));
        let (fewer, other) =
            if around[0].len() <= around[1].len() { (around[0], ends[1]) } else { (around[1], ends[0]) };
        let shared = fewer.iter().filter(|&&part| self.in_part.contains(&(other, part))).min();
        let part = shared.copied().unwrap_or(self.count);
        self.count += u32::from(part == self.count);
        self.of_edge.insert(ends, part);
        for end in ends {
            *self.strays_at.entry(end).or_default() += 1;
            self.stray_part.insert(end, part);
        }
    }

    /// Assigns a point to a part (steps A4, B2, C1).
    fn take_point(&mut self, at: u32) {
        let triangles = self.at_vertex.get(&at).map_or(&[][..], Vec::as_slice);
        let stray = self.stray_part.get(&at).filter(|_| self.strays_at.get(&at) == Some(&1));
        let part = match (triangles, stray) {
            (&[only], _) => only,
            (&[], Some(&only)) => only,
            _ => self.count,
        };
        self.count += u32::from(part == self.count);
        self.of_point.insert(at, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_outside_the_query_connect_nothing() {
        let triangles = vec![[0, 1, 2], [1, 2, 3], [2, 3, 4]];
        let surface = Simplified { triangles, ..Simplified::default() };
        assert_eq!(partition(&surface, &[0, 1, 2]).part, [0, 0, 0]);
        assert_eq!(partition(&surface, &[0, 2]).part, [0, 1]);
        assert_eq!(partition(&surface, &[]), Partition::default());
    }

    #[test]
    fn a_point_between_two_stray_edges_stands_alone() {
        let surface =
            Simplified { edges: vec![[0, 1], [1, 2]], points: vec![0, 1, 2, 3], ..Simplified::default() };
        let found = partition(&surface, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(found.part, [0, 1, 0, 2, 1, 3]);
        assert_eq!(found.part_count, 4);
    }

    #[test]
    fn an_edge_that_three_triangles_share_joins_all_three() {
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]];
        let surface = Simplified { triangles, ..Simplified::default() };
        assert_eq!(partition(&surface, &[0, 1, 2]).part_count, 1);
    }
}
