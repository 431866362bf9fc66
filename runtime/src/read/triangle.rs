//! The triangle of a matrix that a read keeps; the extents stay those of the file.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::values::ValueColumn;
use comet_abi::Triangle;
use std::path::Path;

fn holds(triangle: Triangle, row: i64, column: i64) -> bool {
    match triangle {
        Triangle::All => true,
        Triangle::StrictlyLower => row > column,
        Triangle::Lower => row >= column,
        Triangle::StrictlyUpper => row < column,
        Triangle::Upper => row <= column,
    }
}

/// The entries in the triangle.
pub(super) fn keep(
    triangle: Triangle,
    mut entries: CoordinateTensor,
    path: &Path,
) -> Result<CoordinateTensor, Error> {
    if triangle == Triangle::All {
        return Ok(entries);
    }
    let [rows, columns] = &entries.coords[..] else {
        let message = format!("a triangle can be read of a matrix only, not of rank {}", entries.rank());
        return Err(Error::malformed(path, None, message));
    };
    let kept: Vec<bool> =
        rows.iter().zip(columns).map(|(&row, &column)| holds(triangle, row, column)).collect();
    entries.coords.iter_mut().for_each(|column| filter(column, &kept));
    match &mut entries.values {
        ValueColumn::F64(values) => filter(values, &kept),
        ValueColumn::F32(values) => filter(values, &kept),
        ValueColumn::I64(values) => filter(values, &kept),
        ValueColumn::C64(values) => filter(values, &kept),
        ValueColumn::C128(values) => filter(values, &kept),
    }
    Ok(entries)
}

fn filter<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter().copied();
    column.retain(|_| kept.next().unwrap_or(false));
}
