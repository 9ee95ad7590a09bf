//! The solver against answers known from theory. Contacts come from formulas (lab.rs), so that only the
//! solver is judged. Every bound says where it comes from.

mod bounds;
mod contacts;
mod figures;
mod flight;
mod joints;
mod lab;
mod mechanisms;
mod sleep;
