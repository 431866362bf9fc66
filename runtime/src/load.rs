//! `comet_read`: from a source to the storage of a tensor that the program declared.

use crate::convert::convert_last;
use crate::distributed;
use crate::error::Error;
use crate::options;
use crate::pack;
use crate::read::{self, ReadOptions, StatedExtents, Triangle};
use crate::source::resolve;
use crate::tensor::{Tensor, UNKNOWN};
use std::path::Path;

/// Reads a tensor from its source. Extents that are set must be those of the file; a FROSTT file may be
/// smaller.
pub(crate) fn read_tensor(tensor: &mut Tensor, source: &str, triangle: i64) -> Result<(), Error> {
    let path = resolve(source, &tensor.name)?;
    let unknown = || Error::Internal(format!("a read has no mode {triangle}"));
    let options = ReadOptions {
        rank: Some(tensor.dims.len()),
        value: tensor.format.value,
        triangle: Triangle::from_repr(triangle).ok_or_else(unknown)?,
        tns: options::current().tns,
    };
    distributed::check_same_file(&path)?;
    if let Some(entries) = distributed::read_rows(tensor, &path, &options)? {
        return pack::store(tensor, &entries);
    }
    if let Some(array) = read::read_array(&path, &options)? {
        take_extents(tensor, &StatedExtents { dims: &array.dims, at_least: false }, &path)?;
        return store_array(tensor, array);
    }
    let file = read::read_tensor(&path, &options)?;
    take_extents(tensor, &file.stated_extents(), &path)?;
    pack::store(tensor, &file.entries)
}

/// Converts a dense tensor, which is consumed, to the format of `tensor`, and stores the result there.
fn store_array(tensor: &mut Tensor, array: Tensor) -> Result<(), Error> {
    drop(tensor.take_storage());
    let natural: Vec<usize> = (0..array.dims.len()).collect();
    let mut stored = convert_last(array, &tensor.format, &tensor.name, &natural)?;
    tensor.set_storage(stored.take_storage());
    Ok(())
}

/// Sets the extents of a tensor to those of a file. Extents that are set already must be the same, or not
/// smaller where the file has the largest indices only.
pub(crate) fn take_extents(tensor: &mut Tensor, file: &StatedExtents<'_>, path: &Path) -> Result<(), Error> {
    let StatedExtents { dims, at_least } = *file;
    for (mode, &found) in dims.iter().enumerate().take(tensor.dims.len()) {
        if tensor.dims[mode] == UNKNOWN {
            tensor.dims[mode] = found;
        }
        let extent = tensor.dims[mode];
        let fits = if at_least { found <= extent } else { found == extent };
        if !fits {
            let stated = match tensor.dim_stated(mode) {
                "" => String::new(),
                place => format!(" by {place}"),
            };
            return Err(Error::Shape(format!(
                "mode {mode} of `{}` has the extent {extent}{stated}, but `{}` has {found}",
                tensor.name,
                path.display()
            )));
        }
    }
    Ok(())
}
