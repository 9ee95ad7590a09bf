//! The check for graphics on this machine. A test that draws calls it first. If something is missing,
//! the test reports it and passes, unless `TUMBLE_REQUIRE_GRAPHICS=1` asks for a failure.

use std::ffi::OsStr;
use std::io::Write;
use std::sync::OnceLock;

use tumble::viewer::{PictureOptions, Studio};

/// Returns whether there is a graphics driver and each of these programs.
pub fn can_draw(programs: &[&str]) -> bool {
    static DRIVER: OnceLock<Option<String>> = OnceLock::new();
    let try_driver =
        || Studio::new("chain", [16, 16], &PictureOptions::default()).err().map(|e| e.to_string());
    let lack = DRIVER.get_or_init(try_driver).clone();
    let Some(lack) = lack.or_else(|| lacking(programs)) else { return true };
    let is_required = std::env::var_os("TUMBLE_REQUIRE_GRAPHICS").as_deref() == Some(OsStr::new("1"));
    assert!(!is_required, "TUMBLE_REQUIRE_GRAPHICS=1, but {lack}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // `eprintln` is not shown for a passing test, so the message goes to stderr directly.
    let _ = writeln!(std::io::stderr(), "NOT TESTED: {test}: {lack}");
    false
}

fn lacking(programs: &[&str]) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    programs.iter().find(|p| !is_there(p)).map(|p| format!("{p} is not installed"))
}
