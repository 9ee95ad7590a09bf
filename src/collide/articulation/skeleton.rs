//! Connection of the links of an articulation without loops. \[cab\] §3.1

use glam::Vec3;

/// Tree of links, given by the parent of each link. Several links may be roots.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    parents: Vec<Option<u32>>,
    anchors: Vec<Vec3>,
    /// All links, each after its descendants.
    upward: Vec<u32>,
}

/// Reason why a skeleton cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    #[error("{parents} links have {anchors} anchors")]
    LengthsDiffer { parents: usize, anchors: usize },
    #[error("link {link} has the parent {parent}, which does not exist")]
    NoSuchParent { link: u32, parent: u32 },
    #[error("the anchor of link {link} is not finite")]
    AnchorNotFinite { link: u32 },
    #[error("link {link} is its own ancestor")]
    Cycle { link: u32 },
}

impl Skeleton {
    /// Builds a skeleton. `anchors` gives the position of each link's joint to its parent, in the
    /// link's body space, m. The anchor of a root is unused but must be finite.
    pub fn new(parents: Vec<Option<u32>>, anchors: Vec<Vec3>) -> Result<Self, SkeletonError> {
        let count = parents.len();
        if anchors.len() != count {
            return Err(SkeletonError::LengthsDiffer { parents: count, anchors: anchors.len() });
        }
        for ((&parent, anchor), link) in parents.iter().zip(&anchors).zip(0..) {
            if let Some(parent) = parent.filter(|&p| p as usize >= count) {
                return Err(SkeletonError::NoSuchParent { link, parent });
            }
            if !anchor.is_finite() {
                return Err(SkeletonError::AnchorNotFinite { link });
            }
        }
        let upward = upward(&parents)?;
        Ok(Self { parents, anchors, upward })
    }

    /// Returns a skeleton of one link.
    pub fn single() -> Self {
        Self { parents: vec![None], anchors: vec![Vec3::ZERO], upward: vec![0] }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    pub fn parents(&self) -> &[Option<u32>] {
        &self.parents
    }

    /// Returns the position of each link's joint to its parent, in the link's body space, m.
    pub fn anchors(&self) -> &[Vec3] {
        &self.anchors
    }

    /// Returns all links, each after its descendants.
    pub(super) fn upward(&self) -> &[u32] {
        &self.upward
    }
}

/// Orders the links so that each comes after its descendants. Returns an error if the parents form a
/// cycle.
fn upward(parents: &[Option<u32>]) -> Result<Vec<u32>, SkeletonError> {
    let mut waiting_for = vec![0u32; parents.len()];
    for parent in parents.iter().flatten() {
        waiting_for[*parent as usize] += 1;
    }
    let mut order: Vec<u32> = (0..parents.len() as u32).filter(|&l| waiting_for[l as usize] == 0).collect();
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        next += 1;
        if let Some(parent) = parents[link as usize] {
            waiting_for[parent as usize] -= 1;
            if waiting_for[parent as usize] == 0 {
                order.push(parent);
            }
        }
    }
    match waiting_for.iter().zip(0..).find(|(count, _)| **count > 0) {
        Some((_, link)) => Err(SkeletonError::Cycle { link }),
        None => Ok(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_after_those_that_hang_on_them() {
        let parents = vec![Some(2), None, Some(1), Some(2), None, Some(4)];
        let skeleton = Skeleton::new(parents.clone(), vec![Vec3::ZERO; 6]).unwrap();
        let place = |link: u32| skeleton.upward().iter().position(|&l| l == link).unwrap();
        assert_eq!(skeleton.upward().len(), 6);
        for (link, parent) in parents.iter().enumerate() {
            assert!(parent.is_none_or(|p| place(link as u32) < place(p)));
        }
    }

    #[test]
    fn invalid_skeletons_are_refused_with_a_reason() {
        let zeros = |n| vec![Vec3::ZERO; n];
        let refused = |parents, anchors| Skeleton::new(parents, anchors).unwrap_err();
        assert_eq!(refused(vec![None], zeros(2)), SkeletonError::LengthsDiffer { parents: 1, anchors: 2 });
        assert_eq!(
            refused(vec![None, Some(2)], zeros(2)),
            SkeletonError::NoSuchParent { link: 1, parent: 2 }
        );
        assert_eq!(refused(vec![None], vec![Vec3::NAN]), SkeletonError::AnchorNotFinite { link: 0 });
        assert_eq!(refused(vec![Some(0)], zeros(1)), SkeletonError::Cycle { link: 0 });
        assert_eq!(
            refused(vec![None, Some(2), Some(3), Some(1)], zeros(4)),
            SkeletonError::Cycle { link: 1 }
        );
        assert!(Skeleton::new(vec![], vec![]).unwrap().is_empty());
    }
}
