//! New numbers for the indices of tensors: found for one, applied to all that have these indices.

use super::handle::{Owned, TensorHandle, Text};
use super::tensors::no_such;
use crate::error::Error;
use crate::output::tell;
use crate::reorder::{Method, Permutation, Prediction, measure_reordered, permute, reorder_tensor};
use crate::tensor::Tensor;
use std::sync::Arc;
use std::time::Instant;

/// The new numbers of one mode; none where each index keeps its own.
type Numbers = Option<Arc<Permutation>>;

/// A tensor that is about to be copied to another one in which some modes have new numbers.
pub(crate) struct Copying {
    from: TensorHandle,
    numbers: Vec<Option<Permutation>>,
}

exported! {
    fn comet_rt_reorder_begin(
        tensor: TensorHandle,
        method: Text,
        iterations: i64,
        told: i8,
        at: Text,
    ) -> Owned<Vec<Numbers>> {
        let (tensor, method) = (tensor.get()?, method_of(method.get(), iterations)?);
        let start = Instant::now();
        let permutations = match reorder_tensor(tensor, method) {
            Ok(permutations) => permutations,
            Err(Error::Shape(reason)) => {
                let (at, name) = (at.get(), &tensor.name);
                tell(format_args!("note: {at}: the indices of `{name}` keep their numbers: {reason}"));
                return Ok(Owned::new(vec![None; tensor.dims.len()]));
            }
            Err(error) => return Err(error),
        };
        if told != 0 {
            tell_worth(tensor, method, &permutations, start.elapsed().as_secs_f64(), at.get())?;
        }
        let changed = |permutation: Permutation| (!permutation.is_identity()).then(|| Arc::new(permutation));
        Ok(Owned::new(permutations.into_iter().map(changed).collect()))
    }

    fn comet_rt_reorder_mode(found: Owned<Vec<Numbers>>, mode: i64) -> Owned<Numbers> {
        let numbers = found.get()?.get(mode as usize).cloned();
        Ok(Owned::new(numbers.ok_or_else(|| no_such("mode", mode))?))
    }

    fn comet_rt_reorder_end(found: Owned<Vec<Numbers>>) {
        found.free().map(drop)
    }

    fn comet_rt_permutation_free(numbers: Owned<Numbers>) {
        numbers.free().map(drop)
    }

    fn comet_rt_permute_begin(from: TensorHandle) -> Owned<Copying> {
        Ok(Owned::new(Copying { from, numbers: vec![None; from.get()?.dims.len()] }))
    }

    fn comet_rt_permute_mode(copying: Owned<Copying>, mode: i64, numbers: Owned<Numbers>, undone: i8) {
        let slot = copying.get()?.numbers.get_mut(mode as usize);
        let numbers = numbers.get()?.as_deref();
        *slot.ok_or_else(|| no_such("mode", mode))? = match undone {
            0 => numbers.cloned(),
            _ => numbers.map(Permutation::inverse),
        };
        Ok(())
    }

    fn comet_rt_permute_end(copying: Owned<Copying>, to: TensorHandle, at: Text) {
        let Copying { from, numbers } = copying.free()?;
        permute(from.get()?, to.get_mut()?, &numbers)
    }
}

fn method_of(name: &str, iterations: i64) -> Result<Method, Error> {
    match name {
        "lexi" => Ok(Method::Lexi { iterations: u32::try_from(iterations).unwrap_or(u32::MAX) }),
        "rcm" => Ok(Method::Rcm),
        "degree" => Ok(Method::Degree),
        _ => Err(Error::Internal(format!("`{name}` is no method that finds new numbers"))),
    }
}

fn tell_worth(
    tensor: &Tensor,
    method: Method,
    permutations: &[Permutation],
    seconds: f64,
    at: &str,
) -> Result<(), Error> {
    let [before, after] = measure_reordered(tensor, permutations)?;
    let prediction = Prediction::of(&before, &after);
    tell(format_args!(
        "explain: {at}: new numbers for `{}` by {method} took {seconds:.3} s: an entry costs {:.2}, before {:.2}: \
         {prediction}",
        tensor.name, after.cost, before.cost
    ));
    Ok(())
}
