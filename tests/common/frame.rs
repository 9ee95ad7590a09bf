//! A bolted frame of 200 parts with planted faults, and the same frame after an afternoon's work: floors on
//! uprights, instances of shared surfaces, sets of bolt, washers and nut in their holes.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use tumble::check::Kind;
use tumble::generate;

use crate::frame_shapes::{SIDES, block, pot, ring, sheet, slab, turned};
use crate::parts_file::{Node, PartsFile};

/// The faults planted into the frame. Lengths in m.
pub struct Planted {
    pub a: String,
    pub b: String,
    /// `None`: no finding is expected.
    pub kind: Option<Kind>,
    pub distance: Option<f64>,
    pub depth: Option<f64>,
}

pub struct Frame {
    pub file: PartsFile,
    pub planted: Vec<Planted>,
}

pub const PART_COUNT: usize = 200;
const FLOORS: usize = 6;
const LOW_FLOORS: usize = 3;
/// Radius of a bolt, and of its holes in plates, rails, washers and nuts, mm.
const BOLT: f64 = 4.0;
const IN_PLATE: f64 = 4.5;
const IN_RAIL: f64 = 5.5;
const IN_WASHER: f64 = 4.2;
const IN_NUT: f64 = 4.1;
const WASHER: f64 = 1.6;
/// Gap between brackets and uprights without a planted fault, mm.
const WIDE: f64 = 3.0;
/// Planted gaps: floor, bracket, gap in mm; below zero the bracket overlaps the upright.
const GAPS: [(usize, usize, f64); 10] = [
    (0, 1, 0.05),
    (2, 0, 0.05),
    (1, 0, 0.4),
    (3, 2, 0.4),
    (0, 3, 0.9),
    (4, 1, 0.9),
    (1, 2, 2.0),
    (3, 3, 2.0),
    (2, 2, 0.0),
    (4, 3, -0.15),
];
/// Bolts off the center of their holes: floor, set, distance beyond the clearance in mm, and the
/// direction as a corner of the circle.
const OFF: [(usize, usize, f64, usize); 4] =
    [(0, 1, 0.1, 0), (1, 0, 0.3, 3), (2, 0, 0.5, 6), (5, 4, 0.3, 17)];

fn mm(x: f64, y: f64, z: f64) -> DVec3 {
    1e-3 * DVec3::new(x, y, z)
}

fn about_z(degrees: f64) -> DQuat {
    DQuat::from_rotation_z(degrees.to_radians())
}

/// Surfaces by index.
struct Surfaces {
    plate: usize,
    rail: usize,
    bolt: usize,
    washer: usize,
    nut: usize,
    bracket: usize,
}

impl Frame {
    pub fn new() -> Self {
        Self::of(FLOORS)
    }

    /// Returns the lower half of the frame, for tests that check it many times.
    pub fn low() -> Self {
        Self::of(LOW_FLOORS)
    }

    fn of(floor_count: usize) -> Self {
        let turn = DQuat::from_rotation_y(0.35) * DQuat::from_rotation_x(-0.25 * TAU);
        let root = Node::new("frame", None).at(DVec3::new(0.3, 0.1, -0.2)).turned(turn);
        let mut frame = Self { file: PartsFile::new(root), planted: Vec::new() };
        let xs = [-150.0, -50.0, 50.0, 150.0];
        let in_rows = |_, y: f64| if y.abs() > 50.0 { IN_PLATE } else { 0.0 };
        let file = &mut frame.file;
        let shank = [(0.0, -30.0), (BOLT, -30.0), (BOLT, 0.0), (6.5, 0.0), (6.5, 5.3), (0.0, 5.3)];
        let surfaces = Surfaces {
            plate: file.mesh("plate", slab(&xs, &[-100.0, -70.0, 70.0, 100.0], [0.0, 6.0], in_rows)),
            rail: file.mesh("rail", slab(&xs, &[-10.0, 10.0], [-10.0, 0.0], |_, _| IN_RAIL)),
            bolt: file.mesh("bolt", turned(&shank)),
            washer: file.mesh("washer", ring(IN_WASHER, 8.0, WASHER)),
            nut: file.mesh("nut", ring(IN_NUT, 7.0, 6.5)),
            bracket: file.mesh("bracket", block(20.0, 20.0, 20.0)),
        };
        let upright = file.mesh("upright", block(30.0, 30.0, 1000.0));
        for k in 0..4 {
            let (x, y) = corner(k);
            file.root.add(Node::new(format!("upright_{k}"), Some(upright)).at(mm(
                170.0 * x,
                60.0 * y,
                450.0,
            )));
        }
        (0..floor_count).for_each(|floor| frame.add_floor(floor, &surfaces));
        let gaps: Vec<_> = GAPS.into_iter().filter(|(floor, ..)| *floor < floor_count).collect();
        gaps.iter().for_each(|&(floor, bracket, gap)| frame.set_gap(floor, bracket, gap));
        for (floor, set, over, direction) in OFF.into_iter().filter(|(floor, ..)| *floor < floor_count) {
            frame.move_set(floor, set, over, direction);
            frame.plant_bolt(floor, set, over);
        }
        frame.add_extras();
        frame.plant_all(&gaps, floor_count);
        frame
    }

    /// Returns the frame after some of its parts were moved.
    pub fn second_version() -> Self {
        let mut frame = Self::new();
        frame.planted.clear();
        frame.set_gap(0, 0, 0.6);
        frame.set_gap(1, 0, 3.5);
        frame.set_gap(3, 0, -0.25);
        frame.set_gap(2, 2, 2.5);
        frame.set_gap(2, 0, 0.3);
        frame.move_set(4, 2, 0.4, 12);
        let mut move_by = |path: &str, by: DVec3| frame.file.root.find(path).position += by;
        move_by("extras/sheet_across", mm(0.0, 0.0, 40.0));
        move_by("options/spare_b", mm(0.0, 50.0, 0.0));
        move_by("extras/block_inside", mm(0.0, 0.0, 15.0));
        frame.file.root.find("extras/pin").name = "dowel".to_owned();
        frame
    }

    /// Pairs by the effect of the second version: new in it, worse, resolved by it, and of another kind
    /// without being worse.
    pub fn changes() -> [Vec<(String, String, Kind)>; 4] {
        let named = |list: &[(&str, &str, Kind)]| -> Vec<(String, String, Kind)> {
            let full = |path: &str| format!("frame/{path}");
            let mut list: Vec<_> = list.iter().map(|&(a, b, kind)| (full(a), full(b), kind)).collect();
            list.sort();
            list
        };
        let new = [
            ("floor_0/bracket_0", "upright_0", Kind::Clearance),
            ("floor_3/bracket_0", "upright_0", Kind::Clash),
            ("floor_4/rail_0", "floor_4/set_2/bolt", Kind::Clearance),
        ];
        // A bolt that touched the plate.
        let worse = [("floor_4/plate", "floor_4/set_2/bolt", Kind::Clash)];
        let resolved = [
            ("floor_1/bracket_0", "upright_0", Kind::Clearance),
            ("floor_2/bracket_2", "upright_2", Kind::Contact),
            ("extras/sheet_across", "floor_1/plate", Kind::Clash),
            ("extras/spare_a", "options/spare_b", Kind::Doubled),
        ];
        let other = [("extras/block_inside", "extras/block_outside", Kind::Clash)];
        [named(&new), named(&worse), named(&resolved), named(&other)]
    }

    fn add_floor(&mut self, floor: usize, surfaces: &Surfaces) {
        let mut node = Node::new(format!("floor_{floor}"), None).at(mm(0.0, 0.0, 150.0 * floor as f64));
        node.add(Node::new("plate", Some(surfaces.plate)));
        for (k, y) in [-85.0, 85.0].into_iter().enumerate() {
            node.add(Node::new(format!("rail_{k}"), Some(surfaces.rail)).at(mm(0.0, y, 0.0)));
        }
        let holes = [-85.0, 85.0].map(|y| [-100.0, 0.0, 100.0].map(|x| (x, y)));
        for (k, (x, y)) in holes.into_iter().flatten().enumerate() {
            // Some sets are rotated so that corners face corners; most are not.
            let turn = if k % 3 == 0 { 15.0 * k as f64 } else { 37.3 * k as f64 + 11.0 * floor as f64 };
            let place = Node::new(format!("set_{k}"), None).at(mm(x, y, 6.0)).turned(about_z(turn));
            let set = node.add(place);
            let at = |z: f64| mm(0.0, 0.0, z);
            set.add(Node::new("bolt", Some(surfaces.bolt)).at(at(WASHER)));
            set.add(Node::new("washer_a", Some(surfaces.washer)));
            set.add(Node::new("washer_b", Some(surfaces.washer)).at(at(-16.0 - WASHER)));
            set.add(Node::new("nut", Some(surfaces.nut)).at(at(-16.0 - WASHER - 6.5)));
        }
        for k in 0..4 {
            let mut bracket = Node::new(format!("bracket_{k}"), Some(surfaces.bracket));
            // The parts of one side are mirrored.
            bracket.scale.x = corner(k).0;
            node.add(bracket);
        }
        self.file.root.add(node);
        (0..4).for_each(|k| self.set_gap(floor, k, WIDE));
    }

    fn set_gap(&mut self, floor: usize, bracket: usize, gap: f64) {
        let (x, y) = corner(bracket);
        let place = mm(x * (145.0 - gap), 60.0 * y, -10.0);
        self.file.root.find(&format!("floor_{floor}/bracket_{bracket}")).position = place;
    }

    /// Moves a bolt and the parts on it so far that the bolt enters the plate by a length.
    fn move_set(&mut self, floor: usize, set: usize, over: f64, direction: usize) {
        let angle = TAU * direction as f64 / SIDES as f64;
        let by = IN_PLATE - BOLT + over;
        let node = self.file.root.find(&format!("floor_{floor}/set_{set}"));
        node.position += mm(by * angle.cos(), by * angle.sin(), 0.0);
        node.rotation = about_z(0.0);
    }

    fn add_extras(&mut self) {
        let file = &mut self.file;
        let spare = file.mesh("spare", block(40.0, 30.0, 20.0));
        let sheet = file.mesh("sheet", sheet(80.0, 60.0));
        let outside = file.mesh("block_outside", block(60.0, 60.0, 40.0));
        let inside = file.mesh("block_inside", block(20.0, 20.0, 20.0));
        let hollow = file.mesh("pot", pot(60.0, 40.0));
        let ball = file.mesh("ball", generate::sphere(0.0195, 24));
        let bush = file.mesh("bush", ring(5.0, 9.0, 8.0));
        let pin = file.mesh("pin", turned(&[(0.0, -2.0), (5.02, -2.0), (5.02, 12.0), (0.0, 12.0)]));
        let on = |floor: usize, x: f64, y: f64, height: f64| mm(x, y, 150.0 * floor as f64 + 6.0 + height);
        let mut extras = Node::new("extras", None);
        let mut add = |name: &str, mesh: usize, place: DVec3, turn: DQuat| {
            extras.add(Node::new(name, Some(mesh)).at(place).turned(turn));
        };
        add("spare_a", spare, on(0, 30.0, 10.0, 15.0), about_z(25.0));
        add("sheet_across", sheet, on(1, 30.0, 10.0, 2.0), DQuat::from_rotation_x(0.25 * TAU));
        add("sheet_near", sheet, on(3, -40.0, 5.0, 0.3), about_z(33.0));
        add("block_outside", outside, on(2, -60.0, 0.0, 20.0), about_z(40.0));
        add("block_inside", inside, on(2, -60.0, 0.0, 20.0), about_z(40.0));
        add("pot", hollow, on(4, 60.0, -10.0, 30.0), about_z(15.0));
        add("ball", ball, on(4, 60.0, -10.0, 30.0), about_z(15.0));
        add("bush", bush, on(5, -70.0, 20.0, 4.0), about_z(5.0));
        add("pin", pin, on(5, -70.0, 20.0, 4.0), about_z(5.0));
        file.root.add(extras);
        let mut options = Node::new("options", None);
        options.add(Node::new("spare_b", Some(spare)).at(on(0, 30.0, 10.0, 15.0)).turned(about_z(25.0)));
        file.root.add(options);
    }

    fn plant_bolt(&mut self, floor: usize, set: usize, over: f64) {
        let of = |part: &str| format!("floor_{floor}/{part}");
        let bolt = of(&format!("set_{set}/bolt"));
        // The corners of both circles face each other: the gap between them is seen from their faces.
        self.plant(&of("plate"), &bolt, Kind::Clash, None, Some(over * faces()));
        let gap = IN_RAIL - IN_PLATE - over;
        self.plant(&of(&format!("rail_{}", set / 3)), &bolt, Kind::Clearance, Some(gap * faces()), None);
    }

    fn plant(&mut self, a: &str, b: &str, kind: Kind, distance: Option<f64>, depth: Option<f64>) {
        let [distance, depth] = [distance, depth].map(|length| length.map(|mm| 1e-3 * mm));
        let [a, b] = [a, b].map(|path| format!("frame/{path}"));
        self.planted.push(Planted { a, b, kind: Some(kind), distance, depth });
    }

    fn plant_all(&mut self, gaps: &[(usize, usize, f64)], floor_count: usize) {
        for &(floor, bracket, gap) in gaps {
            let (a, b) = (format!("floor_{floor}/bracket_{bracket}"), format!("upright_{bracket}"));
            match gap {
                0.0 => self.plant(&a, &b, Kind::Contact, None, None),
                _ if gap < 0.0 => self.plant(&a, &b, Kind::Clash, Some(0.0), Some(-gap)),
                _ => self.plant(&a, &b, Kind::Clearance, Some(gap), None),
            }
            if gap > 1.0 {
                self.planted.last_mut().unwrap().kind = None;
            }
        }
        for floor in 0..floor_count {
            for rail in 0..2 {
                let (a, b) = (format!("floor_{floor}/plate"), format!("floor_{floor}/rail_{rail}"));
                self.plant(&a, &b, Kind::Contact, None, None);
            }
        }
        let extra = |name: &str| format!("extras/{name}");
        self.plant(&extra("spare_a"), "options/spare_b", Kind::Doubled, Some(0.0), None);
        self.plant(&extra("sheet_across"), "floor_1/plate", Kind::Clash, Some(0.0), None);
        if floor_count > 3 {
            self.plant(&extra("sheet_near"), "floor_3/plate", Kind::Clearance, Some(0.3), None);
        }
        self.plant(&extra("block_outside"), &extra("block_inside"), Kind::Inside, Some(10.0), Some(20.0));
        self.plant(&extra("block_outside"), "floor_2/plate", Kind::Contact, None, None);
        self.plant(&extra("pot"), &extra("ball"), Kind::Clearance, Some(0.5), None);
        self.plant(&extra("bush"), &extra("pin"), Kind::Clash, Some(0.0), Some(0.02 * faces()));
    }
}

/// Returns the side of an upright, bracket or leg, by its number.
fn corner(k: usize) -> (f64, f64) {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)][k]
}

/// Returns the distance of a face of a circle from its center, given that of a corner.
fn faces() -> f64 {
    (0.5 * TAU / SIDES as f64).cos()
}
