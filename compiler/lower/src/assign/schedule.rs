//! Schedules: each command becomes a `cin.command` in front of the assignment that it is about.

use crate::function::{Lowered, Lowering};
use comet_diag::Diagnostic;
use comet_ir::Attr;
use comet_sema::program::{Assign, Command, CommandArg, CommandArgKind, WrittenExpr, WrittenExprKind};
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute, StringAttribute};

/// The commands that the passes know; for `parallelize`, what may run a loop.
const SUPPORTED: &[&str] =
    &["order", "split", "divide", "tile", "bound", "unroll", "vectorize", "parallelize"];

/// Whether an assignment says how it is to be computed.
pub(super) fn has_commands(assign: &Assign) -> bool {
    assign.schedule.as_ref().is_some_and(|schedule| !schedule.commands.is_empty())
}

/// Refuses the commands that no pass carries out.
pub(super) fn refuse_unsupported(assign: &Assign) -> Lowered<()> {
    let commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
    commands.into_iter().try_for_each(|command| match unsupported(command) {
        Some(what) => Err(Diagnostic::not_supported(command.span, format!("{what} in schedules"))
            .hint("leave it out: a schedule changes no result")),
        None => Ok(()),
    })
}

/// What of a command is not supported, where something is not.
fn unsupported(command: &Command) -> Option<String> {
    let name = command.name.name.as_str();
    let second = command.args.get(1).and_then(word);
    match (name, second) {
        ("parallelize", Some(unit)) if unit != "cpu" => Some(format!("`parallelize(…, {unit}, …)`")),
        ("tile", _) if command.args.first().and_then(word) == Some("auto") => {
            Some("`tile(auto, …)`".to_owned())
        }
        _ if SUPPORTED.contains(&name) => None,
        _ => Some(format!("`{name}`")),
    }
}

/// Writes the commands of an assignment, whose operation has to come next.
pub(super) fn commands(lowering: &Lowering<'_, '_>, assign: &Assign) -> Lowered<()> {
    let commands = assign.schedule.iter().flat_map(|schedule| &schedule.commands);
    commands.into_iter().try_for_each(|command| {
        let context = lowering.b.context();
        let arguments: Vec<Attr<'_>> =
            command.args.iter().flat_map(|arg| arguments(lowering, command, arg)).collect();
        let attributes = [
            ("name", StringAttribute::new(context, &command.name.name).into()),
            ("arguments", ArrayAttribute::new(context, &arguments).into()),
        ];
        lowering.emit(command.span, "cin.command", &[], &attributes)
    })
}

/// The names and numbers of an argument.
fn arguments<'c>(lowering: &Lowering<'_, 'c>, command: &Command, arg: &CommandArg) -> Vec<Attr<'c>> {
    let context = lowering.b.context();
    let name = |name: &str| Attr::from(StringAttribute::new(context, name));
    let number = |number: i64| Attr::from(IntegerAttribute::new(comet_ir::types::int(context, 64), number));
    match &arg.kind {
        CommandArgKind::Expr(WrittenExpr { kind: WrittenExprKind::Name(word), .. }) => vec![name(word)],
        CommandArgKind::Expr(WrittenExpr { kind: WrittenExprKind::Number(found), .. }) => {
            found.integer.map(number).into_iter().collect()
        }
        CommandArgKind::Sized(label, size) => {
            let size = size.integer.expect("the checker demands whole sizes");
            vec![name(&label.name), number(size)]
        }
        _ => unreachable!("`{}` has another form of arguments", command.name.name),
    }
}

fn word(arg: &CommandArg) -> Option<&str> {
    match &arg.kind {
        CommandArgKind::Expr(WrittenExpr { kind: WrittenExprKind::Name(name), .. }) => Some(name),
        _ => None,
    }
}
