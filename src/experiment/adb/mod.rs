//! Time-critical queries: what they find, how sure they are of it, and how well that is kept. \[adb\]

mod calibration;
mod data;
mod regression;
mod reliability;
mod training;

pub(super) use calibration::run as run_calibration;
