//! Work on several threads, in pieces, and the decision whether waking threads pays.
//!
//! Each of rayon's parallel iterators becomes 5,000 lines of LLVM IR per call site. These functions
//! give rayon one job per thread; each job takes pieces of the work until none is left. They are
//! generic only over the types that they process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::{Scope, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Piece of work.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Number of pieces per thread: many small pieces balance uneven work.
const PIECES_PER_THREAD: usize = 32;
/// Least work per thread, ns. A sleeping thread starts 20 to 100 µs after it is woken (measured on two
/// virtual cores), and the threads that finish earlier wait for it. So two threads finish 100 µs of
/// work no sooner than one thread does; they finish 200 µs of work in 110 to 150 µs.
const LEAST_SHARE: u64 = 100_000;

/// Returns the number of threads that the system runs at once.
pub fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Threads of a world.
pub struct Threads {
    /// Pool; `None` if there is only the calling thread.
    pool: Option<ThreadPool>,
    /// Number of times that more than one thread was used since the count began.
    shared: AtomicU64,
}

impl Threads {
    /// Starts `count` threads, including the calling one.
    pub fn new(count: usize) -> Result<Self, ThreadPoolBuildError> {
        // The calling thread is not in the pool. The pool has one more thread, for work that runs
        // inside the pool.
        let pool = if count > 1 { Some(ThreadPoolBuilder::new().num_threads(count).build()?) } else { None };
        Ok(Self { pool, shared: AtomicU64::new(0) })
    }

    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Returns as many threads as are worth using for work that would take one thread about `work` ns.
    pub fn team(&self, work: u64) -> Team<'_> {
        let size = worthwhile(self.count(), work);
        self.shared.fetch_add(u64::from(size > 1), Ordering::Relaxed);
        Team { pool: self.pool.as_ref(), size }
    }

    /// Returns all threads.
    pub fn all(&self) -> Team<'_> {
        Team { pool: self.pool.as_ref(), size: self.count() }
    }

    /// Runs work that divides itself among threads. It runs in the pool if `is_large`, else on the
    /// calling thread.
    pub fn inside<R: Send>(&self, is_large: bool, work: impl FnOnce() -> R + Send) -> R {
        match self.pool.as_ref().filter(|_| is_large) {
            None => work(),
            Some(pool) => {
                self.shared.fetch_add(1, Ordering::Relaxed);
                pool.install(work)
            }
        }
    }

    /// Returns the number of times that more than one thread was used since [`Threads::begin_count`].
    pub fn shared_count(&self) -> u64 {
        self.shared.load(Ordering::Relaxed)
    }

    /// Resets the count of [`Threads::shared_count`].
    pub fn begin_count(&mut self) {
        *self.shared.get_mut() = 0;
    }
}

/// Returns how many of `count` threads to use so that each has at least [`LEAST_SHARE`] of work. All of
/// it would take one thread about `work` ns.
fn worthwhile(count: usize, work: u64) -> usize {
    usize::try_from(work / LEAST_SHARE).unwrap_or(usize::MAX).clamp(1, count)
}

/// Threads that work together: the calling thread and others.
#[derive(Clone, Copy)]
pub struct Team<'a> {
    /// Pool of the other threads; `None` for the pool that the caller runs in.
    pool: Option<&'a ThreadPool>,
    size: usize,
}

impl Team<'_> {
    /// Returns all threads of the pool that the caller runs in.
    fn here() -> Self {
        Self { pool: None, size: rayon::current_num_threads() }
    }

    /// Returns the number of items per piece for `count` items: at least `least`, and at least one.
    pub fn piece(self, count: usize, least: usize) -> usize {
        let pieces = if self.size == 1 { 1 } else { PIECES_PER_THREAD * self.size };
        count.div_ceil(pieces).max(least).max(1)
    }

    /// Runs `work` on all pieces, each on the next free thread. `work` also receives the number of the
    /// thread, from 0.
    pub fn share<P: Send>(self, pieces: impl Iterator<Item = P> + Send, work: impl Fn(usize, P) + Sync) {
        let pieces = Mutex::new(pieces);
        // A piece that panics does not hold the lock.
        let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.on_each(&|thread| {
            while let Some(piece) = next() {
                work(thread, piece);
            }
        });
    }

    /// Calls `work` once on each thread, and returns when all are done.
    fn on_each(self, work: &(dyn Fn(usize) + Sync)) {
        if self.size == 1 {
            return work(0);
        }
        match self.pool {
            Some(pool) => pool.in_place_scope(|scope| self.spread(scope, work)),
            None => rayon::in_place_scope(|scope| self.spread(scope, work)),
        }
    }

    fn spread<'s>(self, scope: &Scope<'s>, work: &'s (dyn Fn(usize) + Sync)) {
        for thread in 1..self.size {
            scope.spawn(move |_| work(thread));
        }
        work(0);
    }

    /// Calls `work` with each item and its index; a piece has at least `least` consecutive items.
    pub fn for_each<T: Send>(self, items: &mut [T], least: usize, work: impl Fn(usize, &mut T) + Sync) {
        let size = self.piece(items.len(), least);
        self.share(items.chunks_mut(size).enumerate(), |_, (part, items)| {
            for (k, item) in items.iter_mut().enumerate() {
                work(part * size + k, item);
            }
        });
    }

    /// Calls `work` like [`Team::for_each`], with each item and the corresponding item of another list.
    pub fn for_each_beside<T: Send, U: Send>(
        self,
        items: &mut [T],
        beside: &mut [U],
        least: usize,
        work: impl Fn(usize, &mut T, &mut U) + Sync,
    ) {
        let size = self.piece(items.len(), least);
        let pieces = items.chunks_mut(size).zip(beside.chunks_mut(size)).enumerate();
        self.share(pieces, |_, (part, (items, beside))| {
            for (k, (item, beside)) in items.iter_mut().zip(beside).enumerate() {
                work(part * size + k, item, beside);
            }
        });
    }

    /// Returns the result for each item, in their order; `work` also receives the number of the thread.
    pub fn map<T: Sync, R: Send>(self, items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        let size = self.piece(items.len(), 1);
        let mut results: Vec<Option<R>> = Vec::new();
        results.resize_with(items.len(), || None);
        self.share(items.chunks(size).zip(results.chunks_mut(size)), |thread, (items, results)| {
            for (item, result) in items.iter().zip(results) {
                *result = Some(work(thread, item));
            }
        });
        results.into_iter().flatten().collect()
    }
}

/// Returns [`Team::piece`] for all threads of the pool that the caller runs in.
pub fn piece(count: usize, least: usize) -> usize {
    Team::here().piece(count, least)
}

/// Runs all jobs on the threads of the pool that the caller runs in.
pub fn run(jobs: Vec<Job>) {
    Team::here().share(jobs.into_iter(), |_, job| job());
}

/// Calls [`Team::for_each`] on the threads of the pool that the caller runs in.
pub fn for_each<T: Send>(items: &mut [T], least: usize, work: impl Fn(usize, &mut T) + Sync) {
    Team::here().for_each(items, least, work);
}

/// Calls [`Team::map`] on the threads of the pool that the caller runs in.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    Team::here().map(items, |_, item| work(item))
}

#[cfg(test)]
mod tests {
    use super::{LEAST_SHARE, Threads, for_each, map, worthwhile};

    #[test]
    fn every_item_is_worked_on_once_with_its_index() {
        let threads = Threads::new(3).unwrap();
        for count in [0, 1, 2, 31, 32, 33, 1000] {
            for least in [0, 1, 7, 2000] {
                let mut items = vec![0; count];
                for_each(&mut items, least, |k, item| *item += 2 * k);
                let doubled: Vec<usize> = (0..count).map(|k| 2 * k).collect();
                assert_eq!(items, doubled);

                let mut beside = vec![1; count];
                threads.all().for_each_beside(&mut items, &mut beside, least, |k, item, beside| {
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

    #[test]
    fn each_thread_has_a_number_below_that_of_the_team() {
        let threads = Threads::new(3).unwrap();
        let numbers = threads.all().map(&[(); 100], |thread, ()| thread);
        assert!(numbers.iter().all(|&number| number < 3), "{numbers:?}");
        let alone = threads
            .team(LEAST_SHARE)
            .map(&[std::thread::current().id()], |thread, id| (thread, *id == std::thread::current().id()));
        assert_eq!(alone, [(0, true)]);
    }

    #[test]
    fn threads_are_called_for_as_much_work_as_pays() {
        let sizes = |work: u64| [1, 2, 8].map(|count| worthwhile(count, work));
        assert_eq!(sizes(0), [1, 1, 1]);
        assert_eq!(sizes(2 * LEAST_SHARE - 1), [1, 1, 1]);
        assert_eq!(sizes(2 * LEAST_SHARE), [1, 2, 2]);
        assert_eq!(sizes(5 * LEAST_SHARE), [1, 2, 5]);
        assert_eq!(sizes(u64::MAX), [1, 2, 8]);
    }

    #[test]
    fn the_number_of_thread_wakeups_is_counted() {
        let mut threads = Threads::new(2).unwrap();
        let mut items = [0; 8];
        for work in [0, LEAST_SHARE, 2 * LEAST_SHARE, u64::MAX] {
            threads.team(work).for_each(&mut items, 1, |_, item| *item += 1);
        }
        assert_eq!((items, threads.shared_count()), ([4; 8], 2));
        assert_eq!(threads.inside(false, rayon::current_thread_index), None);
        assert!(threads.inside(true, rayon::current_thread_index).is_some());
        assert_eq!(threads.shared_count(), 3);
        threads.begin_count();
        assert_eq!(threads.shared_count(), 0);
    }
}
