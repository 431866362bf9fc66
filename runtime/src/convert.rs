//! Copies between formats, and the content of dense tensors that a program states.

mod full;
mod matrix;

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{self, Array};
use crate::pack::{self, DensePlaces, KeyedEntries};
use crate::print::row_major;
use crate::tensor::{ArrayName, Tensor};
use crate::threads;
use crate::unpack::{for_each_entry, unpack};
use crate::values::{Cell, Stores, Value, ValueColumn, Values, with_stored, with_values};
use comet_format::TypedFormat;
use std::ops::Deref;

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
    convert_counting(ConvertSource::Kept(source), format, name, permutation).map(|(converted, _)| converted)
}

/// Converts a tensor that is not used afterwards: the copy may take its values.
pub(crate) fn convert_last(
    mut source: Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Tensor, Error> {
    let source = ConvertSource::Last(&mut source);
    convert_counting(source, format, name, permutation).map(|(converted, _)| converted)
}

/// A tensor that is converted.
pub(crate) enum ConvertSource<'a> {
    /// It keeps its values.
    Kept(&'a Tensor),
    /// Nobody reads it afterwards: the copy may take its values.
    Last(&'a mut Tensor),
}

impl Deref for ConvertSource<'_> {
    type Target = Tensor;

    fn deref(&self) -> &Tensor {
        match self {
            Self::Kept(tensor) => tensor,
            Self::Last(tensor) => tensor,
        }
    }
}

impl ConvertSource<'_> {
    /// Takes the values, if nobody else wants them.
    fn taken_values(&mut self) -> Option<Values> {
        let Self::Last(tensor) = self else { return None };
        let is_own = with_values!(&tensor.values, cells => !cells.is_borrowed());
        is_own.then(|| std::mem::replace(&mut tensor.values, Values::empty(tensor.format.value)))
    }
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
    mut source: ConvertSource<'_>,
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
    if let Some(converted) = matrix::convert(&source, format, name, permutation)? {
        return Ok(converted);
    }
    if let Some(converted) = full::convert(&mut source, format, name, permutation)? {
        return Ok(converted);
    }
    with_stored!(format.value, V, T => repacked::<V, T>(&source, format, name, permutation))
}

/// A copy by a list of the entries and their keys in the other format.
fn repacked<V: Value, T: Stores<V>>(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<(Tensor, Moves), Error> {
    let mut target = Tensor::new(name, format.clone());
    target.dims = permutation.iter().map(|&mode| source.dims[mode]).collect();
    target.check_dims()?;
    let may_repeat = source.format.format.levels.iter().any(|level| level.starts_tuple());
    if may_repeat && source.format.value != format.value && !pack::adds_up_as_stored(format.value) {
        return summed_wide(source, target, permutation);
    }
    let what = ArrayName { tensor: name, part: "values" };
    let cast = match source.format.value == format.value {
        true => None,
        false => Some(source.values.cast(format.value, &what)?),
    };
    let Some(cells) = T::array(cast.as_ref().unwrap_or(&source.values)) else {
        return Err(Error::Internal(format!("the values of `{}` are of another type", source.name)));
    };
    let mut entries = KeyedEntries::<T>::new(&target, cells.len(), "entries")?;
    let mut coordinates = vec![0; permutation.len()];
    let mut added = Ok(());
    let mut count = 0;
    for_each_entry(source, |entry, position| {
        coordinates.iter_mut().zip(permutation).for_each(|(to, &mode)| *to = entry[mode]);
        count += 1;
        if added.is_ok() {
            added = entries.push(&coordinates, cells[position]);
        }
    });
    added?;
    drop(cast);
    entries.store(&mut target)?;
    // Into a list of entries, and from there to the levels.
    Ok((target, Moves { entries: count, moved: 2 * count, sorted: count, ..Moves::default() }))
}

/// Does the same with a list of values in the type that the target's elements are computed in: sums of values
/// at equal coordinates are rounded to an element once.
fn summed_wide(source: &Tensor, mut target: Tensor, permutation: &[usize]) -> Result<(Tensor, Moves), Error> {
    let mut entries = unpack(source)?.permuted(permutation);
    entries.values = entries.values.cast_to(target.format.value)?;
    pack::store(&mut target, &entries)?;
    let count = entries.len();
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
