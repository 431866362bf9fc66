//! `ta-distribute`: has each process compute its part of a statement, on the local parts of its tensors.
//!
//! Before:
//! ```mlir
//! // given %i, %j : !ta.range
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.tc ins(%A, %x : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>]}
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! ta.distribute "A(0,1) x(1) y(0)" on %A, %x, %y : tensor<?x?xf64, #ta.format<[D, CU]>>, tensor<?xf64>, tensor<?xf64>
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
//! Requires static labels (`ta-resolve-sizes`), and comes before anything that chooses loops.

use super::operand::Operand;
use crate::nest;
use crate::schedule::commands_before;
use comet_abi::distribution::{LabeledTensor, Statement};
use comet_ir::pass::{OptionValues, Pass};
use comet_ir::ta::{self, Ta};
use comet_ir::{Builder, Op, Result, Val};
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "ta-distribute",
    description: "On several processes, has each compute its part of a statement",
    options: &[],
    dialects: &["ta", "arith"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    let mut statements = Vec::new();
    module.for_each_inside(&mut |op| {
        if op.is::<ta::Set>() || op.is::<ta::Tc>() {
            statements.push(op);
        }
    });
    statements.into_iter().try_for_each(distribute)
}

/// Where a statement uses a tensor: an operand of an operation, with the labels of the modes.
struct Access<'c> {
    op: Op<'c>,
    operand: usize,
    labels: Vec<Val<'c>>,
}

impl<'c> Access<'c> {
    fn tensor(&self) -> Val<'c> {
        self.op.operands()[self.operand]
    }
}

fn distribute(op: Op<'_>) -> Result<'_, ()> {
    let (accesses, tree) = match Ta::of(op) {
        Some(Ta::Tc(contraction)) => (of_contraction(contraction)?, Vec::new()),
        Some(Ta::Set(set)) => of_tree(set),
        _ => return Ok(()),
    };
    let mut labels: Vec<Val<'_>> = Vec::new();
    for label in accesses.iter().flat_map(|access| &access.labels) {
        if !labels.contains(label) {
            labels.push(*label);
        }
    }
    if !labels.iter().all(|label| is_whole(*label)) {
        return Ok(());
    }
    let number = |label: &Val<'_>| labels.iter().position(|other| other == label).expect("it was collected");
    let tensor = |access: &Access<'_>| LabeledTensor {
        name: nest::name(access.tensor()),
        labels: access.labels.iter().map(number).collect(),
    };
    let statement = Statement { tensors: accesses.iter().map(tensor).collect() };
    let commands = commands_before(op)?;
    let block = op.block().map_or(Vec::new(), |block| block.ops());
    let is_command = |other: &Op<'_>| commands.iter().any(|command| *command.op == *other);
    let first = block.iter().copied().find(is_command).unwrap_or(op);
    let b = Builder::before(first).with_location(op.location());
    let tensors: Vec<Val<'_>> = accesses.iter().map(Access::tensor).collect();
    ta::Distribute::build(b, &statement.to_string(), &tensors)?;
    let mut local = Vec::new();
    for (place, label) in labels.iter().enumerate() {
        let range = ta::IndexLabelStatic::defining(*label).expect("labels are static");
        let (zero, one) = (b.index(0)?, b.index(1)?);
        let extent = ta::LocalExtent::build(b, place as i64)?.size();
        local.push(ta::IndexLabelStatic::build(b, range.name(), zero, extent, one)?.label());
    }
    for (place, access) in accesses.iter().enumerate() {
        let ranges: Vec<Val<'_>> = access.labels.iter().map(|label| local[number(label)]).collect();
        let declared = ta::TensorDecl::build(b, &nest::name(access.tensor()), &ranges, access.tensor().r#type())?;
        declared.set_local(Some(place as i64));
        access.op.set_operand(access.operand, declared.tensor());
    }
    // The target may be declared behind operations of the expression, which are pure.
    for other in block.iter().filter(|other| tree.contains(other)) {
        other.move_before(first);
    }
    for op in tree.iter().chain([&op]).chain(commands.iter().map(|command| &*command.op)) {
        for (place, operand) in op.operands().into_iter().enumerate() {
            if let Some(label) = labels.iter().position(|label| *label == operand) {
                op.set_operand(place, local[label]);
            }
        }
    }
    let after = match op.next() {
        Some(next) => Builder::before(next).with_location(op.location()),
        None => Builder::at_end(op.context(), b.block(), op.location()),
    };
    ta::Collect::build(after)?;
    Ok(())
}

/// The accesses of a contraction, whose labels are those of the tensors' declarations.
fn of_contraction(op: ta::Tc<'_>) -> Result<'_, Vec<Access<'_>>> {
    let (operands, count) = Operand::of_contraction(op)?;
    let mut ranges = vec![None; count];
    for Operand { tensor, labels } in &operands {
        let declared = ta::TensorDecl::defining(*tensor).map_or(Vec::new(), |decl| decl.labels());
        for (label, range) in labels.iter().zip(declared) {
            ranges[*label].get_or_insert(range);
        }
    }
    let access = |(operand, Operand { labels, .. }): (usize, Operand<'_>)| {
        let labels = labels.iter().filter_map(|label| ranges[*label]).collect();
        Access { op: *op, operand, labels }
    };
    Ok(operands.into_iter().enumerate().map(access).collect())
}

/// The accesses of an assignment, the target's last, and the operations of its expression.
fn of_tree(set: ta::Set<'_>) -> (Vec<Access<'_>>, Vec<Op<'_>>) {
    let (mut accesses, mut tree, mut values) = (Vec::new(), Vec::new(), vec![set.value()]);
    while let Some(value) = values.pop() {
        let Some(op) = Op::defining(value) else { continue };
        if !is_expression(op) || tree.contains(&op) {
            continue;
        }
        tree.push(op);
        match Ta::of(op) {
            Some(Ta::LabeledTensor(access)) => {
                accesses.push(Access { op, operand: 0, labels: access.labels() });
            }
            _ => values.extend(op.operands()),
        }
    }
    accesses.push(Access { op: *set, operand: 1, labels: set.labels() });
    (accesses, tree)
}

fn is_expression(op: Op<'_>) -> bool {
    matches!(
        Ta::of(op),
        Some(
            Ta::LabeledTensor(_)
                | Ta::Scalar(_)
                | Ta::Cast(_)
                | Ta::Neg(_)
                | Ta::Apply(_)
                | Ta::Unite(_)
                | Ta::Elementwise(_)
                | Ta::Reduce(_)
                | Ta::Mask(_)
                | Ta::Drop(_)
        )
    )
}

/// Whether a label is over all coordinates of modes.
fn is_whole(label: Val<'_>) -> bool {
    let is = |value, number| comet_ir::constant(value) == Some(number);
    ta::IndexLabelStatic::defining(label).is_some_and(|range| is(range.start(), 0) && is(range.step(), 1))
}
