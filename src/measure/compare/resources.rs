//! Data that the system reports about the machine and this process.

use super::result::Machine;
use crate::parallel;

/// Returns the resident memory of this process, bytes; `None` if the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

/// Returns the largest resident memory of this process so far, bytes; `None` if the system does not
/// report it.
pub fn peak_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

fn status_bytes(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}

/// Returns a description of the machine on which times are measured.
pub fn machine() -> Machine {
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    Machine {
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        cores: parallel::core_count() as u32,
        processor: processor.unwrap_or_default(),
    }
}
