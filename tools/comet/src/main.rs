//! The comet driver.

fn main() {}
