//! Names, ranks, labels, sizes, formats and signatures of a `.ta` program.

pub mod program;
