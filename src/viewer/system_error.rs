//! Errors of the window library, as text for the user who started the program.

use std::fmt::Display;

/// Error message of the window library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SystemError(String);

impl SystemError {
    /// Removes the source location with which some messages begin. It is a path on the machine that
    /// built the program, and useless to the user.
    pub(super) fn of(error: &dyn Display) -> Self {
        let text = error.to_string();
        let said = text.strip_prefix("os error at ").and_then(|rest| {
            // The path may contain colons, so the location ends at the first ": " that follows a line
            // number.
            let ends = rest.match_indices(": ").map(|(at, _)| (&rest[..at], &rest[at + 2..]));
            let is_place = |place: &str| {
                let line = place.rsplit_once(':').map_or("", |(_, line)| line);
                !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit())
            };
            ends.into_iter().find(|(place, _)| is_place(place)).map(|(_, said)| said.to_owned())
        });
        Self(said.unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_messages_contain_no_path_of_the_build_machine() {
        let said = |text: &str| SystemError::of(&text).to_string();
        let unix = "os error at /root/.cargo/registry/src/index/winit-0.30.13/src/platform_impl/linux/mod.rs:765: \
                    neither WAYLAND_DISPLAY nor DISPLAY is set: give one";
        assert_eq!(said(unix), "neither WAYLAND_DISPLAY nor DISPLAY is set: give one");
        assert_eq!(said("os error at C:\\Users\\me: too\\mod.rs:12: refused"), "refused");
        assert_eq!(said("Exit Failure: 1"), "Exit Failure: 1");
        assert_eq!(said("os error at last"), "os error at last");
    }
}
