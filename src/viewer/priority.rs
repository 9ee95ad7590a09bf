//! Who goes first where the processor also draws: the simulation. Its timings are what a user reads.

/// How far drawing steps back. At 10 a thread gets about a tenth of a core that a normal one wants too, and
/// all of it while the other rests; at 19 it would get next to nothing and freeze beside a busy compiler.
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
