//! Schedules that stand outside of the program, for the assignments that have what they name.

use std::collections::HashSet;

use comet_diag::Diagnostic;
use comet_syntax::ast::{self, CommandArg, CommandArgKind, Ident, TargetedSchedule};

use super::arguments::{expression, word};
use super::commands::{ArgumentForm, COMMANDS, Slot};
use crate::names::did_you_mean;
use crate::{mentions, walk};

/// Attaches each schedule to every assignment of tensors, or to every one to its target, that has all labels
/// and tensors which it names, in the place of the one that the assignment has. What is wrong with a command
/// there is for [`crate::check`].
///
/// # Errors
/// No assignment has them all.
pub fn attach_schedules(
    module: &mut ast::Module,
    schedules: &[TargetedSchedule],
) -> Result<(), Vec<Diagnostic>> {
    let errors: Vec<Diagnostic> =
        schedules.iter().filter_map(|schedule| attach(module, schedule).err()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn attach(module: &mut ast::Module, given: &TargetedSchedule) -> Result<(), Diagnostic> {
    let TargetedSchedule { target, function: only, schedule } = given;
    if let Some(only) =
        only.as_ref().filter(|only| !module.functions.iter().any(|function| function.name.name == only.name))
    {
        let names = module.functions.iter().map(|function| function.name.name.as_str());
        let message = format!("the program has no function `{}`", only.name);
        let hint = did_you_mean(&only.name, names, "name a function of the file".to_owned());
        return Err(Diagnostic::error(only.span, message).hint(hint));
    }
    let named = named(schedule);
    let mut known = HashSet::new();
    let (mut is_attached, mut has_target) = (false, false);
    let is_meant =
        |function: &&mut ast::Function| only.as_ref().is_none_or(|only| only.name == function.name.name);
    for function in module.functions.iter_mut().filter(is_meant) {
        for assign in ast::assignments_mut(&mut function.body) {
            let is_other = target.as_ref().is_some_and(|target| target.name != assign.tensor.name);
            if is_other || mentions::read_by_assignment(assign).is_empty() {
                continue;
            }
            has_target = true;
            let words = mentions::used_by_assignment(assign);
            let has_all = named.iter().all(|word| words.contains(&word.name.as_str()));
            known.extend(words.into_iter().map(str::to_owned));
            if has_all {
                assign.schedule = Some(schedule.clone());
                is_attached = true;
            }
        }
    }
    if is_attached {
        return Ok(());
    }
    if let Some(target) = target.as_ref().filter(|_| !has_target) {
        let message = format!("no assignment of the program computes `{}` from tensors", target.name);
        let hint = "name a tensor that is assigned to, or leave the name and its braces out";
        return Err(Diagnostic::error(target.span, message).hint(hint));
    }
    let of_target = target.as_ref().map_or_else(String::new, |target| format!(" to `{}`", target.name));
    let hint = "name labels and tensors of one statement that computes something";
    let error = match named.iter().find(|word| !known.contains(&word.name)) {
        Some(missing) => {
            let message = format!("no assignment{of_target} of the program has `{}`", missing.name);
            Diagnostic::error(missing.span, message)
        }
        None => {
            let names: Vec<&str> = named.iter().map(|word| word.name.as_str()).collect();
            let message =
                format!("no assignment{of_target} of the program has all of `{}`", names.join("`, `"));
            Diagnostic::error(schedule.span, message)
        }
    };
    Err(error.hint(hint))
}

/// The labels and tensors that the commands name and do not introduce themselves, each once.
fn named(schedule: &ast::Schedule) -> Vec<Ident> {
    let mut introduced: HashSet<String> = HashSet::new();
    let mut named: Vec<Ident> = Vec::new();
    for command in &schedule.commands {
        let (words, new) = words(command);
        for word in words {
            if !introduced.contains(&word.name) && !named.iter().any(|other| other.name == word.name) {
                named.push(word);
            }
        }
        introduced.extend(new.into_iter().map(|word| word.name));
    }
    named
}

/// What a command names, and what it introduces. One that does not exist or has other arguments names
/// nothing.
pub(crate) fn words(command: &ast::Command) -> (Vec<Ident>, Vec<Ident>) {
    let Some(rule) = COMMANDS.iter().find(|rule| rule.name == command.name.name) else {
        return (Vec::new(), Vec::new());
    };
    let args = &command.args;
    match rule.form {
        ArgumentForm::Order => (args.iter().filter_map(word).collect(), Vec::new()),
        ArgumentForm::Tile => (args.iter().filter_map(sized).collect(), Vec::new()),
        ArgumentForm::Precompute => precomputed(args),
        ArgumentForm::Slots(alternatives) | ArgumentForm::Once(alternatives) => {
            let slots = alternatives.iter().find(|slots| slots.len() == args.len());
            slots.map_or_else(Default::default, |slots| in_slots(slots, args))
        }
    }
}

fn in_slots(slots: &[Slot], args: &[CommandArg]) -> (Vec<Ident>, Vec<Ident>) {
    let (mut named, mut introduced) = (Vec::new(), Vec::new());
    for (slot, arg) in slots.iter().zip(args) {
        match slot {
            Slot::Label | Slot::Tensor => named.extend(word(arg)),
            Slot::NewLabel => introduced.extend(word(arg)),
            Slot::Access | Slot::Operand => named.extend(written(arg)),
            _ => {}
        }
    }
    (named, introduced)
}

fn precomputed(args: &[CommandArg]) -> (Vec<Ident>, Vec<Ident>) {
    let (mut named, mut introduced) = (Vec::new(), Vec::new());
    for (number, arg) in args.iter().enumerate() {
        match (&arg.kind, number) {
            (CommandArgKind::Expr(_), _) => named.extend(written(arg)),
            (CommandArgKind::Labels(labels), 1) => named.extend(labels.iter().cloned()),
            (CommandArgKind::Labels(labels), _) => introduced.extend(labels.iter().cloned()),
            (CommandArgKind::Formatted(workspace, ..), _) => introduced.push(workspace.clone()),
            _ => {}
        }
    }
    // Where the workspace keeps the names of its labels they are those of the statement.
    introduced.retain(|word| !named.iter().any(|other| other.name == word.name));
    (named, introduced)
}

fn sized(arg: &CommandArg) -> Option<Ident> {
    match &arg.kind {
        CommandArgKind::Sized(label, _) => Some(label.clone()),
        _ => None,
    }
}

/// The words of an expression.
fn written(arg: &CommandArg) -> Vec<Ident> {
    let words = expression(arg).map(walk::words).unwrap_or_default();
    words.into_iter().map(|(name, span)| Ident { name: name.to_owned(), span }).collect()
}
