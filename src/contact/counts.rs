//! Counters of a pair's query.

use super::point::Contact;

/// Counters of a query.
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
    /// 1 if the pair overlaps deeper than its features can show.
    pub interpenetrating_count: u64,
    /// 1 if the pair touches in more places than are tested.
    pub crowded_count: u64,
    /// Cost of testing the candidates, in triangle pairs that touch: equal for every hierarchy.
    pub effort: u64,
}

impl From<&[Contact]> for QueryCounts {
    /// Counts the contacts of a pair that was not searched: the solver still gets them.
    fn from(contacts: &[Contact]) -> Self {
        Self { contact_count: contacts.len() as u64, ..Self::default() }
    }
}
