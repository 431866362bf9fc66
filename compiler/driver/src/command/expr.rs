//! `comet expr`: TACO's notation.

use super::output;
use super::run;
use crate::arguments::{ExprArguments, ExprTarget};
use crate::dataflow::{self, SimulationSettings};
use crate::failure::{Failure, Result};
use crate::middle::{self, Checked, CompiledFunctions};
use crate::session::Session;
use crate::{front, messages, patterns};
use comet_runtime::options::{self, Options, TnsForm, WrittenElements};
use comet_runtime::output::tell;
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
    let checked = Checked { session: &session, source: line.source(), program: &program };
    if !translation.computes {
        check(checked, arguments.target)?;
        tell(format_args!("note: compiled and not run, since no tensor has a file: `-i=A:a.mtx` names one"));
        return Ok(());
    }
    translation.warnings.iter().for_each(|warning| session.show(warning, line.source()));
    match arguments.target {
        ExprTarget::Cpu => run::execute(&run::compile(checked)?),
        ExprTarget::Sam => {
            tell(format_args!("{}", dataflow::simulate(checked, SimulationSettings::default())?.text()));
        }
        ExprTarget::Spatial => tell(format_args!("{}", patterns::interpret(checked)?.text())),
    }
    Ok(())
}

/// Sees that the expression can be compiled.
fn check(checked: Checked<'_>, target: ExprTarget) -> Result<()> {
    match target {
        ExprTarget::Cpu => run::compile(checked).map(drop),
        ExprTarget::Sam => {
            middle::lower_to_graphs(&middle::context(), checked, CompiledFunctions::Program).map(drop)
        }
        ExprTarget::Spatial => middle::lower_to_applications(&middle::context(), checked).map(drop),
    }
}

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
