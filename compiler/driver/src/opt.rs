//! The main function of `comet-opt`.

use crate::failure::Result;
use crate::front;
use crate::middle::{self, Checked, Locations, Stage};
use crate::session::Session;
use comet_runtime::output::tell;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::ExitCode;

/// `MlirOptMain` with our dialects, passes and pipelines; `.ta` files are lowered by the front end first.
pub fn opt_main() -> ExitCode {
    middle::register_passes();
    let arguments = std::env::args_os().map(OsStringExt::into_vec);
    match comet_dialects::opt::main("comet's optimizer driver", arguments, read_source) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn read_source(path: &str) -> Option<String> {
    let session = Session::new();
    match source_to_text(&session, Path::new(path)) {
        Ok(text) => Some(text),
        Err(failure) => {
            tell(format_args!("{}", failure.render(session.color)));
            None
        }
    }
}

/// The module as the front end returns it, before any pass, with places in the source.
fn source_to_text(session: &Session, path: &Path) -> Result<String> {
    let source = front::read_source(path)?;
    let program = front::check(session, &source)?;
    let context = middle::context();
    let checked = Checked { session, source: &source, program: &program };
    middle::print(&middle::lower(&context, checked, Stage::Lowered)?, Locations::Keep)
}
