//! Passes and pipelines one by one.

fn main() {}
