//! Precedence of the simulation if the processor also draws. The simulation has it because its timings
//! are shown to the user.

/// Niceness of the drawing threads. At 10, a thread gets about a tenth of a core that a normal thread
/// also uses, and the whole core while the other thread is idle. At 19, it would get almost nothing,
/// and the window would freeze beside a busy compiler.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lowers the priority of this thread and of the threads that it will start, including the driver's.
/// Threads that already run keep their priority. This works only on Linux, where each thread has its
/// own priority.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    {
        // If the system refuses, drawing and stepping are only less smooth.
        let _ = rustix::process::setpriority_process(None, NICENESS);
    }
}
