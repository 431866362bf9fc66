//! `ta-ttgt`: turns contractions of two dense tensors into a product of matrices between copies: transpose,
//! transpose, GEMM, transpose.
//!
//! Before:
//! ```mlir
//! // given %a, %b, %c, %d, %e, %f : !ta.range
//! %A = ta.tensor_decl "A" [%a, %e, %d, %f] : tensor<40x40x40x40xf64>
//! %B = ta.tensor_decl "B" [%b, %f, %c, %e] : tensor<40x40x40x40xf64>
//! %C = ta.tensor_decl "C" [%a, %b, %c, %d] : tensor<40x40x40x40xf64>
//! ta.tc ins(%A, %B : tensor<40x40x40x40xf64>, tensor<40x40x40x40xf64>) outs(%C : tensor<40x40x40x40xf64>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d5, d2, d4)>,
//!                    affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>],
//!   labels = ["a", "b", "c", "d", "e", "f"]}
//! ```
//! After:
//! ```mlir
//! %A = ta.tensor_decl "A" [%a, %e, %d, %f] : tensor<40x40x40x40xf64>
//! %B = ta.tensor_decl "B" [%b, %f, %c, %e] : tensor<40x40x40x40xf64>
//! %C = ta.tensor_decl "C" [%a, %b, %c, %d] : tensor<40x40x40x40xf64>
//! %0 = ta.tensor_decl "A" [%a, %e, %d, %f] {copy} : tensor<40x40x40x40xf64, #ta.format<[d0 : D, d2 : D, d1 : D, d3 : D]>>
//! ta.convert %A to %0 permutation [0, 1, 2, 3] : tensor<40x40x40x40xf64> to tensor<40x40x40x40xf64, #ta.format<[d0 : D, d2 : D, d1 : D, d3 : D]>>
//! %1 = ta.tensor_decl "B" [%b, %f, %c, %e] {copy} : tensor<40x40x40x40xf64, #ta.format<[d3 : D, d1 : D, d0 : D, d2 : D]>>
//! ta.convert %B to %1 permutation [0, 1, 2, 3] : tensor<40x40x40x40xf64> to tensor<40x40x40x40xf64, #ta.format<[d3 : D, d1 : D, d0 : D, d2 : D]>>
//! %2 = ta.tensor_decl "C" [%a, %b, %c, %d] {copy} : tensor<40x40x40x40xf64, #ta.format<[d1 : D, d2 : D, d0 : D, d3 : D]>>
//! ta.gemm ins(%0, %1 : tensor<40x40x40x40xf64, #ta.format<[d0 : D, d2 : D, d1 : D, d3 : D]>>, tensor<40x40x40x40xf64, #ta.format<[d3 : D, d1 : D, d0 : D, d2 : D]>>) outs(%2 : tensor<40x40x40x40xf64, #ta.format<[d1 : D, d2 : D, d0 : D, d3 : D]>>) {
//!   alpha = 1.0 : f64, beta = 0.0 : f64,
//!   indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d5, d2, d4)>,
//!                    affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]}
//! ta.convert %2 to %C permutation [0, 1, 2, 3] : tensor<40x40x40x40xf64, #ta.format<[d1 : D, d2 : D, d0 : D, d3 : D]>> to tensor<40x40x40x40xf64>
//! ta.release %2 : tensor<40x40x40x40xf64, #ta.format<[d1 : D, d2 : D, d0 : D, d3 : D]>>
//! ta.release %1 : tensor<40x40x40x40xf64, #ta.format<[d3 : D, d1 : D, d0 : D, d2 : D]>>
//! ta.release %0 : tensor<40x40x40x40xf64, #ta.format<[d0 : D, d2 : D, d1 : D, d3 : D]>>
//! ```
//! A copy has the levels of the operand in another order, with the labels of each dimension of a matrix next
//! to each other; an operand that stands so is not copied (`plan.rs`). What would not be worth it stays for
//! loops; where files decide the extents, both ways are there, and an `scf.if` takes one. Schedules, other
//! semirings and integers make an assignment no `ta.tc` of floating-point numbers, and so loops.

mod plan;

use super::contraction::{Contraction, undecided};
use super::operand::Operand;
use crate::{copies, nest};
use comet_abi::contraction::MOST_LABELS;
use comet_format::{Format, Level, LevelExpr, LevelKind};
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Builder, Compare, Op, Result, Ty, Val, ta, types};
use plan::{Demand, MatrixPlan, Tensors};

pub const PASS: Pass = Pass {
    name: "ta-ttgt",
    description: "Turns a contraction of two dense tensors into a product of matrices between copies, where that is expected to pay",
    options: &[],
    dialects: &["ta", "arith", "scf"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    for op in module.walk::<ta::Tc>() {
        let Some(contraction) = Contraction::of(op)? else { continue };
        let Some(tensors) = tensors(&contraction)? else { continue };
        let Some(plan) = tensors.plan() else { continue };
        let demands = undecided(plan.demands(), |demand| holds(&contraction, demand));
        let Some(demands) = demands else { continue };
        report(&contraction, &plan, &demands);
        contraction.rewrite_where(
            &demands,
            |b, demand| ask(b, &contraction, demand),
            |b| multiply(b, &contraction, &plan),
        )?;
    }
    Ok(())
}

/// What the plan has to know; `None` where the operands are not two dense tensors of floating-point numbers.
fn tensors<'c>(contraction: &Contraction<'c>) -> Result<'c, Option<Tensors>> {
    let is_float = types::is_float(types::element_of(contraction.output.tensor));
    let storage: Option<Vec<Vec<usize>>> = contraction.operands().map(labels_in_storage).collect();
    let Some(Ok([left, right, output])) = storage.map(<[Vec<usize>; 3]>::try_from) else { return Ok(None) };
    if !is_float || contraction.extents.len() > MOST_LABELS {
        return Ok(None);
    }
    let accumulates = contraction.op.beta() != 0.0;
    let extents = contraction.extents.clone();
    Ok(Some(Tensors { storage: [left, right, output], accumulates, extents }))
}

/// The label of each level, outermost first; `None` where a level is not D or stores a part of a mode.
fn labels_in_storage(operand: &Operand<'_>) -> Option<Vec<usize>> {
    let format = operand.format();
    let label = |level: &Level| match level.expr {
        LevelExpr::Mode(mode) if level.kind.is_full() => Some(operand.labels[mode]),
        _ => None,
    };
    format.levels.iter().map(label).collect()
}

/// Whether a demand holds, where that is known.
fn holds(contraction: &Contraction<'_>, demand: &Demand) -> Option<bool> {
    let parts = demand.parts.iter().map(|part| Some(part.factor * contraction.known_size(&part.labels)?));
    Some(contraction.known_size(&demand.products)? >= parts.sum::<Option<f64>>()?)
}

/// Asks whether a demand holds when the program runs.
fn ask<'c>(b: Builder<'c>, contraction: &Contraction<'c>, demand: &Demand) -> Result<'c, Val<'c>> {
    let float = Ty::float64(b.context());
    let mut least = b.number(float, 0.0, 0)?;
    for part in &demand.parts {
        let factor = b.number(float, part.factor, 0)?;
        let part = b.value_op("mul", factor, contraction.size(b, &part.labels)?)?;
        least = b.value_op("add", least, part)?;
    }
    b.cmpf(Compare::Le, least, contraction.size(b, &demand.products)?)
}

fn report(contraction: &Contraction<'_>, plan: &MatrixPlan, undecided: &[Demand]) {
    pass::decided(contraction.op.location(), || {
        let name = |label: &usize| match &contraction.names {
            Some(names) => names[*label].clone(),
            None => format!("d{label}"),
        };
        let tensor = |(operand, order): (&Operand<'_>, &Option<Vec<usize>>)| {
            let order: Vec<String> = order.as_ref()?.iter().map(name).collect();
            Some(format!("`{}` as [{}]", nest::name(operand.tensor), order.join(", ")))
        };
        let copied: Vec<String> = contraction.operands().zip(&plan.orders).filter_map(tensor).collect();
        let copied = match copied.is_empty() {
            true => "nothing is copied".to_owned(),
            false => format!("copies {}", copied.join(", ")),
        };
        let condition = if undecided.is_empty() { "" } else { ", where the extents are large enough" };
        format!("is a product of matrices{condition}: {copied}")
    });
}

/// The copies, the product, and the copy of the result.
fn multiply<'c>(b: Builder<'c>, contraction: &Contraction<'c>, plan: &MatrixPlan) -> Result<'c, ()> {
    let mut made = Vec::new();
    let mut input = |number: usize| -> Result<'c, Val<'c>> {
        match (&contraction.inputs[number], &plan.orders[number]) {
            (operand, Some(order)) => {
                let copy = copies::copy_of(b, operand.tensor, &stored_in(operand, order))?;
                made.push(copy);
                Ok(copy)
            }
            (operand, None) => Ok(operand.tensor),
        }
    };
    let (left, right) = (input(0)?, input(1)?);
    let output = &contraction.output;
    let Some(order) = &plan.orders[plan::OUTPUT] else {
        gemm(b, contraction, [left, right, output.tensor])?;
        return release(b, &made);
    };
    let format = stored_in(output, order);
    let result = match contraction.op.beta() {
        0.0 => copies::declare(b, output.tensor, &format)?,
        _ => copies::copy_of(b, output.tensor, &format)?,
    };
    made.push(result);
    gemm(b, contraction, [left, right, result])?;
    copies::convert(b, result, output.tensor)?;
    release(b, &made)
}

fn gemm<'c>(b: Builder<'c>, contraction: &Contraction<'c>, tensors: [Val<'c>; 3]) -> Result<'c, ()> {
    let (op, [left, right, output]) = (contraction.op, tensors);
    let (alpha, beta, indexing_maps) = (op.alpha(), op.beta(), op.indexing_maps());
    ta::Gemm::build(b, ta::GemmArgs { left, right, output, alpha, beta, indexing_maps }).map(|_| ())
}

fn release<'c>(b: Builder<'c>, tensors: &[Val<'c>]) -> Result<'c, ()> {
    for tensor in tensors.iter().rev() {
        ta::Release::build(b, *tensor)?;
    }
    Ok(())
}

/// The format that stores an operand's labels in that order, outermost first.
fn stored_in(operand: &Operand<'_>, order: &[usize]) -> Format {
    let level = |label: &usize| {
        let mode = operand.mode_of(*label).expect("the order is one of the operand's labels");
        Level { expr: LevelExpr::Mode(mode), kind: LevelKind::Dense }
    };
    Format { levels: order.iter().map(level).collect(), ..operand.format() }
}
