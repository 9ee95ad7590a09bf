//! Files of triangles: the same surface from every format, what each says of its flaws, and what damage does.

mod agree;
mod hostile;
mod triangles;
mod writers;
