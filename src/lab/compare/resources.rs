//! What the system says of itself and of this process.

use super::result::Machine;
use crate::parallel;

/// Memory this process holds, bytes; `None` where the system does not say.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}

/// Where times are taken.
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
