//! Files to checked programs.

use crate::failure::{Failure, Result};
use crate::session::Session;
use comet_diag::{Diagnostic, Source, Span};
use comet_runtime::error::reason;
use comet_sema::program::Program;
use comet_syntax::ast::Module;
use std::path::Path;

/// The text of a `.ta` file.
pub(crate) fn read_source(path: &Path) -> Result<Source> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, reason(&error)))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(path.to_string_lossy(), text)),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            Err(not_utf8(path, error.as_bytes(), valid))
        }
    }
}

/// Shows the place in the text as far as it can be read.
fn not_utf8(path: &Path, bytes: &[u8], valid: usize) -> Failure {
    let source = Source::new(path.to_string_lossy(), String::from_utf8_lossy(bytes));
    let message = format!("the source is not UTF-8: found the byte 0x{:02x}", bytes[valid]);
    // The text up to the byte is the same, and the replacement character that stands for it takes three
    // bytes.
    let diagnostic = Diagnostic::error(Span::new(valid, valid + 3), message).hint("save the file as UTF-8");
    Failure::in_source(vec![diagnostic], &source)
}

/// A program, and behind it the schedule of the command line: commands, or a file with commands. One that is
/// empty, as `comet tune` gives it where no schedule is faster, leaves the program as it is.
pub(crate) fn read_program(path: &Path, schedule: Option<&str>) -> Result<Source> {
    let source = read_source(path)?;
    let Some(schedule) = schedule else { return Ok(source) };
    if !Path::new(schedule).is_file() && !is_path(schedule) {
        return Ok(with_schedule(source, "--schedule", schedule));
    }
    let commands = read_source(Path::new(schedule))?;
    Ok(with_schedule(source, schedule, commands.text()))
}

/// Whether a text is a path rather than a schedule: every command has parentheses.
fn is_path(schedule: &str) -> bool {
    schedule.contains(['.', '/']) && !schedule.contains(['(', '{'])
}

/// The program with commands from a place of that name, where there are some.
pub(crate) fn with_schedule(source: Source, name: &str, commands: &str) -> Source {
    if commands.trim().is_empty() { source } else { source.with_appendix(name, commands) }
}

/// The syntax tree, with the schedule of the command line where it belongs.
pub(crate) fn parse(session: &Session, source: &Source) -> Result<Module> {
    let parsed = session.timing.step("parse", || scheduled(source));
    parsed.map_err(|diagnostics| Failure::in_source(diagnostics, source))
}

fn scheduled(source: &Source) -> std::result::Result<Module, Vec<Diagnostic>> {
    let mut module = comet_syntax::parse(source)?;
    comet_sema::attach_schedules(&mut module, &comet_syntax::parse_schedules(source)?)?;
    Ok(module)
}

/// The checked program.
pub(crate) fn check(session: &Session, source: &Source) -> Result<Program> {
    check_module(session, &parse(session, source)?, source)
}

/// The checked program of a tree whose places are in `source`.
pub(crate) fn check_module(session: &Session, module: &Module, source: &Source) -> Result<Program> {
    let checked = session.timing.step("check", || comet_sema::check(module, source));
    checked.map_err(|diagnostics| Failure::in_source(diagnostics, source))
}
