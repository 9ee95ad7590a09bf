//! Equations of motion of two equal rods in a plane, hinged to the world and to each other, and their
//! integration by the classical Runge–Kutta method.

use glam::DVec3;

use super::truth::G;

/// Longest step of the integration, s.
const STEP: f64 = 1e-4;

/// Two equal uniform rods.
#[derive(Clone, Copy)]
pub struct Rods {
    /// Mass of a rod, kg.
    pub mass: f64,
    /// Length of a rod, m.
    pub length: f64,
    /// Inertia of a rod about its center, kg·m².
    pub inertia: f64,
}

/// Angles of the two rods from hanging, rad, and their rates, rad/s.
#[derive(Clone, Copy)]
pub struct Swing {
    pub angles: [f64; 2],
    pub rates: [f64; 2],
}

impl Swing {
    /// Returns the state after `h` seconds at the given rates and accelerations.
    fn moved(&self, h: f64, [rates, accelerations]: [[f64; 2]; 2]) -> Self {
        let add = |[x, y]: [f64; 2], [dx, dy]: [f64; 2]| [x + h * dx, y + h * dy];
        Self { angles: add(self.angles, rates), rates: add(self.rates, accelerations) }
    }
}

impl Rods {
    /// Returns the state after `seconds`.
    pub fn after(&self, mut swing: Swing, seconds: f64) -> Swing {
        let count = (seconds / STEP).ceil();
        let h = seconds / count;
        for _ in 0..count as u32 {
            let slope = |at: Swing| [at.rates, self.accelerations(at)];
            let first = slope(swing);
            let second = slope(swing.moved(0.5 * h, first));
            let third = slope(swing.moved(0.5 * h, second));
            let fourth = slope(swing.moved(h, third));
            let share = h / 6.0;
            for (weight, slope) in [(1.0, first), (2.0, second), (2.0, third), (1.0, fourth)] {
                swing = swing.moved(weight * share, slope);
            }
        }
        swing
    }

    /// Returns the angular accelerations of both rods, rad/s². They solve Lagrange's equations, two
    /// linear equations with a symmetric matrix.
    fn accelerations(&self, Swing { angles: [a, b], rates: [u, v] }: Swing) -> [f64; 2] {
        let Self { mass, length, inertia } = *self;
        let half = 0.5 * length;
        let both = mass * length * half;
        let (sine, cosine) = libm::sincos(a - b);
        let first = inertia + mass * (half * half + length * length);
        let second = inertia + mass * half * half;
        let mixed = both * cosine;
        let torques = [
            -both * sine * v * v - mass * G * (half + length) * libm::sin(a),
            both * sine * u * u - mass * G * half * libm::sin(b),
        ];
        let determinant = first * second - mixed * mixed;
        [
            (second * torques[0] - mixed * torques[1]) / determinant,
            (first * torques[1] - mixed * torques[0]) / determinant,
        ]
    }

    /// Returns the centers of both rods. The first hinge is at the origin, the plane is that of x and y.
    pub fn centers(&self, swing: Swing) -> [DVec3; 2] {
        let [first, second] = swing.angles.map(|angle| along(angle) * self.length);
        [0.5 * first, first + 0.5 * second]
    }
}

/// Returns the direction of a rod at an angle (rad) from hanging.
pub fn along(angle: f64) -> DVec3 {
    let (sine, cosine) = libm::sincos(angle);
    DVec3::new(sine, -cosine, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RODS: Rods = Rods { mass: 2.0, length: 0.75, inertia: 0.1 };

    /// Returns the energy of both rods, from the speeds of their centers, J.
    fn energy(swing: Swing) -> f64 {
        let Swing { angles, rates } = swing;
        let way = |k: usize| rates[k] * RODS.length * DVec3::Z.cross(along(angles[k]));
        let speeds = [0.5 * way(0), way(0) + 0.5 * way(1)];
        let [first, second] = RODS.centers(swing);
        let height = first.y + second.y;
        let squares = speeds.map(|speed| speed.length_squared());
        RODS.mass * (0.5 * (squares[0] + squares[1]) + G * height)
            + 0.5 * RODS.inertia * (rates[0] * rates[0] + rates[1] * rates[1])
    }

    #[test]
    fn the_integration_keeps_the_energy() {
        let start = Swing { angles: [2.0, -2.5], rates: [1.0, -3.0] };
        let end = RODS.after(start, 3.0);
        assert!((energy(end) - energy(start)).abs() < 1e-8, "{} {}", energy(end), energy(start));
        assert!((end.angles[0] - start.angles[0]).abs() > 0.1, "the rods moved");
    }

    /// Both rods swing in step at the lower of the two frequencies of small oscillations, which are the
    /// roots of det(K − ω²·M) = 0.
    #[test]
    fn a_small_oscillation_has_its_frequency() {
        let Rods { mass, length, inertia } = RODS;
        let half = 0.5 * length;
        let [m11, m12, m22] = [
            inertia + mass * (half * half + length * length),
            mass * length * half,
            inertia + mass * half * half,
        ];
        let [k1, k2] = [mass * G * (half + length), mass * G * half];
        let (p, q, r) = (m11 * m22 - m12 * m12, k1 * m22 + k2 * m11, k1 * k2);
        let square = (q - (q * q - 4.0 * p * r).sqrt()) / (2.0 * p);
        let shape = (k1 - square * m11) / (square * m12);
        let start = Swing { angles: [1e-4, 1e-4 * shape], rates: [0.0; 2] };
        let end = RODS.after(start, std::f64::consts::PI / square.sqrt());
        for (end, start) in end.angles.iter().zip(start.angles) {
            assert!((end + start).abs() < 1e-9, "{end} {start}");
        }
    }
}
