//! Signals that by default kill the process. They are handled here, so that the process ends with an
//! error or a report.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals with which a user ends a run.
const ENDING: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// Difference between the exit code of a process that a signal ended and the number of this signal.
const EXIT_CODE_BASE: i32 = 128;

/// An interruption by a signal, which takes effect with a delay. It is only for work that tests the
/// flag. Before [`Interruption::watch`] is called, a signal ends the process.
pub(super) struct Interruption {
    stop: Arc<AtomicBool>,
    code: Arc<AtomicUsize>,
}

impl Interruption {
    /// Registers the handlers. After this, the first signal sets the flag, and the second signal ends
    /// the process.
    pub fn watch() -> io::Result<Self> {
        let (stop, code) = (Arc::new(AtomicBool::new(false)), Arc::default());
        for &signal in ENDING {
            let exit_code = EXIT_CODE_BASE + signal;
            // Handlers run in the order of their registration. This one runs before the flag is set, so
            // the first signal does not end the process.
            flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&stop))?;
            flag::register_usize(signal, Arc::clone(&code), exit_code as usize)?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Self { stop, code })
    }

    /// Ends the work, as SIGTERM does, when standard input is closed. The program that started this one
    /// keeps it open, so this one never outlives it.
    pub fn end_with_stdin(&self) {
        let (stop, code) = (Arc::clone(&self.stop), Arc::clone(&self.code));
        thread::spawn(move || {
            // An error is an end too. Nothing is read from it otherwise.
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            code.store((EXIT_CODE_BASE + SIGTERM) as usize, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        });
    }

    /// Returns the flag that the first signal sets.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Returns the exit code of the signal, if there was one.
    pub fn exit_code(&self) -> Option<u8> {
        u8::try_from(self.code.load(Ordering::Relaxed)).ok().filter(|&code| code > 0)
    }
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail with an error that names the file, as on
/// a full disk. By default such a write kills the run. Must be called once, before anything is written.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        // The flag is never read, because any handler prevents the kill. If the system refuses the
        // handler, the default remains.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}
