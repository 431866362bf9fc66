//! Statements drawn at random, lowered, written, read, run, and compared with plain loops over dense arrays.

use crate::draw;
use crate::draw::Case;
use crate::oracle;
use comet_spatial::interpret::{self, Inputs};
use comet_spatial::{lower, read, write};
use proptest::prelude::*;

/// Runs a case; what is wrong with it.
fn check(case: &Case) -> Result<(), String> {
    let app = match lower::lower(&case.nest) {
        Ok(lowered) => lowered.app,
        // Factors that are drawn may multiply to more than there is.
        Err(refusal) if refusal.message.contains("at once") => return Ok(()),
        Err(refusal) => return Err(format!("refused: {refusal}")),
    };
    let text = write::write(&app);
    let failed = |what: &str, message: &str| format!("{what}: {message}\n{text}");
    let lowered = app;
    let app = read::read(&text).map_err(|errors| failed("not read", &format!("{errors:?}")))?;
    if app.clone() != lowered {
        return Err(failed("not the same", "what is read says something else"));
    }
    if write::write(&app) != text {
        return Err(failed("not stable", "what is read is written differently"));
    }
    let inputs = Inputs { files: case.files(), ..Inputs::default() };
    let outcome = interpret::run(&app, &inputs).map_err(|fault| {
        let place = fault.span().map_or("", |span| &text[span.start..span.end]);
        failed("fault", &format!("{} at `{place}`", fault.message))
    })?;
    let found = case.result.read(&outcome.files).map_err(|message| failed("malformed", &message))?;
    oracle::compare(case, &found).map_err(|message| failed("wrong", &message))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Applications compute what the statements say, whatever the formats and the order of the loops.
    #[test]
    fn applications_agree_with_plain_loops(case in draw::case()) {
        if let Err(message) = check(&case) {
            prop_assert!(false, "{message}\n{:?}", case.data);
        }
    }
}
