//! The triangle of a matrix that a read keeps: `comet_read(k, mode)`.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::values::ValueColumn;
use std::path::Path;

/// Which entries are kept; the extents stay those of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Triangle {
    /// Mode 1: all entries.
    #[default]
    All,
    /// Mode 2: below the diagonal.
    StrictlyLower,
    /// Mode 3: on and below the diagonal.
    Lower,
    /// Mode 4: above the diagonal.
    StrictlyUpper,
    /// Mode 5: on and above the diagonal.
    Upper,
}

impl Triangle {
    /// The triangle of a mode's number.
    ///
    /// # Errors
    /// Numbers other than 1 to 5.
    pub fn from_mode(mode: i64) -> Result<Self, Error> {
        Ok(match mode {
            1 => Self::All,
            2 => Self::StrictlyLower,
            3 => Self::Lower,
            4 => Self::StrictlyUpper,
            5 => Self::Upper,
            _ => {
                return Err(Error::Unsupported(format!(
                    "the mode of a read is 1 (all), 2 (strictly lower), 3 (lower), 4 (strictly upper) or 5 (upper), \
                     not {mode}"
                )));
            }
        })
    }

    fn holds(self, row: i64, column: i64) -> bool {
        match self {
            Self::All => true,
            Self::StrictlyLower => row > column,
            Self::Lower => row >= column,
            Self::StrictlyUpper => row < column,
            Self::Upper => row <= column,
        }
    }

    /// The entries in the triangle.
    pub(super) fn keep(self, mut entries: CoordinateTensor, path: &Path) -> Result<CoordinateTensor, Error> {
        if self == Self::All {
            return Ok(entries);
        }
        let [rows, columns] = &entries.coords[..] else {
            let message = format!("a triangle can be read of a matrix only, not of rank {}", entries.rank());
            return Err(Error::malformed(path, None, message));
        };
        let kept: Vec<bool> =
            rows.iter().zip(columns).map(|(&row, &column)| self.holds(row, column)).collect();
        entries.coords.iter_mut().for_each(|column| filter(column, &kept));
        match &mut entries.values {
            ValueColumn::F64(values) => filter(values, &kept),
            ValueColumn::F32(values) => filter(values, &kept),
            ValueColumn::I64(values) => filter(values, &kept),
        }
        Ok(entries)
    }
}

fn filter<T>(column: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter().copied();
    column.retain(|_| kept.next().unwrap_or(false));
}
