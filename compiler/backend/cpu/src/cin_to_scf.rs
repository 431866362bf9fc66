//! `cin-to-scf`: generates loops over the arrays of the levels, from the level formats alone (comet.txt
//! section 6.2, Table 1).
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %x, %y : tensor<?xf64>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     %t = cin.temporary "t" scalar : tensor<f64>
//!     cin.where {
//!       %3 = cin.access %t[] : tensor<f64> -> f64
//!       cin.assign %3 to %y[%i] set : f64, tensor<?xf64>
//!     } producer {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         %1 = cin.access %x[%j] : tensor<?xf64> -> f64
//!         %2 = cin.combine mul %0, %1 : f64
//!         cin.assign %2 to %t[] add : f64, tensor<f64>
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %pos = ta.positions %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %crd = ta.coordinates %A, 1 : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xi32>
//! %val = ta.values %A : tensor<?x?xf64, #ta.format<[D, CU]>> to memref<?xf64>
//! %x_val = ta.values %x : tensor<?xf64> to memref<?xf64>
//! %y_val = ta.values %y : tensor<?xf64> to memref<?xf64>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %zero = arith.constant 0.0 : f64
//! scf.for %i = %c0 to %n step %c1 {
//!   %i1 = arith.addi %i, %c1 : index
//!   %lo = memref.load %pos[%i] : memref<?xi32>
//!   %lo_index = arith.index_cast %lo : i32 to index
//!   %hi = memref.load %pos[%i1] : memref<?xi32>
//!   %hi_index = arith.index_cast %hi : i32 to index
//!   %sum = scf.for %p = %lo_index to %hi_index step %c1 iter_args(%t = %zero) -> (f64) {
//!     %j = memref.load %crd[%p] : memref<?xi32>
//!     %j_index = arith.index_cast %j : i32 to index
//!     %a = memref.load %val[%p] : memref<?xf64>
//!     %b = memref.load %x_val[%j_index] : memref<?xf64>
//!     %product = arith.mulf %a, %b fastmath<contract> : f64
//!     %next = arith.addf %t, %product fastmath<reassoc,contract> : f64
//!     scf.yield %next : f64
//!   }
//!   memref.store %sum, %y_val[%i] : memref<?xf64>
//! }
//! ```
//! Requires loops that visit the levels of the sparse operand in storage order. Leaves no cin operation.
//!
//! - *Loops.* One over the stored coordinates of one operand suffices where every assignment vanishes
//!   without it; several sparse operands are merged, with a cursor into each (`merge.rs`, `cursor.rs`); a
//!   dense one among those that are united makes the loop visit every coordinate. Where a variable is fused
//!   or cut, loops go over pairs, positions (`fused.rs`) or some of the stored coordinates (`part.rs`).
//!   Where all of a dense tensor is set to a number there is no loop, but a `ta.fill`.
//! - *Vectors.* A loop that is marked `vectorize` computes a block of its values at once, where what is in
//!   it allows that (`lanes.rs`), or adds up in the lanes of a register (`sums.rs`). In a block of lanes,
//!   rows of large operands are asked for before a loop over stored coordinates comes to them
//!   (`prefetch.rs`).
//! - *Workspaces.* Scalar and register ones become values that the loops carry (`workspace.rs`), dense ones
//!   arrays with a mark for each element, which are drained in the order of their elements
//!   (`dense_workspace.rs`, `marks.rs`), those with sparse levels tensors that are assembled as results are.
//! - *Results.* Sparse ones are appended to in their storage order, with room that is made in front of the
//!   loops (`assembly.rs`, `room.rs`), or collected as points (`insertion.rs`); one that stores what an
//!   operand stores gets its coordinates as a whole (`same_pattern.rs`).
//! - *Tasks.* A loop that is marked `parallel cpu` becomes an `scf.parallel` over tasks of about equal work
//!   (`tasks.rs`). Each appends to a part of a sparse result (`parts.rs`), or adds to a copy of a dense one,
//!   and the copies are added up in the end (`copies.rs`). A round with more work than a task should have is
//!   shared itself (`long_rounds.rs`). Points keep an order that does not depend on the tasks (`blocks.rs`).
//!
//! A loop that runs in tasks, of which a schedule says how many there are at most:
//!
//! Before:
//! ```mlir
//! // given %x, %y : tensor<?xf64>
//! // given %n : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   cin.forall %i parallel cpu tasks 4 {
//!     %0 = cin.access %x[%i] : tensor<?xf64> -> f64
//!     cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %c4 = arith.constant 4 : index
//! %x_val = ta.values %x : tensor<?xf64> to memref<?xf64>
//! %y_val = ta.values %y : tensor<?xf64> to memref<?xf64>
//! %work = arith.subi %n, %c0 : index
//! %most = arith.minsi %work, %c4 : index
//! %tasks = arith.maxsi %most, %c1 : index
//! scf.parallel (%task) = (%c0) to (%tasks) step (%c1) {
//!   %next = arith.addi %task, %c1 : index
//!   %before = arith.muli %task, %work : index
//!   %before_share = arith.divui %before, %tasks : index
//!   %start = arith.addi %c0, %before_share : index
//!   %until = arith.muli %next, %work : index
//!   %until_share = arith.divui %until, %tasks : index
//!   %stop = arith.addi %c0, %until_share : index
//!   scf.for %i = %start to %stop step %c1 {
//!     %value = memref.load %x_val[%i] : memref<?xf64>
//!     memref.store %value, %y_val[%i] : memref<?xf64>
//!   }
//!   scf.reduce
//! }
//! ```
//! A loop over blocks of lanes, the last of which ends early:
//!
//! Before:
//! ```mlir
//! // given %x, %y : tensor<?xf64>
//! // given %n : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %ib, %iv = cin.split %i by 8 names "ib", "iv"
//!   cin.forall %ib {
//!     cin.forall %iv vectorize 8 {
//!       %0 = cin.access %x[%i] : tensor<?xf64> -> f64
//!       cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! %c0 = arith.constant 0 : index
//! %c8 = arith.constant 8 : index
//! %zero = arith.constant 0.0 : f64
//! %x_val = ta.values %x : tensor<?xf64> to memref<?xf64>
//! %y_val = ta.values %y : tensor<?xf64> to memref<?xf64>
//! %rest = arith.remui %n, %c8 : index
//! %whole = arith.subi %n, %rest : index
//! scf.for %i = %c0 to %whole step %c8 {
//!   %values = vector.load %x_val[%i] : memref<?xf64>, vector<8xf64>
//!   vector.store %values, %y_val[%i] : memref<?xf64>, vector<8xf64>
//! }
//! scf.for %i = %whole to %n step %c8 {
//!   %left = arith.subi %n, %i : index
//!   %mask = vector.create_mask %left : vector<8xi1>
//!   %zeros = vector.broadcast %zero : f64 to vector<8xf64>
//!   %values = vector.maskedload %x_val[%i], %mask, %zeros : memref<?xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
//!   vector.maskedstore %y_val[%i], %mask, %values : memref<?xf64>, vector<8xi1>, vector<8xf64>
//! }
//! ```
//! With `instrument=workspace` the code counts what comes to workspaces, and has the run time tell it. With
//! `sums=ordered` floating-point sums add up one value after another: not in the lanes of a vector, not in
//! copies that tasks have, and the points of an element in the order in which they come.

mod appender;
mod assembly;
mod bit_vector;
mod blocks;
mod copies;
mod cursor;
mod dense_workspace;
mod drain;
mod extent;
mod fill;
mod fused;
mod gaps;
mod insertion;
mod kept;
mod lanes;
mod lattice;
mod long_rounds;
mod loops;
mod marks;
mod merge;
mod operator;
mod part;
mod parts;
mod point;
mod prefetch;
mod room;
mod same_pattern;
mod storage;
mod sums;
mod tasks;
mod value;
mod vector_blocks;
mod workspace;

use crate::instrument::{self, Instrument};
use assembly::Assembly;
use blocks::ParallelLoop;
use comet_dialects::cin::{
    AccessOperation, AddOperation, AssignOperation, CastOperation, CombineOperation, ComputeOperation,
    ForallOperation, MaskOperation, NegOperation, SubOperation, TemporaryOperation, WhereOperation,
};
use comet_ir::pass::{self, Changed, OptionValues, Pass};
use comet_ir::{Block, Builder, IrError, Op, Result, Val};
use comet_passes::cin::is_counted;
use comet_passes::cin::sparse_workspace::packed_into;
use comet_passes::nest::Relations;
use comet_passes::sums::{self as order_of_sums, Sums};
use dense_workspace::DenseWorkspace;
use fused::LastParent;
use long_rounds::Pieces;
use part::Part;
use parts::Parts;
use point::{Point, Positions};
use same_pattern::SamePattern;
use std::collections::HashMap;
use storage::Storage;
use value::Presence;
use workspace::Slot;

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-to-scf",
    description: "Generates loops over the arrays of the levels, from the level formats alone",
    options: &[instrument::OPTION, order_of_sums::OPTION],
    dialects: &["scf", "async", "math", "memref", "arith", "vector", "llvm", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, Changed> {
    let (instrument, sums) = (Instrument::of(options)?, Sums::of(options)?);
    let computes = module.descendants::<ComputeOperation>();
    for compute in &computes {
        if fill::generate(*compute)? {
            compute.erase();
            continue;
        }
        let kept = kept::declare_tensors(*compute)?;
        let mut lowering = Lowering::new(*compute, instrument, sums)?;
        for (workspace, tensor) in &kept {
            lowering.storage.keep(*workspace, *tensor);
        }
        for temporary in compute.descendants::<TemporaryOperation>() {
            if let Some(target) = packed_into(temporary.typed()) {
                lowering.storage.keep(temporary.result(0), target);
            }
        }
        lowering.compute(*compute)?;
        for (_, tensor) in kept {
            Builder::before(*compute).op("ta.release", &[tensor], &[], &[])?;
        }
        compute.erase();
    }
    Ok(if computes.is_empty() { Changed::No } else { Changed::Yes })
}

/// What is known at a place of a compute.
struct Lowering<'c> {
    /// What the code counts.
    instrument: Instrument,
    /// In which order sums add up.
    sums: Sums,
    relations: Relations<'c>,
    storage: Storage<'c>,
    /// The coordinates of the variables that are bound here.
    coordinates: Vec<(Val<'c>, Val<'c>)>,
    /// How far down its levels each access has got here.
    positions: Vec<(Point<'c>, Positions<'c>)>,
    /// What the workspaces hold here.
    workspaces: Vec<(Slot<'c>, Val<'c>)>,
    dense_workspaces: Vec<DenseWorkspace<'c>>,
    /// The sparse tensors that are assigned to.
    results: Vec<Assembly<'c>>,
    /// The one that stores what an operand stores, of which nothing is in `results`.
    same_pattern: Option<SamePattern<'c>>,
    /// The one that comes in parts, from tasks.
    parts: Option<Parts<'c>>,
    /// What the loop inside of a long round is cut into, inside one.
    pieces: Option<Pieces<'c>>,
    /// The parallel loops around, inside of which points are collected.
    parallel_loops: Vec<ParallelLoop<'c>>,
    /// The part of a variable's values that the loop which is generated visits, where it is not all.
    part: Option<Part<'c>>,
    /// Where searches for parents of positions begin.
    last_parents: Vec<LastParent<'c>>,
    /// The loop over the lanes of a vector, inside one.
    lanes: Option<Lanes<'c>>,
    /// Whether sums may be computed in another order here: the innermost loop is dense, and vector code pays.
    reassociates: bool,
    /// The points whose coordinates here are not stored.
    absent: Vec<Point<'c>>,
    /// The loops in front of which results have got room for a coordinate of each round.
    roomy: Vec<Op<'c>>,
    /// The loops and operands of which it was told that rows are asked for ahead.
    told_ahead: Vec<(Op<'c>, Val<'c>)>,
    /// What the values of the compute are in the new code.
    values: HashMap<usize, Presence<'c>>,
}

/// A block of consecutive values of a variable, computed at once.
#[derive(Clone, Copy)]
struct Lanes<'c> {
    /// The variable of the expression whose values they are.
    var: Val<'c>,
    count: u64,
    /// The lanes that exist; absent where all do.
    mask: Option<Val<'c>>,
    /// Whether the lanes are added up in the end, so that those that do not exist must be 0.
    are_added_up: bool,
}

impl<'c> Lowering<'c> {
    fn new(compute: Op<'c>, instrument: Instrument, sums: Sums) -> Result<'c, Self> {
        Ok(Self {
            instrument,
            sums,
            relations: Relations::of(compute),
            storage: Storage::before(compute)?,
            coordinates: Vec::new(),
            positions: Vec::new(),
            workspaces: Vec::new(),
            dense_workspaces: Vec::new(),
            results: Vec::new(),
            same_pattern: None,
            parts: None,
            pieces: None,
            parallel_loops: Vec::new(),
            part: None,
            last_parents: Vec::new(),
            lanes: None,
            reassociates: false,
            absent: Vec::new(),
            roomy: Vec::new(),
            told_ahead: Vec::new(),
            values: HashMap::new(),
        })
    }

    /// The whole of a compute, between what begins its sparse results and what completes them.
    fn compute(&mut self, compute: Op<'c>) -> Result<'c, ()> {
        let b = Builder::before(compute);
        self.begin_same_pattern(b, compute)?;
        self.parts = self.parts_of(b, compute)?;
        if self.parts.is_none() {
            self.begin_results(b, compute)?;
            self.begin_workspaces(b, compute)?;
        }
        if is_counted(compute) && !self.is_counting() {
            let told = "nothing is counted first: points that come in any order are packed into arrays of the right size";
            pass::decided(compute.location(), || told.to_owned());
        }
        if self.is_counting() {
            self.block(b, compute.body(0))?;
            self.begin_placing(b)?;
            self.begin_anew();
        }
        self.block(b, compute.body(0))?;
        self.count_last_uses(b)?;
        self.end_results(b)
    }

    /// Loops are generated once more.
    fn begin_anew(&mut self) {
        self.values.clear();
        self.last_parents.clear();
    }

    fn block(&mut self, b: Builder<'c>, block: Block<'c>) -> Result<'c, ()> {
        for op in block.ops() {
            self.op(b.with_location(op.location()), op)?;
        }
        Ok(())
    }

    fn op(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        if op.is::<ForallOperation>() {
            return self.forall(b, op);
        }
        if op.is::<WhereOperation>() {
            return self.where_statement(b, op);
        }
        if op.is::<AssignOperation>() {
            return self.assign(b, op);
        }
        if op.is::<TemporaryOperation>() {
            return self.temporary(op);
        }
        if is_expression(op) {
            let value = self.value(b, op)?;
            self.values.insert(value::key(op.result(0)), value);
            return Ok(());
        }
        if is_declaration(op) {
            return Ok(());
        }
        Err(IrError::not_supported(op.location(), format!("`{}` on the CPU", op.name())))
    }
}

/// Index variables and their relations are read where they are needed.
fn is_declaration(op: Op<'_>) -> bool {
    use comet_dialects::cin::{
        BoundOperation, DivideOperation, FuseOperation, IndexVarOperation, PosOperation, SplitOperation,
    };
    op.is::<IndexVarOperation>()
        || op.is::<SplitOperation>()
        || op.is::<DivideOperation>()
        || op.is::<FuseOperation>()
        || op.is::<PosOperation>()
        || op.is::<BoundOperation>()
}

/// Whether an operation computes a value from values.
fn is_expression(op: Op<'_>) -> bool {
    op.is::<AccessOperation>()
        || op.is::<AddOperation>()
        || op.is::<SubOperation>()
        || op.is::<CombineOperation>()
        || op.is::<NegOperation>()
        || op.is::<CastOperation>()
        || op.is::<MaskOperation>()
}
