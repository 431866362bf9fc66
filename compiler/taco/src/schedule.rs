//! TACO's scheduling commands as those of the `.ta` language.
//!
//! Which loops there are and whether a command can apply is for the compiler; here commands get their other
//! names, and those that are about GPUs are refused.

mod arguments;

use std::collections::{HashMap, HashSet};

use comet_diag::Diagnostic;
use comet_syntax::ast::{
    self, CommandArg, CommandArgKind, Expr, ExprKind, FormatKind, FormatSpec, Ident, LevelKind, Number,
    WrittenLevel,
};

use self::arguments::ScheduleArguments;
use crate::command_line::{CommandLine, Flag};
use crate::expression::first_access;
use crate::notation::{Assignment, NotationCommand};
use crate::parser;

/// How many elements a vector has where no `split` says it.
const VECTOR: i64 = 8;

/// A command, how it is written, and what makes one of the `.ta` language of it: nothing where there is
/// nothing to say.
struct Rule {
    name: &'static str,
    usage: &'static str,
    translate: fn(&mut Translator, &ScheduleArguments<'_>) -> Option<Vec<CommandArg>>,
    /// The name in the `.ta` language.
    to: &'static str,
}

const RULES: [Rule; 11] = [
    Rule { name: "reorder", usage: "reorder(i, j)", translate: Translator::reorder, to: "order" },
    Rule { name: "split", usage: "split(i, i0, i1, 32)", translate: Translator::split, to: "split" },
    Rule { name: "divide", usage: "divide(i, i0, i1, 4)", translate: Translator::divide, to: "divide" },
    Rule { name: "fuse", usage: "fuse(i, j, f)", translate: Translator::fuse, to: "fuse" },
    Rule { name: "pos", usage: "pos(j, jpos, A)", translate: Translator::pos, to: "pos" },
    Rule { name: "bound", usage: "bound(i, i1, 100, MaxExact)", translate: Translator::bound, to: "bound" },
    Rule { name: "unroll", usage: "unroll(i, 4)", translate: Translator::unroll, to: "unroll" },
    Rule {
        name: "precompute",
        usage: "precompute(A(i,j)*x(j), j, jw)",
        translate: Translator::precompute,
        to: "precompute",
    },
    Rule {
        name: "parallelize",
        usage: "parallelize(i, CPUThread, NoRaces)",
        translate: Translator::parallelize,
        to: "parallelize",
    },
    Rule { name: "mergeby", usage: "mergeby(i, TwoFinger)", translate: Translator::merge_by, to: "skip" },
    Rule { name: "assemble", usage: "assemble(A, Insert)", translate: Translator::assemble, to: "assemble" },
];

/// The schedule of all `-s` together; none where they hold no command.
pub(crate) fn schedule(
    line: &CommandLine,
    assignment: &Assignment,
    labels: impl Iterator<Item = String>,
    errors: &mut Vec<Diagnostic>,
) -> Option<ast::Schedule> {
    let mut translator = Translator { labels: labels.collect(), ..Translator::default() };
    let mut commands = Vec::new();
    for value in line.values(Flag::Schedule) {
        for command in parser::schedule(line, value, errors) {
            commands.extend(translator.command(&command, assignment));
        }
    }
    errors.append(&mut translator.errors);
    let span = line.values(Flag::Schedule).reduce(|first, last| first.to(last))?;
    (!commands.is_empty()).then_some(ast::Schedule { commands, span })
}

#[derive(Default)]
struct Translator {
    /// All labels that there are, by the names of the program.
    labels: HashSet<String>,
    /// The label that a name means by now: in TACO a command may introduce a name again.
    current: HashMap<String, String>,
    /// How many values the inner label of a `split` has.
    factors: HashMap<String, Number>,
    workspaces: usize,
    errors: Vec<Diagnostic>,
}

impl Translator {
    fn command(&mut self, command: &NotationCommand, assignment: &Assignment) -> Option<ast::Command> {
        let Some(rule) = RULES.iter().find(|rule| rule.name == command.name.name) else {
            let known: Vec<String> = RULES.iter().map(|rule| format!("`{}`", rule.name)).collect();
            let message = format!("unknown scheduling command `{}`", command.name.name);
            let error = Diagnostic::error(command.name.span, message);
            return self.refuse(error.hint(format!("the commands are {}", known.join(", "))));
        };
        let arguments = ScheduleArguments { command, usage: rule.usage, assignment };
        let args = (rule.translate)(self, &arguments)?;
        let is_vector = rule.name == "parallelize" && args.iter().any(|arg| number_of(arg).is_some());
        let to = if is_vector { "vectorize" } else { rule.to };
        let name = Ident { name: to.to_owned(), span: command.name.span };
        Some(ast::Command { name, args, span: command.span })
    }

    fn reorder(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        let count = arguments.command.arguments.len();
        (0..count).map(|at| self.label(arguments, at)).collect()
    }

    fn split(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        let args = self.divide(arguments)?;
        if let (Some(inner), Some(factor)) = (word_of(&args[2]), number_of(&args[3])) {
            self.factors.insert(inner.to_owned(), factor);
        }
        Some(args)
    }

    fn divide(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(4, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        Some(vec![
            label,
            self.new_label(arguments, 1)?,
            self.new_label(arguments, 2)?,
            arguments.count(3, &mut self.errors)?,
        ])
    }

    fn fuse(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(3, &mut self.errors)?;
        let (outer, inner) = (self.label(arguments, 0)?, self.label(arguments, 1)?);
        Some(vec![outer, inner, self.new_label(arguments, 2)?])
    }

    /// TACO names the tensor, the `.ta` language its access.
    fn pos(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(3, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        let tensor = arguments.name(2, &mut self.errors)?;
        let Some(access) = first_access(arguments.assignment, &tensor.name) else {
            let error =
                Diagnostic::error(tensor.span, format!("the expression has no tensor `{}`", tensor.name));
            return self.refuse(error.hint(format!("write `{}`", arguments.usage)));
        };
        let kind = ExprKind::Access { tensor: access.tensor, indices: access.indices };
        let access =
            CommandArg { kind: CommandArgKind::Expr(Expr { kind, span: access.span }), span: tensor.span };
        Some(vec![label, self.new_label(arguments, 1)?, access])
    }

    /// The other kinds of bounds only promise something to TACO's own simplifications.
    fn bound(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(4, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        let count = arguments.count(2, &mut self.errors)?;
        let kind = arguments.name(3, &mut self.errors)?;
        match kind.name.as_str() {
            "MaxExact" => Some(vec![label, self.new_label(arguments, 1)?, count]),
            "MinExact" | "MinConstraint" | "MaxConstraint" => {
                let what = format!("`bound` with `{}`", kind.name);
                let error = Diagnostic::not_supported(kind.span, what);
                self.refuse(error.hint("leave it out: a schedule changes no result"))
            }
            _ => self.refuse_word(arguments, &kind, "MaxExact"),
        }
    }

    fn unroll(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(2, &mut self.errors)?;
        Some(vec![self.label(arguments, 0)?, arguments.count(1, &mut self.errors)?])
    }

    /// The workspace is dense, as in TACO; its name has a `_`, which no name of the notation has.
    fn precompute(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(3, &mut self.errors)?;
        let expr = arguments.expression(0, &mut self.errors)?;
        let (labels, span) = arguments.names(1, &mut self.errors)?;
        let labels = labels.iter().map(|label| self.resolved(label)).collect();
        let (inner, inner_span) = arguments.names(2, &mut self.errors)?;
        let inner: Vec<Ident> = inner.iter().map(|label| self.introduced(label)).collect();
        self.workspaces += 1;
        let workspace = Ident { name: format!("workspace_{}", self.workspaces), span: inner_span };
        let levels =
            inner.iter().map(|label| WrittenLevel { kind: LevelKind::Dense, span: label.span }).collect();
        let format = FormatSpec { kind: FormatKind::Levels(levels), span: inner_span };
        let arg = |kind, span| CommandArg { kind, span };
        Some(vec![
            arg(CommandArgKind::Expr(expr.clone()), expr.span),
            arg(CommandArgKind::Labels(labels), span),
            arg(CommandArgKind::Labels(inner), inner_span),
            arg(CommandArgKind::Formatted(workspace, None, format), inner_span),
        ])
    }

    /// How races are avoided changes no result, and is left to the compiler.
    fn parallelize(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(3, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        let (unit, races) = (arguments.name(1, &mut self.errors)?, arguments.name(2, &mut self.errors)?);
        const RACES: [&str; 5] = ["IgnoreRaces", "NoRaces", "Atomics", "Temporary", "ParallelReduction"];
        if !RACES.contains(&races.name.as_str()) {
            return self.refuse_word(arguments, &races, "NoRaces");
        }
        match unit.name.as_str() {
            "CPUThread" | "CPUThreadGroupReduction" | "DefaultUnit" => Some(vec![label, word("cpu", &unit)]),
            "CPUVector" => {
                let default = Number { value: VECTOR as f64, integer: Some(VECTOR) };
                let known = word_of(&label).and_then(|label| self.factors.get(label)).copied();
                let kind = ExprKind::Number(known.unwrap_or(default));
                let kind = CommandArgKind::Expr(Expr { kind, span: unit.span });
                Some(vec![label, CommandArg { kind, span: unit.span }])
            }
            "NotParallel" => None,
            gpu if gpu.starts_with("GPU") => {
                let what = format!("`{gpu}`: comet generates no code for GPUs");
                let hint = "leave the command out, or use `CPUThread` or `CPUVector`";
                self.refuse(Diagnostic::not_supported(unit.span, what).hint(hint))
            }
            _ => self.refuse_word(arguments, &unit, "CPUThread"),
        }
    }

    fn merge_by(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(2, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        let strategy = arguments.name(1, &mut self.errors)?;
        match strategy.name.as_str() {
            "Gallop" => Some(vec![label]),
            "TwoFinger" => None,
            _ => self.refuse_word(arguments, &strategy, "TwoFinger"),
        }
    }

    /// Whether values are computed apart from coordinates, TACO's third argument, is left to the compiler.
    fn assemble(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        if arguments.command.arguments.len() != 3 {
            arguments.expect(2, &mut self.errors)?;
        }
        let tensor = arguments.name(0, &mut self.errors)?;
        let strategy = arguments.name(1, &mut self.errors)?;
        let to = match strategy.name.as_str() {
            "Append" => "append",
            "Insert" => "insert",
            _ => return self.refuse_word(arguments, &strategy, "Insert"),
        };
        Some(vec![word(&tensor.name, &tensor), word(to, &strategy)])
    }

    fn refuse_word(
        &mut self,
        arguments: &ScheduleArguments<'_>,
        word: &Ident,
        like: &str,
    ) -> Option<Vec<CommandArg>> {
        let message = format!("`{}` is not known to `{}`", word.name, arguments.command.name.name);
        let hint = format!("write `{}`, with a word like `{like}`", arguments.usage);
        self.refuse(Diagnostic::error(word.span, message).hint(hint))
    }

    fn refuse<T>(&mut self, error: Diagnostic) -> Option<T> {
        comet_diag::refuse(&mut self.errors, error)
    }

    fn label(&mut self, arguments: &ScheduleArguments<'_>, at: usize) -> Option<CommandArg> {
        let name = arguments.name(at, &mut self.errors)?;
        Some(name_argument(self.resolved(&name)))
    }

    fn new_label(&mut self, arguments: &ScheduleArguments<'_>, at: usize) -> Option<CommandArg> {
        let name = arguments.name(at, &mut self.errors)?;
        Some(name_argument(self.introduced(&name)))
    }

    /// The label that the name means here.
    fn resolved(&self, name: &Ident) -> Ident {
        let current = self.current.get(&name.name).unwrap_or(&name.name);
        Ident { name: current.clone(), span: name.span }
    }

    /// A label that is new, also where the name is not.
    fn introduced(&mut self, name: &Ident) -> Ident {
        let mut label = name.name.clone();
        let mut number = 1;
        while !self.labels.insert(label.clone()) {
            label = format!("{}_{number}", name.name);
            number += 1;
        }
        self.current.insert(name.name.clone(), label.clone());
        Ident { name: label, span: name.span }
    }
}

fn name_argument(name: Ident) -> CommandArg {
    let span = name.span;
    CommandArg { kind: CommandArgKind::Expr(Expr { kind: ExprKind::Name(name.name), span }), span }
}

/// A word of the `.ta` language in the place of one of TACO's.
fn word(name: &str, place: &Ident) -> CommandArg {
    name_argument(Ident { name: name.to_owned(), span: place.span })
}

fn word_of(arg: &CommandArg) -> Option<&str> {
    match &arg.kind {
        CommandArgKind::Expr(Expr { kind: ExprKind::Name(name), .. }) => Some(name),
        _ => None,
    }
}

fn number_of(arg: &CommandArg) -> Option<Number> {
    match &arg.kind {
        CommandArgKind::Expr(Expr { kind: ExprKind::Number(number), .. }) => Some(*number),
        _ => None,
    }
}
