//! The arguments of one scheduling command.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Command, CommandArg, CommandArgKind, Expr, ExprKind, Ident, Index};

use super::ScheduleScope;
use super::commands::Slot;
use crate::function::Checker;
use crate::names::did_you_mean;

/// A command under check.
pub(super) struct CommandArguments<'a, 'c> {
    pub(super) checker: &'a mut Checker<'c>,
    pub(super) names: &'a mut ScheduleScope,
    pub(super) usage: &'static str,
    pub(super) command: &'a Command,
}

impl CommandArguments<'_, '_> {
    /// The arguments fit one of the lists; which one, their number says.
    pub(super) fn slots(&mut self, alternatives: &[&[Slot]]) {
        let args = &self.command.args;
        // The words say which list is meant, and then how many arguments belong to it.
        let with_words: Vec<_> = alternatives.iter().filter(|slots| has_words(slots, args)).collect();
        let meant = if with_words.is_empty() { alternatives.iter().collect() } else { with_words };
        let Some(slots) = meant.iter().find(|slots| slots.len() == args.len()) else {
            let counts: Vec<String> = meant.iter().map(|slots| slots.len().to_string()).collect();
            let message = format!(
                "`{}` takes {} arguments, found {}",
                self.command.name.name,
                counts.join(" or "),
                args.len()
            );
            self.report(self.command.span, message);
            return;
        };
        for (slot, arg) in slots.iter().zip(args) {
            self.slot(*slot, arg);
        }
    }

    /// Nothing else has been said of the tensor that comes first.
    pub(super) fn once(&mut self, command: &'static str) {
        let Some(tensor) = self.command.args.first().and_then(word) else { return };
        if !self.names.given.insert((command, tensor.name.clone())) {
            let message = format!("`{}` has a `{command}` command already", tensor.name);
            let error = Diagnostic::error(self.command.span, message).hint("leave one of the two out");
            self.checker.diagnostics.push(error);
        }
    }

    fn slot(&mut self, slot: Slot, arg: &CommandArg) {
        match slot {
            Slot::Label => self.label_slot(arg),
            Slot::NewLabel => self.new_label_slot(arg),
            Slot::Count => {
                self.count(arg);
            }
            Slot::Bits => self.bits(arg),
            Slot::CountOrSetting => self.count_or_setting(arg),
            Slot::Word(words) => self.word(words, arg),
            Slot::AnyWord => {
                self.expect_word(arg, "a word");
            }
            Slot::NewSetting => {
                if let Some(name) = self.expect_word(arg, "a name") {
                    self.names.settings.insert(name.name);
                }
            }
            Slot::Tensor => {
                if let Some(name) = self.expect_word(arg, "a tensor") {
                    self.tensor(&name);
                }
            }
            Slot::Operand => self.operand(arg),
            Slot::Access => self.access(arg),
        }
    }

    fn label_slot(&mut self, arg: &CommandArg) {
        if let Some(label) = self.expect_word(arg, "a label") {
            self.label(&label);
        }
    }

    fn new_label_slot(&mut self, arg: &CommandArg) {
        let Some(label) = self.expect_word(arg, "a new label") else { return };
        if self.names.labels.insert(label.name.clone()) {
            return;
        }
        let message =
            format!("`{}` introduces label `{}`, which exists already", self.command.name.name, label.name);
        self.checker
            .diagnostics
            .push(Diagnostic::error(label.span, message).hint("choose another name for it"));
    }

    pub(super) fn label(&mut self, label: &Ident) {
        if self.names.knows_label(label) {
            return;
        }
        let message = format!("the statement has no label `{}`", label.name);
        let mut known: Vec<&str> = self.names.labels.iter().map(String::as_str).collect();
        known.sort_unstable();
        let otherwise = format!("its labels are `{}`", known.join("`, `"));
        let hint = did_you_mean(&label.name, known, otherwise);
        self.checker.diagnostics.push(Diagnostic::error(label.span, message).hint(hint));
    }

    pub(super) fn tensor(&mut self, name: &Ident) {
        if self.names.tensors.contains(&name.name) {
            return;
        }
        let message = format!("`{}` is no tensor of the statement and no workspace", name.name);
        let mut known: Vec<&str> = self.names.tensors.iter().map(String::as_str).collect();
        known.sort_unstable();
        let otherwise = format!("the tensors are `{}`", known.join("`, `"));
        let hint = did_you_mean(&name.name, known, otherwise);
        self.checker.diagnostics.push(Diagnostic::error(name.span, message).hint(hint));
    }

    fn count(&mut self, arg: &CommandArg) -> Option<i64> {
        let count = expression(arg).and_then(|expr| match &expr.kind {
            ExprKind::Number(number) => number.integer.filter(|&count| count > 0),
            _ => None,
        });
        if count.is_none() {
            self.report(arg.span, "expected a whole number of at least 1".to_owned());
        }
        count
    }

    fn bits(&mut self, arg: &CommandArg) {
        let Some(bits) = self.count(arg) else { return };
        if ![8, 16, 32, 64].contains(&bits) {
            self.report(arg.span, format!("a bit vector's words have 8, 16, 32 or 64 bits, found {bits}"));
        }
    }

    fn count_or_setting(&mut self, arg: &CommandArg) {
        let Some(name) = word(arg) else {
            self.count(arg);
            return;
        };
        if !self.names.settings.contains(&name.name) {
            let message = format!("`{}` is no number, and no `environment` defines it", name.name);
            let hint = format!("write a number, or `environment({}, 16)` before this command", name.name);
            self.checker.diagnostics.push(Diagnostic::error(name.span, message).hint(hint));
        }
    }

    fn word(&mut self, words: &[&str], arg: &CommandArg) {
        let found = word(arg);
        if found.as_ref().is_some_and(|found| words.contains(&found.name.as_str())) {
            return;
        }
        let found = found.map_or(String::new(), |found| format!(", found `{}`", found.name));
        self.report(arg.span, format!("expected `{}`{found}", words.join("` or `")));
    }

    pub(super) fn expect_word(&mut self, arg: &CommandArg, what: &str) -> Option<Ident> {
        let found = word(arg);
        if found.is_none() {
            self.report(arg.span, format!("expected {what}"));
        }
        found
    }

    fn operand(&mut self, arg: &CommandArg) {
        match word(arg) {
            Some(name) if self.names.knows_label(&name) => {}
            Some(name) => self.tensor(&name),
            None => self.access(arg),
        }
    }

    fn access(&mut self, arg: &CommandArg) {
        match expression(arg).map(|expr| &expr.kind) {
            Some(ExprKind::Access { tensor, indices }) => {
                self.tensor(tensor);
                let labels: Vec<Ident> = indices.iter().filter_map(Index::name).cloned().collect();
                if labels.len() != indices.len() {
                    self.report(arg.span, "expected labels in the brackets".to_owned());
                }
                for label in &labels {
                    self.label(label);
                }
                self.read(tensor, &labels, arg.span);
            }
            _ => self.report(arg.span, "expected a tensor with its labels, `A[i,k]`".to_owned()),
        }
    }

    /// The statement reads the tensor under these labels.
    fn read(&mut self, tensor: &Ident, indices: &[Ident], span: Span) {
        let names = |labels: &[String]| format!("`{}[{}]`", tensor.name, labels.join(","));
        let labels: Vec<String> = indices.iter().map(|label| label.name.clone()).collect();
        let key = (tensor.name.clone(), labels);
        if self.names.accesses.contains(&key) || !self.names.tensors.contains(&tensor.name) {
            return;
        }
        let own = self.names.accesses.iter().filter(|(name, _)| *name == tensor.name);
        let mut own: Vec<String> = own.map(|(_, labels)| names(labels)).collect();
        own.sort_unstable();
        let message = format!("the statement does not read {}", names(&key.1));
        let hint = match own.is_empty() {
            true => format!("it only assigns to `{}`", tensor.name),
            false => format!("it reads {}", own.join(" and ")),
        };
        self.checker.diagnostics.push(Diagnostic::error(span, message).hint(hint));
    }

    pub(super) fn report(&mut self, span: Span, message: String) {
        let hint = format!("write `{}`", self.usage);
        self.checker.diagnostics.push(Diagnostic::error(span, message).hint(hint));
    }
}

/// Whether those arguments that are to be certain words are.
fn has_words(slots: &[Slot], args: &[CommandArg]) -> bool {
    slots.iter().zip(args).all(|(slot, arg)| match slot {
        Slot::Word(words) => word(arg).is_some_and(|found| words.contains(&found.name.as_str())),
        _ => true,
    })
}

pub(super) fn expression(arg: &CommandArg) -> Option<&Expr> {
    match &arg.kind {
        CommandArgKind::Expr(expr) => Some(expr),
        _ => None,
    }
}

pub(super) fn word(arg: &CommandArg) -> Option<Ident> {
    match &expression(arg)?.kind {
        ExprKind::Name(name) => Some(Ident { name: name.clone(), span: arg.span }),
        _ => None,
    }
}
