//! Calls into a library that panics on unexpected numbers. A panic becomes an error message, and
//! nothing is printed.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `call`, or the message of its panic as one line. After a panic, the caller
/// must not use any state that `call` may have changed in part.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !IS_CAUGHT.get() {
                usual(info);
            }
        }));
    });
    let before = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CAUGHT.set(before);
    result.map_err(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason is given");
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        assert_eq!(caught(|| 1), Ok(1));
        let size = 3;
        assert_eq!(
            caught(|| assert!(size < 2, "size\n  {size} is large")),
            Err("size 3 is large".to_owned())
        );
        assert_eq!(caught(|| caught(|| panic!("inside"))), Ok(Err::<(), _>("inside".to_owned())));
    }
}
