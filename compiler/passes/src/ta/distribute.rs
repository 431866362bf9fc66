//! `ta-distribute`: has each process compute its part of a statement, on the local parts of its tensors.
//!
//! Before:
//! ```mlir
//! // given %rows, %columns : index
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %i = ta.index_label_static "i" %c0 to %rows step %c1
//! %j = ta.index_label_static "j" %c0 to %columns step %c1
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.tc ins(%A, %x : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
//! ```
//! After:
//! ```mlir
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %i = ta.index_label_static "i" %c0 to %rows step %c1
//! %j = ta.index_label_static "j" %c0 to %columns step %c1
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.distribute "A(0,1) x(1) y(0); labels i,j; from 64; divides 0; add over 1; 1 within 0" on %A, %x, %y : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, tensor<?xf64>
//! %zero = arith.constant 0 : index
//! %one = arith.constant 1 : index
//! %n = ta.local_extent 0
//! %li = ta.index_label_static "i" %zero to %n step %one
//! %zero0 = arith.constant 0 : index
//! %one0 = arith.constant 1 : index
//! %m = ta.local_extent 1
//! %lj = ta.index_label_static "j" %zero0 to %m step %one0
//! %lA = ta.tensor_decl "A" [%li, %lj] {local = 0 : i64} : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %lx = ta.tensor_decl "x" [%lj] {local = 1 : i64} : tensor<?xf64>
//! %ly = ta.tensor_decl "y" [%li] {local = 2 : i64} : tensor<?xf64>
//! ta.tc ins(%lA, %lx : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>) outs(%ly : tensor<?xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
//! ta.collect
//! ```
//! Requires static labels (`ta-resolve-sizes`), and comes before anything that chooses loops. Labels with
//! fewer coordinates than `from` are not divided, so that types keep their extents, but for those of the
//! outermost levels of tensors that are declared `on = "rows"`. With `sums=ordered`, no
//! sums of floating-point numbers are left to be added up across processes.
//!
//! Behind `split(i, io, ii, 100)`, `communicate(x, io)` has pieces of 100 coordinates of `i` be computed one
//! after the other, in a loop:
//! ```mlir
//! %pieces = ta.distribute_pieces "A(0,1) x(1) y(0); …; along 0; pieces of 100" on %A, %x, %y : …
//! scf.for %number = %zero to %pieces step %one {
//!   ta.begin_piece %number
//!   // the same as behind `ta.distribute`
//!   ta.collect
//! }
//! ```

mod commands;
mod replaced;
mod statement;

use crate::nest;
use crate::schedule::{Command, commands_before};
use crate::sums::{self, Sums};
use comet_abi::distribution::{SHORTEST, StatementDescription};
use comet_ir::pass::{OptionValues, Pass, PassOption};
use comet_ir::ta::{self, Ta};
use comet_ir::{Bounds, Builder, Op, Result, Ty, Val, types};
use melior::ir::ValueLike;
use melior::ir::r#type::RankedTensorType;
use replaced::Replaced;
use statement::StatementUses;

/// The fewest coordinates of a label that are divided.
pub const FROM: PassOption = PassOption {
    name: "from",
    default: SHORTEST,
    description: "The fewest coordinates of a label that are divided among processes",
};

pub const PASS: Pass = Pass {
    name: "ta-distribute",
    description: "On several processes, has each compute its part of a statement",
    options: &[sums::OPTION, FROM],
    dialects: &["ta", "arith", "scf"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let (sums, from) = (Sums::of(options)?, options.number(FROM.name)?);
    let mut statements = Vec::new();
    module.for_each_inside(&mut |op| {
        if op.is::<ta::Set>() || op.is::<ta::Tc>() {
            statements.push(op);
        }
    });
    statements.into_iter().try_for_each(|op| distribute(op, sums, from))
}

fn distribute(op: Op<'_>, sums: Sums, from: u64) -> Result<'_, ()> {
    let statement = match Ta::of(op) {
        Some(Ta::Tc(contraction)) => StatementUses::of_contraction(contraction)?,
        Some(Ta::Set(set)) => Some(StatementUses::of_tree(set)),
        _ => None,
    };
    let Some(mut statement) = statement.filter(|found| found.ranges.iter().all(|range| is_whole(*range)))
    else {
        return Ok(());
    };
    let commands = commands_before(op)?;
    let describe = |statement: &StatementUses<'_>| {
        let mut description = statement.describe(sums, from);
        commands::carry_out(&commands, &mut description).map(|()| description)
    };
    let mut description = describe(&statement)?;
    if description.pieces.is_some() {
        return compute_pieces(op, &statement, &description, &commands, from);
    }
    let replaced = Replaced::behind(op);
    if let (Some(replaced), Some(set)) = (&replaced, op.cast::<ta::Set<'_>>()) {
        replaced.assign_target(op);
        statement = StatementUses::of_tree(set);
        description = describe(&statement)?;
    }
    compute_at_once(op, &statement, &description, &commands, from, replaced)
}

/// Computes the part of this process as a whole.
fn compute_at_once<'c>(
    op: Op<'c>,
    statement: &StatementUses<'c>,
    description: &StatementDescription,
    commands: &[Command<'c>],
    from: u64,
    replaced: Option<Replaced<'c>>,
) -> Result<'c, ()> {
    let first = first_of(op, commands);
    let b = Builder::before(first).with_location(op.location());
    ta::Distribute::build(b, &description.to_string(), &statement.tensors())?;
    let result = compute_on_parts(b, op, statement, commands, from)?;
    let own = replaced.map(|replaced| replaced.declare_local(b, op, result)).transpose()?;
    // The target may be declared behind operations of the expression, which are pure.
    statement.expression().into_iter().for_each(|other| other.move_before(first));
    let after = match op.next() {
        Some(next) => Builder::before(next).with_location(op.location()),
        None => Builder::at_end(op.context(), b.block(), op.location()),
    };
    own.map_or(Ok(()), |own| own.move_local(after))?;
    ta::Collect::build(after)?;
    Ok(())
}

/// Computes the part of this process in pieces, in a loop over these.
fn compute_pieces<'c>(
    op: Op<'c>,
    statement: &StatementUses<'c>,
    description: &StatementDescription,
    commands: &[Command<'c>],
    from: u64,
) -> Result<'c, ()> {
    let b = Builder::before(op).with_location(op.location());
    let count = ta::DistributePieces::build(b, &description.to_string(), &statement.tensors())?.count();
    let bounds = Bounds { start: b.index(0)?, stop: count, step: b.index(1)? };
    b.repeat(bounds, |inner, number| {
        ta::BeginPiece::build(inner, number)?;
        compute_on_parts(inner, op, statement, commands, from)?;
        let commands = commands.iter().map(|command| *command.op);
        let moved = statement.expression().into_iter().chain(commands).chain([op]);
        moved.for_each(|op| op.move_to_end(inner.block()));
        ta::Collect::build(inner)?;
        Ok(())
    })
}

/// The first of the commands of a statement, or the statement.
fn first_of<'c>(op: Op<'c>, commands: &[Command<'c>]) -> Op<'c> {
    commands.first().map_or(op, |command| *command.op)
}

/// Declares the local parts of tensors, and has the statement be computed on these; returns that of the
/// result.
fn compute_on_parts<'c>(
    b: Builder<'c>,
    op: Op<'c>,
    statement: &StatementUses<'c>,
    commands: &[Command<'c>],
    from: u64,
) -> Result<'c, Val<'c>> {
    let mut local = Vec::new();
    for (number, range) in statement.ranges.iter().enumerate() {
        let range = ta::IndexLabelStatic::defining(*range).expect("labels are static");
        let (zero, one) = (b.index(0)?, b.index(1)?);
        let extent = ta::LocalExtent::build(b, number as i64)?.size();
        local.push(ta::IndexLabelStatic::build(b, range.name(), zero, extent, one)?.label());
    }
    let always = statement.always_divided();
    let mut parts: Vec<(usize, Val<'c>)> = Vec::new();
    let mut result = None;
    for (place, tensor_use) in statement.uses.iter().enumerate() {
        // What is the same to a statement stays so.
        let place = statement.last_of(place);
        if parts.iter().all(|(other, _)| *other != place) {
            let labels: Vec<Val<'_>> = tensor_use.labels.iter().map(|label| local[*label]).collect();
            let (name, ty) = (nest::name(tensor_use.tensor()), tensor_use.tensor().r#type());
            let is_known =
                |mode: usize, extent: u64| extent < from && !always.contains(&tensor_use.labels[mode]);
            let part = ta::TensorDecl::build(b, &name, &labels, local_type(ty, is_known)?)?;
            part.set_local(Some(place as i64));
            parts.push((place, part.tensor()));
        }
        let (_, part) = parts.iter().find(|(other, _)| *other == place).expect("it was declared just now");
        tensor_use.op.set_operand(tensor_use.operand, *part);
        result = Some(*part);
    }
    for op in statement.tree.iter().chain([&op]).chain(commands.iter().map(|command| &*command.op)) {
        for (place, operand) in op.operands().into_iter().enumerate() {
            if let Some(label) = statement.ranges.iter().position(|range| *range == operand) {
                op.set_operand(place, local[label]);
            }
        }
    }
    Ok(result.expect("a statement assigns a tensor"))
}

/// The type of a part: its modes have the extents that are known there, since they are not divided.
fn local_type<'c>(ty: Ty<'c>, is_known: impl Fn(usize, u64) -> bool) -> Result<'c, Ty<'c>> {
    let tensor = RankedTensorType::try_from(ty)?;
    let extent = |mode: usize| types::static_dim(ty, mode).filter(|extent| is_known(mode, *extent));
    let dims: Vec<Option<u64>> = (0..types::rank(ty)).map(extent).collect();
    Ok(types::tensor(&dims, types::element(ty), tensor.encoding()))
}

/// Whether a label is over all coordinates of modes.
fn is_whole(label: Val<'_>) -> bool {
    let is = |value, number| comet_ir::constant(value) == Some(number);
    ta::IndexLabelStatic::defining(label).is_some_and(|range| is(range.start(), 0) && is(range.step(), 1))
}
