//! `tumble check`, started from a shell, and compared with known facts about the parts.
//!
//! - `brute.rs`: a brute-force comparison of all triangles, in f64 and without any hierarchy.
//! - `coincident.rs`: solids whose surfaces coincide, and coarse coordinates.
//! - `delivered.rs`: the page and the topics.
//! - `excluded.rs`: pairs that a scene keeps apart.
//! - `frame.rs`: a frame with planted faults, compared with brute force.
//! - `hostile.rs`: broken or excessive input.
//! - `imported.rs`: digits, instances and names that a check must not lose, and missing geometry.
//! - `outcome.rs`: exit codes and output formats.
//! - `review.rs`: findings that a reviewer accepted.
//! - `rules.rs`: rules for pairs by name.
//! - `shapes.rs`: two parts in every possible relation.
//! - `shards.rs`: a check that is divided.
//! - `steps.rs`: checks at steps of scenes and recordings.
//! - `turned.rs`: an assembly that is rotated, mirrored, scaled or stored in another order.
//! - `versions.rs`: an assembly that is compared with an earlier version.

mod brute;
mod coincident;
mod delivered;
mod excluded;
mod frame;
mod hostile;
mod imported;
mod outcome;
mod review;
mod rules;
mod shapes;
mod shards;
mod steps;
mod turned;
mod versions;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glam::{DVec3, Vec3};
use tumble::check::Kind;
use tumble::generate::{Triangles, cuboid};
use tumble::report::findings::{CheckDocument, FindingFigures};

use crate::parts_file::{Node, PartsFile, Stored};

fn check(model: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_tumble");
    Command::new(program).arg("check").arg(model).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Returns the findings, whether or not there is a clash.
fn found(model: &Path, arguments: &[&str]) -> CheckDocument {
    let output = check(model, &[arguments, &["--json", "--fail-on", "none"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    CheckDocument::read(stdout(&output)).unwrap()
}

/// Returns the finding of two parts, which may be named in either order.
fn of_pair<'a>(document: &'a CheckDocument, a: &str, b: &str) -> Option<&'a FindingFigures> {
    document.findings.iter().find(|f| [&*f.a, &*f.b] == [a, b] || [&*f.a, &*f.b] == [b, a])
}

/// Returns the two parts and the kind of each finding.
fn pairs(findings: &[FindingFigures]) -> Vec<(&str, &str, Kind)> {
    let mut pairs: Vec<_> = findings.iter().map(|f| (&*f.a, &*f.b, f.kind)).collect();
    pairs.sort_unstable();
    pairs
}

fn is_refused(output: &Output, says: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(says.iter().all(|part| said.contains(part)), "{says:?} is not in: {said}");
}

/// Writes parts that are all on one level. Each has its own surface and a position, m.
fn parts(path: &Path, parts: &[(&str, Triangles, DVec3)]) -> PathBuf {
    let mut file = PartsFile::new(Node::new("all", None));
    for (name, surface, place) in parts {
        let mesh = file.mesh(name, surface.clone());
        file.root.add(Node::new(*name, Some(mesh)).at(*place));
    }
    file.write(path, Stored::InOrder);
    path.to_owned()
}

/// Returns a cube with edges of 1/8 m.
fn cube() -> Triangles {
    cuboid(Vec3::splat(0.125), 1.0)
}

/// Writes cubes in a row along x that share one surface. Each has a name and the position of its
/// center, m.
fn cubes(path: &Path, cubes: &[(&str, f64)]) -> PathBuf {
    let mut file = PartsFile::new(Node::new("all", None));
    let mesh = file.mesh("cube", cube());
    for &(name, x) in cubes {
        file.root.add(Node::new(name, Some(mesh)).at(DVec3::X * x));
    }
    file.write(path, Stored::InOrder);
    path.to_owned()
}
