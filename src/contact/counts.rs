//! What the query of a pair met.

use super::point::Contact;

/// What a query met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryCounts {
    pub candidate_count: u64,
    /// Candidates that neither intersect nor give a contact.
    pub false_alarm_count: u64,
    /// Candidates whose triangles intersect exactly.
    pub intersection_count: u64,
    pub contact_count: u64,
    pub orphan_count: u64,
    /// 1 if directions were left out because the pair has too many contacts.
    pub capped_count: u64,
    /// 1 if the pair overlaps deeper than its features can tell.
    pub interpenetrating_count: u64,
    /// 1 if the pair touches in more places than are looked at.
    pub crowded_count: u64,
    /// What judging the candidates took, in triangle pairs that touch: the same for every hierarchy.
    pub effort: u64,
}

impl From<&[Contact]> for QueryCounts {
    /// A pair whose contacts were only brought up to date still hands them to the solver.
    fn from(contacts: &[Contact]) -> Self {
        Self { contact_count: contacts.len() as u64, ..Self::default() }
    }
}
