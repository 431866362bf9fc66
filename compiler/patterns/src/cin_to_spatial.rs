//! `cin-to-spatial`: every compute becomes a Spatial application.

use crate::emit::{Sources, emit};
use crate::statement::{self, Computed, Source};
use comet_dialects::cin::{AssignOperation, ComputeOperation};
use comet_ir::pass::{self, Changed, OptionValues, Pass};
use comet_ir::{Builder, IrError, Op, Result, Val, format};
use comet_passes::copies::{self, of_program};
use comet_passes::{cin::clear, nest};
use comet_spatial::app::{App, Role};
use comet_spatial::lower::lower;
use melior::ir::ValueLike;

/// The pass.
pub const PASS: Pass = Pass {
    name: "cin-to-spatial",
    description: "Makes Spatial applications of loops in concrete index notation",
    options: &[],
    dialects: &["arith", "cin", "spatial", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, Changed> {
    of_program::as_computes(module)?;
    let computes = module.descendants::<ComputeOperation>();
    let clearing: Vec<Option<Op<'c>>> = computes.iter().map(|compute| clearing(*compute)).collect();
    let kept = computes.iter().zip(&clearing).filter(|(compute, _)| !clearing.contains(&Some(**compute)));
    for (number, (compute, cleared)) in kept.enumerate() {
        application(*compute, cleared.is_some(), number)?;
    }
    let changed = if computes.is_empty() { Changed::No } else { Changed::Yes };
    computes.into_iter().for_each(Op::erase);
    Ok(changed)
}

/// The compute that only clears what this one computes.
fn clearing(compute: Op<'_>) -> Option<Op<'_>> {
    let assigns = compute.descendants::<AssignOperation>().into_iter();
    assigns.into_iter().find_map(|assign| clear::cleared_by(compute, assign))
}

/// Writes the application of one statement, between copies of what is stored in another way.
fn application<'c>(compute: Op<'c>, is_cleared: bool, number: usize) -> Result<'c, ()> {
    let b = Builder::before(compute);
    let computed = statement::read(compute, is_cleared, &format!("K{number}"))?;
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
                        "`{}` is copied to `{format}` first: applications have dense and compressed levels of whole \
                         modes, in the order of the loops",
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
        told_result(b, target, copy);
    }
    made.into_iter().try_for_each(|tensor| b.op("ta.release", &[tensor], &[], &[]).map(|_| ()))
}

fn told_result<'c>(b: Builder<'c>, target: Val<'c>, copy: Val<'c>) {
    pass::decided(b.location(), || {
        let (name, format) = (nest::name(target), format::of_type(copy.r#type()));
        format!("`{name}` is written as `{format}`, as points come, and then copied to its own format")
    });
}

fn lowered<'c>(compute: Op<'c>, computed: &Computed<'c>) -> Result<'c, App> {
    lower(&computed.nest).map_err(|refusal| {
        let error = IrError::at(compute.location(), refusal.message);
        IrError { hint: refusal.hint, ..error }
    })
}
