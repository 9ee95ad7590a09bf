//! The solver compared with theory. Contacts come from formulas (lab.rs), so that only the solver is
//! tested. Each test states the origin of its bound.

mod bounds;
mod contacts;
mod figures;
mod flight;
mod joints;
mod lab;
mod mechanisms;
mod sleep;
