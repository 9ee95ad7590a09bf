//! Parses the arguments, runs one command, prints the error, sets the exit code; nothing else.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    tumble::cli::main()
}
