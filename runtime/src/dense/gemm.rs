//! The product of two matrices, by the `gemm` crate: blocks that are packed for the caches, a kernel for the
//! vector registers of the processor that it runs on.

use crate::values::Value;
use comet_notation::Constant;
use gemm::Parallelism;

/// An element type that there are kernels for.
pub trait Float: Value {}

impl Float for f64 {}
impl Float for f32 {}

/// How far apart rows are, and columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strides {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Strides {
    /// Returns the number of values that a matrix spans.
    fn span(self, rows: usize, columns: usize) -> usize {
        (rows - 1) * self.rows + (columns - 1) * self.columns + 1
    }
}

/// Three sizes, none of them 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct GemmSizes {
    /// Of the left matrix and the output.
    pub(super) rows: usize,
    /// Of the right matrix and the output.
    pub(super) columns: usize,
    /// The columns of the left matrix, and the rows of the right one.
    pub(super) depth: usize,
}

/// What is read, and the strides of its values.
#[derive(Clone, Copy)]
pub(super) struct GemmMatrix<'v, V> {
    pub(super) values: &'v [V],
    pub(super) strides: Strides,
}

/// What is written.
pub(super) struct MatrixMut<'v, V> {
    pub(super) values: &'v mut [V],
    pub(super) strides: Strides,
    /// Whether the product is added to what is there.
    pub(super) accumulates: bool,
}

/// Computes `output = alpha * left * right`, or `output += …`, on `threads` threads. The order of
/// summation does not depend on their number.
pub(super) fn multiply<V: Float>(
    sizes: GemmSizes,
    alpha: V,
    left: GemmMatrix<'_, V>,
    right: GemmMatrix<'_, V>,
    output: MatrixMut<'_, V>,
    threads: usize,
) {
    let GemmSizes { rows, columns, depth } = sizes;
    let to = output.strides;
    assert!(left.strides.span(rows, depth) <= left.values.len(), "the left matrix is in its values");
    assert!(right.strides.span(depth, columns) <= right.values.len(), "the right matrix is in its values");
    assert!(to.span(rows, columns) <= output.values.len(), "the output is in its values");
    let rows_are_apart = to.rows >= columns * to.columns || to.columns >= rows * to.rows;
    assert!(rows_are_apart, "no two elements of the output are one");
    let parallelism = if threads == 1 { Parallelism::None } else { Parallelism::Rayon(threads) };
    // SAFETY: the elements of all three matrices are in their slices, and those of the output, whose slice is
    // borrowed alone, are distinct, as was asserted; `V` is one of the types of the crate.
    unsafe {
        gemm::gemm(
            rows,
            columns,
            depth,
            output.values.as_mut_ptr(),
            to.columns as isize,
            to.rows as isize,
            output.accumulates,
            left.values.as_ptr(),
            left.strides.columns as isize,
            left.strides.rows as isize,
            right.values.as_ptr(),
            right.strides.columns as isize,
            right.strides.rows as isize,
            V::constant(Constant::ONE),
            alpha,
            false,
            false,
            false,
            parallelism,
        );
    }
}
