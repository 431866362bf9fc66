//! SciPy's `.npz`: a matrix as `scipy.sparse.load_npz` reads it, by rows or columns where it is stored so,
//! and as a list of entries otherwise.

use super::{FileWriter, WrittenRange, advice, for_each_written, npy};
use crate::error::Error;
use crate::tensor::Tensor;
use comet_format::{Format, IndexWidth, LevelExpr};
use std::io::{self, Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) fn writer_for(tensor: &Tensor) -> Result<FileWriter, Error> {
    if tensor.dims.len() == 2 {
        let head = |_: &Tensor, _| Vec::new();
        return Ok(FileWriter { head, body: write, is_counted: false, is_by_rows: false });
    }
    Err(Error::Unsupported(format!(
        "`.npz` holds matrices, but `{}` has rank {}: {}",
        tensor.name,
        tensor.dims.len(),
        advice(tensor)
    )))
}

fn write(tensor: &Tensor, _: WrittenRange, to: &mut dyn Write) -> io::Result<()> {
    let (mut coords, mut positions) = ([Vec::new(), Vec::new()], Vec::new());
    for_each_written(tensor, |entry, position| {
        coords.iter_mut().zip(entry).for_each(|(column, at)| column.push(*at));
        positions.push(position);
    });
    let wide = tensor.format.format.index_width == IndexWidth::I64;
    let [rows, columns] = &coords;
    let mut archive = Archive { zip: ZipWriter::new(Cursor::new(Vec::new())), wide };
    match outer_mode(&tensor.format.format) {
        Some(mode) => {
            let (outer, inner) = if mode == 0 { (rows, columns) } else { (columns, rows) };
            archive.member("indices", &archive.integers(inner))?;
            archive.member("indptr", &archive.integers(&bounds(outer, tensor.dims[mode])))?;
            archive.member("format", &npy::text(if mode == 0 { "csr" } else { "csc" }))?;
        }
        None => {
            archive.member("row", &archive.integers(rows))?;
            archive.member("col", &archive.integers(columns))?;
            archive.member("format", &npy::text("coo"))?;
        }
    }
    archive.member("shape", &npy::integers(&tensor.dims))?;
    archive.member("data", &npy::values(tensor, &positions))?;
    let bytes = archive.zip.finish().map_err(io::Error::other)?.into_inner();
    to.write_all(&bytes)
}

/// The mode of the outer level where that has all coordinates, and the inner one lists those of each in
/// order.
fn outer_mode(format: &Format) -> Option<usize> {
    let [outer, inner] = &format.levels[..] else { return None };
    let is_listed = inner.kind.lists_coordinates() && inner.kind.has_sorted_fibers();
    match (outer.expr, inner.expr) {
        (LevelExpr::Mode(mode), LevelExpr::Mode(_)) if outer.kind.is_full() && is_listed => Some(mode),
        _ => None,
    }
}

/// Where the entries of each row begin, and where the last ones end.
fn bounds(rows: &[i64], count: i64) -> Vec<i64> {
    (0..=count).map(|row| rows.partition_point(|other| *other < row) as i64).collect()
}

struct Archive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    wide: bool,
}

impl Archive {
    /// An array of indices, in 32 bits unless the tensor has 64.
    fn integers(&self, numbers: &[i64]) -> Vec<u8> {
        if self.wide { npy::integers(numbers) } else { npy::narrow_integers(numbers) }
    }

    fn member(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.zip.start_file(format!("{name}.npy"), SimpleFileOptions::default()).map_err(io::Error::other)?;
        self.zip.write_all(bytes)
    }
}
