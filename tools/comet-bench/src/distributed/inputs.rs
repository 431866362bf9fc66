//! The matrices, as comet and its peers read them.

use crate::data;
use crate::run::inputs::{Input, InputOperand, KNOWN};
use crate::setting::{Outcome, Setting};
use comet_format::{Format, TypedFormat, ValueType};
use comet_runtime::{pack, write_file};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const NAMES: [&str; 6] = ["ship_001", "bcsstk16", "ca-AstroPh", "memplus", "soc-slashdot0902", "laplacian58"];

/// The largest product that is measured.
const LARGEST_PRODUCT: usize = 1 << 26;

/// A square matrix with its files, which are there as long as it is.
pub(super) struct Matrix {
    pub(super) name: String,
    pub(super) input: Input,
    folder: TempDir,
}

/// The names and files of the matrices that were asked for, or of all.
pub(super) fn chosen(setting: &Setting, wanted: &[String]) -> Outcome<Vec<(String, PathBuf)>> {
    let all = NAMES.map(str::to_owned);
    let wanted = if wanted.is_empty() { &all } else { wanted };
    wanted.iter().map(|name| Ok((short_name(name), path_of(setting, name)?))).collect()
}

fn path_of(setting: &Setting, name: &str) -> Outcome<PathBuf> {
    match KNOWN.iter().find(|known| known.name == name) {
        Some(known) => known.path(setting),
        None if Path::new(name).is_file() => Ok(name.into()),
        None => Err(format!("`{name}` is neither a name of the table of `run` nor a file")),
    }
}

/// The name of a file without folders and endings.
fn short_name(name: &str) -> String {
    let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    file.split('.').next().unwrap_or_default().to_owned()
}

impl Matrix {
    /// # Errors
    /// A matrix that is not square.
    pub(super) fn read(setting: &Setting, name: &str, path: &Path) -> Outcome<Self> {
        let folder = tempfile::Builder::new().prefix("distributed-").tempdir_in(&setting.kept);
        let folder = folder.map_err(|error| format!("cannot create a folder for `{name}`: {error}"))?;
        let input = Input::read(setting, name, path, folder.path())?;
        match input.entries.dims[..] {
            [rows, columns] if rows == columns => Ok(Self { name: name.to_owned(), input, folder }),
            _ => Err(format!("`{name}` is {:?}, expected a square matrix", input.entries.dims)),
        }
    }

    /// A file of all its entries, also of those that a symmetric one leaves out: all programs read the same.
    pub(super) fn file(&self) -> Outcome<PathBuf> {
        let path = self.folder.path().join("matrix.mtx");
        if !path.exists() {
            let csr = TypedFormat { value: ValueType::F64, format: Format::csr() };
            let packed = pack(&self.input.entries, &csr).map_err(|error| error.to_string())?;
            write_file(&packed, &path).map_err(|error| error.to_string())?;
        }
        Ok(path)
    }

    /// The stem of its arrays in CSR.
    pub(super) fn arrays(&self) -> Outcome<PathBuf> {
        self.input.operand(InputOperand::Stored)
    }

    /// A dense operand: a vector, or a matrix of so many columns.
    pub(super) fn dense(&self, columns: usize) -> Outcome<PathBuf> {
        let path = self.folder.path().join(format!("dense{columns}.npy"));
        if !path.exists() {
            let dims = [self.input.extent(1), columns];
            data::write_npy(&path, if columns == 1 { &dims[..1] } else { &dims })?;
        }
        Ok(path)
    }

    /// Whether its square has too many entries.
    pub(super) fn has_large_square(&self) -> bool {
        self.input.entries_of_product(LARGEST_PRODUCT) > LARGEST_PRODUCT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_endings() {
        assert_eq!(short_name("a/b-c.mtx.gz"), "b-c");
        assert_eq!(short_name("memplus"), "memplus");
    }
}
