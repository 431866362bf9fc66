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
//!   %at_alloc = llvm.mlir.addressof @text2 : !llvm.ptr
//!   func.call @comet_rt_tensor_alloc(%x, %at_alloc) : (!llvm.ptr, !llvm.ptr) -> ()
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

pub(crate) mod calls;
mod dense;
mod ops;

use crate::arrays;
use crate::instrument::{self, Instrument};
use calls::CallArgument::{self, Int, Numbers};
use calls::{Calls, type_of};
use comet_abi::functions::{self, AbiFunction, ArgumentKind, ElementKind};
use comet_ir::pass::{OptionValues, Pass};
use comet_ir::ta::{self, Ta};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use melior::ir::{TypeLike, ValueLike};
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "ta-to-runtime",
    description: "Turns tensor variables into handles, and the remaining operations of ta into calls of the run time",
    options: &[instrument::OPTION],
    dialects: &["func", "llvm", "arith", "complex", "memref"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let instrument = Instrument::of(options)?;
    arrays::check_distinct(module);
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
    Ok(())
}

struct Lowering<'c> {
    instrument: Instrument,
    calls: Calls<'c>,
    /// The handle of a tensor, the extent of a label, and what else a result becomes.
    values: HashMap<usize, Val<'c>>,
}

impl<'c> Lowering<'c> {
    fn op(&mut self, op: Op<'c>) -> Result<'c, ()> {
        let (b, view) = (Builder::before(op), Ta::of(op).expect("only operations of ta were collected"));
        if let Some((function, arguments)) = call_of(op, view) {
            return match op.result_count() {
                0 => self.call(b, function, &arguments),
                _ => self.call_for(b, op.result(0), function, &arguments),
            };
        }
        match view {
            // Labels are read by their users.
            Ta::IndexLabelStatic(_) => Ok(()),
            Ta::SolveSize(op) => self.solve_size(b, op),
            Ta::RangeSize(op) => self.range_size(b, op),
            Ta::TensorDecl(op) => self.declare(b, op),
            Ta::Fill(op) => self.fill(b, op),
            Ta::Literal(op) => self.literal(b, op),
            Ta::Random(op) => self.random(b, op),
            Ta::Convert(op) => self.convert(b, op),
            Ta::TakePart(op) => {
                let [whole, part] = [op.whole(), op.part()];
                self.window(
                    b,
                    &functions::WINDOW_TAKE,
                    [whole, part],
                    &op.from(),
                    [&op.steps(), &op.shifted()],
                )
            }
            Ta::PutPart(op) => {
                let [whole, part] = [op.whole(), op.part()];
                self.window(
                    b,
                    &functions::WINDOW_PUT,
                    [whole, part],
                    &op.from(),
                    [&op.steps(), &op.shifted()],
                )
            }
            Ta::Gemm(op) => self.gemm(b, op),
            Ta::Reorder(op) => self.reorder(b, op),
            Ta::Permute(op) => self.permute(b, op),
            Ta::Extract(op) => self.extract(b, op),
            Ta::CheckedStep(op) => self.checked_step(b, op),
            Ta::PointsBegin(op) => self.points_begin(b, op),
            Ta::Insert(op) => self.insert(b, op),
            Ta::Distribute(op) => self.distribute(b, op),
            Ta::DistributePieces(op) => self.distribute_pieces(b, op),
            Ta::BeginPiece(op) => self.call(b, &functions::BEGIN_PIECE, &[op.number().into()]),
            Ta::LocalExtent(op) => self.call_for(b, op.size(), &functions::LOCAL_EXTENT, &[Int(op.label())]),
            Ta::Collect(_) => self.call(b, &functions::COLLECT, &[]),
            Ta::PrintScalar(op) => self.print_scalar(b, op),
            Ta::PrintNumber(op) => self.print_number(b, op),
            Ta::Launch(op) => self.launch(b, op),
            _ => Err(IrError::at(op.location(), format!("expected `{}` to be lowered by now", op.name()))
                .hint("run `ta-to-cin` and `cin-to-scf` first")),
        }
    }

    /// Calls a function that returns nothing.
    fn call(
        &mut self,
        b: Builder<'c>,
        function: &AbiFunction,
        arguments: &[CallArgument<'_, 'c>],
    ) -> Result<'c, ()> {
        self.called(b, function, arguments, None).map(|_| ())
    }

    /// Calls a function that returns a handle or an address.
    fn made(
        &mut self,
        b: Builder<'c>,
        function: &AbiFunction,
        arguments: &[CallArgument<'_, 'c>],
    ) -> Result<'c, Val<'c>> {
        let made = self.called(b, function, arguments, Some(types::pointer(b.context())))?;
        Ok(made.expect("the function returns a handle"))
    }

    /// Calls a function whose result takes the place of a value.
    fn call_for(
        &mut self,
        b: Builder<'c>,
        replaced: Val<'c>,
        function: &AbiFunction,
        arguments: &[CallArgument<'_, 'c>],
    ) -> Result<'c, ()> {
        let ty = match function.result {
            Some(ArgumentKind::Scalar(element)) => type_of(b.context(), element),
            Some(ArgumentKind::Tensor | ArgumentKind::Pointer) => types::pointer(b.context()),
            _ => replaced.r#type(),
        };
        let found = self.called(b, function, arguments, Some(ty))?.expect("the function has a result");
        let found =
            if replaced.r#type().is_index() { b.index_cast(found, replaced.r#type())? } else { found };
        self.set(replaced, found);
        Ok(())
    }

    /// Calls a function. Where it takes one text more, that is the place of the builder's location.
    fn called(
        &mut self,
        b: Builder<'c>,
        function: &AbiFunction,
        arguments: &[CallArgument<'_, 'c>],
        result: Option<Ty<'c>>,
    ) -> Result<'c, Option<Val<'c>>> {
        let mut values = Vec::new();
        for (argument, kind) in arguments.iter().zip(function.arguments) {
            values.push(self.passed(b, argument, *kind)?);
        }
        if function.arguments.len() == arguments.len() + 1 {
            values.push(self.calls.place(b)?);
        }
        assert_eq!(values.len(), function.arguments.len(), "arguments of `{}`", function.name());
        let call = self.calls.emit(b, function, &values, result)?;
        Ok(result.map(|_| call.result(0)))
    }

    /// An argument as a function takes it.
    fn passed(
        &mut self,
        b: Builder<'c>,
        argument: &CallArgument<'_, 'c>,
        kind: ArgumentKind,
    ) -> Result<'c, Val<'c>> {
        let element = match kind {
            ArgumentKind::Scalar(element) => element,
            _ => ElementKind::I64,
        };
        let wide = type_of(b.context(), element);
        match argument {
            CallArgument::Value(value) => {
                let value = self.value(*value);
                if value.r#type().is_index() { b.index_cast(value, wide) } else { Ok(value) }
            }
            CallArgument::Int(number) => b.int(wide, *number),
            CallArgument::Text(text) => self.calls.text(b, text),
            CallArgument::Numbers(numbers) => {
                let room = b.integers(numbers.len() as u64)?;
                for (place, number) in numbers.iter().enumerate() {
                    let (number, place) = (b.index_cast(*number, wide)?, b.index(place as i64)?);
                    b.store(number, room, place)?;
                }
                Ok(room)
            }
        }
    }

    /// What a value of ta is in the new code; other values are themselves.
    fn value(&self, value: Val<'c>) -> Val<'c> {
        self.values.get(&key(value)).copied().unwrap_or(value)
    }

    fn set(&mut self, replaced: Val<'c>, value: Val<'c>) {
        self.values.insert(key(replaced), value);
    }

    /// Users outside ta get the new value; users inside have been lowered and are gone.
    fn finish(&mut self, op: Op<'c>) {
        match (op.result_count(), op.is::<ta::IndexLabelStatic>()) {
            (1, false) => op.replace(&[self.values[&key(op.result(0))]]),
            _ => op.erase(),
        }
    }
}

/// Returns the call that an operation becomes, where it is one.
fn call_of<'c>(op: Op<'c>, view: Ta<'c>) -> Option<(&'static AbiFunction, Vec<CallArgument<'c, 'c>>)> {
    let of_element = |family, value| ops::of_element(family, types::element_of(value));
    let at_level = |tensor: Val<'c>, level| vec![tensor.into(), Int(level)];
    Some(match view {
        Ta::Read(op) => (&functions::READ, vec![op.tensor().into(), op.source().into(), Int(op.triangle())]),
        Ta::Write(op) => (&functions::WRITE, vec![op.tensor().into(), op.path().into()]),
        Ta::PrintText(op) => (&functions::PRINT_TEXT, vec![op.text().into()]),
        Ta::CountDense(op) => {
            let [bytes, inserts, touched] = [op.bytes(), op.inserts(), op.touched()].map(CallArgument::from);
            (&functions::DENSE_COUNT, vec![op.name().into(), bytes, inserts, touched, op.sorted().into()])
        }
        Ta::LevelSize(op) => (&functions::LEVEL_SIZE, at_level(op.tensor(), op.level())),
        Ta::Positions(op) => {
            (of_element(&functions::POSITIONS, op.positions()), at_level(op.tensor(), op.level()))
        }
        Ta::Coordinates(op) => {
            (of_element(&functions::COORDINATES, op.coordinates()), at_level(op.tensor(), op.level()))
        }
        Ta::SamePattern(op) => {
            (&functions::SAME_PATTERN, vec![op.tensor().into(), op.stored().into(), Int(op.levels())])
        }
        Ta::AppendGrow(op) => {
            let function = if op.if_possible() { &functions::APPEND_EXPECT } else { &functions::APPEND_GROW };
            (function, vec![op.tensor().into(), Int(op.level()), op.count().into()])
        }
        Ta::AppendReserve(op) => {
            (&functions::APPEND_RESERVE, vec![op.tensor().into(), Int(op.level()), op.count().into()])
        }
        Ta::AppendEnd(op) => (&functions::APPEND_END, vec![op.tensor().into(), Numbers(op.counts())]),
        Ta::PartEnd(op) => {
            let [number, first, last] = [op.number(), op.first(), op.last()].map(CallArgument::from);
            (&functions::PART_END, vec![op.tensor().into(), number, first, last, Numbers(op.counts())])
        }
        Ta::Workspace(op) => {
            (of_element(&functions::WORKSPACE, op.array()), vec![op.tensor().into(), Numbers(op.sizes())])
        }
        _ => {
            let function = match view {
                Ta::Release(op) if types::is_tensor(op.tensor().r#type()) => &functions::TENSOR_FREE,
                Ta::Release(_) => &functions::PERMUTATION_FREE,
                Ta::Move(_) => &functions::TENSOR_MOVE,
                Ta::Magnitude(_) => &functions::MAGNITUDE,
                Ta::CheckedDiv(_) => &functions::DIV,
                Ta::Print(_) => &functions::PRINT,
                Ta::PrintEntries(_) => &functions::PRINT_ENTRIES,
                Ta::Time(_) => &functions::TIME,
                Ta::Iteration(_) => &functions::ITERATION,
                Ta::PrintElapsed(_) => &functions::PRINT_ELAPSED,
                Ta::Values(op) => of_element(&functions::VALUES, op.values()),
                Ta::AppendBegin(_) => &functions::APPEND_BEGIN,
                Ta::PartsBegin(_) => &functions::PARTS_BEGIN,
                Ta::PartClaim(_) => &functions::PART_CLAIM,
                Ta::Part(_) => &functions::PART,
                Ta::PartsEnd(_) => &functions::PARTS_END,
                Ta::PointsState(_) => &functions::POINTS_STATE,
                Ta::PointsRoom(_) => &functions::POINTS_ROOM,
                Ta::PointsNext(_) => &functions::POINTS_NEXT,
                Ta::PointsEnd(_) => &functions::POINTS_END,
                Ta::WorkspacesEnd(_) => &functions::WORKSPACES_END,
                Ta::CollectMarked(op) => of_element(&functions::COLLECT_MARKED, op.list()),
                _ => return None,
            };
            (function, op.operands().into_iter().map(CallArgument::from).collect())
        }
    })
}

fn key(value: Val<'_>) -> usize {
    value.to_raw().ptr as usize
}
