//! `ta-to-runtime`: turns tensor variables into handles of the run time, and what is left of the ta dialect
//! into calls of it.
//!
//! Before:
//! ```mlir
//! // given %n : index
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! %i = ta.index_label_static "i" %c0 to %n step %c1 loc("p.ta":1:14)
//! %x = ta.tensor_decl "x" [%i] : tensor<?xf64> loc("p.ta":2:3)
//! ta.fill %x with 1.0 : f64 : tensor<?xf64> loc("p.ta":3:3)
//! %val = ta.values %x : tensor<?xf64> to memref<?xf64>
//! ```
//! After:
//! ```mlir
//! func.func private @comet_rt_values_f64(!llvm.ptr) -> memref<?xf64> attributes {llvm.emit_c_interface}
//! func.func private @comet_rt_fill_f64(!llvm.ptr, f64, !llvm.ptr)
//! llvm.mlir.global internal constant @text4("p.ta:3:3\00") {addr_space = 0 : i32}
//! func.func private @comet_rt_tensor_alloc(!llvm.ptr, !llvm.ptr)
//! func.func private @comet_rt_tensor_set_dim(!llvm.ptr, i64, i64, !llvm.ptr)
//! llvm.mlir.global internal constant @text3("p.ta:1:14\00") {addr_space = 0 : i32}
//! func.func private @comet_rt_tensor_new(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
//! llvm.mlir.global internal constant @text2("p.ta:2:3\00") {addr_space = 0 : i32}
//! llvm.mlir.global internal constant @text1("x\00") {addr_space = 0 : i32}
//! llvm.mlir.global internal constant @text0("f64 i32 (0 : D)\00") {addr_space = 0 : i32}
//! func.func @example(%n: index) {
//!   %c0 = arith.constant 0 : index
//!   %c1 = arith.constant 1 : index
//!   %format = llvm.mlir.addressof @text0 : !llvm.ptr
//!   %name = llvm.mlir.addressof @text1 : !llvm.ptr
//!   %at = llvm.mlir.addressof @text2 : !llvm.ptr
//!   %x = func.call @comet_rt_tensor_new(%format, %name, %at) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
//!   %span = arith.subi %n, %c0 : index
//!   %none = arith.constant 0 : index
//!   %count = arith.maxsi %span, %none : index
//!   %extent = arith.ceildivui %count, %c1 : index
//!   %mode = arith.constant 0 : i64
//!   %size = arith.index_cast %extent : index to i64
//!   %stated = llvm.mlir.addressof @text3 : !llvm.ptr
//!   func.call @comet_rt_tensor_set_dim(%x, %mode, %size, %stated) : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
//!   func.call @comet_rt_tensor_alloc(%x, %at) : (!llvm.ptr, !llvm.ptr) -> ()
//!   %one = arith.constant 1.0 : f64
//!   %at_fill = llvm.mlir.addressof @text4 : !llvm.ptr
//!   func.call @comet_rt_fill_f64(%x, %one, %at_fill) : (!llvm.ptr, f64, !llvm.ptr) -> ()
//!   %val = func.call @comet_rt_values_f64(%x) : (!llvm.ptr) -> memref<?xf64>
//!   return
//! }
//! ```
//! Requires that `cin-to-scf` has run. Leaves no operation or type of ta and cin. Every call that can fail
//! gets the place of its statement in the source as a string (runtime/README.md). With
//! `instrument=workspace` the run time counts what conversions move.

mod calls;
mod dense;
mod ops;
mod orders;
mod results;

use crate::instrument::{self, Instrument};
use calls::Calls;
use comet_ir::pass::{Changed, OptionValues, Pass};
use comet_ir::ta::{self, Ta};
use comet_ir::{Builder, IrError, Op, Result, Val};
use std::collections::HashMap;

/// The pass.
pub const PASS: Pass = Pass {
    name: "ta-to-runtime",
    description: "Turns tensor variables into handles of the run time, and what is left of ta into calls of it",
    options: &[instrument::OPTION],
    dialects: &["func", "llvm", "arith", "memref"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, Changed> {
    let instrument = Instrument::of(options)?;
    let mut ops = Vec::new();
    module.for_each_inside(&mut |op| {
        if Ta::of(op).is_some() {
            ops.push(op);
        }
    });
    let mut lowering = Lowering { instrument, calls: Calls::new(module), values: HashMap::new() };
    for op in &ops {
        lowering.op(*op)?;
    }
    for op in ops.iter().rev() {
        lowering.finish(*op);
    }
    Ok(if ops.is_empty() { Changed::No } else { Changed::Yes })
}

struct Lowering<'c> {
    /// What the code counts.
    instrument: Instrument,
    calls: Calls<'c>,
    /// The handle of a tensor, the extent of a label, and what else a result becomes.
    values: HashMap<usize, Val<'c>>,
}

impl<'c> Lowering<'c> {
    fn op(&mut self, op: Op<'c>) -> Result<'c, ()> {
        let b = Builder::before(op);
        match Ta::of(op).expect("only operations of ta were collected") {
            Ta::IndexLabelStatic(_) | Ta::Move(_) | Ta::Release(_) => self.lifetime(b, op),
            Ta::SolveSize(_) => self.solve_size(b, op),
            Ta::RangeSize(_) => self.range_size(b, op),
            Ta::TensorDecl(_) => self.declare(b, op),
            Ta::Fill(_) => self.fill(b, op),
            Ta::Literal(_) => self.literal(b, op),
            Ta::Read(_) => self.read(b, op),
            Ta::Write(_) => self.write(b, op),
            Ta::Random(_) => self.random(b, op),
            Ta::Convert(_) => self.convert(b, op),
            Ta::Gemm(_) => self.gemm(b, op),
            Ta::Reorder(_) => self.reorder(b, op),
            Ta::Permute(_) => self.permute(b, op),
            Ta::Extract(_) => self.extract(b, op),
            Ta::Magnitude(_) => self.magnitude(b, op),
            Ta::CheckedDiv(_) => self.checked_div(b, op),
            Ta::CheckedStep(_) => self.checked_step(b, op),
            Ta::Print(_) => self.print(b, op),
            Ta::PrintScalar(_) => self.print_scalar(b, op),
            Ta::Time(_) => self.time(b, op),
            Ta::Iteration(_) => self.calls.call(b, "comet_rt_iteration", &[]),
            Ta::PrintElapsed(_) => self.print_elapsed(b, op),
            Ta::LevelSize(_) => self.level_size(b, op),
            Ta::Positions(_) => self.index_array(b, op, "pos"),
            Ta::Coordinates(_) => self.index_array(b, op, "crd"),
            Ta::Values(_) => self.values_array(b, op),
            Ta::AppendBegin(_) => self.append_begin(b, op),
            Ta::SamePattern(_) => self.same_pattern(b, op),
            Ta::AppendGrow(_) => self.append_grow(b, op),
            Ta::AppendReserve(_) => self.append_reserve(b, op),
            Ta::AppendEnd(_) => self.append_end(b, op),
            Ta::PartsBegin(_) => self.parts_begin(b, op),
            Ta::PartClaim(_) => self.part_claim(b, op),
            Ta::Part(_) => self.part(b, op),
            Ta::PartEnd(_) => self.part_end(b, op),
            Ta::PartsEnd(_) => self.parts_end(b, op),
            Ta::PointsBegin(_) => self.points_begin(b, op),
            Ta::PointsState(_) => self.points_array(b, op, "comet_rt_points_state"),
            Ta::PointsRoom(_) => self.points_array(b, op, "comet_rt_points_room"),
            Ta::PointsNext(_) => self.points_next(b, op),
            Ta::Insert(_) => self.insert(b, op),
            Ta::PointsEnd(_) => self.points_end(b, op),
            Ta::Workspace(_) => self.workspace(b, op),
            Ta::WorkspacesEnd(_) => self.workspaces_end(b, op),
            Ta::CollectMarked(_) => self.collect_marked(b, op),
            Ta::CountDense(_) => self.count_dense(b, op),
            Ta::Launch(_) => self.launch(b, op),
            _ => Err(IrError::at(op.location(), format!("expected `{}` to be lowered by now", op.name()))
                .hint("run `ta-to-cin` and `cin-to-scf` first")),
        }
    }

    /// What a value of ta is in the new code; other values are themselves.
    fn value(&self, value: Val<'c>) -> Val<'c> {
        self.values.get(&key(value)).copied().unwrap_or(value)
    }

    fn set(&mut self, op: Op<'c>, value: Val<'c>) {
        self.values.insert(key(op.result(0)), value);
    }

    /// Users outside ta get the new value; users inside have been lowered and are gone.
    fn finish(&mut self, op: Op<'c>) {
        match (op.result_count(), op.is::<ta::IndexLabelStatic>()) {
            (1, false) => op.replace(&[self.values[&key(op.result(0))]]),
            _ => op.erase(),
        }
    }
}

fn key(value: Val<'_>) -> usize {
    use melior::ir::ValueLike;
    value.to_raw().ptr as usize
}
