//! Project chores that need Rust.

fn main() {}
