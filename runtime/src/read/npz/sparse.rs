//! Sparse tensors in archives of arrays: `coo`, `csr`, `csc`, `bsr` and `dia` of SciPy, `coo` and `gcxs` of
//! pydata/sparse.

use super::Members;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::read::field::FileValue;
use crate::read::message::{number, shown};
use crate::read::npy;
use crate::values::{C128, Value as _};
use comet_format::ValueType;

/// The coordinates of entries, a column for each mode, and their values.
type Entries<V> = (Vec<Vec<i64>>, Vec<V>);

pub(super) fn read<V: FileValue>(
    members: &mut Members<'_>,
    format: &str,
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let dims = members.dims(rank)?;
    members.check_fill_value()?;
    let (coords, values) = members.entries::<V>(format, &dims, value)?;
    if let Some(column) = coords.iter().find(|column| column.len() != values.len()) {
        let message = format!(
            "expected {} coordinates in each mode, one for each value, found {}",
            values.len(),
            column.len()
        );
        return Err(Error::malformed(members.path, None, message));
    }
    let tensor = CoordinateTensor { dims, coords, values: V::column(values) };
    tensor.check().map_err(|error| Error::malformed(members.path, None, error.to_string()))?;
    Ok(tensor)
}

impl Members<'_> {
    /// Refuses tensors whose absent positions are another number than 0.
    fn check_fill_value(&mut self) -> Result<(), Error> {
        if !self.has("fill_value") {
            return Ok(());
        }
        let (_, fill) = self.array::<C128>("fill_value", 0, ValueType::C128)?;
        match fill.first() {
            Some(fill) if !fill.is_zero() => {
                let found = if fill.im == 0.0 { number(fill.re) } else { number(*fill) };
                let message = format!(
                    "expected 0 as the value of absent positions, found {found}; save \
                     `sparse.COO.from_numpy(a.todense())`, which stores them"
                );
                Err(self.malformed("fill_value", &message))
            }
            _ => Ok(()),
        }
    }

    fn entries<V: FileValue>(
        &mut self,
        format: &str,
        dims: &[i64],
        value: ValueType,
    ) -> Result<Entries<V>, Error> {
        match (format, dims.len()) {
            ("bsr", 2) => return self.blocks(value),
            ("dia", 2) => return self.diagonals(dims, value),
            _ => {}
        }
        let (_, values) = self.array::<V>("data", 1, value)?;
        let entries = values.len();
        let coords = match (format, dims.len()) {
            ("coo", _) if self.has("coords") => self.coordinates(dims.len())?,
            ("coo", 2) => vec![self.integers("row")?, self.integers("col")?],
            ("csr" | "csc", 2) => {
                let (inner, outer) = self.compressed(entries)?;
                if format == "csr" { vec![outer, inner] } else { vec![inner, outer] }
            }
            ("csr" | "gcxs", 1) => vec![self.integers("indices")?],
            ("gcxs", rank) if rank > 1 => self.compressed_axes(dims, entries)?,
            ("coo" | "csr" | "csc" | "bsr" | "dia" | "gcxs", rank) => {
                let message = format!("expected another rank than {rank} for the format `{format}`");
                return Err(self.malformed("shape", &message));
            }
            _ => {
                let found = shown(format.as_bytes());
                let message = format!(
                    "expected `coo`, `csr`, `csc`, `bsr`, `dia` or `gcxs`, found `{found}`; save `A.tocoo()`"
                );
                return Err(self.malformed("format", &message));
            }
        };
        Ok((coords, values))
    }

    /// Returns the columns of the array of coordinates, which has a row for each mode.
    fn coordinates(&mut self, rank: usize) -> Result<Vec<Vec<i64>>, Error> {
        let (header, numbers) = self.array::<i64>("coords", 2, ValueType::I64)?;
        let [modes, entries] = header.dims[..] else { unreachable!("the rank is 2") };
        if modes != rank as i64 {
            let message = format!("expected {rank} rows, one for each mode, found {modes}");
            return Err(self.malformed("coords", &message));
        }
        let (mode_stride, entry_stride) =
            if header.fortran_order { (1, rank) } else { (entries as usize, 1) };
        let column = |mode: usize| -> Vec<i64> {
            numbers
                .iter()
                .skip(mode * mode_stride)
                .step_by(entry_stride)
                .take(entries as usize)
                .copied()
                .collect()
        };
        Ok((0..rank).map(column).collect())
    }

    /// Returns two coordinates of each entry: the one within its compressed row or column, from `indices`,
    /// and the number of that row or column, from `indptr`.
    fn compressed(&mut self, entries: usize) -> Result<(Vec<i64>, Vec<i64>), Error> {
        let (inner, bounds) = (self.integers("indices")?, self.integers("indptr")?);
        let is_ascending = bounds.is_sorted() && bounds.first() == Some(&0);
        if !is_ascending || bounds.last().is_none_or(|last| *last != entries as i64) {
            let message = format!("expected numbers that ascend from 0 to {entries}, the number of entries");
            return Err(self.malformed("indptr", &message));
        }
        let lengths = bounds.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let outer = lengths.enumerate().flat_map(|(row, length)| std::iter::repeat_n(row as i64, length));
        Ok((inner, outer.collect()))
    }

    /// Returns the coordinates of a matrix whose rows are the positions of some modes, the compressed axes,
    /// and whose columns are those of the others.
    fn compressed_axes(&mut self, dims: &[i64], entries: usize) -> Result<Vec<Vec<i64>>, Error> {
        let axes = self.integers("compressed_axes")?;
        let rows: Vec<usize> = axes.iter().filter_map(|axis| usize::try_from(*axis).ok()).collect();
        let is_axis = |(place, axis): (usize, &usize)| *axis < dims.len() && !rows[..place].contains(axis);
        if rows.len() != axes.len() || !rows.iter().enumerate().all(is_axis) {
            let message = format!("expected different axes from 0 to {}, found {axes:?}", dims.len() - 1);
            return Err(self.malformed("compressed_axes", &message));
        }
        if entries > 0 && dims.contains(&0) {
            return Err(
                self.malformed("shape", "expected extents of at least 1, since there are entries, found 0")
            );
        }
        let columns: Vec<usize> = (0..dims.len()).filter(|axis| !rows.contains(axis)).collect();
        let (inner, outer) = self.compressed(entries)?;
        let mut coords = vec![Vec::new(); dims.len()];
        unravel(&outer, &rows, dims, &mut coords);
        unravel(&inner, &columns, dims, &mut coords);
        Ok(coords)
    }

    /// Returns the elements of blocks, which are stored by compressed rows; all of a block are entries.
    fn blocks<V: FileValue>(&mut self, value: ValueType) -> Result<Entries<V>, Error> {
        let bytes = self.bytes("data")?;
        let data = npy::read::<V>(&self.member_path("data"), &bytes, Some(3), value)?;
        let [blocks, rows, columns] = data.dims[..] else { unreachable!("the rank is 3") };
        let (inner, outer) = self.compressed(blocks as usize)?;
        if inner.len() != outer.len() {
            let (expected, found) = (outer.len(), inner.len());
            let message = format!("expected {expected} numbers, one for each block, found {found}");
            return Err(self.malformed("indices", &message));
        }
        let mode = |block: &[i64], extent: i64, places: &[i64]| -> Vec<i64> {
            let places = data.coords[0].iter().zip(places);
            places
                .map(|(at, place)| block[*at as usize].saturating_mul(extent).saturating_add(*place))
                .collect()
        };
        let coords = vec![mode(&outer, rows, &data.coords[1]), mode(&inner, columns, &data.coords[2])];
        Ok((coords, values_of::<V>(&data)))
    }

    /// Returns the numbers of diagonals that are not 0: others pad them, as in SciPy. Each diagonal begins at
    /// its offset from the main one, and its numbers are at their columns.
    fn diagonals<V: FileValue>(&mut self, dims: &[i64], value: ValueType) -> Result<Entries<V>, Error> {
        let bytes = self.bytes("data")?;
        let data = npy::read::<V>(&self.member_path("data"), &bytes, Some(2), value)?;
        let offsets = self.integers("offsets")?;
        if offsets.len() as i64 != data.dims[0] {
            let message = format!(
                "expected {} numbers, one for each row of `data`, found {}",
                data.dims[0],
                offsets.len()
            );
            return Err(self.malformed("offsets", &message));
        }
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let places = data.coords[0].iter().zip(&data.coords[1]);
        for ((diagonal, column), value) in places.zip(values_of::<V>(&data)) {
            let row = column.saturating_sub(offsets[*diagonal as usize]);
            if !value.is_zero() && (0..dims[0]).contains(&row) && *column < dims[1] {
                rows.push(row);
                columns.push(*column);
                values.push(value);
            }
        }
        Ok((vec![rows, columns], values))
    }
}

fn values_of<V: FileValue>(data: &CoordinateTensor) -> Vec<V> {
    V::slice(&data.values).expect("values are of the type that was read").to_vec()
}

/// Splits positions in some modes, of which the last is the fastest, into coordinates.
fn unravel(positions: &[i64], modes: &[usize], dims: &[i64], coords: &mut [Vec<i64>]) {
    let mut rest = positions.to_vec();
    for (place, &mode) in modes.iter().enumerate().rev() {
        // The first mode keeps what is too large, so that it is found outside of the extent.
        let extent = if place == 0 { i64::MAX } else { dims[mode] };
        coords[mode] = rest.iter().map(|position| position % extent).collect();
        rest.iter_mut().for_each(|position| *position /= extent);
    }
}
