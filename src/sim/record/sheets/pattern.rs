//! Selection of bodies by patterns of their names, as given on the command line.

use crate::scene::{PartPattern, Scene, alternatives, instead};

/// Returns the bodies that match at least one of the patterns, by ascending index; all bodies if there
/// are no patterns.
///
/// # Errors
/// Returns a message if a pattern is invalid, or if a pattern or an alternative in its braces matches
/// no body.
pub fn bodies_named(scene: &Scene, patterns: &[String]) -> Result<Vec<u32>, String> {
    if patterns.is_empty() {
        return Ok((0..scene.bodies.len() as u32).collect());
    }
    let mut is_named = vec![false; scene.bodies.len()];
    for pattern in patterns {
        let select = PartPattern::new(pattern)?;
        for (body, is_named) in scene.bodies.iter().zip(&mut is_named) {
            *is_named |= select.is_match(body);
        }
        require_any(scene, pattern, pattern)?;
        for one in alternatives(pattern) {
            require_any(scene, &one.pattern, &one.word)?;
        }
    }
    Ok((0..).zip(is_named).filter(|(_, is_named)| *is_named).map(|(body, _)| body).collect())
}

/// Fails if a pattern matches no body. `wanted` is the part of it for which the message suggests
/// similar names.
fn require_any(scene: &Scene, pattern: &str, wanted: &str) -> Result<(), String> {
    let select = PartPattern::new(pattern)?;
    if scene.bodies.iter().any(|body| select.is_match(body)) {
        return Ok(());
    }
    let is_path = pattern.contains('/');
    let names = scene.bodies.iter().map(|body| if is_path { body.path.as_str() } else { &body.name });
    Err(format!("no body is called {wanted:?}{}", instead(wanted, names)))
}
