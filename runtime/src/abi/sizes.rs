//! Solving extents before a program runs.

use super::guarded;
use super::handle::{SizeAndPlace, SizeHandle, TensorHandle, Text};
use crate::exit::fail;
use crate::size::Size;

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_size_begin(name: Text, known: i64, at: Text) -> SizeHandle {
    guarded(at, || {
        let place = at.get().to_owned();
        Ok(SizeHandle::new(SizeAndPlace { size: Size::new(name.get(), known, &place), place }))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_size_from_read(
    size: SizeHandle,
    source: Text,
    tensor: Text,
    rank: i64,
    mode: i64,
    at: Text,
) {
    guarded(at, || {
        size.get_mut()?.size.add_read(source.get(), tensor.get(), (rank as usize, mode as usize), at.get())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_size_from_tensor(
    size: SizeHandle,
    tensor: TensorHandle,
    mode: i64,
    at: Text,
) {
    guarded(at, || {
        let tensor = tensor.get()?;
        let extent = tensor.dims.get(mode as usize).copied();
        let extent = extent.ok_or_else(|| super::tensors::no_such("mode", mode))?;
        size.get_mut()?.size.add_extent(extent, &tensor.name, mode as usize, at.get())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_size_end(size: SizeHandle) -> i64 {
    super::unplaced(|| {
        let SizeAndPlace { size: solved, place } = size.get_mut()?;
        let extent = solved.solved().unwrap_or_else(|error| fail(place, &error));
        size.free();
        Ok(extent)
    })
}
