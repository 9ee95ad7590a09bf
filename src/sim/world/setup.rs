//! Construction of a world from a scene: hierarchies over its surfaces, states of its bodies, and
//! threads.

use std::sync::Arc;

use glam::DMat3;

use super::budget::{BudgetState, node_tests_within};
use super::controls::Controls;
use super::error::WorldError;
use super::fast::Impacts;
use super::impacts::are_joined;
use super::joint_steps::JointSteps;
use super::pairs::PairTable;
use super::skin::{Skins, farthest};
use super::touching::Touching;
use super::visits::Visits;
use super::watched::Watch;
use super::{Events, Figure, FigureLink, Groups, JointUses, StepCounts, Touches, World, energy};
use crate::articulation::SkinKind;
use crate::body::{Activity, Bodies, BodyInfo, BodyState, Gear, Motion};
use crate::broad::BroadPhase;
use crate::config::{Config, THREAD_LIMIT};
use crate::contact::STEP_EFFORT;
use crate::mesh::{Edge, Mesh};
use crate::parallel::{self, Threads};
use crate::plan::Guided;
use crate::scene::{BodyDef, PartRange, Scene};
use crate::solver::{Solver, SolverSettings};
use crate::tree::Tree;
use crate::volume::Aabb;

impl World {
    /// Builds the hierarchies and places every body as in the scene. Converts a budget in time into
    /// node tests, which takes a moment: see [`World::budget`]. Fails if the threads cannot start or
    /// the scene begins with too many near pairs.
    pub fn new(scene: &Scene) -> Result<Self, WorldError> {
        let mut config = scene.config.clone();
        let mut threads = Threads::new(thread_count(&config)).map_err(WorldError::Threads)?;
        let build = |mesh: &Arc<Mesh>| {
            let (mut tree, guided) = Tree::build_guided(config.tree, config.split, mesh);
            // Computed here, so that the first step that needs them does not take longer.
            mesh.cones();
            tree.note_cones(mesh);
            (Arc::new(tree), guided)
        };
        // Runs inside the thread pool: the construction of a large hierarchy is divided among its
        // threads.
        let (meshes, exchanged) = colliding(scene);
        let built = threads.inside(true, || threads.all().map(&meshes, |_, mesh| build(mesh)));
        let (trees, guided): (Vec<Arc<Tree>>, Vec<Option<Guided>>) = built.into_iter().unzip();
        if let Some(budget) = &mut config.budget
            && budget.tests.is_none()
        {
            let copy = Config { budget: None, ..scene.config.clone() };
            let mut world = Self::assemble(scene, copy, threads, (meshes.clone(), trees.clone()));
            world.check_crowd(scene)?;
            budget.tests = budget.us.map(|us| node_tests_within(us, &mut world));
            threads = world.threads;
        }
        let assembled = Self::assemble(scene, config, threads, (meshes, trees));
        let world = Self { guided, exchanged_diagonals: exchanged, ..assembled };
        world.check_crowd(scene)?;
        Ok(world)
    }

    /// Returns the number of diagonals that were exchanged for shorter ones in the flat faces of the scene's
    /// meshes, as in [`Mesh::evened`].
    pub fn exchanged_diagonals(&self) -> u64 {
        self.exchanged_diagonals
    }

    /// Makes a world from its copies of the scene's meshes and the hierarchies over them.
    fn assemble(
        scene: &Scene,
        config: Config,
        threads: Threads,
        (mut meshes, mut trees): (Vec<Arc<Mesh>>, Vec<Arc<Tree>>),
    ) -> Self {
        let thread_count = threads.count();
        let skins = match config.skins {
            SkinKind::Rigid => Skins::default(),
            SkinKind::Exact => Skins::new(scene, scene.meshes.len()),
        };
        let groups = Groups::new(scene, config.links);
        let mut bodies = bodies_at_start(scene);
        if !skins.is_empty() {
            bodies.reshaped.resize(bodies.states.len(), false);
        }
        for info in &mut bodies.infos {
            let mesh = info.mesh.map(|m| m as usize);
            if let Some(m) = mesh.filter(|&m| !Arc::ptr_eq(&meshes[m], &scene.meshes[m])) {
                info.edge = median_edge(&meshes[m]);
            }
        }
        for (body, surface) in skins.surfaces() {
            let mesh = &mut bodies.infos[body as usize].mesh;
            trees.extend(mesh.map(|m| Arc::clone(&trees[m as usize])));
            *mesh = Some(meshes.len() as u32);
            meshes.push(Arc::clone(surface));
        }
        let budget_state = config
            .budget
            .map(|b| Box::new(BudgetState::new(b.tests.unwrap_or(u64::MAX), b.sample, &scene.meshes)));
        let mut world = Self {
            budget_state,
            gravity: scene.gravity,
            meshes,
            trees,
            guided: Vec::new(),
            exchanged_diagonals: 0,
            skins,
            joints: scene.joints.clone(),
            controls: Controls::new(scene),
            figures: scene.skeletons.iter().map(Figure::new).collect(),
            moments: vec![None; scene.skeletons.len()],
            figure_links: figure_links(scene),
            broad: BroadPhase::new(config.broad, thread_count),
            solver: Solver::new(SolverSettings::default()),
            threads,
            step_index: 0,
            passes_left: 1,
            substep: scene.config.dt / f64::from(scene.config.substeps.max(1)),
            counts: StepCounts::default(),
            quarantined: Vec::new(),
            body_boxes: vec![Aabb::EMPTY; bodies.states.len()],
            group_boxes: vec![Aabb::EMPTY; groups.len()],
            group_pairs: Vec::new(),
            reaches: vec![0.0; bodies.states.len()],
            body_pairs: Vec::new(),
            wanted: Vec::new(),
            pairs: PairTable::new(scene),
            last_searched: StepCounts::default(),
            step_effort: STEP_EFFORT,
            left_off: 0,
            bearings: Vec::new(),
            valid_poses: bodies.states.iter().map(|s| s.pose).collect(),
            impacts: Impacts::default(),
            is_joined: are_joined(bodies.states.len(), &scene.joints),
            watch: Watch::default(),
            joint_steps: JointSteps::default(),
            joint_uses: JointUses::default(),
            visits: Visits::default(),
            touching: Touching::default(),
            touches: Touches::new(scene.bodies.len()),
            events: Events::default(),
            scratch: (0..thread_count).map(|_| Default::default()).collect(),
            stop: Arc::default(),
            start: Vec::new(),
            start_angles: Vec::new(),
            groups,
            bodies,
            config,
        };
        world.find_seams();
        world.solver.set_gears(Gear::of_controls(&scene.controls, &scene.joints));
        world.begin_watch();
        world.begin_joints();
        let at_start = world.joint_steps.of_axes.iter().map(|axis| axis.coordinate);
        world.joint_uses = JointUses::new(world.joints.len(), &world.joint_steps.axes, at_start);
        world
    }
}

/// Returns the meshes with which a scene's bodies collide, and the number of diagonals exchanged in their
/// flat faces of thin triangles ([`Mesh::evened`]). The parts of a body keep their triangles.
fn colliding(scene: &Scene) -> (Vec<Arc<Mesh>>, u64) {
    let mut parts: Vec<&[PartRange]> = vec![&[]; scene.meshes.len()];
    for body in &scene.bodies {
        if let Some(mesh) = body.mesh {
            parts[mesh as usize] = &body.parts;
        }
    }
    let mut exchanged = 0;
    let even = |(mesh, parts): (&Arc<Mesh>, &[PartRange])| {
        let source = &mesh.surface().source;
        let part = |t: u32| parts.partition_point(|part| part.first_triangle <= source[t as usize]);
        let Some((evened, count)) = mesh.evened(|[s, t]| part(s) == part(t)) else { return Arc::clone(mesh) };
        exchanged += u64::from(count);
        Arc::new(evened)
    };
    let meshes = scene.meshes.iter().zip(parts).map(even).collect();
    (meshes, exchanged)
}

/// Returns the [`World::bodies`] that a world made from the scene has before its first step, without
/// making a world. Links have their rigid surfaces.
pub fn bodies_at_start(scene: &Scene) -> Bodies {
    let edges: Vec<f64> = scene.meshes.iter().map(|m| median_edge(m)).collect();
    let mut states: Vec<BodyState> = scene.bodies.iter().map(state).collect();
    for figure in scene.skeletons.iter().map(Figure::new) {
        figure.place(0.0, &mut states);
    }
    let mut infos: Vec<BodyInfo> = scene.bodies.iter().map(|b| info(scene, b, &edges)).collect();
    let meshes = scene.bodies.iter().map(|b| b.mesh.map(|m| &*scene.meshes[m as usize]));
    for (info, filters) in infos.iter_mut().zip(scene.filters.by_part(meshes)) {
        info.filters = filters;
    }
    let mut bodies = Bodies { states, infos, ..Bodies::default() };
    bodies.begin_angles(&scene.joints);
    bodies
}

/// Returns the [`World::energy`] that a world made from the scene has before its first step, J, without
/// making a world.
pub fn energy_at_start(scene: &Scene) -> f64 {
    let states: Vec<BodyState> = scene.bodies.iter().map(state).collect();
    energy(&states, scene.gravity)
}

/// Returns the number of threads; a configured 0 means one per core, up to `THREAD_LIMIT`.
fn thread_count(config: &Config) -> usize {
    match config.threads {
        0 => parallel::core_count().min(THREAD_LIMIT as usize),
        n => n as usize,
    }
}

/// Returns for each body the figure and link that it represents; `None` for other bodies.
fn figure_links(scene: &Scene) -> Vec<Option<FigureLink>> {
    let mut links = vec![None; scene.bodies.len()];
    for (skeleton, figure) in scene.skeletons.iter().zip(0..) {
        for link in 0..skeleton.link_count {
            links[(skeleton.first_body + link) as usize] = Some(FigureLink { figure, link });
        }
    }
    links
}

/// Returns the initial state of a body.
fn state(def: &BodyDef) -> BodyState {
    let dynamic = def.motion == Motion::Dynamic;
    // Infinite mass and inertia have the inverse 0: such a body moves, but no contact deflects it.
    let finite = |m: f64| dynamic && m.is_finite() && m > 0.0;
    let turns = dynamic && def.inertia.is_finite() && def.inertia.determinant() > 0.0;
    BodyState {
        pose: def.pose,
        linear_velocity: def.linear_velocity,
        angular_velocity: def.angular_velocity,
        inverse_mass: if finite(def.mass) { 1.0 / def.mass } else { 0.0 },
        center: def.center,
        inertia: if turns { def.inertia } else { DMat3::ZERO },
        inverse_inertia: if turns { def.inertia.inverse() } else { DMat3::ZERO },
        gravity_factor: def.gravity_factor,
        motion: def.motion,
        activity: Activity::Awake { slow_for: 0.0 },
    }
}

/// Returns the constant data of a body, except its filters. `edges`: median edge length of each mesh,
/// m.
fn info(scene: &Scene, def: &BodyDef, edges: &[f64]) -> BodyInfo {
    let mesh: Option<&Mesh> = def.mesh.map(|m| &*scene.meshes[m as usize]);
    let thinnest = |m: &Mesh| f64::from(m.bounds().size().min_element());
    BodyInfo {
        name: def.name.clone(),
        mesh: def.mesh,
        friction: def.friction,
        restitution: def.restitution,
        rolling: def.rolling,
        spinning: def.spinning,
        radius: mesh.map_or(0.0, |m| farthest(m, def.center)),
        thickness: mesh.map_or(0.0, thinnest),
        edge: def.mesh.map_or(0.0, |m| edges[m as usize]),
        has_corners: mesh.is_some_and(Mesh::has_corners),
        combine: def.combine,
        filters: None,
        seams: None,
    }
}

/// Returns the median edge length of a mesh, m.
fn median_edge(mesh: &Mesh) -> f64 {
    let at = |v: u32| mesh.vertices()[v as usize].as_dvec3();
    let length = |e: &Edge| at(e.vertices[0]).distance(at(e.vertices[1]));
    let mut lengths: Vec<f64> = mesh.topology().edges().iter().map(length).collect();
    let middle = lengths.len() / 2;
    if lengths.is_empty() { 0.0 } else { *lengths.select_nth_unstable_by(middle, f64::total_cmp).1 }
}
