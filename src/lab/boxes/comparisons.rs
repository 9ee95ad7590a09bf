//! Number of comparisons that sorting the ends of boxes takes. The paper's sweeps sort in every frame;
//! the sweeps here use a radix sort, which does not compare. \[boxes\] §3.4

use crate::volume::Aabb;

/// Counts the comparisons of a merge sort of all ends along z, and of an insertion sort of the ends
/// once they are sorted, as in a next frame without motion.
pub fn comparisons(boxes: &[Aabb]) -> [u64; 2] {
    let mut ends: Vec<f32> = boxes.iter().flat_map(|own| [own.min.z, own.max.z]).collect();
    let mut anew = 0;
    ends.sort_by(|a, b| {
        anew += 1;
        a.total_cmp(b)
    });
    let mut again = 0;
    for k in 1..ends.len() {
        let mut at = k;
        loop {
            again += 1;
            if ends[at - 1] <= ends[at] {
                break;
            }
            ends.swap(at - 1, at);
            at -= 1;
            if at == 0 {
                break;
            }
        }
    }
    [anew, again]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::sets::BoxSet;

    #[test]
    fn sorting_anew_takes_n_log_n_comparisons_and_once_more_n() {
        let boxes = BoxSet::Uniform.boxes(2000);
        let [anew, again] = comparisons(&boxes);
        // Expected range: there are 4000 ends, and log₂ 4000 is 12.
        assert!((30_000..60_000).contains(&anew), "{anew}");
        assert_eq!(again, 3999);
        assert_eq!(comparisons(&[]), [0, 0]);
    }
}
