//! The counts of this repository against their limits.

use std::path::Path;

use comet_counts::{COUNTS, Limits, measure, read};

/// What the review found too much of does not become more.
#[test]
fn counts_do_not_rise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = read(&folder.join("../..")).expect("the repository is readable");
    let measured = measure(&tree, COUNTS).unwrap_or_else(|message| panic!("{message}"));
    let limits = Limits::read(&folder.join("limits.toml")).unwrap_or_else(|message| panic!("{message}"));
    if std::env::var_os("COMET_BLESS").is_some_and(|bless| bless == "1") {
        limits.lower(&measured).expect("the limits are written");
    } else {
        for (name, limit, value) in limits.slack(&measured) {
            println!("`{name}` is {value}: its limit of {limit} can be lowered, by COMET_BLESS=1");
        }
    }
    let exceeded = limits.exceeded(&measured);
    assert!(exceeded.is_empty(), "{}", exceeded.join("\n"));
}
