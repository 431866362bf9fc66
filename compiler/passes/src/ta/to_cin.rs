//! `ta-to-cin`: turns assignments into loops over index variables.
//!
//! Before:
//! ```mlir
//! // given %n, %m : index
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %i = ta.index_label_static "i" %c0 to %n step %c1
//! %j = ta.index_label_static "j" %c0 to %m step %c1
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
//! %i = ta.index_label_static "i" %c0 to %n step %c1
//! %j = ta.index_label_static "j" %c0 to %m step %c1
//! %A = ta.tensor_decl "A" [%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! %x = ta.tensor_decl "x" [%j] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%i] : tensor<?xf64>
//! %zero = arith.constant 0.0 : f64
//! cin.compute {
//!   %vi = cin.index_var "i" size %n
//!   cin.forall %vi {
//!     cin.assign %zero to %y[%vi] set : f64, tensor<?xf64>
//!   }
//! }
//! cin.compute {
//!   %vi = cin.index_var "i" size %n
//!   %vj = cin.index_var "j" size %m
//!   cin.forall %vi {
//!     cin.forall %vj {
//!       %0 = cin.access %A[%vi, %vj] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%vj] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%vi] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! With `terms=whole`, for back ends that take an expression as it stands, all terms are in one nest, whose
//! loops cut no label into blocks. Requires static labels (`ta-resolve-sizes`). Leaves no index expression.
//! Loop orders follow the storage order of the sparse operand, then put a label innermost along which the
//! most operands are contiguous (`order.rs`).

mod cost;
mod emit;
mod expr;
mod order;
mod plan;
mod planned;
mod read;
mod remarks;
mod rows;
mod scheduled;
mod sparse;
mod sums_first;

use crate::nest;
use crate::schedule::{Action, Command};
use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::ta::{self, Ta};
use comet_ir::{Builder, IrError, Op, Result, Val};
use expr::{Assignment, Operand, Terms};
use plan::Piece;
use read::Pulls;
use sums_first::SumsFirst;

pub const PASS: Pass = Pass {
    name: "ta-to-cin",
    description: "Turns assignments into loops over index variables, ordered by the storage of the sparse operands",
    options: &[PassOption {
        name: "terms",
        default: "split",
        description: "Makes loops for each term of a sum (`split`), or for the `whole` statement",
    }],
    dialects: &["cin", "arith", "complex"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let terms = options.choice("terms", &[("split", Terms::Split), ("whole", Terms::Whole)])?;
    let mut assignments = Vec::new();
    module.for_each_inside(&mut |op| {
        if op.is::<ta::Set>() || op.is::<ta::Tc>() {
            assignments.push(op);
        }
    });
    for assignment in &assignments {
        lower(*assignment, terms)?;
    }
    erase_expressions(module);
    Ok(())
}

fn lower<'c>(assignment: Op<'c>, terms: Terms) -> Result<'c, ()> {
    let read = |pulls| match Ta::of(assignment) {
        Some(Ta::Tc(contraction)) => read::contraction(contraction),
        Some(Ta::Set(set)) => read::set_op(set, pulls),
        _ => unreachable!("only assignments are collected"),
    };
    let statement = read(Pulls::Kept)?;
    let terms = if precomputes_sum(&statement) { Terms::Whole } else { terms };
    let statement = Assignment { terms, ..statement };
    match sums_first::of(assignment, &statement)? {
        Some(SumsFirst { statements, sums }) => {
            statements
                .iter()
                .try_for_each(|statement| write(assignment, statement, plan::pieces(statement)?))?;
            ta::Release::build(Builder::before(assignment), sums)?;
        }
        None => {
            let pieces = plan::pieces(&statement)?;
            match statement.pulled.filter(|_| pieces.iter().any(Piece::takes_sums_out)) {
                Some(mask) => {
                    pass::decided(statement.location, || pushed(mask));
                    let statement = Assignment { terms, ..read(Pulls::Pushed)? };
                    write(assignment, &statement, plan::pieces(&statement)?)?;
                }
                None => write(assignment, &statement, pieces)?,
            }
        }
    }
    for command in statement.commands {
        command.op.erase();
    }
    assignment.erase();
    Ok(())
}

/// True if a `precompute` command names a sum of a statement with a dense target. The terms of such a sum
/// must then stay in one loop nest; for sparse targets they always do.
fn precomputes_sum(statement: &Assignment<'_>) -> bool {
    let is_of_sum = |command: &Command<'_>| matches!(&command.action, Action::Precompute(what) if what.expression.is_sum());
    !statement.target.is_sparse() && statement.commands.iter().any(is_of_sum)
}

fn write<'c>(before: Op<'c>, statement: &Assignment<'c>, pieces: Vec<Piece<'c>>) -> Result<'c, ()> {
    check_reads_target(statement, pieces.len())?;
    pieces.iter().try_for_each(|piece| emit::piece(before, statement, piece))
}

fn pushed(mask: Val<'_>) -> String {
    let name = nest::name(mask);
    format!("`{name}` is pushed: loops that `order` puts outside come to each of its positions several times")
}

/// The right-hand side reads the old values: while the loops run they are there only element by element, and
/// in a sparse target not at all, because it begins empty.
fn check_reads_target<'c>(statement: &Assignment<'c>, pieces: usize) -> Result<'c, ()> {
    let target = &statement.target;
    let reads = statement.value.accesses().into_iter().filter(|access| access.tensor == target.tensor);
    let reads: Vec<&Operand<'c>> = reads.collect();
    let in_place =
        pieces == 1 && !target.is_sparse() && plan::repeats_no_label(target) && !statement.value.reduces();
    if reads.is_empty() || (in_place && reads.iter().all(|access| *access == target)) {
        return Ok(());
    }
    let what = match target.is_sparse() {
        true => "an expression that reads its sparse target",
        false => "an expression that reads other elements of its target",
    };
    Err(IrError::not_supported(statement.location, what).hint("compute it into another tensor first"))
}

/// The operations of the trees are left without uses; they go from the last to the first, users before what
/// they use.
fn erase_expressions(module: Op<'_>) {
    let mut dead = Vec::new();
    module.for_each_inside(&mut |op| {
        if ta::is_expression(op) {
            dead.push(op);
        }
    });
    for op in dead.into_iter().rev() {
        op.erase();
    }
}
