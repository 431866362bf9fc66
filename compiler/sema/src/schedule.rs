//! Schedules: commands that exist, with arguments of their forms, over labels that the statement has or that
//! earlier commands introduce. Whether a command can apply is for the pass that carries it out.

mod arguments;
pub(crate) mod attach;
mod commands;
mod listed;

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Command, Ident};

use self::arguments::CommandArguments;
use self::attach::words;
use self::commands::{ArgumentForm, COMMANDS};
use crate::function::Checker;
use crate::mentions;
use crate::names::did_you_mean;

/// How often what a label is split into may be split again. The time that LLVM takes for the nest of loops
/// doubles with each level.
const MAX_SPLITS: usize = 12;
/// How many splits a statement may have. The time that MLIR takes for the loops that they make grows faster
/// than the cube of their number.
const MAX_SPLITS_IN_ALL: usize = 64;

/// What commands may name, growing from command to command.
struct ScheduleScope {
    /// Labels of the statement, and those that commands introduce.
    labels: HashSet<String>,
    /// Tensors of the statement, and the workspaces that commands introduce.
    tensors: HashSet<String>,
    /// What the statement reads: each tensor with its labels.
    accesses: HashSet<(String, Vec<String>)>,
    /// What `environment` defines.
    settings: HashSet<String>,
    /// The commands that say how a tensor is computed, with the tensor: each is given once.
    given: HashSet<(&'static str, String)>,
    /// How many splits lie between a label and one of the statement.
    splits: HashMap<String, usize>,
    splits_in_all: usize,
}

impl Checker<'_> {
    pub(crate) fn check_schedule(&mut self, assign: &ast::Assign, schedule: &ast::Schedule) -> bool {
        let before = self.diagnostics.len();
        let mut names = self.statement_names(assign);
        for command in &schedule.commands {
            self.command(command, &mut names);
        }
        self.diagnostics.len() == before
    }

    fn statement_names(&self, assign: &ast::Assign) -> ScheduleScope {
        let words = mentions::used_by_assignment(assign);
        let is_label = |word: &&str| self.scope.label_size(word).is_some();
        let is_tensor = |word: &&str| self.scope.is_tensor(word);
        let read = mentions::read_by_assignment(assign).into_iter();
        ScheduleScope {
            accesses: read.map(|(tensor, labels)| (tensor.to_owned(), labels)).collect(),
            labels: words.iter().copied().filter(is_label).map(str::to_owned).collect(),
            tensors: words.iter().copied().filter(is_tensor).map(str::to_owned).collect(),
            settings: HashSet::new(),
            given: HashSet::new(),
            splits: HashMap::new(),
            splits_in_all: 0,
        }
    }

    fn command(&mut self, command: &Command, names: &mut ScheduleScope) {
        let Some(rule) = COMMANDS.iter().find(|rule| rule.name == command.name.name) else {
            let known = COMMANDS.iter().map(|rule| rule.name);
            let listed: Vec<String> = COMMANDS.iter().map(|rule| format!("`{}`", rule.name)).collect();
            let hint =
                did_you_mean(&command.name.name, known, format!("the commands are {}", listed.join(", ")));
            let message = format!("unknown scheduling command `{}`", command.name.name);
            self.diagnostics.push(Diagnostic::error(command.name.span, message).hint(hint));
            return;
        };
        let mut arguments = CommandArguments { checker: self, names, usage: rule.usage, command };
        match rule.form {
            ArgumentForm::Slots(alternatives) => arguments.slots(alternatives),
            ArgumentForm::Once(alternatives) => {
                arguments.slots(alternatives);
                arguments.once(rule.name);
            }
            ArgumentForm::Order => arguments.order(),
            ArgumentForm::Tile => arguments.tile(),
            ArgumentForm::Precompute => arguments.precompute(),
        }
        names.hand_on_splits(command);
        for (label, parts) in splits_of(command) {
            self.diagnostics.extend(names.count_split(command, &label, parts));
        }
    }
}

impl ScheduleScope {
    fn knows_label(&self, label: &Ident) -> bool {
        self.labels.contains(&label.name)
    }

    /// What is made of labels without a split is split as often as they are.
    fn hand_on_splits(&mut self, command: &Command) {
        let (named, made) = words(command);
        let count = match command.name.name.as_str() {
            "fuse" => 2,
            "bound" | "pos" => 1,
            _ => return,
        };
        let depths = named.iter().take(count).filter_map(|label| self.splits.get(&label.name));
        let depth = depths.max().copied().unwrap_or(0);
        self.splits.extend(made.into_iter().map(|label| (label.name, depth)));
    }

    /// Counts a split of a label into parts; an error where that makes one split too many inside of another,
    /// or in the statement.
    fn count_split(&mut self, command: &Command, label: &Ident, parts: Vec<Ident>) -> Option<Diagnostic> {
        let depth = self.splits.get(&label.name).copied().unwrap_or(0) + 1;
        self.splits.extend(parts.into_iter().map(|part| (part.name, depth)));
        self.splits_in_all += 1;
        let message = if depth == MAX_SPLITS + 1 {
            format!("a label is split {depth} times over, expected at most {MAX_SPLITS} times")
        } else if self.splits_in_all == MAX_SPLITS_IN_ALL + 1 {
            format!(
                "found {} splits of one statement, expected at most {MAX_SPLITS_IN_ALL}",
                self.splits_in_all
            )
        } else {
            return None;
        };
        Some(Diagnostic::error(command.span, message).hint("split by larger numbers, less often"))
    }
}

/// The labels that a command splits, each with its parts: those of a tile keep the label's name.
fn splits_of(command: &Command) -> Vec<(Ident, Vec<Ident>)> {
    let (named, parts) = words(command);
    match command.name.name.as_str() {
        "split" | "divide" => named.into_iter().map(|label| (label, parts.clone())).collect(),
        "tile" => named.into_iter().map(|label| (label.clone(), vec![label])).collect(),
        _ => Vec::new(),
    }
}

/// The whole of some words.
fn span_of(words: &[Ident], otherwise: Span) -> Span {
    words.iter().map(|word| word.span).reduce(Span::to).unwrap_or(otherwise)
}
