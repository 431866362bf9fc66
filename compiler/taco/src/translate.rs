//! From the command line to the tree of a program.

use comet_diag::{Diagnostic, Severity};
use comet_syntax::ast::{Expr, ExprKind, Module};

use crate::command_line::{CommandLine, Flag};
use crate::expression::ExpressionNames;
use crate::flags;
use crate::notation::Assignment;
use crate::program::{File, TranslatedParts};
use crate::sizes::{self, AssumedExtent, OtherSources};
use crate::{element, format, parser, schedule};

#[derive(Clone, Debug)]
pub struct Translation {
    /// One function, `main`; its places are in the command line's source.
    pub module: Module,
    /// Whether there is anything to compute: a file to read or to write, or an expression of numbers only. An
    /// expression by itself is compiled, as TACO does, and not run on nothing but zeros.
    pub computes: bool,
    pub writes: bool,
    /// All files, as they stand in the program.
    pub paths: Vec<String>,
    /// What the program takes for granted; of interest where it is run.
    pub warnings: Vec<Diagnostic>,
}

/// The program that an expression and its flags stand for.
///
/// # Errors
/// Every error of the expression and of the flags, in the order of their places.
pub fn translate(line: &CommandLine) -> Result<Translation, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let translation = match parser::assignment(line, &mut errors) {
        Some(assignment) => translated(line, &assignment, &mut errors),
        None => {
            check_forms(line, &mut errors);
            None
        }
    };
    errors.sort_by_key(Diagnostic::span);
    match translation {
        Some(translation) if errors.is_empty() => Ok(translation),
        _ => Err(errors),
    }
}

/// What can be said of flags without an expression.
fn check_forms(line: &CommandLine, errors: &mut Vec<Diagnostic>) {
    for flag in [Flag::Format, Flag::Element, Flag::Size, Flag::Input, Flag::Output] {
        flags::named(line, flag, errors);
    }
    schedule::commands(line, errors);
}

fn translated(
    line: &CommandLine,
    assignment: &Assignment,
    errors: &mut Vec<Diagnostic>,
) -> Option<Translation> {
    let before = errors.len();
    let names = ExpressionNames::of(assignment, errors);
    if errors.len() > before {
        // Which of its ranks a flag would have to fit is not known.
        check_forms(line, errors);
        return None;
    }
    let inputs = files(line, Flag::Input, &names, errors);
    let outputs = files(line, Flag::Output, &names, errors);
    let read = inputs.iter().map(|file| file.tensor.as_str()).collect();
    let commands = schedule::commands(line, errors);
    let others = OtherSources { read, bounds: schedule::exact_bounds(&commands, &names) };
    let sizes = sizes::sizes(line, &names, &others, errors);
    let formats = format::formats(line, &names, errors);
    let elements = element::elements(line, &names, errors);
    let schedule = schedule::schedule(line, &commands, assignment, &names, errors);
    let computes = !inputs.is_empty() || !outputs.is_empty() || !has_operands(&assignment.value);
    let warnings = warnings(&sizes.assumed);
    let paths = inputs.iter().chain(&outputs).map(|file| file.path.clone()).collect();
    let writes = !outputs.is_empty();
    let parts = TranslatedParts { assignment, names, sizes, formats, elements, inputs, outputs, schedule };
    Some(Translation { module: parts.module(), computes, writes, paths, warnings })
}

fn files(
    line: &CommandLine,
    flag: Flag,
    names: &ExpressionNames<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<File> {
    let mut files = Vec::new();
    for (tensor, path) in flags::about_tensors(line, flag, names, errors) {
        if path.text.is_empty() {
            let message = format!("`-{}` has no path", flag.letter());
            errors.push(Diagnostic::error(path.span, message).hint("write it behind the `:`"));
        }
        files.push(File { tensor, path: path.text.to_owned(), span: path.span });
    }
    files
}

fn has_operands(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Access { .. } => true,
        ExprKind::Neg(operand) => has_operands(operand),
        ExprKind::Binary { left, right, .. } => has_operands(left) || has_operands(right),
        _ => false,
    }
}

/// One message for all of them.
fn warnings(assumed: &[AssumedExtent]) -> Vec<Diagnostic> {
    let Some((first, others)) = assumed.split_first() else { return Vec::new() };
    let AssumedExtent { subject, extent, flag, span } = first;
    let origin = if *extent == sizes::DEFAULT { "as in TACO" } else { "where its last window ends" };
    let message = format!("nothing says how large {subject} is: it is {extent}, {origin}");
    let warning = others.iter().fold(Diagnostic::error(*span, message), |warning, other| {
        warning.also(other.span, format!("{}, too", other.extent))
    });
    vec![Diagnostic { severity: Severity::Warning, ..warning.hint(format!("state it: `{flag}`")) }]
}
