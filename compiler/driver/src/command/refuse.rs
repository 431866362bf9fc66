//! What the command line knows and the compiler does not do yet.

use crate::failure::{Failure, Result};
use comet_diag::{Diagnostic, Source, Span};

/// A subcommand.
pub(crate) fn subcommand(name: &str) -> Result<()> {
    Err(not_supported(name, &format!("the subcommand `{name}`"), "`comet help` lists what there is"))
}

/// A flag, a subcommand or a value. The error points at the first argument that holds `text`, as it would
/// into a program.
pub(crate) fn not_supported(text: &str, what: &str, hint: &str) -> Failure {
    let line: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    at(&line, text, what, hint)
}

fn at(arguments: &[String], text: &str, what: &str, hint: &str) -> Failure {
    let program = "comet".to_owned();
    let line: Vec<&String> = std::iter::once(&program).chain(arguments.iter().skip(1)).collect();
    let found = line.iter().skip(1).position(|argument| argument.contains(text)).map_or(0, |index| index + 1);
    let before: usize = line.iter().take(found).map(|argument| argument.len() + 1).sum();
    let start = before + line[found].find(text).unwrap_or(0);
    let joined = line.iter().map(|argument| argument.as_str()).collect::<Vec<_>>().join(" ");
    let diagnostic = Diagnostic::not_supported(Span::new(start, start + text.len()), what).hint(hint);
    Failure::in_source(vec![diagnostic], &Source::new("<command line>", joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is that of the argument, also behind one that looks alike.
    #[test]
    fn the_argument_is_pointed_at() {
        let line = ["/usr/bin/comet", "build", "x.ta", "--emit=ta,sam"].map(str::to_owned);
        let shown = at(&line, "sam", "`--emit=sam`", "wait").render(false);
        assert!(
            shown.contains("comet build x.ta --emit=ta,sam\n  |                            ^^^"),
            "{shown}"
        );
    }
}
