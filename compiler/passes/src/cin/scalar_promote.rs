//! `cin-scalar-promote`: accumulates in a scalar what the innermost loops reduce.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %y : tensor<?xf64>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       cin.assign %0 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     %t = cin.temporary "t" scalar : tensor<f64>
//!     cin.where {
//!       %1 = cin.access %t[] : tensor<f64> -> f64
//!       cin.assign %1 to %y[%i] add : f64, tensor<?xf64>
//!     } producer {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         cin.assign %0 to %t[] add : f64, tensor<f64>
//!       }
//!     }
//!   }
//! }
//! ```
//! Where the loops around it visit every element of the target once and the statement before has cleared
//! the target, the `add` becomes a `set` and the clearing goes.
//!
//! With `sums=ordered` a target stays without a scalar where loops further out reduce it as well: what they
//! add up would be sums.
//!
//! The scalar promotion of stardust.txt Table 2.

use super::change_each_compute;
use super::clear;
use crate::nest::{self, Chain, Relations};
use crate::sums::{self, Sums, keeps_order};
use comet_ir::cin::Reduction;
use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Builder, Op, Result, cin, types};
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "cin-scalar-promote",
    description: "Accumulates in a register what the innermost loop reduces",
    options: &[sums::OPTION],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let sums = Sums::of(options)?;
    change_each_compute(module, |compute| promote(compute, sums))
}

pub(super) fn promote<'c>(compute: cin::Compute<'c>, sums: Sums) -> Result<'c, ()> {
    let Some(chain) = Chain::of(compute) else { return Ok(()) };
    let own = chain.assign.reduction();
    if own == Reduction::Set || chain.reads_target() {
        return Ok(());
    }
    let relations = nest::relations(compute);
    let outer = count_outer(&chain, &relations);
    if outer == chain.loops.len() || sums.keeps_order(chain.assign) && chain.reduces(outer, &relations) {
        return Ok(());
    }
    let reduction = clear::absorb(compute, &chain, outer..chain.loops.len(), &relations);
    if keeps_order(own) && reduction != Reduction::Set {
        // What is reduced by itself would not come to the target's value one by one.
        return Ok(());
    }
    let first = chain.loops[outer];
    let b = Builder::before(first);
    let value = chain.assign.value();
    let ty = types::tensor(&[], value.r#type(), None);
    let (temporary, where_op) = cin::temporary(b, "t", cin::WorkspaceKind::Scalar, ty)?;
    let consumer = b.inside(where_op.consumer());
    let sum = cin::access(consumer, temporary, &[])?;
    let (target, indices) = (chain.assign.tensor(), chain.assign.indices());
    cin::Assign::build(consumer, sum, target, &indices, reduction)?;
    cin::Assign::build(Builder::before(chain.assign), value, temporary, &[], own)?;
    chain.assign.erase();
    first.move_to_end(where_op.producer());
    Ok(())
}

/// The number of loops down to the innermost one that moves the target's element.
fn count_outer<'c>(chain: &Chain<'c>, relations: &Relations<'c>) -> usize {
    let moves = |forall: &cin::Forall<'c>| chain.moves_target(*forall, relations);
    chain.loops.iter().rposition(moves).map_or(0, |last| last + 1)
}
