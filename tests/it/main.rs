//! Tests of the library by itself: hierarchies, queries, broad phases, files, figures, recordings,
//! reports, and the house rules.

mod adb;
mod adb_calibration;
#[path = "../common/assembly.rs"]
mod assembly;
mod assets;
mod broad_phases_agree;
mod cad;
#[path = "../common/clips.rs"]
mod clips;
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "reference")]
mod compare_rapier;
mod contacts;
mod drafts;
mod exact_skins;
mod figures;
mod formats;
#[path = "../common/gltf.rs"]
mod gltf;
mod hostile_skins;
mod joints;
#[path = "../common/joints_fit.rs"]
mod joints_fit;
mod layers;
mod link_edges;
mod link_pairs;
mod link_trees_agree;
mod load;
mod looks;
mod many_touches;
mod mocap;
mod paper_report;
mod parts;
mod reach;
mod record;
mod record_checks;
mod record_contacts;
mod record_damage;
mod record_looks;
mod record_sizes;
mod report;
#[path = "../common/robots_fit.rs"]
mod robots_fit;
mod rounding;
#[path = "../common/rounds.rs"]
mod rounds;
mod scenes;
mod simplify_cells;
mod spellings;
mod tree_build;
mod trees_agree;
mod triangle_exact;
