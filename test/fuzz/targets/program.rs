//! Any text is parsed, laid out and checked without a panic; messages can be shown, and a layout is read
//! again as the same program.
#![no_main]

#[path = "../../../compiler/sema/tests/sema/dump/mod.rs"]
mod dump;

use comet_diag::{Diagnostic, Source, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source::new("a.ta", text);
    let (module, errors) = comet_syntax::parse_with_recovery(&source);
    show(&errors, &source);
    comet_syntax::dump(&module);
    match comet_sema::check(&module, &source) {
        Ok(program) => drop(dump::dump(&program)),
        Err(errors) => show(&errors, &source),
    }
    if let Ok(once) = comet_syntax::format_module(&source) {
        assert!(errors.is_empty());
        let again = Source::new("a.ta", once.as_str());
        assert_eq!(comet_syntax::format_module(&again).as_deref(), Ok(once.as_str()));
        let checked = |source: &Source| {
            let module = comet_syntax::parse(source).expect("a layout can be read");
            comet_sema::check(&module, source).ok().map(|program| dump::dump(&program))
        };
        assert_eq!(checked(&source), checked(&again), "the layout means something else:\n{once}");
    }
});

fn show(errors: &[Diagnostic], source: &Source) {
    for error in errors {
        let shown = render(error, source, comet_diag::Color::Never);
        assert!(shown.starts_with("error: ") || shown.starts_with("warning: "), "{shown}");
    }
}
