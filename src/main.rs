//! The program: runs the command line of the library, which returns the exit code.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    tumble::cli::main()
}
