//! Solving extents before a program runs.

use super::handle::{SizeAndPlace, SizeHandle, TensorHandle, Text};
use crate::distributed;
use crate::exit::fail;
use crate::size::{ExtentSource, SolvedSize};

exported! {
    fn comet_rt_size_begin(name: Text, known: i64, at: Text) -> SizeHandle {
        let place = at.get().to_owned();
        let size = SolvedSize::new(name.get(), known, &format!("the text at {place}"));
        Ok(SizeHandle::new(SizeAndPlace { size, place }))
    }

    fn comet_rt_size_from_read(size: SizeHandle, source: Text, tensor: Text, rank: i64, mode: i64, at: Text) {
        size.get_mut()?.size.add_read(source.get(), tensor.get(), (rank as usize, mode as usize), at.get())
    }

    fn comet_rt_size_from_tensor(size: SizeHandle, tensor: TensorHandle, mode: i64, at: Text) {
        let tensor = tensor.placed()?;
        if mode as usize >= tensor.dims.len() {
            return Err(super::tensors::no_such("mode", mode));
        }
        let extent = distributed::extent(tensor, mode as usize);
        let origin = format!("mode {mode} of `{}` at {}", tensor.name, at.get());
        size.get_mut()?.size.add_extent(extent, ExtentSource::Words(origin))
    }

    fn comet_rt_size_end(size: SizeHandle) -> i64 {
        let SizeAndPlace { size: solved, place } = size.get_mut()?;
        let extent = solved.solved().unwrap_or_else(|error| fail(place, &error));
        size.free();
        Ok(extent)
    }
}
