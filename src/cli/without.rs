//! Verbs that this program was built without. They say how to build it with them, instead of being unknown.

use clap::Args;

use super::{Failure, Outcome};

/// Any arguments, which nothing reads.
#[derive(Args)]
pub(super) struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _any: Vec<String>,
}

/// Returns the error of `tumble bench`.
pub(super) fn bench() -> Result<Outcome, Failure> {
    Err("this program is built without the experiments; build it with --features bench".into())
}
