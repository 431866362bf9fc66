//! `ta-compact`: zeros that blocks are padded with are no entries of what statements compute.
//!
//! Before:
//! ```mlir
//! // given %i, %j : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
//! %d = ta.tensor_decl "d" [%j] : tensor<?xf64>
//! %e = ta.tensor_decl "e" [%i] : tensor<?xf64>
//! %0 = ta.labeled_tensor %A[%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>> -> !ta.labeled<f64>
//! %1 = ta.labeled_tensor %d[%j] : tensor<?xf64> -> !ta.labeled<f64>
//! %2 = ta.elementwise "add" %0, %1 : !ta.labeled<f64>
//! %3 = ta.reduce "min" %2 over [%j] : !ta.labeled<f64>
//! ta.set_op %3 to %e[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[CU, D]>>
//! %d = ta.tensor_decl "d" [%j] : tensor<?xf64>
//! %e = ta.tensor_decl "e" [%i] : tensor<?xf64>
//! %c = ta.tensor_decl "A" [%i, %j] {copy} : tensor<?x?xf64, #ta.format<[CU, CU]>>
//! ta.convert %A to %c permutation [0, 1] : tensor<?x?xf64, #ta.format<[CU, D]>> to tensor<?x?xf64, #ta.format<[CU, CU]>>
//! %0 = ta.labeled_tensor %c[%i, %j] : tensor<?x?xf64, #ta.format<[CU, CU]>> -> !ta.labeled<f64>
//! %1 = ta.labeled_tensor %d[%j] : tensor<?xf64> -> !ta.labeled<f64>
//! %2 = ta.elementwise "add" %0, %1 : !ta.labeled<f64>
//! %3 = ta.reduce "min" %2 over [%j] : !ta.labeled<f64>
//! ta.set_op %3 to %e[%i] {beta = 0.0 : f64} : !ta.labeled<f64>, tensor<?xf64>
//! ta.release %c : tensor<?x?xf64, #ta.format<[CU, CU]>>
//! ```
//! A format pads where dense levels lie below one that is not. In a dense result of sums of products such
//! zeros are no different from nothing, and the operand is read as it is, unless what it is multiplied by
//! turns out to be infinite or NaN when the program runs: the statement is there twice then, and a bound of
//! the factors chooses. With `operands=all`, for back ends that read no padded format, such operands are
//! copied as well. A sparse result that pads is computed in its compact format, unless every position of its
//! blocks is an entry in any case.
//!
//! Operands with levels that have no order (`H`) are copied, too, where coordinates are needed in order: for
//! a sparse result, other operations than sums of products, masks and schedules.

mod bound;
mod statement;

use crate::copies::{self, Copies};
use crate::nest;
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Builder, Op, Result, Val, format, ta, types};
use statement::{PaddedStatement, ReadOperand};

pub const PASS: Pass = Pass {
    name: "ta-compact",
    description: "Copies padded operands to compressed formats where padding would count as entries, and computes padded results in such a format",
    options: &[PassOption {
        name: "operands",
        default: "needed",
        description: "Which padded operands to copy: those whose presence matters (`needed`), or `all`",
    }],
    dialects: &["ta", "scf", "arith", "complex", "math"],
    run,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Needed,
    All,
}

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let operands = options.choice("operands", &[("needed", Operands::Needed), ("all", Operands::All)])?;
    let mut assignments = Vec::new();
    module.for_each_inside(&mut |op| {
        if op.is::<ta::Set>() || op.is::<ta::Tc>() {
            assignments.push(op);
        }
    });
    assignments.into_iter().try_for_each(|assignment| compact(assignment, operands))
}

fn compact<'c>(op: Op<'c>, operands: Operands) -> Result<'c, ()> {
    let statement = PaddedStatement::of(op)?;
    let is_computed_in_copy = statement.is_computed_in_copy(operands);
    let copied = statement.copied(operands);
    let guarded = statement.copied_unless_finite(operands);
    if copied.is_empty() && guarded.is_empty() && !is_computed_in_copy {
        return Ok(());
    }
    let ops = statement.ops()?;
    let before = Builder::before(ops[0]).with_location(op.location());
    let mut copies = Copies::default();
    for access in copied {
        let copy = compacted(&mut copies, before, access.tensor(), "")?;
        access.op.set_operand(access.operand, copy);
    }
    let after = match op.next() {
        Some(next) => Builder::before(next).with_location(op.location()),
        None => Builder::at_end(op.context(), before.block(), op.location()),
    };
    if !guarded.is_empty() {
        assert!(!is_computed_in_copy, "operands have two versions only where the result is dense");
        twice(after, &statement, &ops, &guarded)?;
    }
    if is_computed_in_copy {
        let target = statement.target.tensor();
        let compact = format::of(target).compact();
        let computed = copies::declare(before, target, &compact)?;
        pass::decided(op.location(), || {
            format!("`{}` is computed as `{compact}` first: {}", nest::name(target), reason(target))
        });
        op.set_operand(statement.target.operand, computed);
        copies::convert(after, computed, target)?;
        ta::Release::build(after, computed)?;
    }
    copies.release(after)
}

/// Puts two versions in the place of a statement: as it is for finite factors, otherwise on copies of padded
/// operands.
fn twice<'c>(
    b: Builder<'c>,
    statement: &PaddedStatement<'c>,
    ops: &[Op<'c>],
    guarded: &[&ReadOperand<'c>],
) -> Result<'c, ()> {
    let products: Vec<Vec<Val<'c>>> = guarded.iter().map(|access| access.factors.clone()).collect();
    let element = types::element_of(statement.target.tensor());
    let finite = bound::all_finite(b, &products, element)?;
    let as_it_is = |b: Builder<'c>| {
        copy_ops(b, ops, &[], &[]);
        Ok(())
    };
    let on_copies = |b: Builder<'c>| {
        let mut copies = Copies::default();
        for access in guarded {
            compacted(&mut copies, b, access.tensor(), " where a factor is infinite or NaN")?;
        }
        copy_ops(b, ops, guarded, &copies.pairs());
        copies.release(b)
    };
    b.branch(finite, as_it_is, on_copies)?;
    for op in ops.iter().rev().filter(|op| !op.is_used()) {
        op.erase();
    }
    Ok(())
}

/// Copies operations that read each other, with other tensors in the place of those of some accesses.
fn copy_ops<'c>(
    b: Builder<'c>,
    ops: &[Op<'c>],
    accesses: &[&ReadOperand<'c>],
    tensors: &[(Val<'c>, Val<'c>)],
) {
    let mut values: Vec<(Val<'c>, Val<'c>)> = Vec::new();
    for op in ops {
        let copied = b.with_location(op.location()).copy(*op, |value| replaced(&values, value));
        for access in accesses.iter().filter(|access| access.op == *op) {
            copied.set_operand(access.operand, replaced(tensors, access.tensor()));
        }
        values.extend((0..op.result_count()).map(|index| (op.result(index), copied.result(index))));
    }
}

fn replaced<'c>(replacements: &[(Val<'c>, Val<'c>)], value: Val<'c>) -> Val<'c> {
    replacements.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new)
}

/// Why a tensor is copied.
fn reason(tensor: Val<'_>) -> &'static str {
    match format::of(tensor) {
        format if format.pads() => "zeros that blocks are padded with are no entries",
        format if !format.is_ordered() => "its coordinates are needed in order",
        _ => "the back end has no range levels",
    }
}

/// Returns the copy of a tensor in its compact format.
fn compacted<'c>(
    copies: &mut Copies<'c>,
    b: Builder<'c>,
    tensor: Val<'c>,
    when: &str,
) -> Result<'c, Val<'c>> {
    copies.of(b, tensor, &format::of(tensor).compact(), &format!("{when}: {}", reason(tensor)))
}
