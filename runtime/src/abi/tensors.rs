//! Making, sizing and freeing tensors.

use super::call;
use super::handle::{Elements, TensorHandle, Text};
use super::parsed::ParsedTexts;
use crate::convert::{ConvertSource, Moves, convert_counting};
use crate::distributed;
use crate::error::Error;
use crate::instrument::count_conversion;
use crate::magnitude::magnitude;
use crate::tensor::Tensor;
use comet_format::TypedFormat;

thread_local! {
    static FORMATS: ParsedTexts<TypedFormat> = ParsedTexts::default();
}

exported! {
    fn comet_rt_tensor_new(format: Text, name: Text, at: Text) -> TensorHandle {
        let format = FORMATS.with(|known| known.of(format))?;
        let name = name.get();
        let spare = call::current(|call| {
            call.spare_result.take_if(|spare| spare.name == name && spare.format == *format)
        });
        let new = || Box::new(Tensor::new(name, (*format).clone()));
        Ok(TensorHandle::of(spare.flatten().unwrap_or_else(new)))
    }

    fn comet_rt_tensor_set_dim(tensor: TensorHandle, mode: i64, extent: i64, stated: Text) {
        let tensor = tensor.get_mut()?;
        let slot = tensor.dims.get_mut(mode as usize);
        *slot.ok_or_else(|| no_such("mode", mode))? = extent;
        tensor.state_dim(mode as usize, stated.get());
        Ok(())
    }

    fn comet_rt_tensor_alloc(tensor: TensorHandle, at: Text) {
        distributed::declare(tensor.get_mut()?)
    }

    fn comet_rt_tensor_free(tensor: TensorHandle) {
        tensor.free();
        Ok(())
    }

    fn comet_rt_tensor_move(from: TensorHandle, to: TensorHandle) {
        if from.is_same(to) {
            return Ok(());
        }
        let (from, to) = (from.placed_mut()?, to.placed_mut()?);
        let is_alike = match distributed::is_in_part() {
            true => from.dims == to.dims,
            false => from.whole_dims() == to.whole_dims(),
        };
        if from.format != to.format || !is_alike {
            let message = format!(
                "`{}` ({}) cannot take the storage of `{}` ({})",
                to.name, to.format, from.name, from.format
            );
            return Err(Error::Internal(message));
        }
        if !distributed::is_in_part() {
            to.dims.clone_from(&from.dims);
            to.placement = std::mem::take(&mut from.placement);
        }
        to.set_storage(from.take_storage());
        Ok(())
    }

    fn comet_rt_tensor_dim(tensor: TensorHandle, mode: i64) -> i64 {
        let tensor = tensor.placed()?;
        match (mode as usize) < tensor.dims.len() {
            true => Ok(distributed::extent(tensor, mode as usize)),
            false => Err(no_such("mode", mode)),
        }
    }

    fn comet_rt_magnitude(tensor: TensorHandle) -> f64 {
        let tensor = tensor.part()?;
        distributed::largest(tensor, magnitude(&tensor.values))
    }

    fn comet_rt_level_size(tensor: TensorHandle, level: i64) -> i64 {
        let tensor = tensor.get()?;
        if level as usize >= tensor.levels.len() {
            return Err(no_such("level", level));
        }
        Ok(tensor.level_size(level as usize))
    }

    fn comet_rt_convert(
        tensor: TensorHandle,
        format: Text,
        name: Text,
        permutation: Elements<i64>,
        rank: i64,
        last: i64,
        at: Text,
    ) -> TensorHandle {
        Ok(TensorHandle::new(converted((tensor, last != 0), format, name, permutation.get(rank)?)?.0))
    }

    fn comet_rt_convert_counted(
        tensor: TensorHandle,
        format: Text,
        name: Text,
        permutation: Elements<i64>,
        rank: i64,
        last: i64,
        at: Text,
    ) -> TensorHandle {
        let (converted, moves) = converted((tensor, last != 0), format, name, permutation.get(rank)?)?;
        count_conversion(name.get(), at.get(), moves);
        Ok(TensorHandle::new(converted))
    }
}

/// Converts a tensor, which for the last time is read here or not.
fn converted(
    (tensor, is_last): (TensorHandle, bool),
    format: Text,
    name: Text,
    permutation: &[i64],
) -> Result<(Tensor, Moves), Error> {
    let format: TypedFormat = format.get().parse()?;
    let permutation: Vec<usize> = permutation.iter().map(|&mode| mode as usize).collect();
    let tensor = tensor.part_mut()?;
    distributed::give_coordinates_back(tensor)?;
    // Each process converts its own rows.
    let placement = tensor.placement.permuted(&permutation);
    let source = if is_last { ConvertSource::Last(tensor) } else { ConvertSource::Kept(tensor) };
    let (mut converted, moves) = convert_counting(source, &format, name.get(), &permutation)?;
    converted.placement = placement;
    Ok((converted, moves))
}

pub(super) fn no_such(what: &str, number: i64) -> Error {
    Error::Internal(format!("there is no {what} {number}"))
}
