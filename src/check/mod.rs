//! A scene as it is designed, looked at before anything moves: who may meet whom, and do they.
//!
//! - `pairing.rs`: the one table of which bodies meet, and how.

mod pairing;

pub use pairing::{Meeting, Pairing, Reason, Said};
