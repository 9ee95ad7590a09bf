//! Bodies of mechanisms at the end of a sub-step, as their present velocities predict them.
//!
//! The rows of a joint are linear in the velocities, but the paths of the bodies are curved. If the rows
//! alone decided, each sub-step would leave an error of about the third power of its rotation angle, and the
//! correction of that error would add or take energy. So the errors are evaluated at the end of the
//! sub-step, and the rows are solved once more with them. If the impulses before the motion make the
//! positions exact, and those after it the velocities, energy is kept for any number of sub-steps (RATTLE:
//! H. C. Andersen, Journal of Computational Physics 52, 1983; B. Leimkuhler and R. D. Skeel, ibid. 112,
//! 1994).

use glam::DMat3;

use super::joint_tree::{JointTree, Mechanism};
use super::moving::Moving;
use super::welds::Welds;
use crate::body::BodyState;

/// Rotation in a sub-step (rad) up to which the curvature terms of the rows suffice. They leave an error of
/// about its third power, as a share of the arm.
const LITTLE_TURN: f64 = 0.01;

/// Predicted bodies, with their buffers.
#[derive(Default)]
pub(super) struct LookAhead {
    /// Inertia and its inverse of each body of the tree, body axes.
    inertias: Vec<[DMat3; 2]>,
    /// All bodies of the pass. Only those of the mechanism that was advanced last are predicted.
    pub bodies: Vec<Moving>,
}

impl LookAhead {
    /// Begins a pass. `bodies`: indices of the movable bodies and compounds of all mechanisms.
    pub fn begin(&mut self, bodies: &[usize], moving: &[Moving], states: &[BodyState], welds: &Welds) {
        let inertias = |&body: &usize| welds.inertia(body, states);
        self.inertias.clear();
        self.inertias.extend(bodies.iter().map(inertias));
        self.bodies.clear();
        self.bodies.extend_from_slice(moving);
    }

    /// Predicts the bodies of a mechanism `h` seconds ahead. Returns their largest rotation, rad, or `None`
    /// if they rotate too little for a correction.
    pub fn advance(&mut self, tree: &JointTree, of: &Mechanism, moving: &[Moving], h: f64) -> Option<f64> {
        let ends = || of.joints.clone().flat_map(|place| tree.ends[place]);
        let turn = ends().map(|end| moving[end].angular.length_squared()).fold(0.0, f64::max).sqrt() * h;
        if turn <= LITTLE_TURN {
            return None;
        }
        for place in of.bodies.clone() {
            let body = tree.bodies[place];
            self.bodies[body] = moving[body].ahead(&self.inertias[place], h);
        }
        for end in ends().filter(|&end| moving[end].inverse_mass == 0.0) {
            self.bodies[end] = moving[end].ahead(&[DMat3::ZERO; 2], h);
        }
        Some(turn)
    }
}
