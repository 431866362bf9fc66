//! What the operations are done on, as files of arrays that every program reads.

use crate::data;
use crate::setting::{Outcome, Setting, create_folder, write};
use comet_runtime::format::{Format, TypedFormat, ValueType};
use comet_runtime::{ReadOptions, pack, read_file};
use std::path::{Path, PathBuf};

/// Columns of the dense factors of SDDMM, as in `peers/sparse/sparse.h`.
const COLUMNS: usize = 32;

/// A matrix A, another one B of its shape, and dense factors.
pub(super) struct Problem {
    pub(super) name: String,
    /// `sizes`, `a.row`, `a.pos`, …, `left.npy`.
    pub(super) folder: PathBuf,
    pub(super) rows: i64,
    pub(super) columns: i64,
}

impl Problem {
    /// Reads a file and writes the arrays. B is A with its columns moved by one, the last one to the front:
    /// of the same structure, yet another pattern also where A is symmetric.
    pub(super) fn prepare(setting: &Setting, path: &Path, parent: &Path) -> Outcome<Self> {
        let path = data::with_values(setting, path)?;
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let name = stem.split('.').next().unwrap_or_default().trim_start_matches("values-").to_owned();
        let folder = parent.join(&name);
        create_folder(&folder)?;

        let mut entries = read_file(&path, &ReadOptions::default()).map_err(|error| error.to_string())?;
        let &[rows, columns] = entries.dims.as_slice() else {
            return Err(format!("`{}` holds no matrix", path.display()));
        };
        let format = TypedFormat { value: ValueType::F64, format: Format::csr() };
        let a = pack(&entries, &format).map_err(|error| error.to_string())?;
        data::write_indices(&folder.join("a.pos"), &a.levels[1].pos)?;
        data::write_indices(&folder.join("a.crd"), &a.levels[1].crd)?;
        data::write_values(&folder.join("a.val"), &a.values)?;
        write(&folder.join("a.row"), rows_of_entries(&a.levels[1].pos))?;

        entries.coords[1].iter_mut().for_each(|column| *column = (*column + 1) % columns);
        let b = pack(&entries, &format).map_err(|error| error.to_string())?;
        data::write_indices(&folder.join("b.pos"), &b.levels[1].pos)?;
        data::write_indices(&folder.join("b.crd"), &b.levels[1].crd)?;
        data::write_values(&folder.join("b.val"), &b.values)?;

        data::write_npy(&folder.join("left.npy"), &[rows as usize, COLUMNS])?;
        data::write_npy(&folder.join("right.npy"), &[columns as usize, COLUMNS])?;
        let counts = [a.levels[1].crd.len(), b.levels[1].crd.len()];
        write(&folder.join("sizes"), format!("{rows} {columns} {} {}\n", counts[0], counts[1]))?;
        Ok(Self { name, folder, rows, columns })
    }
}

/// The row of each entry.
fn rows_of_entries(pos: &comet_runtime::tensor::IndexArray) -> Vec<u8> {
    let ends: Vec<i64> = pos.iter().collect();
    let row = |(row, ends): (usize, &[i64])| {
        let count = (ends[1] - ends[0]) as usize;
        std::iter::repeat_n((row as i32).to_le_bytes(), count).flatten()
    };
    ends.windows(2).enumerate().flat_map(row).collect()
}
