//! Signals whose default is to kill the process where an error or a report would do.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Those by which a user ends a run.
const ENDING: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// Added to a signal's number it is the exit code of what it ended.
const EXIT_CODE_BASE: i32 = 128;

/// A signal that was not followed at once. Only for work that looks at the flag: until it is watched for, a
/// signal ends the process.
pub(super) struct Interruption {
    stop: Arc<AtomicBool>,
    code: Arc<AtomicUsize>,
}

impl Interruption {
    /// From here on the first signal sets the flag, and the second ends the process.
    pub fn watch() -> io::Result<Self> {
        let (stop, code) = (Arc::new(AtomicBool::new(false)), Arc::default());
        for &signal in ENDING {
            let exit_code = EXIT_CODE_BASE + signal;
            // Handlers run in the order in which they are registered: the first signal passes this one.
            flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&stop))?;
            flag::register_usize(signal, Arc::clone(&code), exit_code as usize)?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { stop, code })
    }

    /// Set by the first signal.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// The exit code that a signal asks for, if there was one.
    pub fn exit_code(&self) -> Option<u8> {
        u8::try_from(self.code.load(Ordering::Relaxed)).ok().filter(|&code| code > 0)
    }
}

/// From here on, a write past the file size limit (`ulimit -f`) fails with an error that names the file,
/// as on a full disk, and the run goes on. Call once, before anything is written.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        // The flag is not read: having a handler is what replaces killing. If the system refuses one, the
        // run is as good as it was before.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}
