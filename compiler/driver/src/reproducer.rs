//! What is left of a failure of ours: one file that holds the command and the program.

use crate::arguments::{self, CliCommand};
use comet_taco::CommandLine;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes the reproducer into the system's folder for temporary files; it stays there.
pub(crate) fn write(arguments: &[OsString], messages: &str) -> io::Result<PathBuf> {
    let mut file = tempfile::Builder::new().prefix("comet-reproducer-").suffix(".ta").tempfile()?;
    file.write_all(text(arguments, messages).as_bytes())?;
    Ok(file.into_temp_path().keep()?)
}

/// The command and the messages as comments, then the program: the whole is a program again.
fn text(arguments: &[OsString], messages: &str) -> String {
    let version = crate::arguments::version();
    let mut text = format!("# comet {version}\n#");
    for argument in arguments {
        let _ = write!(text, " {}", argument.to_string_lossy().escape_debug());
    }
    for line in messages.lines() {
        let _ = write!(text, "\n# {line}");
    }
    text.push('\n');
    for source in arguments.iter().map(Path::new).filter(|path| path.extension() == Some("ta".as_ref())) {
        text.push_str(
            &fs::read_to_string(source).unwrap_or_else(|error| format!("# cannot read it: {error}\n")),
        );
    }
    text + &expression_text(arguments).unwrap_or_default()
}

/// What `comet expr` was given, as a program.
fn expression_text(arguments: &[OsString]) -> Option<String> {
    let CliCommand::Expr(arguments) = arguments::parse(arguments).ok()?.command else { return None };
    let line = CommandLine::new(&arguments.expression, arguments.flags());
    let translation = comet_taco::translate(&line).ok()?;
    Some(comet_syntax::print_module(&translation.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression is there as a program.
    #[test]
    fn expressions_become_programs() {
        let arguments = ["comet", "expr", "y(i)=2*x(i)", "-f=x:s"].map(OsString::from);
        assert!(text(&arguments, "error").contains("\n  y[i] = 2 * x[i];\n"));
    }

    /// The reproducer is the program again, with what is known of the failure in comments before it.
    #[test]
    fn a_reproducer_is_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("prog.ta");
        fs::write(&source, "def main() {}\n").unwrap();
        let arguments = ["comet".into(), "run".into(), source.into_os_string(), "-O0".into()];
        let text = text(&arguments, "error: internal error: one\n --> two");
        let (comments, program) = text.split_once("\ndef").unwrap();
        assert!(comments.lines().all(|line| line.starts_with('#')), "{comments}");
        assert!(
            comments.contains(" run ") && comments.contains(" -O0\n# error: internal error: one\n#  --> two"),
            "{comments}"
        );
        assert_eq!(program, " main() {}\n");
    }
}
