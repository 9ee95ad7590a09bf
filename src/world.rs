//! The world: bodies, contacts and joints that step through time.
