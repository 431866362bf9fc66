//! `cin-to-spatial`: every compute becomes a Spatial application (stardust.txt sections 6 and 8).
//!
//! Before:
//! ```mlir
//! // given %n : index
//! // given %l : !ta.range
//! %b = ta.tensor_decl "b" [%l] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%l] : tensor<?xf64>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   cin.forall %i {
//!     %0 = cin.access %b[%i] : tensor<?xf64> -> f64
//!     %1 = cin.neg %0 : f64
//!     cin.assign %1 to %y[%i] set : f64, tensor<?xf64>
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! // given %n : index
//! // given %l : !ta.range
//! %b = ta.tensor_decl "b" [%l] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%l] : tensor<?xf64>
//! spatial.app "K0" comment ["y[i] = -b[i]", "lanes are of 32 bits: values of 64 take two, so that 8 run at once"] {
//!   spatial.tensor "y" result of %y : tensor<?xf64>
//!   spatial.tensor "b" operand of %b : tensor<?xf64>
//!   %bp = spatial.parameter "bp" = 2
//!   %ip = spatial.parameter "ip" = 8
//!   %nnz_max = spatial.parameter "nnz_max" = 16777216
//!   %nnz_accel_max = spatial.parameter "nnz_accel_max" = 65536
//!   spatial.alias "T" = i32
//!   spatial.alias "V" = f64
//!   %y_dims_h = spatial.load_csv "y_dims_h" from "y_dims.csv" as "T" : !spatial.array<i32>
//!   %y1_dim = spatial.arg_in "y1_dim" as "T" : !spatial.arg_in<i32>
//!   %2 = spatial.int 0 : i32
//!   %3 = spatial.read %y_dims_h[%2] : !spatial.array<i32>
//!   spatial.set_arg %y1_dim = %3 : !spatial.arg_in<i32>
//!   %4 = spatial.int 0 : i32
//!   %5 = spatial.read %y_dims_h[%4] : !spatial.array<i32>
//!   %y_vals_d = spatial.dram "y_vals_d" size %5 as "V" : !spatial.dram<f64>
//!   %b_dims_h = spatial.load_csv "b_dims_h" from "b_dims.csv" as "T" : !spatial.array<i32>
//!   %b1_dim = spatial.arg_in "b1_dim" as "T" : !spatial.arg_in<i32>
//!   %6 = spatial.int 0 : i32
//!   %7 = spatial.read %b_dims_h[%6] : !spatial.array<i32>
//!   spatial.set_arg %b1_dim = %7 : !spatial.arg_in<i32>
//!   %b_vals_h = spatial.load_csv "b_vals_h" from "b_vals.csv" as "V" : !spatial.array<f64>
//!   %8 = spatial.length %b_vals_h : !spatial.array<f64>
//!   %b_vals_d = spatial.dram "b_vals_d" size %8 as "V" : !spatial.dram<f64>
//!   spatial.set_mem %b_vals_d = %b_vals_h : !spatial.dram<f64>
//!   spatial.accel {
//!     %y_vals = spatial.sram "y_vals" size %nnz_accel_max as "V" : !spatial.sram<f64>
//!     %b_vals = spatial.sram "b_vals" size %nnz_accel_max as "V" : !spatial.sram<f64>
//!     %11 = spatial.int 0 : i32
//!     %12 = spatial.get %b1_dim : !spatial.arg_in<i32>
//!     spatial.load %b_vals from %b_vals_d[%11 to %12 par %ip] : !spatial.sram<f64>, !spatial.dram<f64>
//!     %13 = spatial.get %b1_dim : !spatial.arg_in<i32>
//!     %14 = spatial.int 1 : i32
//!     %15 = spatial.counter to %13 by %14 par %ip
//!     spatial.foreach over %15 as (%i "i") {
//!       %18 = spatial.read %b_vals[%i] : !spatial.sram<f64>
//!       %19 = spatial.negate %18 : f64
//!       spatial.write %y_vals[%i] = %19 : !spatial.sram<f64>
//!     }
//!     %16 = spatial.int 0 : i32
//!     %17 = spatial.get %y1_dim : !spatial.arg_in<i32>
//!     spatial.store %y_vals to %y_vals_d[%16 to %17 par %ip] : !spatial.sram<f64>, !spatial.dram<f64>
//!   }
//!   %y_vals_h = spatial.get_mem "y_vals_h" from %y_vals_d : !spatial.dram<f64>
//!   %9 = spatial.int 0 : i32
//!   %10 = spatial.read %y_dims_h[%9] : !spatial.array<i32>
//!   %y_vals_w = spatial.tabulate "y_vals_w" size %10 of "V" as (%i "i") {
//!     %11 = spatial.read %y_vals_h[%i] : !spatial.array<f64>
//!     spatial.yield %11 : f64
//!   } : !spatial.array<f64>
//!   spatial.write_csv %y_vals_w to "y_vals.csv" : !spatial.array<f64>
//! }
//! ```
//!
//! Requires loops of whole statements, in the order of their schedules, which `cin-schedule` carries out with
//! `units=spatial`. What is stored in another way than applications have it is copied in front or behind.

use crate::emit::{Sources, emit};
use crate::statement::{self, Computed, Source, TargetState};
use comet_ir::cin as ops;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Builder, IrError, Op, Result, Val, format, ta};
use comet_passes::copies::{self, of_program};
use comet_passes::{cin::clear, nest};
use comet_spatial::app::{App, Role};
use comet_spatial::lower::{Lowered, lower};
use melior::ir::ValueLike;

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-to-spatial",
    description: "Turns each statement into a Spatial application of memories, transfers and parallel patterns",
    options: &[],
    dialects: &["arith", "cin", "spatial", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    of_program::as_computes(module)?;
    let computes = module.walk::<ops::Compute<'c>>();
    let clearing: Vec<Option<Op<'c>>> = computes.iter().map(|compute| clearing(*compute)).collect();
    let kept = computes.iter().zip(&clearing).filter(|(compute, _)| !clearing.contains(&Some(***compute)));
    for (number, (compute, cleared)) in kept.enumerate() {
        let target = if cleared.is_some() { TargetState::Cleared } else { TargetState::Kept };
        application(*compute, target, number)?;
    }
    computes.into_iter().for_each(|compute| compute.erase());
    Ok(())
}

/// The compute that only clears what this one computes.
fn clearing(compute: ops::Compute<'_>) -> Option<Op<'_>> {
    let assigns = compute.walk::<ops::Assign<'_>>().into_iter();
    assigns.into_iter().find_map(|assign| clear::cleared_by(compute, assign).map(|compute| *compute))
}

/// Writes the application of one statement, between copies of what is stored in another way.
fn application<'c>(compute: ops::Compute<'c>, target: TargetState, number: usize) -> Result<'c, ()> {
    let b = Builder::before(*compute);
    let computed = statement::read(compute, target, &format!("K{number}"))?;
    let app = lowered(compute, &computed)?;
    let (mut made, mut written) = (Vec::new(), Vec::new());
    let mut values = Sources::new();
    for (tensor, source) in computed.nest.tensors.iter().zip(&computed.sources) {
        let value = match source {
            Source::Temporary => continue,
            Source::Operand(value, None) | Source::Result(value, None) => *value,
            Source::Operand(value, Some(format)) => {
                let copy = copies::copy_of(b, *value, format)?;
                pass::decided(b.location(), || {
                    format!(
                        "`{}` is copied to `{format}` first: applications have dense and compressed levels of modes \
                         and of tiles of them, in the order of the loops",
                        nest::name(*value)
                    )
                });
                made.push(copy);
                copy
            }
            Source::Result(value, Some(format)) => {
                // What is computed on top of it is read first.
                let is_updated =
                    app.tensors.iter().any(|other| other.name == tensor.name && other.role == Role::Updated);
                let copy = if is_updated {
                    copies::copy_of(b, *value, format)?
                } else {
                    copies::declare(b, *value, format)?
                };
                made.push(copy);
                written.push((copy, *value));
                copy
            }
        };
        values.insert(tensor.name.clone(), value);
    }
    for ((name, _), value) in computed.nest.numbers.iter().zip(&computed.numbers) {
        values.insert(name.clone(), *value);
    }
    emit(b, &app, &values)?;
    for (copy, target) in written {
        copies::convert(b, copy, target)?;
        report_result(b, target, copy);
    }
    made.into_iter().try_for_each(|tensor| ta::Release::build(b, tensor).map(drop))
}

fn report_result<'c>(b: Builder<'c>, target: Val<'c>, copy: Val<'c>) {
    pass::decided(b.location(), || {
        let (name, format) = (nest::name(target), format::of_type(copy.r#type()));
        format!("`{name}` is written as `{format}`, as points come, and then copied to its own format")
    });
}

/// That a tensor was copied to `Dense`, so that it has more elements than entries.
fn copied(tensor: usize, computed: &Computed<'_>) -> Option<String> {
    let Source::Operand(own, Some(copy)) = computed.sources.get(tensor)? else { return None };
    let name = &computed.nest.tensors[tensor].name;
    let was_dense = format::of_type(own.r#type()).is_dense();
    (copy.is_dense() && !was_dense).then(|| {
        format!("; `{name}` was copied to `Dense` first: one label is there for several of its modes")
    })
}

fn lowered<'c>(compute: ops::Compute<'c>, computed: &Computed<'c>) -> Result<'c, App> {
    let Lowered { app, notes } = lower(&computed.nest).map_err(|refusal| {
        let said = computed.said.iter().find(|(var, _)| Some(*var) == refusal.var);
        let place = said.map_or_else(|| compute.location(), |(_, place)| *place);
        let copied = refusal.tensor.and_then(|tensor| copied(tensor, computed)).unwrap_or_default();
        let hint = refusal.hint.map(|hint| hint + &copied);
        let error = IrError::at(place, refusal.message);
        IrError { hint, ..error }
    })?;
    notes.into_iter().for_each(|note| pass::decided(compute.location(), || note));
    Ok(app)
}
