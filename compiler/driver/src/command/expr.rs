//! `comet expr`: TACO's notation.

use super::output;
use super::run::{self, Then};
use crate::arguments::{CompileArguments, ExprArguments, ExprTarget};
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::{dataflow, front, messages, middle, patterns};
use comet_diag::Source;
use comet_runtime::options::{self, Options, TnsForm, WrittenElements};
use comet_sema::program::Program;
use comet_taco::{CommandLine, Translation};

pub(crate) fn expr(arguments: &ExprArguments, session: Session) -> Result<()> {
    let session = run::with_arguments(&arguments.compile, session);
    options::set(runtime_options(arguments)?)?;
    let line = CommandLine::new(&arguments.expression, arguments.flags());
    messages::show_lines_of(line.source(), session.color);
    let translated = session.timing.step("parse", || comet_taco::translate(&line));
    let translation = translated.map_err(|diagnostics| Failure::in_source(diagnostics, line.source()))?;
    if arguments.print_ta {
        output::print(program_text(&translation, arguments.target)?.as_bytes())?;
    }
    if arguments.print_ta && !translation.writes {
        return Ok(());
    }
    let program = front::check_module(&session, &translation.module, line.source())?;
    if translation.computes {
        translation.warnings.iter().for_each(|warning| session.show(warning, line.source()));
    }
    let then = if translation.computes { Then::Run } else { Then::Stop };
    match arguments.target {
        ExprTarget::Cpu => run::compile(&arguments.compile, &session, line.source(), &program, then)?,
        ExprTarget::Sam => simulate(&arguments.compile, &session, line.source(), &program, then)?,
        ExprTarget::Spatial => interpret(&arguments.compile, &session, line.source(), &program, then)?,
    }
    if then == Then::Stop {
        comet_runtime::output::tell(format_args!(
            "note: compiled and not run, since no tensor has a file: `-i=A:a.mtx` names one"
        ));
    }
    Ok(())
}

/// Runs the expression as a dataflow graph, where that is wanted.
fn simulate(
    arguments: &CompileArguments,
    session: &Session,
    source: &Source,
    program: &Program,
    then: Then,
) -> Result<()> {
    if then == Then::Stop {
        return middle::lower_to_graphs(session, &middle::context(), program, source).map(|_| ());
    }
    let simulated =
        dataflow::simulate(arguments, session, source, program, dataflow::SimulationSettings::default())?;
    comet_runtime::output::tell(format_args!("{}", simulated.text()));
    Ok(())
}

/// Runs the expression as a Spatial application, where that is wanted.
fn interpret(
    arguments: &CompileArguments,
    session: &Session,
    source: &Source,
    program: &Program,
    then: Then,
) -> Result<()> {
    if then == Then::Stop {
        return middle::lower_to_applications(session, &middle::context(), program, source).map(|_| ());
    }
    let interpreted = patterns::interpret(arguments, session, source, program)?;
    comet_runtime::output::tell(format_args!("{}", interpreted.text()));
    Ok(())
}

/// The program for `comet run` or `comet sim`.
fn program_text(translation: &Translation, target: ExprTarget) -> Result<String> {
    if let Some(path) = translation.paths.iter().find(|path| path.contains(['"', '\n', '\r'])) {
        let message = format!("the path `{}` has no place in a program", path.escape_debug());
        let hint = "strings in a program have no escapes and end on their line; rename the file";
        return Err(Failure::hinted(message, hint));
    }
    let text = comet_syntax::print_module(&translation.module);
    // Without the flag, the first line of a file may be taken for a header.
    let reads_tns = translation.paths.iter().any(|path| path.ends_with(".tns") || path.ends_with(".tns.gz"));
    let command = if target == ExprTarget::Cpu { "run" } else { "sim" };
    Ok(if reads_tns { format!("# comet {command} --tns=frostt\n{text}") } else { text })
}

/// `.tns` files have no header in TACO, and hold no zeros.
fn runtime_options(arguments: &ExprArguments) -> Result<Options> {
    let print = arguments.print.iter().map(|style| format!("--print={style}"));
    let threads = arguments.threads.iter().map(|number| format!("--threads={number}"));
    let options = Options::parse(print.chain(threads))?;
    Ok(Options { tns: TnsForm::Frostt, written: WrittenElements::NonZero, ..options })
}
