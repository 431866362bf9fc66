//! What the simulated machines, dataflow graphs and applications of parallel patterns, do not have yet.
//! `place` is the machine, as in `in a dataflow graph`.

use comet_ir::{IrError, Op, Result, cin, ta, types};
use comet_notation::OwnOperator;
use melior::ir::ValueLike;

/// Returns the error about a reduction by an operator of the file.
pub fn own_reduction<'c>(assign: cin::Assign<'c>, operator: OwnOperator, place: &str) -> IrError<'c> {
    let what = format!("a reduction by `{}`, {place}", operator.definition().name);
    let hint = "reduce by an operator of the language, or run the program on the processor";
    IrError::not_supported(assign.location(), &what).hint(hint)
}

/// Refuses a program with complex values, at the declaration of the first tensor that has some, or at the
/// first operation on them.
///
/// # Errors
/// A program with complex values.
pub fn refuse_complex<'c>(module: Op<'c>, place: &str) -> Result<'c, ()> {
    let hint = "run it on the processor: `comet run`";
    let refused = |op: Op<'c>, what: &str| {
        Err(IrError::not_supported(op.location(), format!("{what}, {place}")).hint(hint))
    };
    for declared in module.walk::<ta::TensorDecl>() {
        let element = types::element_of(declared.tensor());
        if types::is_complex(element) {
            let word = types::value_of(element).word();
            return refused(*declared, &format!("elements of type `{word}`"));
        }
    }
    for compute in module.descendants::<cin::Compute>() {
        let mut complex = None;
        compute.for_each_inside(&mut |op| {
            if op.results().iter().any(|value| types::is_complex(value.r#type())) {
                complex.get_or_insert(op);
            }
        });
        if let Some(op) = complex {
            return refused(op, "complex values");
        }
    }
    Ok(())
}
