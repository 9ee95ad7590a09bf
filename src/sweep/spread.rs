//! The time that a sweep would take on several machines, from the recorded times of its runs. Each
//! machine does one shard, one run at a time; the slowest shard ends the sweep.

use super::merge::Merged;
use super::shard::Shard;

/// Time of a sweep that is divided into shards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub shards: u64,
    /// Duration of the slowest shard, s.
    pub longest: f64,
    /// Duration if all shards took equally long, s.
    pub even: f64,
}

impl Spread {
    /// Returns the largest numbers of shards that are computed: powers of two.
    pub const COUNTS: [u64; 7] = [1, 2, 4, 8, 16, 32, 64];

    /// Returns the time that the slowest shard takes longer than the mean, as a share of the mean.
    pub fn loss(&self) -> f64 {
        if self.even > 0.0 { self.longest / self.even - 1.0 } else { 0.0 }
    }
}

impl Merged {
    /// Computes the time of the sweep for each of [`Spread::COUNTS`] that is not above the number of
    /// runs. Runs without a result count as no time.
    pub fn spreads(&self) -> Vec<Spread> {
        let run_count = self.manifest.plan.run_count();
        let mut seconds = vec![0.0; run_count as usize];
        for row in &self.rows {
            seconds[row.run as usize] = row.seconds;
        }
        let total: f64 = seconds.iter().sum();
        let spread = |shards: u64| {
            let duration =
                |shard: Shard| shard.runs(run_count).iter().map(|run| seconds[*run as usize]).sum();
            let longest = Shard::all(shards).map(duration).fold(0.0, f64::max);
            Spread { shards, longest, even: total / shards as f64 }
        };
        Spread::COUNTS.into_iter().filter(|shards| *shards <= run_count).map(spread).collect()
    }
}
