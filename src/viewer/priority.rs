//! Precedence of the simulation where the processor also draws, since its timings are shown to the
//! user.

/// Niceness of drawing. At 10 a thread gets about a tenth of a core that a normal one also uses, and
/// all of it while the other is idle; at 19 it would get almost nothing and freeze beside a busy
/// compiler.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of this thread and of those it will start, including the driver's. Running
/// threads keep theirs. It has an effect only on Linux, where each thread has its own priority.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    {
        // A refusal costs only smoothness.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}
