//! Contacts and joints → velocities → poses: sequential impulses with soft constraints over sub-steps.
