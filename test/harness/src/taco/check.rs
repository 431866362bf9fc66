//! One expression on every kind of data.

use std::path::Path;

use comet_diag::render;
use comet_syntax::ast::Module;

use super::data::{self, Kind};
use super::line::Line;
use super::written;
use crate::compiler::{self, End, Finished};
use crate::oracle;
use crate::program::agrees;
use crate::random::rng::Rng;

/// What became of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It computes what the oracle computes, on all data.
    Agrees,
    /// It is refused, with the words of the first message.
    Refused(String),
    /// Anything else.
    Differs(String),
}

/// How many kinds of data an expression is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// All.
    Every,
    /// One, which changes from expression to expression.
    One,
}

/// Where expressions are run: as code, and as graphs on the simulator.
const TARGETS: [&str; 2] = ["--target=cpu", "--target=sam"];

fn kinds(line: &Line, breadth: Breadth) -> Vec<Kind> {
    match breadth {
        Breadth::Every => Kind::ALL.to_vec(),
        Breadth::One => vec![Kind::ALL[(seed(&line.text) >> 32) as usize % Kind::ALL.len()]],
    }
}

/// Runs an expression as `comet expr` on kinds of data.
///
/// # Errors
/// What keeps the compiler from being run at all.
pub fn check(comet: &Path, line: &Line, breadth: Breadth) -> Result<Agreement, String> {
    let command_line = line.command_line(&[]);
    let translation = match comet_taco::translate(&command_line) {
        Ok(translation) => translation,
        Err(errors) => {
            let shown: Vec<String> = errors
                .iter()
                .map(|error| render(error, command_line.source(), comet_diag::Color::Never))
                .collect();
            return refused_by_both(comet, line, &errors[0].message, &shown.join("\n\n"));
        }
    };
    for kind in kinds(line, breadth) {
        let outcome = on_data(comet, line, &translation.module, kind)?;
        if outcome != Agreement::Agrees {
            return Ok(outcome);
        }
    }
    for kind in [Kind::Sparse, Kind::Filled].into_iter().filter(|_| breadth == Breadth::Every) {
        let outcome = writes(comet, line, &translation.module, kind)?;
        if outcome != Agreement::Agrees {
            return Ok(outcome);
        }
    }
    Ok(Agreement::Agrees)
}

/// The program says what the front end says.
fn refused_by_both(comet: &Path, line: &Line, message: &str, shown: &str) -> Result<Agreement, String> {
    let finished = run(comet, line, &[], Path::new("."))?;
    let is_refused = finished.end == End::Exit(1) && finished.stdout.is_empty();
    Ok(match is_refused && finished.stderr.trim() == shown.trim() {
        true => Agreement::Refused(message.to_owned()),
        false => Agreement::Differs(report(line, &[], &format!("expected:\n{shown}\nfound {finished:?}"))),
    })
}

fn on_data(comet: &Path, line: &Line, module: &Module, kind: Kind) -> Result<Agreement, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut rng = Rng::numbered(seed(&line.text), kind as u64);
    let flags = data::write(module, kind, &mut rng, folder.path()).map_err(|error| error.to_string())?;
    let differs = |what: &str| Agreement::Differs(report(line, &flags, &format!("{kind:?}: {what}")));
    let translation = match comet_taco::translate(&line.command_line(&flags)) {
        Ok(translation) => translation,
        Err(errors) => return Ok(differs(&format!("the front end refuses the data: {errors:?}"))),
    };
    let program = comet_syntax::print_module(&translation.module);
    let expected = match oracle::output(&program, &["--tns=frostt".to_owned()], &[], folder.path()) {
        Ok(expected) => expected,
        Err(error) => return Ok(differs(&format!("{error}\n{program}"))),
    };
    for target in TARGETS {
        let finished = run(comet, line, &[&[target.to_owned()], &flags[..]].concat(), folder.path())?;
        if let Some(words) = refusal(&finished) {
            return Ok(Agreement::Refused(words));
        }
        if let Err(error) = agrees(&finished, &expected, 1e-9) {
            return Ok(differs(&format!("{target}: {error}\n{program}")));
        }
    }
    Ok(Agreement::Agrees)
}

/// What `-o` writes is the result as well.
fn writes(comet: &Path, line: &Line, module: &Module, kind: Kind) -> Result<Agreement, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut rng = Rng::numbered(seed(&line.text), kind as u64);
    let mut flags = data::write(module, kind, &mut rng, folder.path()).map_err(|error| error.to_string())?;
    let translated = comet_taco::translate(&line.command_line(&flags));
    let file = folder.path().join(format!("result.{}", written::ending(module, kind == Kind::Filled)));
    let name = written::result(module).map_or("", |(name, _)| name.trim_end_matches('_'));
    flags.push(format!("-o={name}:{}", file.display()));
    let finished = run(comet, line, &flags, folder.path())?;
    let differs = |what: &str| {
        Agreement::Differs(report(line, &flags, &format!("{kind:?}: {what}\n{}", finished.stderr)))
    };
    let Ok(translation) = translated else { return Ok(differs("the front end refuses the data")) };
    if finished.end != End::Exit(0) || !finished.stdout.is_empty() {
        return Ok(differs("the result is not written"));
    }
    Ok(match written::compare(&translation.module, &file) {
        Ok(()) => Agreement::Agrees,
        Err(error) => differs(&error),
    })
}

fn run(comet: &Path, line: &Line, flags: &[String], home: &Path) -> Result<Finished, String> {
    let own = ["expr", "--print=exact", "-O1"].map(String::from);
    let args = [&own[..], &line.words, flags].concat();
    compiler::run(comet, &args, &[], home).map_err(|error| error.to_string())
}

/// The words of a refusal of what is not done yet.
fn refusal(finished: &Finished) -> Option<String> {
    let words = finished.stderr.lines().find_map(|line| line.strip_prefix("error: not supported yet: "))?;
    (finished.end == End::Exit(1)).then(|| format!("not supported yet: {words}"))
}

/// Equal lines get equal data.
fn seed(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn report(line: &Line, flags: &[String], what: &str) -> String {
    format!("comet expr {} {}\n{what}\n", line.text, flags.join(" "))
}
