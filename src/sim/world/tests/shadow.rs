//! Kept contacts compared with those of a search from scratch, in every pass of whole heaps.

use glam::{DVec3, Vec3};

use crate::contact::{Depth, PairContacts, QueryScratch};
use crate::generate::{self, Triangles};
use crate::mesh::Mesh;
use crate::query::{self, NearQuery};
use crate::random::Random;
use crate::scene::{BodyDef, Scene, load_text};
use crate::tree::{Counts, DescentScratch};
use crate::world::World;

/// Buffers of the searches from scratch.
#[derive(Default)]
struct Buffers {
    descent: DescentScratch,
    query: QueryScratch,
}

/// Kept contacts compared with those of a search from scratch.
#[derive(Debug, Default)]
struct Shadow {
    /// Number of pairs whose contacts were found in the pass, and number of pairs whose contacts were
    /// recycled.
    judged: u64,
    carried: u64,
    /// Two depths in slops, over the pairs whose contacts were found in the pass: the largest by which
    /// a contact from scratch exceeds all kept ones in its direction, and the largest by which the
    /// deepest contact from scratch exceeds the deepest kept one.
    lost_by_judged: f64,
    lost_depth: f64,
    /// Number of contacts from scratch of recycled pairs, and number of those that are deeper by more
    /// than the slop than all kept contacts in their direction.
    anew: u64,
    lost_by_carried: u64,
    /// Largest depth by which such a contact exceeds the kept ones, as a share of the travel allowed
    /// between two searches.
    worst_of_travel: f64,
}

impl Shadow {
    /// Compares every pair that can change in a pass of `dt` seconds.
    fn look(&mut self, buffers: &mut Buffers, world: &World, dt: f64) {
        for pair in &world.pairs.active {
            if !world.is_at_rest(pair) && !world.is_immovable(pair) && !world.pairs.is_sensor_pair(pair) {
                self.compare(buffers, world, pair, dt);
            }
        }
    }

    /// Compares a pair with a search over the margin of a pass of `dt` seconds. The search ignores the
    /// directions in which triangles face.
    fn compare(&mut self, buffers: &mut Buffers, world: &World, pair: &PairContacts, dt: f64) {
        let (two, b_to_a, ahead) = (world.two(pair), world.b_to_a(pair), world.ahead(dt));
        let surfaces = world.surfaces(pair).unwrap();
        let mut anew = pair.clone();
        let is_judged = pair.drift(two) == 0.0 && pair.search.depth == Depth::Sought;
        anew.search.depth = Depth::Sought;
        if !is_judged {
            anew.search.foreseen = pair.speculative(two, ahead);
            anew.search.corner = pair.corner();
            anew.search.margin = anew.search_margin(two, ahead);
        }
        anew.search.candidates.clear();
        let query = NearQuery { surfaces, b_to_a: &b_to_a, near: anew.search.margin.into() };
        let candidates = &mut anew.search.candidates;
        assert!(query::find_candidates(
            &query,
            usize::MAX,
            &mut buffers.descent,
            candidates,
            &mut Counts::default()
        ));
        anew.find_contacts(&mut buffers.query, &world.query_of(pair, surfaces, false), |_| false);
        *if is_judged { &mut self.judged } else { &mut self.carried } += 1;
        if is_judged {
            self.lost_depth = self.lost_depth.max(anew.deepest() - pair.deepest());
        }
        for found in &anew.contacts {
            let there = pair.contacts.iter().filter(|kept| kept.normal.dot(found.normal) > 0.5);
            let kept = there.map(|kept| kept.separation).fold(anew.search.foreseen, f64::min);
            let lost = kept - found.separation;
            if is_judged {
                self.lost_by_judged = self.lost_by_judged.max(lost / pair.settings.slop);
            } else {
                self.anew += 1;
                self.lost_by_carried += u64::from(lost > pair.settings.slop);
                self.worst_of_travel = self.worst_of_travel.max(lost / pair.settings.travel);
            }
        }
    }
}

/// Returns `count`³ copies of a shape, slightly displaced from a grid, above a ground on which they
/// fall.
fn heap(shape: &Triangles, count: u32, is_turned: bool) -> Scene {
    let mut scene = Scene::new("heap");
    let mesh = |(positions, triangles): &Triangles| Mesh::new("shape", positions, triangles).unwrap();
    let ground = scene.add_mesh(mesh(&generate::cuboid(Vec3::new(40.0, 1.0, 40.0), 40.0)));
    scene.add_body(BodyDef::fixed(&scene, ground).at(DVec3::new(0.0, -0.5, 0.0)));
    let shape = scene.add_mesh(mesh(shape));
    let mut random = Random::new(1, 0);
    for k in 0..count.pow(3) {
        let cell = [k % count, k / count.pow(2), k / count % count].map(f64::from);
        let off = 0.05 * DVec3::new(random.signed(), random.signed(), random.signed());
        let place = DVec3::from(cell) + DVec3::new(0.0, 0.6, 0.0) + off;
        let mut body = BodyDef::dynamic(&scene, shape, 1000.0).at(place);
        if is_turned {
            body.pose.rotation = random.rotation();
        }
        scene.add_body(body);
    }
    scene
}

/// Returns bolts, nuts and brackets that fall on the ground.
fn parts() -> Scene {
    let parts = [("bolt", 0.1, "2, 2, 1"), ("nut", 0.3, "2, 2, 2"), ("bracket", 0.5, "1, 2, 1")];
    let model = |(node, height, count)| {
        format!(
            "[[model]]\nfile = \"../assets/parts.glb\"\nnodes = [\"{node}\"]\nrecenter = true\nposition = [0.0, {height}, 0.0]\n\
             copies = {{ count = [{count}], spacing = [0.06, 0.06, 0.06], random_rotation = true }}\n"
        )
    };
    let models: String = parts.map(model).concat();
    load_text("parts", &format!("[ground]\nsize = 4.0\n{models}"), None).unwrap()
}

/// Returns a ragdoll that falls on the ground.
fn ragdoll() -> Scene {
    let text = "[ground]\nsize = 4.0\n[[model]]\nfile = \"../assets/walker.glb\"\nposition = [0.0, 1.0, 0.0]\nfigure = \"ragdoll\"\n";
    load_text("ragdoll", text, None).unwrap()
}

/// Tests that new contacts are complete. Recycled contacts are complete except for a few, where a round
/// body rolled onto its next facet. A search finds those long before the body tunnels.
#[test]
fn kept_contacts_match_a_search_from_scratch() {
    let cube = generate::cuboid(Vec3::splat(0.9), 0.9);
    let torus = generate::torus(0.3, 0.1, 16, 8);
    let fine = generate::torus(0.3, 0.1, 180, 60);
    // Scene, number of steps, and N: at most one contact in N may be missing. Falling or rolling bodies
    // rotate more than resting ones.
    let scenes = [
        ("boxes", heap(&cube, 3, false), 1000, 1000),
        ("tori", heap(&torus, 3, true), 1000, 800),
        ("fine tori", heap(&fine, 2, true), 100, 200),
        ("parts", parts(), 1000, 500),
        ("ragdoll", ragdoll(), 1000, 1000),
    ];
    for (name, mut scene, steps, share) in scenes {
        scene.config.sleep = false;
        let (mut world, mut shadow, mut buffers) =
            (World::new(&scene).unwrap(), Shadow::default(), Buffers::default());
        for _ in 0..steps {
            world.step_seen(|world, dt| shadow.look(&mut buffers, world, dt));
        }
        assert!(shadow.judged > 100 && shadow.carried > 1000, "{name}: {shadow:?}");
        // Of contacts in one direction, the deepest may be omitted if it is only slightly deeper.
        assert!(shadow.lost_by_judged < 0.5 + 1e-9, "{name}: {shadow:?}");
        assert!(shadow.lost_depth < 1e-9, "{name}: {shadow:?}");
        assert!(share * shadow.lost_by_carried < shadow.anew, "{name}: {shadow:?}");
        assert!(shadow.worst_of_travel < 1.0, "{name}: {shadow:?}");
    }
}
