//! Errors of transferring a clip.

/// Reason why a clip cannot be transferred to another skeleton.
#[derive(Debug, thiserror::Error)]
pub enum RetargetError {
    #[error(
        "the joints of {model} are not recognised: {missing} not found; map = {{ \"joint of {from}\" = \
         \"node of {onto}\", … }} says which follows which"
    )]
    Unmatched { model: String, missing: String, from: String, onto: String },
    #[error("there is no node {name:?} in {model}")]
    NoNode { model: String, name: String },
    #[error("{name:?} is the name of several nodes in {model}")]
    Ambiguous { model: String, name: String },
    #[error("{name:?} would follow two joints")]
    Twice { name: String },
    #[error("{name:?} in {model} is scaled to nothing at rest")]
    Flat { model: String, name: String },
}
