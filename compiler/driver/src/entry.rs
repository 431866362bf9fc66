//! The main function of `comet`: exit codes, and what is printed before them.

use crate::arguments::{self, Cli};
use crate::command::output;
use crate::failure::{Failure, FaultClass};
use crate::session::Session;
use crate::{command, logging, messages, own, reproducer};
use comet_backend_cpu::native;
use comet_diag::{Color, Diagnostic, Form};
use comet_runtime::distributed;
use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The exit code of the user's errors, bad flags included.
const USER_ERROR: u8 = 1;
/// The exit code of ours.
const COMPILER_ERROR: u8 = 2;

pub fn comet_main() -> ExitCode {
    comet_main_with(std::env::args_os().collect())
}

/// Does what the arguments say, the first of which is the name of the program.
pub fn comet_main_with(arguments: Vec<OsString>) -> ExitCode {
    if native::was_closed() {
        comet_runtime::output::note_closed();
    }
    comet_runtime::signals::handle();
    own::set_arguments(&arguments);
    match arguments::parse(&arguments) {
        Ok(cli) => run(&cli, &arguments),
        Err(error) => refuse(&error, &arguments),
    }
}

/// Help and version are results, everything else that clap says is an error of the user's.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    messages::choose(arguments::asked_format(arguments));
    if error.use_stderr() && messages::form() != Form::Human {
        return report(&Failure::user(usage(&error.to_string())), &[], Color::Never);
    }
    match error.print() {
        // Help that cannot be shown is a failure; where standard error is closed, nobody is left to read it.
        Err(refused) if !error.use_stderr() && refused.kind() != ErrorKind::BrokenPipe => {
            report(&output::refused(&refused), &[], Color::Never)
        }
        _ => ExitCode::from(if error.use_stderr() { USER_ERROR } else { 0 }),
    }
}

/// What clap says of a command line, in paragraphs: what is wrong, tips, the usage.
fn usage(text: &str) -> Diagnostic {
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let wrong = paragraphs.next().unwrap_or_default();
    let message = wrong.strip_prefix("error: ").unwrap_or(wrong);
    let words: Vec<&str> = message.split_whitespace().collect();
    let error = Diagnostic::error_without_place(words.join(" "));
    let tip = paragraphs.next().and_then(|tip| tip.strip_prefix("tip: "));
    error.hint(tip.unwrap_or("`comet --help` and `comet COMMAND --help` show what there is"))
}

fn run(cli: &Cli, arguments: &[OsString]) -> ExitCode {
    let session = Session::new();
    messages::choose(cli.message_format);
    let color = session.color;
    logging::start(cli.verbose, color);
    native::on_fatal_error(end_by_fatal_error);
    // The hook has printed a panic's message already; here it becomes a failure of ours like any other.
    let outcome = catch_unwind(AssertUnwindSafe(|| command::run(cli, session)))
        .unwrap_or_else(|_| Err(Failure::internal("the compiler panicked")));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, arguments, color),
    }
}

/// LLVM cannot go on, and does not come back.
fn end_by_fatal_error(message: &str) -> ! {
    let arguments: Vec<OsString> = iter::once("comet".into()).chain(own::arguments()).collect();
    write(&Failure::internal(format!("LLVM: {message}")), &arguments, Color::Never);
    distributed::end(COMPILER_ERROR.into());
    std::process::exit(COMPILER_ERROR.into())
}

fn report(failure: &Failure, arguments: &[OsString], color: Color) -> ExitCode {
    write(failure, arguments, color);
    let code = match failure.fault {
        FaultClass::User => USER_ERROR,
        FaultClass::Compiler => COMPILER_ERROR,
    };
    distributed::end(code.into());
    ExitCode::from(code)
}

fn write(failure: &Failure, arguments: &[OsString], color: Color) {
    let messages = failure.write(messages::form(), color);
    let mut text = messages + "\n";
    if failure.fault == FaultClass::Compiler {
        text += "\nthis is a mistake of the compiler, not of the program; ";
        text += &match reproducer::write(arguments, &failure.render(Color::Never)) {
            Ok(path) => format!("please report it with `{}`\n", path.display()),
            Err(error) => format!("no reproducer could be written: {error}\n"),
        };
    }
    // Where standard error is closed, nobody is left to read this.
    if distributed::reports() {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
