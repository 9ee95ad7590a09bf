//! Errors in a file, with their places.

/// Error with its place in the file, such as a line or an element.
#[derive(Debug)]
pub(crate) struct Fault {
    pub place: String,
    pub reason: String,
}

pub(crate) type Checked<T> = Result<T, Fault>;

pub(crate) fn fault<T>(place: impl Into<String>, reason: impl Into<String>) -> Checked<T> {
    Err(Fault { place: place.into(), reason: reason.into() })
}
