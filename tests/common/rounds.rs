//! How many random rounds a test takes: enough to see a fault at every change, all of them when asked.

/// A tenth of `full`, or with `TUMBLE_FULL=1` all of it.
pub fn rounds(full: usize) -> usize {
    if std::env::var_os("TUMBLE_FULL").is_some_and(|value| value == "1") { full } else { full.div_ceil(10) }
}
