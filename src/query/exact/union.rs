//! Sets that are joined: each member names another of its set, the first member names itself.

/// The first member of a set. Shortens the way for the next time.
pub(super) fn root(links: &mut [u32], mut member: u32) -> u32 {
    while links[member as usize] != member {
        let above = links[links[member as usize] as usize];
        links[member as usize] = above;
        member = above;
    }
    member
}

/// Joins the sets of two members.
pub(super) fn link(links: &mut [u32], one: u32, other: u32) {
    let (x, y) = (root(links, one), root(links, other));
    links[x.max(y) as usize] = x.min(y);
}
