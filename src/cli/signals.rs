//! Signals whose default is to kill the process where an error would do.

/// From here on, a write past the file size limit (`ulimit -f`) fails with an error that names the file,
/// as on a full disk, and the run goes on. Call once, before anything is written.
pub fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        // The flag is not read: having a handler is what replaces killing. If the system refuses one, the
        // run is as good as it was before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
