//! Any text is read as a Spatial application without a panic; messages can be shown, and what is written of
//! an application is read as the same, and written as it is.
#![no_main]

use comet_diag::{Source, render};
use comet_spatial::read::read;
use comet_spatial::write::write;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let app = match read(text) {
        Ok(app) => app,
        Err(errors) => {
            let source = Source::new("a.scala", text);
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|error| render(error, &source, comet_diag::Color::Never).starts_with("error: ")));
            return;
        }
    };
    let written = write(&app);
    let again = read(&written).expect("what is written can be read");
    assert_eq!(write(&again), written);
    assert_eq!(again.without_spans(), app.without_spans(), "what is written means something else:\n{written}");
});
