//! Scratch.
use comet_diag::{Source, render};
#[test]
fn scratch() {
    for path in std::env::var("TA").unwrap().split(',') {
        let text = std::fs::read_to_string(path).unwrap();
        let source = Source::new(path, text);
        match comet_syntax::parse(&source) {
            Err(errors) => for e in errors { println!("PARSE {}\n", render(&e, &source, false)); },
            Ok(module) => match comet_sema::check(&module, &source) {
                Ok(program) => println!("{}", comet_sema::dump(&program)),
                Err(errors) => for e in errors { println!("{}\n", render(&e, &source, false)); },
            }
        }
    }
}
