//! Results that are computed beside a tensor and then take its place, `A[i,j] = stored(A[i,j] * d[i])`: where
//! they store what it stores, its own values are overwritten instead.

use comet_ir::ta::{self, Ta};
use comet_ir::{IrError, Op, Result, Val, format};

/// The variable that a result is computed in, and the operations that declare, move and release it.
pub(super) struct Replaced<'c> {
    /// The tensor whose place it takes.
    pub(super) target: Val<'c>,
    ops: [Op<'c>; 3],
}

impl<'c> Replaced<'c> {
    /// Looks behind a compute for the operations that let its result take the place of another tensor.
    pub(super) fn by(result: Val<'c>, compute: Op<'c>) -> Option<Self> {
        let declaration = ta::TensorDecl::defining(result)?;
        let is_release = |op: &Op<'c>| op.is::<ta::Release>();
        let mut behind = std::iter::successors(compute.next(), |op| op.next()).skip_while(is_release);
        let moved = behind.next()?.cast::<ta::Move>().filter(|moved| moved.source() == result)?;
        let released = behind.next()?.cast::<ta::Release>().filter(|released| released.tensor() == result)?;
        // The declaration has the last use.
        Some(Self { target: moved.target(), ops: [*moved, *released, *declaration] })
    }

    /// Takes the variable away, when the compute is gone.
    pub(super) fn erase(self) {
        for op in self.ops {
            op.erase();
        }
    }
}

/// Refuses what would change the coordinates of a caller's tensor: only its values can be replaced.
pub(super) fn check_parameters(module: Op<'_>) -> Result<'_, ()> {
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
