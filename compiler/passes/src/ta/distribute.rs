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
use comet_abi::distribution::{DividedStatement, LabeledTensor};
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

/// What a statement uses.
#[derive(Default)]
struct Used<'c> {
    /// The tensors, the one that is assigned last.
    accesses: Vec<TensorUse<'c>>,
    /// The range of each label. In a contraction, two labels may have one.
    ranges: Vec<Val<'c>>,
    /// The operations of an expression.
    tree: Vec<Op<'c>>,
}

/// Where a statement uses a tensor: an operand of an operation, with the label of each mode.
struct TensorUse<'c> {
    op: Op<'c>,
    operand: usize,
    labels: Vec<usize>,
}

impl<'c> TensorUse<'c> {
    fn tensor(&self) -> Val<'c> {
        self.op.operands()[self.operand]
    }
}

fn distribute(op: Op<'_>) -> Result<'_, ()> {
    let used = match Ta::of(op) {
        Some(Ta::Tc(contraction)) => Used::of_contraction(contraction)?,
        Some(Ta::Set(set)) => Some(Used::of_tree(set)),
        _ => None,
    };
    let Some(Used { accesses, ranges, tree }) = used else { return Ok(()) };
    if !ranges.iter().all(|range| is_whole(*range)) {
        return Ok(());
    }
    let tensor = |access: &TensorUse<'_>| LabeledTensor {
        name: nest::name(access.tensor()),
        labels: access.labels.clone(),
    };
    let statement = DividedStatement { tensors: accesses.iter().map(tensor).collect() };
    let commands = commands_before(op)?;
    let block = op.block().map_or(Vec::new(), |block| block.ops());
    let is_command = |other: &Op<'_>| commands.iter().any(|command| *command.op == *other);
    let first = block.iter().copied().find(is_command).unwrap_or(op);
    let b = Builder::before(first).with_location(op.location());
    let tensors: Vec<Val<'_>> = accesses.iter().map(TensorUse::tensor).collect();
    ta::Distribute::build(b, &statement.to_string(), &tensors)?;
    let mut local = Vec::new();
    for (number, range) in ranges.iter().enumerate() {
        let range = ta::IndexLabelStatic::defining(*range).expect("labels are static");
        let (zero, one) = (b.index(0)?, b.index(1)?);
        let extent = ta::LocalExtent::build(b, number as i64)?.size();
        local.push(ta::IndexLabelStatic::build(b, range.name(), zero, extent, one)?.label());
    }
    for (place, access) in accesses.iter().enumerate() {
        let labels: Vec<Val<'_>> = access.labels.iter().map(|label| local[*label]).collect();
        let (name, ty) = (nest::name(access.tensor()), access.tensor().r#type());
        let part = ta::TensorDecl::build(b, &name, &labels, ty)?;
        part.set_local(Some(place as i64));
        access.op.set_operand(access.operand, part.tensor());
    }
    // The target may be declared behind operations of the expression, which are pure.
    for other in block.iter().filter(|other| tree.contains(other)) {
        other.move_before(first);
    }
    for op in tree.iter().chain([&op]).chain(commands.iter().map(|command| &*command.op)) {
        for (place, operand) in op.operands().into_iter().enumerate() {
            if let Some(label) = ranges.iter().position(|range| *range == operand) {
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

impl<'c> Used<'c> {
    /// Of a contraction, whose labels have the ranges that its tensors are declared with; `None` where one is
    /// no variable.
    fn of_contraction(op: ta::Tc<'c>) -> Result<'c, Option<Self>> {
        let (operands, count) = Operand::of_contraction(op)?;
        let mut ranges = vec![None; count];
        for Operand { tensor, labels } in &operands {
            let declared = ta::TensorDecl::defining(*tensor).map_or(Vec::new(), |decl| decl.labels());
            for (label, range) in labels.iter().zip(declared) {
                ranges[*label].get_or_insert(range);
            }
        }
        let access =
            |(operand, Operand { labels, .. }): (usize, Operand<'c>)| TensorUse { op: *op, operand, labels };
        let accesses = operands.into_iter().enumerate().map(access).collect();
        let ranges: Option<Vec<Val<'c>>> = ranges.into_iter().collect();
        Ok(ranges.map(|ranges| Self { accesses, ranges, tree: Vec::new() }))
    }

    fn of_tree(set: ta::Set<'c>) -> Self {
        let (mut used, mut values) = (Self::default(), vec![set.value()]);
        while let Some(value) = values.pop() {
            let Some(op) = Op::defining(value).filter(|op| ta::is_expression(*op)) else { continue };
            if used.tree.contains(&op) {
                continue;
            }
            used.tree.push(op);
            match Ta::of(op) {
                Some(Ta::LabeledTensor(access)) => used.access(op, 0, &access.labels()),
                _ => values.extend(op.operands()),
            }
        }
        used.access(*set, 1, &set.labels());
        used
    }

    fn access(&mut self, op: Op<'c>, operand: usize, labels: &[Val<'c>]) {
        let labels = labels.iter().map(|label| {
            let known = self.ranges.iter().position(|range| range == label);
            known.unwrap_or_else(|| {
                self.ranges.push(*label);
                self.ranges.len() - 1
            })
        });
        let labels = labels.collect();
        self.accesses.push(TensorUse { op, operand, labels });
    }
}

/// Whether a label is over all coordinates of modes.
fn is_whole(label: Val<'_>) -> bool {
    let is = |value, number| comet_ir::constant(value) == Some(number);
    ta::IndexLabelStatic::defining(label).is_some_and(|range| is(range.start(), 0) && is(range.step(), 1))
}
