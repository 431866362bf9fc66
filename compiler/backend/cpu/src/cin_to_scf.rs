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
//! The pass reads a compute into plain data (`read.rs`), makes a plan of it (`plan.rs`), and writes the plan
//! down (`emit.rs`); how the coordinates of a level are visited is a file for each level format
//! (`levels.rs`).
//!
//! - *Loops.* One over the stored coordinates of one operand suffices where every assignment vanishes without
//!   it; several sparse operands are merged, with a cursor into each (`emit/merge.rs`, `emit/cursor.rs`); a
//!   dense one among those that are united makes the loop visit every coordinate. Where a variable is fused
//!   or split, loops go over pairs, positions (`emit/walks.rs`) or some of the stored coordinates. Where all
//!   of a dense tensor is set to a number there is no loop, but a `ta.fill`.
//! - *Vectors.* A loop that is marked `vectorize` computes a block of its values at once, where what is in it
//!   allows that, or adds up in the lanes of a register (`emit/lanes.rs`). In a block of lanes, rows of large
//!   operands are prefetched (`emit/prefetch.rs`).
//! - *Complex values.* Arrays of them hold two numbers for each. Scalars are `complex<T>`, of which loops
//!   carry the parts, and lanes `vector<2nxT>` (`ir/src/builder/complex.rs`, `emit/operator/complex.rs`).
//! - *Workspaces.* Scalar and register ones become values that the loops carry (`emit/workspace.rs`), dense
//!   ones arrays with a mark for each element, which are drained in the order of their elements
//!   (`emit/dense_workspace.rs`, `emit/marks.rs`), those with sparse levels tensors that are assembled as
//!   results are.
//! - *Results.* Sparse ones are appended to in their storage order, with memory that is reserved in front of
//!   the loops (`emit/assembly.rs`, `emit/room.rs`), or collected as points (`emit/points.rs`); those
//!   that store what an operand stores get its coordinates as a whole.
//! - *Tasks.* A loop that is marked `parallel cpu` becomes an `scf.parallel` over tasks of about equal work
//!   (`emit/tasks.rs`). Each appends to a part of a sparse result (`emit/parts.rs`), or adds to a copy of a
//!   dense one, and the copies are added up in the end (`emit/copies.rs`). An iteration with more work than a
//!   task should have is shared itself (`emit/long_iterations.rs`). Points keep an order that does not depend
//!   on the tasks (`emit/blocks.rs`).
//!
//! With `instrument=workspace` the code counts what comes to workspaces, which the run time reports. With
//! `sums=ordered` floating-point sums add up one value after another: not in the lanes of a vector, not in
//! copies that tasks have, and the points of an element in the order in which they come.

mod emit;
mod fill;
mod kept;
mod levels;
mod parameters;
mod plan;
mod read;

use crate::instrument::{self, Instrument};
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Builder, IrError, Loc, Op, Result, cin, ta};
use comet_passes::concrete::Handles;
use comet_passes::sums::{self as order_of_sums, Sums};
use emit::storage::Storage;
use plan::{Fault, Options, Refusal, Shown, Site};

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-to-scf",
    description: "Generates loops over the arrays of the levels, which merge or intersect several sparse operands",
    options: &[instrument::OPTION, order_of_sums::OPTION],
    dialects: &["scf", "async", "math", "memref", "arith", "vector", "complex", "llvm", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let options = Options { instrument: Instrument::of(options)?, sums: Sums::of(options)? };
    let computes = module.descendants::<cin::Compute>();
    for compute in &computes {
        generate(*compute, options)?;
        compute.erase();
    }
    comet_ir::lanes::flatten_lanes(module);
    parameters::check(module)?;
    Ok(())
}

/// Writes the code of a compute in front of it.
fn generate(compute: Op<'_>, options: Options) -> Result<'_, ()> {
    let (data, handles, facts) = read::read(compute)?;
    if fill::generate(compute, &data, &handles)? {
        return Ok(());
    }
    let plan = plan::plan(&data, &facts, options).map_err(|refusal| error(compute, &handles, refusal))?;
    for remark in &plan.remarks {
        pass::decided(location(compute, &handles, remark.site), || remark.text.clone());
    }
    pass::decided(compute.location(), || Shown { compute: &data, plan: &plan }.to_string());
    let declared = kept::declare_tensors(compute, (&data, &handles), &plan)?;
    let mut kept_in = declared.clone();
    for (tensor, facts) in facts.tensors.iter().enumerate() {
        if let Some(target) = facts.packed_into {
            kept_in.insert(comet_notation::concrete::TensorId(tensor), handles.tensors[target.0]);
        }
    }
    let storage = Storage::before(compute, kept_in)?;
    emit::emit(compute, (&data, &handles), &plan, options, storage)?;
    for tensor in &plan.kept {
        ta::Release::build(Builder::before(compute), declared[tensor])?;
    }
    Ok(())
}

fn location<'c>(compute: Op<'c>, handles: &Handles<'c>, site: Site) -> Loc<'c> {
    let declared = |value| Op::defining(value).map_or(compute.location(), Op::location);
    match site {
        Site::Compute => compute.location(),
        Site::Loop(forall) => handles.loops[forall.0].location(),
        Site::Assign(assign) => handles.assigns[assign.0].location(),
        Site::Workspace(tensor) => declared(handles.tensors[tensor.0]),
        Site::Positions(var) => declared(handles.vars[var.0]),
    }
}

fn error<'c>(compute: Op<'c>, handles: &Handles<'c>, refusal: Refusal) -> IrError<'c> {
    let location = location(compute, handles, refusal.site);
    let error = match refusal.fault {
        Fault::Program => IrError::at(location, refusal.message),
        Fault::Unsupported => IrError::not_supported(location, refusal.message),
    };
    match refusal.hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}
