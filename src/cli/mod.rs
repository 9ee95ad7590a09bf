//! The command line: one file a verb, arguments → command.

mod signals;

/// Entry point of the binary.
pub fn main() -> std::process::ExitCode {
    signals::survive_file_size_limit();
    std::process::ExitCode::SUCCESS
}
