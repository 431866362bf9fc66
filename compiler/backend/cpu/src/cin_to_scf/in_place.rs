//! Results that are computed beside a tensor and then take its place, `A[i,j] = stored(A[i,j] * d[i])`: where
//! they store what it stores, its own values are overwritten instead.

use comet_ir::{Op, Val, ta};

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
