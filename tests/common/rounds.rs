//! The number of random rounds of a test: enough to detect most faults at every change, or all of them
//! on request.

/// Returns whether all rounds and cases are asked for, with `TUMBLE_FULL=1`.
pub fn is_full() -> bool {
    std::env::var_os("TUMBLE_FULL").is_some_and(|value| value == "1")
}

/// Returns a tenth of `full`, or all of it with `TUMBLE_FULL=1`.
pub fn rounds(full: usize) -> usize {
    if is_full() { full } else { full.div_ceil(10) }
}
