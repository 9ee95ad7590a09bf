//! Made-up comparisons for tests.

use std::collections::BTreeMap;

use crate::compare::result::{
    Comparison, ContenderResult, Deepest, DeviationSeries, Estimate, Loss, Lost, Machine, Moment, Parting,
    Passed, Picture, Rest, Spread, StageSeries,
};

/// Creates a comparison without contenders and steps.
pub fn empty() -> Comparison {
    Comparison {
        tumble_version: "0.1.0".to_owned(),
        scene: "gears".to_owned(),
        description: "Gears fall on a tray.".to_owned(),
        steps: 0,
        dt: 0.005,
        bodies: 0,
        triangles: 0,
        repeats: 0,
        seed: 1,
        machine: Machine { system: "linux".to_owned(), cores: 2, processor: "a processor".to_owned() },
        sampled: Vec::new(),
        tracked: Vec::new(),
        contenders: Vec::new(),
        pictures: Vec::new(),
        notes: Vec::new(),
        import_notes: Vec::new(),
    }
}

/// Creates a contender that took two steps, of 4 and 8 ms. `ratio` is its ratio to the first contender,
/// with the interval.
pub fn of_two_steps(name: &str, ratio: Option<(f64, Option<[f64; 2]>)>) -> ContenderResult {
    let two = vec![1.0, 2.0];
    ContenderResult {
        name: name.to_owned(),
        ratio: ratio.map(|(value, interval)| Estimate { value, interval }),
        times: StageSeries { update: two.clone(), test: two.clone(), query: two.clone(), solve: two },
        ..ContenderResult::default()
    }
}

/// Creates a comparison of contenders that simulated 56 bodies for two steps.
pub fn of_56_bodies(contenders: Vec<ContenderResult>) -> Comparison {
    Comparison { steps: 2, bodies: 56, contenders, ..empty() }
}

/// Creates a comparison of bodies that fall on each other. Every contender from the third on deviates
/// from the first.
pub fn falling(names: &[&str], steps: u32, bodies: u32) -> Comparison {
    let every = steps.div_ceil(12).max(1);
    let sampled: Vec<u32> = (0..=steps).filter(|s| s % every == 0 || *s == steps).collect();
    let tracked: Vec<u32> = (1..=steps).filter(|s| s % steps.div_ceil(200).max(1) == 0).collect();
    let mut all = Comparison { steps, bodies, repeats: 6, triangles: 4321 * u64::from(bodies), ..empty() };
    for (k, name) in names.iter().enumerate() {
        all.contenders.push(contender(k, name, steps, bodies, [&sampled, &tracked]));
        for (moment, step) in [(Moment::Worst, 1 + steps / 3), (Moment::Last, steps)] {
            let file = format!("{k}-{step}.png");
            all.pictures.push(Picture { contender: (*name).to_owned(), moment, step, file });
        }
    }
    Comparison { sampled, tracked, ..all }
}

fn contender(k: usize, name: &str, steps: u32, bodies: u32, at: [&[u32]; 2]) -> ContenderResult {
    let slow = 1.0 + 0.7 * k as f64;
    let series = |share: f64| -> Vec<f64> {
        let of = |step: u32| {
            let spike = if noise(k, step / 2) > 0.995 { 4.0 } else { 1.0 };
            share * slow * spike * (0.4 + pile(step, steps) + 0.3 * noise(k, step))
        };
        (1..=steps).map(of).collect()
    };
    let [update, test, query, solve] = [0.1, 0.3, 0.9, 0.5].map(series);
    let times = StageSeries { update, test, query, solve };
    let mut sorted = times.totals();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |share: f64| sorted.get((share * sorted.len() as f64) as usize).copied().unwrap_or(0.0);
    let worst = sorted.last().copied().unwrap_or(0.0);
    let worst_step = times.totals().iter().position(|&t| t == worst).map_or(0, |at| at as u32 + 1);
    let mean = sorted.iter().sum::<f64>() / f64::from(steps.max(1));
    let count = |scale: f64| -> Vec<u64> {
        (1..=steps)
            .map(|step| (scale * f64::from(bodies) * (pile(step, steps) + noise(k, step))) as u64)
            .collect()
    };
    let counted = [("pairs", 3.0), ("node tests", 180.0), ("candidates", 40.0), ("contacts", 9.0)];
    let parts = k >= 2 && steps > 0;
    let body = |b: u32| format!("gear_{b}");
    let parting = |step: u32, distance: f64| Parting {
        step,
        body: body(3),
        touching: Some("tray".to_owned()),
        distance,
    };
    let lost = |b: u32| Lost { body: body(b), step: 1 + b % steps.max(1), how: Loss::Fell };
    let passed = |b: u32| Passed { body: body(b), through: "tray".to_owned(), step: 1 + b % steps.max(1) };
    let [sampled, tracked] = at;
    let overlap: Vec<f64> = sampled.iter().map(|&s| 2e-4 * k as f64 * noise(k, s)).collect();
    let depth = overlap.iter().copied().fold(0.0, f64::max);
    let deepest = (depth > 0.0).then(|| Deepest { step: steps / 2, bodies: [body(1), body(2)], depth });
    ContenderResult {
        name: name.to_owned(),
        about: format!("tumble: {name}, a sweep, 1 thread"),
        set_up_ms: 12.0 * slow,
        grown_bytes: (k != 1).then_some(45_000_000),
        mean: Estimate { value: mean, interval: Some([0.98 * mean, 1.02 * mean]) },
        runs: (0..6).map(|run| mean * (0.985 + 0.05 * noise(k, run))).collect(),
        spread: Spread { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), worst, worst_step },
        ratio: (k > 0).then_some(Estimate { value: slow, interval: Some([0.98 * slow, 1.02 * slow]) }),
        counts: if k == 2 {
            BTreeMap::new()
        } else {
            counted.map(|(name, scale)| (name.to_owned(), count(scale))).into()
        },
        energy: (1..=steps).map(|step| 80.0 * (1.0 - pile(step, steps)) - 20.0 + noise(k, step)).collect(),
        deviation: deviation(k, steps, bodies, tracked),
        first_difference: parts.then(|| parting(1 + steps / 20, 3e-17)),
        parting: parts.then(|| parting(1 + steps / 10, 2.5e-4)),
        overlap,
        deepest,
        lost: (0..if k == 2 { bodies / 4 } else { 0 }).map(lost).collect(),
        passages: Some((0..if k == 2 { bodies } else { 0 }).map(passed).collect()),
        rest: Rest { since: (k != 2).then_some(steps * 4 / 5), shiver: Some(1e-4 * k as f64) },
        state_hash: format!("{:016x}", 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(k.max(1) as u64)),
        times,
        ..ContenderResult::default()
    }
}

/// Creates the deviation of contender `k`: empty for the first; for the second, zero; for others,
/// values that grow by powers of ten.
fn deviation(k: usize, steps: u32, bodies: u32, tracked: &[u32]) -> DeviationSeries {
    if k == 0 {
        return DeviationSeries::default();
    }
    let at = |step: u32, body: u32| {
        let share = f64::from(step) / f64::from(steps.max(1)) + 0.1 * noise(k, body);
        let power = (-19.0 + 40.0 * share).min(-2.0 + 2.0 * noise(k, body) + share);
        if k == 1 || share < 0.12 { 0.0 } else { 10.0_f64.powf(power + 0.2 * noise(k + 1, step ^ body)) }
    };
    let body = |b: u32| (format!("gear_{b}"), tracked.iter().map(|&s| at(s, b) as f32).collect());
    DeviationSeries {
        farthest: (1..=steps).map(|s| 10.0 * at(s, 1)).collect(),
        middle: (1..=steps).map(|s| 0.1 * at(s, 2)).collect(),
        bodies: (0..bodies).map(body).collect(),
    }
}

/// Returns the share of bodies that rest on each other after a step, 0–1.
fn pile(step: u32, steps: u32) -> f64 {
    let share = f64::from(step) / f64::from(steps.max(1));
    (3.0 * share).min(1.0)
}

/// Returns a pseudorandom number, 0–1.
fn noise(k: usize, step: u32) -> f64 {
    let mut x = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ u64::from(step).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 31;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 29;
    (x >> 11) as f64 / (1_u64 << 53) as f64
}
