//! Schedules: each command becomes a `cin.command` in front of the assignment that it is about.

use crate::function::{self, Lowered, Lowering};
use comet_diag::Diagnostic;
use comet_ir::{Attr, Val, cin, types};
use comet_sema::program::{
    Assign, BinaryOp, Command, CommandArg, CommandArgKind, Ident, Index, MemoryRegion, OperatorName,
    TensorId, WrittenExpr, WrittenExprKind,
};
use comet_sema::workspace_format;
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute, StringAttribute};

/// Whether an assignment says how it is to be computed.
pub(super) fn has_commands(assign: &Assign) -> bool {
    assign.schedule.as_ref().is_some_and(|schedule| !schedule.commands.is_empty())
}

/// Refuses the commands that no pass carries out.
pub(super) fn refuse_unsupported(assign: &Assign) -> Lowered<()> {
    let commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
    commands.into_iter().try_for_each(|command| match unsupported(command) {
        Some(what) => Err(Diagnostic::not_supported(command.span, format!("{what} where no data is known"))
            .hint("write the sizes that `comet tile` reports for your data: `tile(i: 64, k: 32)`")),
        None => Ok(()),
    })
}

/// What of a command is not supported, where something is not.
fn unsupported(command: &Command) -> Option<String> {
    let is_automatic = command.args.first().and_then(word) == Some("auto");
    (is_automatic && command.name.name == "tile").then(|| "`tile(auto, …)`".to_owned())
}

/// Writes the commands of an assignment, whose operation has to come next and assigns to `target`.
pub(super) fn commands<'c>(lowering: &Lowering<'_, 'c>, assign: &Assign, target: Val<'c>) -> Lowered<()> {
    let commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
    let writer = CommandWriter { lowering, assign, target };
    commands.into_iter().try_for_each(|command| {
        let context = lowering.b.context();
        let arguments: Vec<Attr<'_>> =
            command.args.iter().flat_map(|arg| writer.arguments(command, arg)).collect();
        let arguments = ArrayAttribute::new(context, &arguments).into();
        lowering.emit(command.span, |b| cin::Command::build(b, &command.name.name, arguments))
    })
}

/// Writes the arguments of an assignment's commands, with the names that labels and tensors have in the IR.
struct CommandWriter<'a, 'p, 'c> {
    lowering: &'a Lowering<'p, 'c>,
    assign: &'a Assign,
    target: Val<'c>,
}

impl<'c> CommandWriter<'_, '_, 'c> {
    fn arguments(&self, command: &Command, arg: &CommandArg) -> Vec<Attr<'c>> {
        match &arg.kind {
            CommandArgKind::Expr(expr) => self.expression_argument(command, expr),
            CommandArgKind::Sized(label, size) => {
                let size = size.integer.expect("the checker demands whole sizes");
                vec![self.name(&label.name), self.number(size)]
            }
            CommandArgKind::Labels(labels) => {
                let labels: Vec<Attr<'c>> = labels.iter().map(|label| self.name(&label.name)).collect();
                vec![self.list(&labels)]
            }
            CommandArgKind::Formatted(workspace, memory, format) => {
                let rank = command.args.iter().find_map(|arg| match &arg.kind {
                    CommandArgKind::Labels(labels) => Some(labels.len()),
                    _ => None,
                });
                let rank = rank.expect("the checker demands the workspace's labels");
                let format = workspace_format(workspace, format, rank);
                let region = memory.map(|memory| match memory {
                    MemoryRegion::OnChip => self.name("onchip"),
                    MemoryRegion::OffChip => self.name("offchip"),
                });
                let named = [self.name(&workspace.name), self.name(&format.to_string())];
                named.into_iter().chain(region).collect()
            }
            CommandArgKind::Setting(..) => {
                unreachable!("`{}` has another form of arguments", command.name.name)
            }
        }
    }

    fn expression_argument(&self, command: &Command, expr: &WrittenExpr) -> Vec<Attr<'c>> {
        match (command.name.name.as_str(), &expr.kind) {
            ("precompute", _) => vec![self.expression(expr)],
            ("workspace" | "assemble" | "communicate", WrittenExprKind::Name(word))
                if *word == self.target_name() =>
            {
                vec![self.name(&function::name(self.target))]
            }
            ("locate" | "replicate", WrittenExprKind::Name(word)) => {
                vec![self.name(&self.declared_name(word))]
            }
            ("communicate", WrittenExprKind::Name(word)) if is_first(command, expr) => {
                vec![self.name(&self.declared_name(word))]
            }
            (_, WrittenExprKind::Name(word)) => vec![self.name(word)],
            (_, WrittenExprKind::Number(found)) => {
                found.integer.map(|number| self.number(number)).into_iter().collect()
            }
            (_, WrittenExprKind::Access { tensor, indices }) => self.access(tensor, indices),
            _ => unreachable!("`{}` has another form of arguments", command.name.name),
        }
    }

    /// `["mul", ["access", "A", "i"], ["scalar"]]`.
    fn expression(&self, expr: &WrittenExpr) -> Attr<'c> {
        let tagged = |tag: &str, parts: Vec<Attr<'c>>| self.list(&[vec![self.name(tag)], parts].concat());
        match &expr.kind {
            WrittenExprKind::Access { tensor, indices }
            | WrittenExprKind::Transpose { tensor, indices, .. } => {
                tagged("access", self.access(tensor, indices))
            }
            WrittenExprKind::Neg(value) => tagged("neg", vec![self.expression(value)]),
            WrittenExprKind::Binary { op, left, right, .. } => {
                tagged(operator(*op), vec![self.expression(left), self.expression(right)])
            }
            _ => tagged("scalar", Vec::new()),
        }
    }

    fn access(&self, tensor: &Ident, indices: &[Index]) -> Vec<Attr<'c>> {
        let tensor = self.name(&self.declared_name(&tensor.name));
        let labels = indices.iter().filter_map(Index::label).map(|label| self.name(&label.name));
        std::iter::once(tensor).chain(labels).collect()
    }

    fn target_name(&self) -> &str {
        &self.lowering.tensor_info(self.assign.target.tensor).name
    }

    /// The name that a tensor is declared under: its own, or that of the caller's. A workspace of the
    /// schedule has its own.
    fn declared_name(&self, name: &str) -> String {
        let tensors = &self.lowering.function.tensors;
        let place = tensors.iter().position(|tensor| tensor.name == name);
        place.map_or_else(|| name.to_owned(), |place| function::name(self.lowering.tensor(TensorId(place))))
    }

    fn name(&self, name: &str) -> Attr<'c> {
        StringAttribute::new(self.lowering.b.context(), name).into()
    }

    fn number(&self, number: i64) -> Attr<'c> {
        IntegerAttribute::new(types::int(self.lowering.b.context(), 64), number).into()
    }

    fn list(&self, items: &[Attr<'c>]) -> Attr<'c> {
        ArrayAttribute::new(self.lowering.b.context(), items).into()
    }
}

/// What an operator is called in a command.
fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul | BinaryOp::ElementwiseMul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Semiring(_, OperatorName::Operator(op)) | BinaryOp::Monoid(OperatorName::Operator(op)) => {
            op.name()
        }
        BinaryOp::Semiring(_, OperatorName::Function(name))
        | BinaryOp::Monoid(OperatorName::Function(name)) => name.text(),
        BinaryOp::Eq => "eq",
        BinaryOp::Ne => "ne",
        BinaryOp::Lt => "lt",
        BinaryOp::Le => "le",
        BinaryOp::Gt => "gt",
        BinaryOp::Ge => "ge",
    }
}

/// Whether an expression is the first argument of a command.
fn is_first(command: &Command, expr: &WrittenExpr) -> bool {
    let first = command.args.first().map(|arg| &arg.kind);
    matches!(first, Some(CommandArgKind::Expr(first)) if std::ptr::eq(first, expr))
}

fn word(arg: &CommandArg) -> Option<&str> {
    match &arg.kind {
        CommandArgKind::Expr(WrittenExpr { kind: WrittenExprKind::Name(name), .. }) => Some(name),
        _ => None,
    }
}
