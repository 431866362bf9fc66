//! Sparse parameters of kernels in a library, whose coordinates are the caller's.

use comet_ir::ta::{self, Ta};
use comet_ir::{IrError, Op, Result, Val, format};

/// Refuses what would change the coordinates of a caller's tensor: only its values can be replaced.
pub(super) fn check(module: Op<'_>) -> Result<'_, ()> {
    let mut refusal = None;
    module.for_each_inside(&mut |op| {
        let lent = assembled(op).and_then(ta::TensorDecl::defining);
        if let Some(lent) =
            lent.filter(|lent| lent.argument().is_some() && !format::of(lent.tensor()).is_dense())
        {
            refusal.get_or_insert((op, lent.name()));
        }
    });
    let Some((op, name)) = refusal else { return Ok(()) };
    let what = format!("changing the coordinates of `{name}`, a sparse parameter of a kernel in a library");
    let hint =
        format!("replace its values alone, `{name}[i,j] = stored(…)`, or make it the result of the function");
    Err(IrError::not_supported(op.location(), what).hint(hint))
}

/// Returns the tensor that an operation gives coordinates.
fn assembled(op: Op<'_>) -> Option<Val<'_>> {
    Some(match Ta::of(op)? {
        Ta::Move(op) => op.target(),
        Ta::Read(op) => op.tensor(),
        Ta::Random(op) => op.tensor(),
        Ta::Literal(op) => op.tensor(),
        Ta::Convert(op) => op.target(),
        Ta::SamePattern(op) => op.tensor(),
        Ta::AppendBegin(op) => op.tensor(),
        Ta::PartsBegin(op) => op.tensor(),
        Ta::PointsBegin(op) => op.tensor(),
        _ => return None,
    })
}
