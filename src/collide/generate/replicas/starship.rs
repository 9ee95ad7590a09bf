//! A starship like those in films, 290 m long: saucer, neck, hull with a dish, two nacelles on slanted
//! struts.

use glam::{DVec3, dvec3};

use super::assembly::Assembly;
use super::section::{Station, lens, round, smooth};
use crate::generate::Triangles;

pub(super) fn starship() -> Triangles {
    let mut ship = Assembly::default();
    let rim =
        [(0.0, -11.5), (9.0, -11.0), (14.0, -6.5), (40.0, -4.5), (61.0, -3.0), (63.5, 0.0), (61.0, 3.0)];
    let top = [(40.0, 5.0), (22.0, 7.5), (19.0, 11.5), (11.0, 13.0), (8.0, 16.5), (3.5, 18.5), (0.0, 19.0)];
    ship.turned(dvec3(82.0, 0.0, 24.0), DVec3::Z, &[rim.as_slice(), &top].concat(), 24);
    // From the hull forward and up into the saucer.
    let neck = [
        Station::new([8.0, 0.0, -16.0], [28.0, 4.5]),
        Station::new([19.0, 0.0, -4.0], [25.0, 4.0]),
        Station::new([32.0, 0.0, 9.0], [22.0, 3.5]),
        Station::new([46.0, 0.0, 22.0], [20.0, 3.5]),
    ];
    ship.stack(&lens(8), &neck, DVec3::X, DVec3::Y);
    let hull = [
        Station::new([-78.0, 0.0, -18.0], [0.0, 0.0]),
        Station::new([-77.0, 0.0, -18.0], [7.0, 5.0]),
        Station::new([-55.0, 0.0, -20.5], [11.0, 9.5]),
        Station::new([-25.0, 0.0, -23.5], [15.0, 14.5]),
        Station::new([5.0, 0.0, -25.5], [17.0, 17.0]),
        Station::new([22.0, 0.0, -26.0], [16.0, 16.0]),
        Station::new([27.0, 0.0, -26.0], [13.5, 13.5]),
        Station::new([27.5, 0.0, -26.0], [0.0, 0.0]),
    ];
    ship.stack(&round(16), &hull, DVec3::Y, DVec3::Z);
    let dish = [(0.0, 0.0), (4.0, 0.0), (12.0, 4.0), (12.5, 5.0), (5.0, 2.5), (1.0, 2.0), (0.0, 9.0)];
    ship.turned(dvec3(26.5, 0.0, -26.0), DVec3::X, &dish, 16);
    ship.both_sides(nacelle);
    ship.finish()
}

fn nacelle(side: &mut Assembly) {
    let body = [
        Station::new([-148.0, 46.0, 30.0], [0.0, 0.0]),
        Station::new([-146.0, 46.0, 30.0], [5.5, 5.5]),
        Station::new([-138.0, 46.0, 30.0], [7.0, 7.0]),
        Station::new([-70.0, 46.0, 31.0], [8.0, 8.0]),
        Station::new([-10.0, 46.0, 32.0], [9.0, 9.0]),
        Station::new([-2.0, 46.0, 32.0], [9.5, 9.5]),
        Station::new([4.0, 46.0, 32.0], [7.5, 7.5]),
        Station::new([7.0, 46.0, 32.0], [0.0, 0.0]),
    ];
    let mut stations = body[..3].to_vec();
    stations.extend_from_slice(&smooth(&body[2..5], 2)[1..]);
    stations.extend_from_slice(&body[5..]);
    side.stack(&round(12), &stations, DVec3::Y, DVec3::Z);
    // Up, outward and back, out of the hull.
    let strut = [
        Station::new([-34.0, 4.0, -18.0], [13.0, 2.0]),
        Station::new([-39.0, 18.0, -2.0], [12.0, 1.8]),
        Station::new([-44.0, 32.0, 14.0], [11.0, 1.6]),
        Station::new([-49.0, 46.0, 30.0], [10.0, 1.5]),
    ];
    let out = dvec3(0.0, 14.0, 16.0).normalize_or_zero();
    side.stack(&lens(6), &strut, DVec3::X, out.cross(DVec3::X));
    side.block(dvec3(-95.0, 46.0, 39.5), dvec3(60.0, 2.5, 5.0), 30.0);
}
