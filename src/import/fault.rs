//! An error in a file, and its place.

/// An error with its place in the file.
#[derive(Debug)]
pub(crate) struct Fault {
    pub place: String,
    pub reason: String,
}

pub(crate) type Checked<T> = Result<T, Fault>;

pub(crate) fn fault<T>(place: impl Into<String>, reason: impl Into<String>) -> Checked<T> {
    Err(Fault { place: place.into(), reason: reason.into() })
}
