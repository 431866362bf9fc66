//! The examples of the `.td` files parse, links lead somewhere, and passes make their After of their Before:
//! `comet_harness::documentation`.

use std::process::ExitCode;

use comet_harness::documentation::{check_readme, definitions, pass_pages};
use libtest_mimic::{Arguments, Failed, Trial};

/// The dialects whose definitions are looked at.
const DIALECTS: [&str; 4] = ["ta", "cin", "sam", "spatial"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for dialect in DIALECTS {
        trials.push(Trial::test(format!("readme::{dialect}"), move || {
            check_readme(dialect).map_err(Failed::from)
        }));
        for definition in definitions(dialect)? {
            trials.push(Trial::test(format!("example::{}", definition.name), move || {
                definition.check().map_err(Failed::from)
            }));
        }
    }
    for page in comet_harness::links::pages()? {
        trials.push(Trial::test(format!("links::{page}"), move || {
            comet_harness::links::check(&page).map_err(Failed::from)
        }));
    }
    for page in pass_pages()? {
        trials.push(Trial::test(format!("before_after::{}", page.name), move || {
            page.check().map_err(Failed::from)
        }));
    }
    Ok(trials)
}
