//! The groups of findings that a page or a topic file shows.

use glam::DVec3;

use super::sight::Sight;
use crate::check::PlacedParts;
use crate::report::findings::{CheckDocument, FindingFigures, FindingGroup, group};

/// Largest number of groups that are drawn. A page with more pictures would have tens of megabytes.
pub const MOST_PICTURES: usize = 100;

/// Groups of findings to show, the worst first and the accepted ones last. Contacts, and findings that
/// are resolved, are left out.
pub struct Album<'a> {
    pub document: &'a CheckDocument,
    pub exhibits: Vec<Exhibit>,
    /// Reason why pictures are missing, if they could not be drawn.
    pub fault: Option<String>,
}

/// Group of findings, with the camera and the picture of its worst finding.
pub struct Exhibit {
    pub group: FindingGroup,
    /// `None` for groups beyond the largest number of pictures.
    pub sight: Option<Sight>,
    /// Picture as PNG; `None` if it was not drawn.
    pub png: Option<Vec<u8>>,
}

impl<'a> Album<'a> {
    /// Chooses the groups to show, and a camera for the worst finding of each.
    pub fn new(document: &'a CheckDocument, parts: &PlacedParts) -> Self {
        let is_shown = |group: &FindingGroup| !group.is_allowed && !group.is_resolved;
        let groups = group(&document.findings, parts.scene()).into_iter().filter(is_shown);
        let exhibit = |(number, group): (usize, FindingGroup)| {
            let worst = &document.findings[group.findings[0]];
            let bodies = worst.parts().filter(|_| number < MOST_PICTURES);
            let sight = bodies.map(|bodies| Sight::new(parts, bodies, worst.points.map(DVec3::from)));
            Exhibit { group, sight, png: None }
        };
        let exhibits = groups.enumerate().map(exhibit).collect();
        Self { document, exhibits, fault: None }
    }

    /// Returns the worst finding of an exhibit.
    pub fn worst(&self, exhibit: &Exhibit) -> &'a FindingFigures {
        &self.document.findings[exhibit.group.findings[0]]
    }

    /// Returns all findings of an exhibit, the worst first.
    pub fn findings<'b>(
        &self,
        exhibit: &'b Exhibit,
    ) -> impl Iterator<Item = &'a FindingFigures> + use<'a, 'b> {
        let findings = &self.document.findings;
        exhibit.group.findings.iter().map(|&index| &findings[index])
    }

    /// Describes the groups that have no picture because there are too many.
    pub fn left_out(&self) -> Option<String> {
        let count = self.exhibits.len();
        (count > MOST_PICTURES).then(|| {
            format!("the first {MOST_PICTURES} of {count} groups are drawn; the table has all findings")
        })
    }
}
