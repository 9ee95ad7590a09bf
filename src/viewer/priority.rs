//! Who goes first where the processor also draws: the simulation. Its timings are what a user reads.

/// How far drawing steps back. At 10 a thread gets about a ninth of what a normal one gets while both want the
/// same core, and all of it while the other rests.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of this thread and of those it will start, the driver's among them. Threads that run
/// already keep theirs. Elsewhere than on Linux, where priorities are a thread's own, it does nothing.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    {
        // Not being allowed to costs evenness, nothing else.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}
