//! What a schedule says of how processes divide a statement.

use crate::schedule::{Accelerator, Action, Command, Halves};
use comet_abi::distribution::{PieceSize, StatementDescription};
use comet_ir::{IrError, Result, pass};

/// The blocks of a label that a command has made.
struct Blocks<'a> {
    label: usize,
    halves: &'a Halves,
    size: PieceSize,
}

/// Adds what the commands of a schedule say.
pub(super) fn carry_out<'c>(
    commands: &[Command<'c>],
    description: &mut StatementDescription,
) -> Result<'c, ()> {
    let mut blocks: Vec<Blocks<'_>> = Vec::new();
    for command in commands {
        match &command.action {
            Action::Distribute(var) => distribute(command, var, description)?,
            Action::Replicate(tensor) => {
                let places: Vec<usize> = operands(description, tensor).collect();
                description.replicated.extend(places);
            }
            Action::Split(halves) => {
                blocks.extend(blocks_of(description, halves, PieceSize::Coordinates(halves.number)));
            }
            Action::Divide(halves) => {
                blocks.extend(blocks_of(description, halves, PieceSize::Share(halves.number)));
            }
            Action::Accelerator(Accelerator::Communicate { tensor, var }) => {
                match blocks.iter().find(|found| found.halves.outer == *var) {
                    Some(found) => communicate(command, tensor, found, description)?,
                    None if operands(description, tensor).next().is_some() => {
                        pass::decided(command.location(), || {
                            format!("`{var}` goes over no blocks of a label: `{tensor}` is received at once")
                        });
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn distribute<'c>(
    command: &Command<'c>,
    var: &str,
    description: &mut StatementDescription,
) -> Result<'c, ()> {
    // What has no such label is refused where loops are scheduled.
    let Some(label) = description.names.iter().position(|name| name == var) else { return Ok(()) };
    let reduced = description.reduction.iter().flat_map(|reduction| &reduction.labels);
    if !description.divides.iter().chain(reduced).any(|other| *other == label) {
        let message = format!(
            "the statement cannot be divided along `{var}`: it is reduced, and partial results cannot be put \
             together"
        );
        let hint = "name a label of the result; sums of floating-point numbers are put together without \
                    `--ordered-sums`, as the last step of a statement";
        return Err(IrError::at(command.location(), message).hint(hint));
    }
    if let Some(other) = description.chosen.filter(|other| *other != label) {
        let message = format!("the statement is divided along `{}` already", description.name_of(other));
        return Err(IrError::at(command.location(), message).hint("leave one of the commands out"));
    }
    description.chosen = Some(label);
    Ok(())
}

/// The rows of an operand that a process needs are received for one block after the other.
fn communicate<'c>(
    command: &Command<'c>,
    tensor: &str,
    blocks: &Blocks<'_>,
    description: &mut StatementDescription,
) -> Result<'c, ()> {
    let (var, label) = (&blocks.halves.var, blocks.label);
    // Of what has the label, a process has its rows.
    let is_received = |place: usize| !description.tensors[place].labels.contains(&label);
    if !operands(description, tensor).any(is_received) {
        if operands(description, tensor).next().is_some() {
            pass::decided(command.location(), || {
                format!("nothing of `{tensor}` is received for blocks of `{var}`: processes have its rows")
            });
        }
        return Ok(());
    }
    let refused = |message: String, hint: String| Err(IrError::at(command.location(), message).hint(hint));
    if !description.divides.contains(&label) {
        return refused(
            format!("`{tensor}` cannot be received in blocks of `{var}`: the result has no such label"),
            "name blocks of a label of the result, which processes can divide".to_owned(),
        );
    }
    if let Some(chosen) = description.chosen.filter(|chosen| *chosen != label) {
        let name = description.name_of(chosen);
        return refused(
            format!("`{tensor}` is to be received in blocks of `{var}`, and `{name}` is divided"),
            format!("split `{name}`, or leave `distribute({name})` out"),
        );
    }
    if description.pieces.is_some_and(|pieces| pieces != blocks.size) {
        return refused(
            format!("`{tensor}` is to be received in blocks of another size than an operand before it"),
            "name the same blocks for all operands".to_owned(),
        );
    }
    description.chosen = Some(label);
    description.pieces = Some(blocks.size);
    Ok(())
}

/// The places of an operand.
fn operands(description: &StatementDescription, tensor: &str) -> impl Iterator<Item = usize> {
    let operands = description.tensors.iter().enumerate().rev().skip(1);
    operands.filter(move |(_, operand)| operand.name == tensor).map(|(place, _)| place)
}

fn blocks_of<'a>(
    description: &StatementDescription,
    halves: &'a Halves,
    size: PieceSize,
) -> Option<Blocks<'a>> {
    let label = description.names.iter().position(|name| *name == halves.var)?;
    Some(Blocks { label, halves, size })
}
