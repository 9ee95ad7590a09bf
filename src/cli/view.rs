//! `tumble view`: a window on a scene, a model or a recording.

use std::time::Duration;

use clap::Args;

use super::{Failure, Outcome, output};
use crate::viewer;

/// Open a window on a scene, a model or a recording. `tumble` alone opens it on the demo.
#[derive(Args, Default)]
pub(super) struct ViewArguments {
    /// A built-in scene, a scene file (.toml), a model (.glb, .gltf) or a recording; the demo unless given.
    scene: Option<String>,
    /// Close after so many seconds and print what drawing and stepping took.
    #[arg(long, value_name = "SECONDS")]
    close_after: Option<f64>,
    /// With --close-after, print one JSON document instead of a line.
    #[arg(long)]
    json: bool,
}

pub(super) fn view(arguments: &ViewArguments) -> Result<Outcome, Failure> {
    let close_after = match arguments.close_after {
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| format!("--close-after {seconds}: must be a number of seconds"))?,
        ),
        None => None,
    };
    let report = viewer::open(arguments.scene.as_deref(), close_after)?;
    if close_after.is_none() {
        return Ok(Outcome::Done);
    }
    if arguments.json {
        output::print_json(&report)?;
    } else {
        let [width, height] = report.size;
        output::print(&format!(
            "{}, {width} × {height}: {} pictures, every {:.1} ms (p99 {:.1}, longest {:.1}); {} steps of {:.2} ms (p99 {:.2})",
            report.adapter,
            report.frame_count,
            report.frame_ms.mean,
            report.frame_ms.p99,
            report.frame_ms.max,
            report.step_count,
            report.step_ms.mean,
            report.step_ms.p99,
        ))?;
    }
    Ok(Outcome::Done)
}
