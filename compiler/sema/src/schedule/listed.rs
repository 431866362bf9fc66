//! The commands whose arguments are no fixed list: `order`, `tile`, `precompute`.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{ByteUnit, CommandArg, CommandArgKind, ExprKind, Ident, Index, Number, SettingValue};

use super::arguments::{CommandArguments, expression, word};
use super::span_of;
use crate::names::counted;
use crate::storage::{self, Owner};
use crate::walk;

impl CommandArguments<'_, '_> {
    /// Every argument is another label of the statement.
    pub(super) fn order(&mut self) {
        let mut seen: Vec<String> = Vec::new();
        for arg in &self.command.args {
            let Some(label) = self.expect_word(arg, "a label") else { continue };
            self.label(&label);
            if seen.contains(&label.name) {
                self.report(label.span, format!("label `{}` is listed twice", label.name));
            }
            seen.push(label.name);
        }
        if self.command.args.is_empty() {
            self.report(self.command.span, "`order` needs at least one label".to_owned());
        }
    }

    /// `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`.
    pub(super) fn tile(&mut self) {
        let args = &self.command.args;
        if args.first().and_then(word).is_some_and(|first| first.name == "auto") {
            self.tile_auto(&args[1..]);
            return;
        }
        if args.is_empty() {
            self.report(self.command.span, "`tile` needs at least one `label: size`".to_owned());
        }
        let mut seen: Vec<&str> = Vec::new();
        for arg in args {
            match &arg.kind {
                CommandArgKind::Sized(label, size) => {
                    self.label(label);
                    if seen.contains(&label.name.as_str()) {
                        self.report(label.span, format!("label `{}` is listed twice", label.name));
                    }
                    seen.push(&label.name);
                    self.at_least_one(*size, arg.span);
                }
                _ => self.report(arg.span, "expected `label: size`".to_owned()),
            }
        }
    }

    fn tile_auto(&mut self, settings: &[CommandArg]) {
        match settings {
            [
                CommandArg { kind: CommandArgKind::Setting(name, SettingValue::Number(number, unit)), span },
            ] if name.name == "buffer" => {
                self.at_least_one(*number, *span);
                let whole = number.integer.map(i64::unsigned_abs);
                if whole.is_some_and(|whole| whole.checked_mul(unit.map_or(1, ByteUnit::bytes)).is_none()) {
                    let message = "the buffer has more bytes than a 64-bit number can count".to_owned();
                    self.report(*span, message);
                }
            }
            _ => self.report(self.command.span, "`tile(auto, …)` needs the size of the buffer".to_owned()),
        }
    }

    fn at_least_one(&mut self, size: Number, span: Span) {
        if size.integer.is_none_or(|size| size < 1) {
            self.report(span, "expected a whole number of at least 1".to_owned());
        }
    }

    /// `precompute(expr, {i}, {iw}, W : format)`.
    pub(super) fn precompute(&mut self) {
        let [expr, outer, inner, workspace] = self.command.args.as_slice() else {
            let message = format!("`precompute` takes 4 arguments, found {}", self.command.args.len());
            self.report(self.command.span, message);
            return;
        };
        self.subexpression(expr);
        let rank = self.workspace_labels(outer, inner);
        match &workspace.kind {
            CommandArgKind::Formatted(name, _, format) => {
                if let Some((rank, modes)) = rank {
                    let owner = Owner { name: &name.name, modes, rank };
                    storage::resolve(owner, format, &[], &mut self.checker.diagnostics);
                }
                self.new_workspace(name);
            }
            _ => self.report(workspace.span, "expected a workspace with its format, `W : {D}`".to_owned()),
        }
    }

    fn new_workspace(&mut self, name: &Ident) {
        if !self.names.tensors.insert(name.name.clone()) {
            let message = format!("`precompute` introduces workspace `{}`, which exists already", name.name);
            let error = Diagnostic::error(name.span, message).hint("choose another name for it");
            self.checker.diagnostics.push(error);
        }
    }

    fn subexpression(&mut self, arg: &CommandArg) {
        let Some(expr) = expression(arg) else {
            self.report(arg.span, "expected an expression of the statement".to_owned());
            return;
        };
        for inner in walk::all_expressions(expr) {
            if self.checker.elementwise_callee(inner).is_some() {
                let error = Diagnostic::not_supported(inner.span, "a function in what `precompute` names");
                self.checker.diagnostics.push(error.hint("compute it by a statement of its own"));
            }
            if let ExprKind::Access { tensor, indices } = &inner.kind {
                self.tensor(tensor);
                for label in indices.iter().filter_map(Index::label) {
                    self.label(&label);
                }
            }
        }
    }

    /// The labels of the statement that become the workspace's. Stardust's examples keep the names.
    fn workspace_labels(&mut self, outer: &CommandArg, inner: &CommandArg) -> Option<(usize, Span)> {
        let (CommandArgKind::Labels(from), CommandArgKind::Labels(to)) = (&outer.kind, &inner.kind) else {
            self.report(outer.span.to(inner.span), "expected two lists of labels, `{i}, {iw}`".to_owned());
            return None;
        };
        for label in from {
            self.label(label);
        }
        self.names.labels.extend(to.iter().map(|label| label.name.clone()));
        if from.len() != to.len() {
            let message = format!("expected as many labels as before, found {}", counted(to.len(), "label"));
            self.report(outer.span.to(inner.span), message);
            return None;
        }
        Some((to.len(), span_of(to, inner.span)))
    }
}
