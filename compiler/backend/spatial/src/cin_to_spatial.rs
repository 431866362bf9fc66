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
//! spatial.app "K0" of %y, %b as ["y", "b"] : tensor<?xf64>, tensor<?xf64> {
//!   "import spatial.dsl._"
//!   ""
//!   "// y[i] = -b[i]"
//!   "// lanes are of 32 bits: values of 64 take two, so that 8 run at once"
//!   "// tensor y: Double [i0: D] result"
//!   "// tensor b: Double [i0: D] operand"
//!   "object K0_0 extends K0()"
//!   ""
//!   "@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 8, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {"
//!   "  type T = Int"
//!   "  type V = Double"
//!   ""
//!   "  def main(args: Array[String]): Unit = {"
//!   "    val y_dims_h = loadCSV1D[T](\"y_dims.csv\", \"\\n\")"
//!   "    val y1_dim = ArgIn[T]"
//!   "    setArg(y1_dim, y_dims_h(0))"
//!   "    val y_vals_d = DRAM[V](y_dims_h(0))"
//!   "    val b_dims_h = loadCSV1D[T](\"b_dims.csv\", \"\\n\")"
//!   "    val b1_dim = ArgIn[T]"
//!   "    setArg(b1_dim, b_dims_h(0))"
//!   "    val b_vals_h = loadCSV1D[V](\"b_vals.csv\", \"\\n\")"
//!   "    val b_vals_d = DRAM[V](b_vals_h.length)"
//!   "    setMem(b_vals_d, b_vals_h)"
//!   "    Accel {"
//!   "      val y_vals = SRAM[V](nnz_accel_max)"
//!   "      val b_vals = SRAM[V](nnz_accel_max)"
//!   "      b_vals load b_vals_d(0::b1_dim par ip)"
//!   "      Foreach (b1_dim by 1 par ip) { i =>"
//!   "        y_vals(i) = -b_vals(i)"
//!   "      }"
//!   "      y_vals_d(0::y1_dim par ip) store y_vals"
//!   "    }"
//!   "    val y_vals_h = getMem(y_vals_d)"
//!   "    val y_vals_w = Array.tabulate[V](y_dims_h(0)) { i => y_vals_h(i) }"
//!   "    writeCSV1D(y_vals_w, \"y_vals.csv\", \"\\n\")"
//!   "  }"
//!   "}"
//! }
//! ```
//!
//! Requires loops of whole statements, in the order of their schedules, which `cin-schedule` carries out with
//! `units=spatial`. What is stored in another way than applications have it is copied in front or behind.

use crate::statement::{self, Computed, Source, TargetState};
use comet_ir::cin as ops;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::spatial;
use comet_ir::{Builder, IrError, Op, Result, Val, format, ta};
use comet_passes::copies::{self, of_program};
use comet_passes::{cin::clear, nest};
use comet_spatial::app::{App, Role, Tensor};
use comet_spatial::lower::{Lowered, lower};
use comet_spatial::write::write;
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "cin-to-spatial",
    description: "Turns each statement into a Spatial application of memories, transfers and parallel patterns",
    options: &[],
    dialects: &["arith", "cin", "spatial", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    comet_passes::simulated::refuse_complex(module, "in an application of parallel patterns")?;
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
    let mut given: Vec<(&str, Val<'c>)> = Vec::new();
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
        given.push((&tensor.name, value));
    }
    let numbers = computed.nest.numbers.iter().zip(&computed.numbers);
    given.extend(numbers.map(|((name, _), value)| (name.as_str(), *value)));
    build(b, &app, given)?;
    for (copy, target) in written {
        copies::convert(b, copy, target)?;
        report_result(b, target, copy);
    }
    made.into_iter().try_for_each(|tensor| ta::Release::build(b, tensor).map(drop))
}

/// Writes the text of an application, with the values that stand for its tensors and numbers.
fn build<'c>(b: Builder<'c>, app: &App, mut given: Vec<(&str, Val<'c>)>) -> Result<'c, ()> {
    let is_computed = |tensor: &&Tensor| tensor.role != Role::Operand;
    let computed: Vec<&Tensor> = app.tensors.iter().filter(is_computed).collect();
    let [computed] = computed[..] else {
        let message = format!("expected one tensor that is computed, found {}", computed.len());
        return Err(IrError::at(b.location(), message));
    };
    given.sort_by_key(|(name, _)| *name != computed.name);
    let (names, values): (Vec<String>, Vec<Val<'c>>) =
        given.into_iter().map(|(name, value)| (name.to_owned(), value)).unzip();
    spatial::App::build(b, &app.name, &values, &names, &write(app)).map(drop)
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
