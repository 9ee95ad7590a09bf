//! From candidate triangle pairs to contacts: signed pairs of features (vertex, edge, face) that are local
//! extrema of their own surface along the normal, so that neither convexity nor closedness is needed.

mod contact;

pub use contact::{Contact, FeatureKey, PairContacts, PairRule};
