use tumble::{config::Budget, narrow::Certainty, scene::load_scene, world::World};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut scene = load_scene(&args[1], None).unwrap();
    scene.config.threads = 1;
    if args[2] != "none" {
        scene.config.budget = Some(Budget {
            tests: Some(args[2].parse().unwrap()),
            us: args.get(4).map(|u| u.parse().unwrap()),
            sample: 16,
        });
    }
    let steps: u32 = args[3].parse().unwrap();
    let mut w = World::new(&scene).unwrap();
    let mut worst = 0.0f64;
    let mut missed = 0;
    let us: f64 = args.get(4).map_or(1e9, |u| u.parse().unwrap());
    let verbose = args.len() > 5;
    let (mut used, mut time) = (0u64, 0.0);
    for k in 0..steps {
        let t = w.step();
        let c = w.counts();
        let d = (t.test + t.query).as_nanos() as f64 / 1e3;
        used += c.units_used;
        time += d;
        worst = worst.max(d);
        if d > us {
            missed += 1;
        }
        if let Ok(f) = std::env::var("PAIR") {
            if k < 40 {
                let (x, y) = f.split_once(',').unwrap();
                for p in w.pairs() {
                    let n = |b: u32| &w.bodies().infos[b as usize].name;
                    if n(p.a) == x && n(p.b) == y || n(p.a) == y && n(p.b) == x {
                        let sy = &w.bodies().states[p.b as usize];
                        println!(
                            "  {} {:?} starved {} waited {} cost {} partial {} contacts {} minsep {:.5} margin {:.5} plan {:?} clear {:.4} y {:.4} v {:.2}",
                            k + 1,
                            p.standing.certainty,
                            p.standing.starved_passes,
                            p.standing.waited,
                            p.standing.cost,
                            p.standing.is_partial,
                            p.contacts.len(),
                            p.contacts.iter().map(|c| c.separation).fold(9.0, f64::min),
                            p.margin,
                            p.standing.plan,
                            p.standing.clearance,
                            sy.world_center().y,
                            sy.linear_velocity.length()
                        );
                    }
                }
            }
        }
        if k % 100 == 99 || (verbose && k < 150) {
            let b = w.bodies();
            let (low, name) = b
                .states
                .iter()
                .zip(&b.infos)
                .filter(|(s, _)| s.is_dynamic())
                .map(|(s, i)| (s.world_center().y, &i.name))
                .min_by(|x, y| x.0.total_cmp(&y.0))
                .unwrap();
            let far = b
                .states
                .iter()
                .filter(|s| s.is_dynamic())
                .map(|s| s.world_center().length())
                .fold(0.0, f64::max);
            let (vmax, vn) = b
                .states
                .iter()
                .zip(&b.infos)
                .map(|(s, i)| (s.linear_velocity.length() + s.angular_velocity.length() * i.radius, &i.name))
                .max_by(|x, y| x.0.total_cmp(&y.0))
                .unwrap();
            println!(
                "{} passes {} pairs {} searched {} held {} inter {} used {} granted {} us {:.0} rate {:.0} | low {:.4} {} far {:.3} awake {} vmax {:.3} {} pen {:.2} E {:.3}",
                k + 1,
                c.passes,
                c.pairs,
                c.searched,
                c.held,
                c.interrupted,
                c.units_used,
                c.units_granted,
                d,
                c.units_used as f64 / d,
                low,
                name,
                far,
                c.awake_bodies,
                vmax,
                vn,
                w.penetration() * 1e3,
                w.energy()
            );
        }
    }
    let sunk: Vec<f64> = w
        .bodies()
        .states
        .iter()
        .filter(|s| s.is_dynamic() && s.world_center().y < 0.0)
        .map(|s| s.world_center().y)
        .collect();
    println!(
        "SUNK {} sum {:.3} cells {} mean y {:.4}",
        sunk.len(),
        sunk.iter().sum::<f64>(),
        w.pairs().iter().map(|p| p.region_count()).sum::<usize>(),
        w.bodies().states.iter().filter(|s| s.is_dynamic()).map(|s| s.world_center().y).sum::<f64>() / 56.0
    );
    if let Some(c) = w.check() {
        println!(
            "check ece {:.3} {:?}",
            c.expected_calibration_error(),
            c.bins.iter().map(|b| (b.count, b.collided)).collect::<Vec<_>>()
        );
    }
    println!("missed {missed} worst {worst:.0} rate {:.1}", used as f64 / time);
    for p in w.pairs() {
        if p.standing.certainty != Certainty::Proven {
            let n = |b: u32| &w.bodies().infos[b as usize].name;
            println!(
                "{} {} {:?}",
                n(p.a),
                n(p.b),
                (
                    p.standing.certainty,
                    p.standing.starved_passes,
                    p.standing.waited,
                    p.standing.cost,
                    p.standing.is_partial,
                    p.contacts.len(),
                    p.margin,
                    p.settings.slop
                )
            );
        }
    }
}
