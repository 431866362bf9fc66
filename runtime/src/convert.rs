//! Copies between formats, and the content of dense tensors that a program states.

mod matrix;

use crate::coordinates::CoordinateTensor;
use crate::dense;
use crate::error::Error;
use crate::memory::{self, Array};
use crate::pack::{self, DensePlaces};
use crate::print::row_major;
use crate::tensor::Tensor;
use crate::threads;
use crate::unpack::unpack;
use crate::values::{Cell, Stores as _, Value, ValueColumn, Values, with_cell, with_stored, with_values};
use comet_format::TypedFormat;

/// A copy in another format; mode m of the result is mode `permutation[m]` of the source. Between formats
/// that store a matrix line by line it takes linear time; otherwise the entries are packed anew.
///
/// # Errors
/// What packing refuses; a permutation that is none is an internal error.
pub fn convert(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Tensor, Error> {
    convert_counting(source, format, name, permutation).map(|(converted, _)| converted)
}

/// What a conversion has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    /// The entries of the source.
    pub(crate) entries: usize,
    /// The counters of a counting sort, one a line of the result and one more.
    pub(crate) counters: usize,
    /// Entries that were counted in them.
    pub(crate) counted: usize,
    /// Entries whose coordinates and value were written, each time.
    pub(crate) moved: usize,
    /// Entries that were packed anew, sorted by keys unless they were in order.
    pub(crate) sorted: usize,
}

/// Does the same as [`convert`] and returns what was done.
pub(crate) fn convert_counting(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<(Tensor, Moves), Error> {
    let mut sorted = permutation.to_vec();
    sorted.sort_unstable();
    let rank = source.dims.len();
    if !sorted.iter().copied().eq(0..rank) || format.format.rank != rank {
        return Err(Error::Internal(format!("{permutation:?} permutes no modes of `{}`", source.name)));
    }
    if let Some(converted) = matrix::convert(source, format, name, permutation)? {
        return Ok(converted);
    }
    if let Some(converted) = copied(source, format, name, permutation)? {
        return Ok(converted);
    }
    let mut entries = unpack(source)?.permuted(permutation);
    entries.values = entries.values.cast_to(format.value)?;
    let mut target = Tensor::new(name, format.clone());
    target.dims.clone_from(&entries.dims);
    pack::store(&mut target, &entries)?;
    let count = entries.len();
    // Into a list of entries, and from there to the levels.
    Ok((target, Moves { entries: count, moved: 2 * count, sorted: count, ..Moves::default() }))
}

/// Returns a copy whose entries are in the order of their coordinates, where those of the tensor are not.
pub(crate) fn ordered_copy(tensor: &Tensor) -> Result<Option<Tensor>, Error> {
    let TypedFormat { value, format } = &tensor.format;
    if format.is_ordered() {
        return Ok(None);
    }
    let natural: Vec<usize> = (0..format.rank).collect();
    convert(tensor, &format.ordered().of(*value), &tensor.name, &natural).map(Some)
}

/// A copy of a dense tensor in another order of levels.
fn copied(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Option<(Tensor, Moves)>, Error> {
    let mut target = Tensor::new(name, format.clone());
    target.dims = permutation.iter().map(|&mode| source.dims[mode]).collect();
    if !dense::are_alike(source, &target) {
        return Ok(None);
    }
    pack::store_nothing(&mut target)?;
    with_cell!(format.value, T => dense::copy::<T>(source, &mut target, permutation)?);
    let entries = target.values.len();
    Ok(Some((target, Moves { entries, moved: entries, ..Moves::default() })))
}

/// So many bytes are worth a thread that sets them: one alone writes 27 MB in 0.2 ms, and to wake another
/// one takes a good part of that (2 cores Zen 5).
const WORTH_FILLING: usize = 1 << 27;

/// Sets every position of a dense tensor; the padding of blocks stays zero.
fn fill<T: Cell>(tensor: &mut Tensor, cell: T) -> Result<(), Error> {
    let positions: i128 = tensor.dims.iter().map(|&extent| i128::from(extent)).product();
    let has_every_place = tensor.format.format.is_dense() && tensor.values.len() as i128 == positions;
    match T::array_mut(&mut tensor.values).filter(|_| has_every_place) {
        Some(cells) => {
            fill_all(cells, cell);
            Ok(())
        }
        None => set_dense(tensor, |_| cell),
    }
}

/// Sets every position to the only value of a column.
///
/// # Errors
/// A value that is no integer, where the tensor stores `int`.
pub(crate) fn fill_with(tensor: &mut Tensor, value: &ValueColumn) -> Result<(), Error> {
    let of = tensor.format.value;
    with_stored!(of, V, T => {
        value.converted::<V>()?.into_iter().try_for_each(|value| fill(tensor, T::stored(value, of)))
    })
}

fn fill_all<T: Cell>(cells: &mut [T], cell: T) {
    let bytes = size_of_val(cells);
    let piece = cells.len().div_ceil(threads::worth(bytes, WORTH_FILLING)).max(1);
    let is_zero = memory::bytes_of(&[cell]).iter().all(|byte| *byte == 0);
    threads::for_each(cells.chunks_mut(piece), |cells| match is_zero {
        true => memory::set_to_zero(cells),
        false => cells.fill(cell),
    });
}

/// Sets a tensor to values that come row-major in mode order; the entries of one that is not dense are those
/// that are not 0.
pub(crate) fn set_literal<V: Value>(tensor: &mut Tensor, literal: &[V]) -> Result<(), Error> {
    let positions: i128 = tensor.dims.iter().map(|&extent| i128::from(extent)).product();
    if positions != literal.len() as i128 {
        let message =
            format!("`{}` has {positions} positions, but {} values are given", tensor.name, literal.len());
        return Err(Error::Shape(message));
    }
    if tensor.format.format.is_dense() {
        let cells = Values::stored(Array::copied(literal, &"values")?, tensor.format.value)?;
        return with_values!(&cells, cells => set_dense(tensor, |number| cells[number]));
    }
    let mut entries = CoordinateTensor {
        dims: tensor.dims.clone(),
        coords: vec![Vec::new(); tensor.dims.len()],
        values: V::column(literal.iter().copied().filter(|value| !value.is_zero()).collect()),
    };
    for (entry, _) in row_major(&tensor.dims).zip(literal).filter(|(_, value)| !value.is_zero()) {
        entries.coords.iter_mut().zip(entry).for_each(|(column, coordinate)| column.push(coordinate));
    }
    pack::store(tensor, &entries)
}

fn set_dense<T: Cell>(tensor: &mut Tensor, cell_of: impl Fn(usize) -> T) -> Result<(), Error> {
    if !tensor.format.format.is_dense() {
        return Err(Error::Internal(format!("`{}` is filled, but not dense", tensor.name)));
    }
    tensor.check_dims()?;
    let places = DensePlaces::new(tensor)?;
    if tensor.values.len() != places.len {
        pack::store_nothing(tensor)?;
    }
    let Tensor { name, dims, values, .. } = tensor;
    let Some(cells) = T::array_mut(values) else {
        return Err(Error::Internal(format!("the values of `{name}` are of another type")));
    };
    if places.are_row_major {
        cells.iter_mut().enumerate().for_each(|(number, cell)| *cell = cell_of(number));
        return Ok(());
    }
    for (number, entry) in row_major(dims).enumerate() {
        cells[places.of(|mode| entry[mode])] = cell_of(number);
    }
    Ok(())
}
