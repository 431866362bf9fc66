//! Files to checked programs.

use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::text;
use comet_diag::{Diagnostic, Source};
use comet_sema::program::Program;
use comet_syntax::ast::Module;
use std::path::Path;

pub(crate) fn read_source(path: &Path) -> Result<Source> {
    let source = text::source(path)?;
    match other_language(source.text()) {
        None => Ok(source),
        Some(language) => {
            let message = format!("`{}` is no program: it looks like {language}", source.name());
            let hint = "a program has functions: `def main() { … }`";
            Err(Failure::hinted(message, hint))
        }
    }
}

/// What a text is that begins as no program does.
fn other_language(text: &str) -> Option<&'static str> {
    const LANGUAGES: [(&str, &str); 6] = [
        ("%%MatrixMarket", "a Matrix Market file, which `--input` gives to a program"),
        ("module {", "MLIR, which `comet-opt` reads"),
        ("builtin.module", "MLIR, which `comet-opt` reads"),
        ("func.func", "MLIR, which `comet-opt` reads"),
        ("digraph", "a dataflow graph, which `comet sim` reads from files named `.gv`"),
        ("import spatial", "a Spatial application, which `comet sim` reads from files named `.scala`"),
    ];
    let text = text.trim_start_matches('\u{feff}').trim_start();
    LANGUAGES.iter().find(|(start, _)| text.starts_with(start)).map(|(_, language)| *language)
}

/// A program, and behind it the schedule of the command line: commands, or a file with commands. One that is
/// empty, as `comet tune` prints it where no schedule is faster, leaves the program as it is.
pub(crate) fn read_program(path: &Path, schedule: Option<&str>) -> Result<Source> {
    let source = read_source(path)?;
    let Some(schedule) = schedule else { return Ok(source) };
    let commands = commands(schedule)?;
    Ok(with_schedule(source, commands.name(), commands.text()))
}

/// The commands of `--schedule`, which are given as they are or in a file.
pub(crate) fn commands(schedule: &str) -> Result<Source> {
    match schedule_file(schedule) {
        Some(path) => text::source(path),
        None => Ok(Source::new("--schedule", schedule)),
    }
}

/// The file that `--schedule` names, if it names one.
pub(crate) fn schedule_file(schedule: &str) -> Option<&Path> {
    let path = Path::new(schedule);
    (path.is_file() || is_path(schedule)).then_some(path)
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

pub(crate) fn check(session: &Session, source: &Source) -> Result<Program> {
    check_module(session, &parse(session, source)?, source)
}

/// The checked program of a tree whose places are in `source`.
pub(crate) fn check_module(session: &Session, module: &Module, source: &Source) -> Result<Program> {
    let checked = session.timing.step("check", || comet_sema::check(module, source));
    let program = checked.map_err(|diagnostics| Failure::in_source(diagnostics, source))?;
    if !session.noted.replace(true) {
        comet_sema::notes(&program).iter().for_each(|note| session.show(note, source));
    }
    Ok(program)
}
