//! `jam-rows`: rows that store the same coordinates, one behind the other, are computed together. What they
//! read at these coordinates is read once.
//!
//! Before:
//! ```mlir
//! // given %rows : index
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %B, %C : memref<?xf64>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %c64 = arith.constant 64 : index
//! %zero = arith.constant dense<0.0> : vector<64xf64>
//! %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
//! scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
//!   scf.for %i = %c0 to %rows step %c1 {
//!     %next = arith.addi %i, %c1 : index
//!     %0 = memref.load %pos[%i] : memref<?xi32>
//!     %start = arith.index_cast %0 : i32 to index
//!     %1 = memref.load %pos[%next] : memref<?xi32>
//!     %end = arith.index_cast %1 : i32 to index
//!     %sum = scf.for %p = %start to %end step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
//!       %2 = memref.load %crd[%p] : memref<?xi32>
//!       %j = arith.index_cast %2 : i32 to index
//!       %row = arith.muli %j, %c64 : index
//!       %b = vector.load %B[%row] : memref<?xf64>, vector<64xf64>
//!       %a = memref.load %values[%p] : memref<?xf64>
//!       %as = vector.broadcast %a : f64 to vector<64xf64>
//!       %product = arith.mulf %as, %b : vector<64xf64>
//!       %after = arith.addf %before, %product : vector<64xf64>
//!       scf.yield %after : vector<64xf64>
//!     }
//!     %place = arith.muli %i, %c64 : index
//!     vector.store %sum, %C[%place] : memref<?xf64>, vector<64xf64>
//!   }
//!   scf.reduce
//! }
//! ```
//! After:
//! ```mlir
//! // given %rows : index
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %B, %C : memref<?xf64>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %c2 = arith.constant 2 : index
//! %c64 = arith.constant 64 : index
//! %no = arith.constant false
//! %zero = arith.constant dense<0.0> : vector<64xf64>
//! %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %values = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
//! scf.parallel (%task) = (%c0) to (%c1) step (%c1) {
//!   %end = scf.while (%row = %c0) : (index) -> index {
//!     %goes_on = arith.cmpi slt, %row, %rows : index
//!     scf.condition(%goes_on) %row : index
//!   } do {
//!   ^bb0(%i: index):
//!     %count = scf.while (%found = %c1) : (index) -> index {
//!       %other = arith.addi %i, %found : index
//!       %is_wanted = arith.cmpi slt, %found, %c2 : index
//!       %exists = arith.cmpi slt, %other, %rows : index
//!       %may_be = arith.andi %is_wanted, %exists : i1
//!       %is_alike = scf.if %may_be -> (i1) {
//!         %0 = memref.load %pos[%i] : memref<?xi32>
//!         %own_start = arith.index_cast %0 : i32 to index
//!         %own_next = arith.addi %i, %c1 : index
//!         %1 = memref.load %pos[%own_next] : memref<?xi32>
//!         %own_end = arith.index_cast %1 : i32 to index
//!         %2 = memref.load %pos[%other] : memref<?xi32>
//!         %start = arith.index_cast %2 : i32 to index
//!         %next = arith.addi %other, %c1 : index
//!         %3 = memref.load %pos[%next] : memref<?xi32>
//!         %end_of_other = arith.index_cast %3 : i32 to index
//!         %own_length = arith.subi %own_end, %own_start : index
//!         %length = arith.subi %end_of_other, %start : index
//!         %is_as_long = arith.cmpi eq, %own_length, %length : index
//!         %has_enough = arith.cmpi sgt, %own_length, %c0 : index
//!         %still_may_be = arith.andi %is_as_long, %has_enough : i1
//!         %4 = scf.if %still_may_be -> (i1) {
//!           %last = arith.subi %own_length, %c1 : index
//!           %own_last = arith.addi %own_start, %last : index
//!           %5 = memref.load %crd[%own_last] : memref<?xi32>
//!           %6 = arith.index_cast %5 : i32 to index
//!           %other_last = arith.addi %start, %last : index
//!           %7 = memref.load %crd[%other_last] : memref<?xi32>
//!           %8 = arith.index_cast %7 : i32 to index
//!           %differs_at_end = arith.xori %6, %8 : index
//!           %has_same_last = arith.cmpi eq, %differs_at_end, %c0 : index
//!           %9 = scf.if %has_same_last -> (i1) {
//!             %differs = scf.for %n = %c0 to %last step %c1 iter_args(%before = %c0) -> (index) {
//!               %own_p = arith.addi %own_start, %n : index
//!               %10 = memref.load %crd[%own_p] : memref<?xi32>
//!               %11 = arith.index_cast %10 : i32 to index
//!               %other_p = arith.addi %start, %n : index
//!               %12 = memref.load %crd[%other_p] : memref<?xi32>
//!               %13 = arith.index_cast %12 : i32 to index
//!               %differs_here = arith.xori %11, %13 : index
//!               %after = arith.ori %before, %differs_here : index
//!               scf.yield %after : index
//!             }
//!             %is_same = arith.cmpi eq, %differs, %c0 : index
//!             scf.yield %is_same : i1
//!           } else {
//!             scf.yield %no : i1
//!           }
//!           scf.yield %9 : i1
//!         } else {
//!           scf.yield %no : i1
//!         }
//!         scf.yield %4 : i1
//!       } else {
//!         scf.yield %no : i1
//!       }
//!       scf.condition(%is_alike) %found : index
//!     } do {
//!     ^bb0(%found: index):
//!       %more = arith.addi %found, %c1 : index
//!       scf.yield %more : index
//!     }
//!     %is_alone = arith.cmpi eq, %count, %c1 : index
//!     scf.if %is_alone {
//!       %next = arith.addi %i, %c1 : index
//!       %0 = memref.load %pos[%i] : memref<?xi32>
//!       %start = arith.index_cast %0 : i32 to index
//!       %1 = memref.load %pos[%next] : memref<?xi32>
//!       %stop = arith.index_cast %1 : i32 to index
//!       %sum = scf.for %p = %start to %stop step %c1 iter_args(%before = %zero) -> (vector<64xf64>) {
//!         %2 = memref.load %crd[%p] : memref<?xi32>
//!         %j = arith.index_cast %2 : i32 to index
//!         %row = arith.muli %j, %c64 : index
//!         %b = vector.load %B[%row] : memref<?xf64>, vector<64xf64>
//!         %a = memref.load %values[%p] : memref<?xf64>
//!         %as = vector.broadcast %a : f64 to vector<64xf64>
//!         %product = arith.mulf %as, %b : vector<64xf64>
//!         %after = arith.addf %before, %product : vector<64xf64>
//!         scf.yield %after : vector<64xf64>
//!       }
//!       %place = arith.muli %i, %c64 : index
//!       vector.store %sum, %C[%place] : memref<?xf64>, vector<64xf64>
//!     } else {
//!       %i1 = arith.addi %i, %c1 : index
//!       %next = arith.addi %i, %c1 : index
//!       %next1 = arith.addi %i1, %c1 : index
//!       %0 = memref.load %pos[%i] : memref<?xi32>
//!       %1 = memref.load %pos[%i1] : memref<?xi32>
//!       %start = arith.index_cast %0 : i32 to index
//!       %start1 = arith.index_cast %1 : i32 to index
//!       %2 = memref.load %pos[%next] : memref<?xi32>
//!       %3 = memref.load %pos[%next1] : memref<?xi32>
//!       %stop = arith.index_cast %2 : i32 to index
//!       %stop1 = arith.index_cast %3 : i32 to index
//!       %distance = arith.subi %start1, %start : index
//!       %sums:2 = scf.for %p = %start to %stop step %c1
//!           iter_args(%before = %zero, %before1 = %zero) -> (vector<64xf64>, vector<64xf64>) {
//!         %p1 = arith.addi %p, %distance : index
//!         %4 = memref.load %crd[%p] : memref<?xi32>
//!         %j = arith.index_cast %4 : i32 to index
//!         %row = arith.muli %j, %c64 : index
//!         %b = vector.load %B[%row] : memref<?xf64>, vector<64xf64>
//!         %a = memref.load %values[%p] : memref<?xf64>
//!         %a1 = memref.load %values[%p1] : memref<?xf64>
//!         %as = vector.broadcast %a : f64 to vector<64xf64>
//!         %as1 = vector.broadcast %a1 : f64 to vector<64xf64>
//!         %product = arith.mulf %as, %b : vector<64xf64>
//!         %product1 = arith.mulf %as1, %b : vector<64xf64>
//!         %after = arith.addf %before, %product : vector<64xf64>
//!         %after1 = arith.addf %before1, %product1 : vector<64xf64>
//!         scf.yield %after, %after1 : vector<64xf64>, vector<64xf64>
//!       }
//!       %place = arith.muli %i, %c64 : index
//!       %place1 = arith.muli %i1, %c64 : index
//!       vector.store %sums#0, %C[%place] : memref<?xf64>, vector<64xf64>
//!       vector.store %sums#1, %C[%place1] : memref<?xf64>, vector<64xf64>
//!     }
//!     %following = arith.addi %i, %count : index
//!     scf.yield %following : index
//!   }
//!   scf.reduce
//! }
//! ```
//! This applies to the loops of tasks over rows, whose iterations may be run in any order, where loops over
//! the stored coordinates of a row keep sums in vector registers. In products of sparse matrices, which add
//! rows of an operand to a workspace, rows that are alike are added together (`scattered.rs`), in their
//! order. In finite elements the rows of the unknowns of one node are alike, in other matrices hardly any;
//! what is lost there is a look at the number of entries and the last coordinate of each row.
//!
//! SpMM in C, Zen 5 with AVX-512, times over those of one row at a time, of two rows (of up to three): 32
//! columns, bcsstk16 0.80 (0.68), ship_001 1.05 (0.94), others 0.98 to 1.03; 64 columns, bcsstk16 0.80,
//! ship_001 0.69, others 0.99 to 1.06. Reading each row's coordinates beside the other's and going on where
//! they are equal took 0.76 to 2.2 times as long.
//!
//! A loop that the schedule unrolls is left alone.

mod alike;
mod rows;
mod scattered;
mod together;

use comet_ir::pass::{self, OptionValues, Pass, PassOption};
use comet_ir::{Builder, Op, Result, Val};
use melior::dialect::ods::scf::ForOperation;
use rows::Rows;

/// How much the processor keeps in registers. Half of it is for sums: what they are made of needs room too.
pub const REGISTERS: PassOption = PassOption {
    name: "registers",
    default: "16384",
    description: "The total size of the processor's vector registers in bits; by default that of AVX-512",
};

/// The most rows, since each number of them has code of its own. Four at a time took as long as three.
const MOST: u64 = 3;

pub const PASS: Pass = Pass {
    name: "jam-rows",
    description: "Computes neighbouring rows that store the same coordinates together",
    options: &[REGISTERS],
    dialects: &["arith", "scf"],
    run,
};

/// The attribute that holds what LLVM is to do with a loop.
const LOOP_ANNOTATION: &str = "loop_annotation";

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let bits_for_sums = options.number(REGISTERS.name)? / 2;
    let with_sums = |op| {
        let rows = Rows::with_sums(op)?;
        let most = MOST.min(bits_for_sums / rows.bits_of_sums());
        (most > 1).then_some((rows, most, "computed together"))
    };
    let scattered = |op| scattered::rows_of(op).map(|rows| (rows, MOST, "added together"));
    let loops = module.descendants::<ForOperation>().into_iter();
    // None is inside of another one.
    let jammed: Vec<_> = loops.filter_map(|op| with_sums(op).or_else(|| scattered(op))).collect();
    for (rows, most, what) in jammed {
        pass::decided(rows.op.location(), || {
            format!("up to {most} rows that store the same coordinates are {what}")
        });
        jam(&rows, most)?;
    }
    Ok(())
}

/// Replaces the loop by one over groups of rows that are alike.
fn jam<'c>(rows: &Rows<'c>, most: u64) -> Result<'c, ()> {
    let op = rows.op;
    let b = Builder::before(op);
    let (start, stop) = (op.operand(0), op.operand(1));
    let is_left = |b: Builder<'c>, row: &[Val<'c>]| b.cmpi(comet_ir::Compare::Lt, row[0], stop);
    b.while_loop(&[start], is_left, |b, row| {
        let count = alike::count(b, rows, row[0], stop, most)?;
        group(b, rows, row[0], count, 1..=most)?;
        Ok(vec![b.addi(row[0], count)?])
    })?;
    op.erase();
    Ok(())
}

/// The iterations of `count` rows from `first` on, which is one of `counts`.
fn group<'c>(
    b: Builder<'c>,
    rows: &Rows<'c>,
    first: Val<'c>,
    count: Val<'c>,
    counts: std::ops::RangeInclusive<u64>,
) -> Result<'c, ()> {
    let (fewest, most) = counts.into_inner();
    if fewest == most {
        return together::rows(b, rows, first, most);
    }
    let is_it = b.cmpi(comet_ir::Compare::Eq, count, b.index(fewest as i64)?)?;
    let more_rows = |b: Builder<'c>| group(b, rows, first, count, fewest + 1..=most);
    b.branch(is_it, |b| together::rows(b, rows, first, fewest), more_rows)
}

/// What a value is, by a list of old values and new ones: itself where it is not in the list.
fn substitute<'c>(values: &[(Val<'c>, Val<'c>)], old: Val<'c>) -> Val<'c> {
    values.iter().rev().find(|(known, _)| *known == old).map_or(old, |(_, new)| *new)
}
