//! The command of one run of a sweep, and the result of its process.

use std::process::Output;

use serde_json::Value;

use super::plan::Sweep;
use crate::sweep::{End, RunResult};

/// Largest number of bytes of messages that a result keeps.
const MESSAGE_BYTES: usize = 4096;
/// Exit code of a run that broke an expectation, and of one that was refused.
const BROKEN: i32 = 1;
const REFUSED: i32 = 2;

/// Returns the words that give a key its value in the command of a run. `option` is whether the key is
/// an option that takes a value (`Some(true)`) or none (`Some(false)`); `None` for a key of the scene
/// file.
pub(super) fn words(key: &str, value: &str, option: Option<bool>) -> Vec<String> {
    match option {
        None => vec!["--set".to_owned(), format!("{key}={value}")],
        Some(true) => vec![format!("--{key}={value}")],
        Some(false) if value == "true" => vec![format!("--{key}")],
        Some(false) => Vec::new(),
    }
}

/// Formats words as a command for a shell.
pub(super) fn command(words: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |word: &String| match word.chars().all(is_plain) && !word.is_empty() {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Makes the result of a run from the output of its process. `words` are those of its command.
pub(super) fn result(sweep: &Sweep, run: u64, words: &[String], output: &Output, seconds: f64) -> RunResult {
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let exit_code = output.status.code();
    let end = match (exit_code, &report) {
        (Some(0), Some(_)) => End::Held,
        (Some(BROKEN), Some(_)) => End::Broken,
        (Some(REFUSED), _) => End::Refused,
        _ => End::Died,
    };
    let report = report.filter(|_| end.is_whole());
    let text = |key: &str| report.as_ref()?.get(key)?.as_str().map(str::to_owned);
    let number = |key: &str| report.as_ref()?.get(key)?.as_u64();
    RunResult {
        sweep: sweep.identity.clone(),
        run,
        values: sweep.values(run),
        end,
        exit_code,
        seconds,
        peak_memory_bytes: number("peak_memory_bytes"),
        state_hash: text("state_hash"),
        command: command(words),
        messages: shortened(&String::from_utf8_lossy(&output.stderr)),
        report,
    }
}

/// Shortens messages in their middle, because the last one tells how the run ended.
fn shortened(text: &str) -> String {
    if text.len() <= MESSAGE_BYTES {
        return text.to_owned();
    }
    let half = MESSAGE_BYTES / 2;
    let start = text.floor_char_boundary(half);
    let end = text.ceil_char_boundary(text.len() - half);
    format!("{}\n… {} bytes are left out …\n{}", &text[..start], end - start, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_for_the_shell() {
        let words = ["tumble", "run", "a b.toml", "--set", "part.{a,b}.name='x'", "--tree=obb+parts", ""];
        let words: Vec<String> = words.map(str::to_owned).into();
        let quoted = r"tumble run 'a b.toml' --set 'part.{a,b}.name='\''x'\''' --tree=obb+parts ''";
        assert_eq!(command(&words), quoted);
    }

    #[test]
    fn the_first_and_the_last_messages_are_kept() {
        let text = format!("first{}last", "ö".repeat(10_000));
        let short = shortened(&text);
        assert!(short.len() < 5000 && short.starts_with("first") && short.ends_with("last"), "{short}");
        assert_eq!(shortened("as it is"), "as it is");
    }
}
