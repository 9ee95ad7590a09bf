//! Small files made by hand, read back.
