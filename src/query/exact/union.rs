//! Disjoint sets (union–find). Each member links to another member of its set; the first member links
//! to itself.

/// Returns the first member of a set, and shortens the path to it.
pub(super) fn root(links: &mut [u32], mut member: u32) -> u32 {
    while links[member as usize] != member {
        let above = links[links[member as usize] as usize];
        links[member as usize] = above;
        member = above;
    }
    member
}

/// Merges the sets of two members.
pub(super) fn link(links: &mut [u32], one: u32, other: u32) {
    let (x, y) = (root(links, one), root(links, other));
    links[x.max(y) as usize] = x.min(y);
}
