//! Whether there is memory for all elements of a row of a result, or of a slice of several levels.

use crate::nest;
use comet_format::Level;
use comet_ir::{Builder, Compare, Result, Val, cin, format, ta, types};
use comet_notation::distinct;

/// An array of so many elements is nothing to any machine. C(i, j, l) = A(i, k) * B(k, j, l), of 100 by 100
/// by n by n with 5% of A stored, takes 0.13 to 0.4 of the time of a hash table where 0.1% of B or more are
/// stored (n = 512, 1024). Below 0.01% it takes longer, as the pages of the arrays are given out for few
/// values: by 3 to 7 ms at the most, which is the price of this limit.
const ALWAYS: i64 = 1 << 20;

/// For what there is memory.
pub(super) enum Room<'c> {
    /// For all elements: they are few, or a tensor stores as many anyway, or a schedule asks for a dense
    /// workspace.
    ForAll,
    /// For a row, where an operand stores as many entries as the row has elements, which is not known before
    /// the program runs.
    Depends(Demand<'c>),
    /// Not for all elements: several levels have as many as the product of their extents says.
    ForNone,
}

/// What has to hold for a row to have a dense workspace.
///
/// Squares of DCSR matrices with random entries, time over that of a hash table: 0.15 with ten entries for
/// each of 100,000 columns, 1.2 with one for each of 10⁶, 1.7 with 0.06 for each of 16 · 10⁶, 5 with 0.01 for
/// each of 10⁶ (commit 579bb0e, Zen 5, one thread). The row takes no more memory than that operand.
pub(super) struct Demand<'c> {
    /// Of the row, of type `index`.
    extent: Val<'c>,
    operands: Vec<Val<'c>>,
}

impl<'c> Demand<'c> {
    /// Asks whether it holds when the program runs.
    pub(super) fn ask(&self, b: Builder<'c>) -> Result<'c, Val<'c>> {
        let mut entries = b.index(0)?;
        for operand in &self.operands {
            let of = types::value_of(types::element_of(*operand));
            let array = types::memref(types::stored(b.context(), of));
            let values = ta::Values::build(b, *operand, array)?.values();
            entries = b.maxi(entries, b.count_elements(values, of)?)?;
        }
        b.cmpi(Compare::Le, self.extent, entries)
    }
}

impl<'c> Room<'c> {
    /// That for the elements that these variables count.
    pub(super) fn of(compute: cin::Compute<'c>, inner: &[Val<'c>]) -> Self {
        let extents = inner.iter().copied().map(nest::constant_extent).collect::<Option<Vec<_>>>();
        let size = extents.and_then(|extents| extents.into_iter().try_fold(1, i64::checked_mul));
        let is_small = size.is_some_and(|size| size <= ALWAYS);
        if compute.dense_rows() || is_small || inner.len() == 1 && has_dense_level(compute) {
            return Self::ForAll;
        }
        let [var] = inner else { return Self::ForNone };
        match cin::IndexVar::defining(*var) {
            Some(declaration) => {
                let (extent, operands) = (declaration.size(), operands(compute));
                Self::Depends(Demand { extent, operands })
            }
            None => Self::ForNone,
        }
    }
}

/// The tensors that a compute reads, each once, workspaces aside.
fn operands(compute: cin::Compute<'_>) -> Vec<Val<'_>> {
    let read = compute.walk::<cin::Access>().into_iter().map(|access| access.tensor());
    distinct(read.filter(|tensor| !nest::is_temporary(*tensor)))
}

fn has_dense_level(compute: cin::Compute<'_>) -> bool {
    let accesses = compute.walk::<cin::Access>().into_iter();
    let assigns = compute.walk::<cin::Assign>().into_iter().map(|assign| assign.tensor());
    let tensors = accesses.map(|access| access.tensor()).chain(assigns);
    let is_dense = |level: &Level| level.kind.is_full();
    tensors.map(|tensor| format::of(tensor)).any(|format| format.levels.iter().any(is_dense))
}
