//! Counters of a pair's query.

use super::point::Contact;

/// Counters of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryCounts {
    pub candidate_count: u64,
    /// Candidates that neither intersect nor give a contact.
    pub false_alarm_count: u64,
    /// Number of triangles whose records were built for the filter of candidates.
    pub record_count: u64,
    /// Number of candidates whose triangles intersect.
    pub intersection_count: u64,
    pub contact_count: u64,
    pub orphan_count: u64,
    /// 1 if contacts along some directions were omitted because the pair has too many contacts.
    pub capped_count: u64,
    /// 1 if the pair overlaps deeper than its features can show.
    pub interpenetrating_count: u64,
    /// 1 if the search was given up because the pair touches at too many points.
    pub crowded_count: u64,
    /// Cost of testing the candidates, in units of one touching triangle pair. The same for every kind
    /// of hierarchy.
    pub effort: u64,
}

impl From<&[Contact]> for QueryCounts {
    /// Counts the contacts of a pair that was not searched. The solver still gets these contacts.
    fn from(contacts: &[Contact]) -> Self {
        Self { contact_count: contacts.len() as u64, ..Self::default() }
    }
}
