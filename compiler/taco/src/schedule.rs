//! TACO's scheduling commands as those of the `.ta` language.
//!
//! Which loops there are and whether a command can apply is for the compiler; here commands get their other
//! names, and those that are about GPUs are refused.

mod arguments;

use std::collections::{HashMap, HashSet};

use comet_diag::Diagnostic;
use comet_syntax::ast::{
    self, CommandArg, CommandArgKind, Expr, ExprKind, FormatKind, FormatSpec, Ident, Index, LevelKind,
    Number, WrittenLevel,
};

use self::arguments::{ScheduleArguments, bare, positive};
use crate::command_line::{CommandLine, Flag};
use crate::expression::{ExpressionNames, first_access};
use crate::notation::{Assignment, NotationCommand};
use crate::parser;
use crate::sizes::StatedExtent;

/// How many elements a vector has where no `split` says it.
const VECTOR: i64 = 8;

/// The kind of a `bound` whose number is exactly the extent of the index.
const EXACT: &str = "MaxExact";

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

/// The commands of all `-s` together, as they are written.
pub(crate) fn commands(line: &CommandLine, errors: &mut Vec<Diagnostic>) -> Vec<NotationCommand> {
    line.values(Flag::Schedule).flat_map(|value| parser::schedule(line, value, errors)).collect()
}

/// The indices of the expression whose extent a `bound` states, which is that of the arguments in TACO.
pub(crate) fn exact_bounds(
    commands: &[NotationCommand],
    names: &ExpressionNames<'_>,
) -> Vec<(String, StatedExtent)> {
    let bounds = commands.iter().enumerate().filter(|(_, command)| command.name.name == "bound");
    let exact = bounds.filter_map(|(at, command)| {
        let [index, _, extent, kind] = command.arguments.as_slice() else { return None };
        let index = bare(index).filter(|index| names.has_index(&index.name))?;
        if commands[..at].iter().any(|earlier| introduces(earlier, &index.name)) {
            return None;
        }
        bare(kind).filter(|kind| kind.name == EXACT)?;
        Some((index.name.clone(), StatedExtent { number: positive(extent)?, span: extent.span }))
    });
    exact.collect()
}

/// True if a command gives a name a new meaning for the commands behind it.
fn introduces(command: &NotationCommand, name: &str) -> bool {
    let introduced = match command.name.name.as_str() {
        "split" | "divide" => 1..3,
        "fuse" => 2..3,
        "pos" | "bound" => 1..2,
        _ => 0..0,
    };
    let mut names = command.arguments.get(introduced).into_iter().flatten().filter_map(bare);
    names.any(|introduced| introduced.name == name)
}

/// The schedule of all commands; none where there is no command.
pub(crate) fn schedule(
    line: &CommandLine,
    commands: &[NotationCommand],
    assignment: &Assignment,
    names: &ExpressionNames<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Option<ast::Schedule> {
    let mut translator = Translator::new(names);
    for command in commands {
        let translated = translator.command(command, assignment);
        translator.commands.extend(translated);
    }
    let Translator { commands, errors: mut found, .. } = translator;
    errors.append(&mut found);
    let span = line.values(Flag::Schedule).reduce(|first, last| first.to(last))?;
    (!commands.is_empty()).then_some(ast::Schedule { commands, span })
}

#[derive(Default)]
struct Translator {
    /// The tensors of the expression.
    tensors: HashSet<String>,
    /// The names of the program that are in use.
    taken: HashSet<String>,
    /// The label that a name means by now: in TACO a command may introduce a name again.
    current: HashMap<String, String>,
    /// The names of workspaces in the program, by their names in the schedule. Of several workspaces with one
    /// name, the last one.
    workspaces: HashMap<String, String>,
    /// How many values the inner label of a `split` has.
    factors: HashMap<String, Number>,
    /// What has been translated.
    commands: Vec<ast::Command>,
    errors: Vec<Diagnostic>,
}

impl Translator {
    fn new(names: &ExpressionNames<'_>) -> Self {
        let tensors: HashSet<String> = names.tensors.iter().map(|tensor| tensor.name.name.clone()).collect();
        let labels = names.indices.iter().map(|index| index.name.clone());
        let taken = labels.chain(tensors.iter().cloned()).collect();
        Self { tensors, taken, ..Self::default() }
    }

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
            EXACT => Some(vec![label, self.new_label(arguments, 1)?, count]),
            "MinExact" | "MinConstraint" | "MaxConstraint" => {
                let what = format!("`bound` with `{}`", kind.name);
                let error = Diagnostic::not_supported(kind.span, what);
                self.refuse(error.hint("leave it out: a schedule changes no result"))
            }
            _ => self.refuse_word(arguments, &kind, EXACT),
        }
    }

    /// Translates `unroll`. A later one of the same loop replaces an earlier one, as in TACO.
    fn unroll(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(2, &mut self.errors)?;
        let (label, factor) = (self.label(arguments, 0)?, arguments.count(1, &mut self.errors)?);
        self.unmark(&label, &["unroll"]);
        Some(vec![label, factor])
    }

    /// Removes the earlier commands with these names that mark the loop over a label.
    fn unmark(&mut self, label: &CommandArg, marks: &[&str]) {
        self.commands.retain(|command| {
            let is_about = command.args.first().is_some_and(|first| word_of(first) == word_of(label));
            !(is_about && marks.contains(&command.name.name.as_str()))
        });
    }

    /// The workspace is dense, as in TACO, where it is called `workspace` without a fourth argument.
    fn precompute(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        let is_named = arguments.command.arguments.len() == 4;
        if !is_named {
            arguments.expect(3, &mut self.errors)?;
        }
        let expr = arguments.expression(0, &mut self.errors)?;
        let expr = self.in_program(&expr);
        let (labels, span) = arguments.names(1, &mut self.errors)?;
        let labels: Vec<Ident> = labels.iter().map(|label| self.resolved(label)).collect();
        let (inner, inner_span) = arguments.names(2, &mut self.errors)?;
        let inner = self.inner_labels(&labels, &inner);
        let workspace = match is_named {
            true => arguments.name(3, &mut self.errors)?,
            false => Ident { name: "workspace".to_owned(), span: inner_span },
        };
        let workspace = self.new_workspace(&workspace);
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

    /// Returns the labels of a workspace: a label that has the name of the statement's label is that label,
    /// any other one is new.
    fn inner_labels(&mut self, labels: &[Ident], inner: &[Ident]) -> Vec<Ident> {
        let mut found = Vec::new();
        for (at, label) in inner.iter().enumerate() {
            let kept = Some(self.resolved(label));
            let kept = kept.filter(|kept| labels.get(at).is_some_and(|outer| outer.name == kept.name));
            found.push(kept.unwrap_or_else(|| self.introduced(label)));
        }
        found
    }

    fn new_workspace(&mut self, name: &Ident) -> Ident {
        let own = self.unused(&name.name);
        self.workspaces.insert(name.name.clone(), own.clone());
        Ident { name: own, span: name.span }
    }

    /// Translates an expression of a schedule to the names of the program. A word with an underscore, such as
    /// `x_i`, is a workspace, or else the vector `x` with the subscript `i`.
    fn in_program(&self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Access { tensor, indices } if indices.is_empty() => self
                .subscripted(tensor)
                .unwrap_or_else(|| ExprKind::Access { tensor: self.tensor(tensor), indices: Vec::new() }),
            ExprKind::Access { tensor, indices } => {
                ExprKind::Access { tensor: self.tensor(tensor), indices: indices.clone() }
            }
            ExprKind::Neg(operand) => ExprKind::Neg(Box::new(self.in_program(operand))),
            ExprKind::Binary { op, op_span, left, right } => {
                let [left, right] = [left, right].map(|operand| Box::new(self.in_program(operand)));
                ExprKind::Binary { op: *op, op_span: *op_span, left, right }
            }
            other => other.clone(),
        };
        Expr { kind, span: expr.span }
    }

    /// The access that a word such as `x_i` stands for.
    fn subscripted(&self, word: &Ident) -> Option<ExprKind> {
        let (tensor, label) = word.name.split_once('_').filter(|(_, label)| !label.is_empty())?;
        let is_name = self.workspaces.contains_key(&word.name) || self.tensors.contains(&word.name);
        if is_name || !self.tensors.contains(tensor) {
            return None;
        }
        let [tensor, label] = [tensor, label].map(|part| Ident { name: part.to_owned(), span: word.span });
        Some(ExprKind::Access { tensor, indices: vec![Index::Name(label)] })
    }

    /// Returns the name that a tensor or workspace of the schedule has in the program.
    fn tensor(&self, name: &Ident) -> Ident {
        let own = self.workspaces.get(&name.name).unwrap_or(&name.name);
        Ident { name: own.clone(), span: name.span }
    }

    /// Translates `parallelize`. The race strategy is checked and then ignored: it changes no result, and the
    /// compiler chooses its own. A later `parallelize` of the same loop replaces an earlier one.
    fn parallelize(&mut self, arguments: &ScheduleArguments<'_>) -> Option<Vec<CommandArg>> {
        arguments.expect(3, &mut self.errors)?;
        let label = self.label(arguments, 0)?;
        let (unit, races) = (arguments.name(1, &mut self.errors)?, arguments.name(2, &mut self.errors)?);
        const RACES: [&str; 5] = ["IgnoreRaces", "NoRaces", "Atomics", "Temporary", "ParallelReduction"];
        if !RACES.contains(&races.name.as_str()) {
            return self.refuse_word(arguments, &races, "NoRaces");
        }
        self.unmark(&label, &["parallelize", "vectorize"]);
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
        Some(vec![name_argument(self.tensor(&tensor)), word(to, &strategy)])
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
        let label = self.unused(&name.name);
        self.current.insert(name.name.clone(), label.clone());
        Ident { name: label, span: name.span }
    }

    /// Returns the name, or one made of it where that is taken, and takes it.
    fn unused(&mut self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| self.taken.insert(name.clone())).expect("there are more names than labels")
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
