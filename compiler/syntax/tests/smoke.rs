//! Programs every other crate relies on.

use comet_diag::Source;
use comet_syntax::parse;

#[test]
fn listing_1_of_the_paper_parses() {
    let text = include_str!("listing1.ta");
    let module = parse(&Source::new("listing1.ta", text));
    assert_eq!(module.map(|module| module.functions[0].body.len()).map_err(|e| format!("{e:?}")), Ok(10));
}
