//! Findings of a check for readers without this program: a page, and topics for other review tools.
//!
//! A document with its parts → [`Album`] of the groups to show → `page.html`, or a `.bcfzip`. The viewer
//! adds the pictures, if this program has one.
//!
//! - `album.rs`: the groups of findings that are shown, each with its worst finding.
//! - `bcf.rs`: topics of the BIM Collaboration Format.
//! - `page/`: a page of the findings as one HTML file.
//! - `sight.rs`: the camera from which a finding is seen.

mod album;
mod bcf;
mod page;
mod sight;

pub use album::{Album, Exhibit};
pub use bcf::{Authorship, BcfError, bcf};
pub use page::page;
pub use sight::{FIELD_OF_VIEW, Sight};
