//! Work on the threads of a pool, in pieces.
//!
//! Each of rayon's parallel iterators becomes 5,000 lines of LLVM where it is called from. These hand rayon
//! boxed pieces of work, several for each thread, and know no more than the types they work on.

/// A piece of work.
pub(crate) type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Uneven work comes out even if there are some pieces more than threads.
const PIECES_PER_THREAD: usize = 16;

/// How many of `count` items make a piece, at least so many and at least one.
pub(crate) fn piece(count: usize, least: usize) -> usize {
    count.div_ceil(PIECES_PER_THREAD * rayon::current_num_threads()).max(least).max(1)
}

/// Does all work; returns once it is done.
pub(crate) fn run(jobs: Vec<Job>) {
    rayon::scope(|scope| {
        for job in jobs {
            scope.spawn(|_| job());
        }
    });
}

/// Works on every item, given its index too, on at least so many in a row.
pub(crate) fn for_each<T: Send>(items: &mut [T], least: usize, work: impl Fn(usize, &mut T) + Sync) {
    let (size, work) = (piece(items.len(), least), &work);
    let mut jobs: Vec<Job> = Vec::new();
    for (part, items) in items.chunks_mut(size).enumerate() {
        jobs.push(Box::new(move || {
            for (k, item) in items.iter_mut().enumerate() {
                work(part * size + k, item);
            }
        }));
    }
    run(jobs);
}

/// As [`for_each`], on each item and what belongs to it in another list.
pub(crate) fn for_each_beside<T: Send, U: Send>(
    items: &mut [T],
    beside: &mut [U],
    least: usize,
    work: impl Fn(usize, &mut T, &mut U) + Sync,
) {
    let (size, work) = (piece(items.len(), least), &work);
    let mut jobs: Vec<Job> = Vec::new();
    for (part, (items, beside)) in items.chunks_mut(size).zip(beside.chunks_mut(size)).enumerate() {
        jobs.push(Box::new(move || {
            for (k, (item, beside)) in items.iter_mut().zip(beside).enumerate() {
                work(part * size + k, item, beside);
            }
        }));
    }
    run(jobs);
}

/// What comes of each item, in their order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (size, work) = (piece(items.len(), 1), &work);
    let mut results: Vec<Option<R>> = Vec::new();
    results.resize_with(items.len(), || None);
    let mut jobs: Vec<Job> = Vec::new();
    for (items, results) in items.chunks(size).zip(results.chunks_mut(size)) {
        jobs.push(Box::new(move || {
            for (item, result) in items.iter().zip(results) {
                *result = Some(work(item));
            }
        }));
    }
    run(jobs);
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{for_each, for_each_beside, map};

    #[test]
    fn every_item_is_worked_on_once_with_its_index() {
        for count in [0, 1, 2, 31, 32, 33, 1000] {
            for least in [0, 1, 7, 2000] {
                let mut items = vec![0; count];
                for_each(&mut items, least, |k, item| *item += 2 * k);
                let doubled: Vec<usize> = (0..count).map(|k| 2 * k).collect();
                assert_eq!(items, doubled);

                let mut beside = vec![1; count];
                for_each_beside(&mut items, &mut beside, least, |k, item, beside| {
                    *item -= k;
                    *beside += *item;
                });
                let indices: Vec<usize> = (0..count).collect();
                assert_eq!(items, indices);
                assert!(beside.iter().zip(&indices).all(|(b, k)| *b == k + 1));

                assert_eq!(
                    map(&items, |k| k.to_string()).concat(),
                    (0..count).map(|k| k.to_string()).collect::<String>()
                );
            }
        }
    }
}
