//! New numbers for the indices of tensors: found for one, applied to all that have these indices.

use super::handle::{Owned, TensorHandle, Text};
use super::tensors::no_such;
use crate::distributed::{self, Partition};
use crate::error::Error;
use crate::output::tell;
use crate::reorder::{Method, PartsWorth, Permutation, Prediction, measure_reordered, reorder_tensor};
use crate::tensor::Tensor;
use std::sync::Arc;
use std::time::Instant;

/// The new numbers of one mode; none where each index keeps its own.
type Numbers = Option<Arc<NewNumbers>>;

/// New numbers, and the ranges of them that processes have, if they were found for these.
pub(crate) struct NewNumbers {
    permutation: Permutation,
    partition: Option<Arc<Partition>>,
}

/// A tensor that is about to be copied to another one in which some modes have new numbers.
pub(crate) struct Copying {
    from: TensorHandle,
    numbers: Vec<Option<Permutation>>,
    /// The mode of the copy that is divided.
    divided: Option<(usize, Arc<Partition>)>,
}

exported! {
    fn comet_rt_reorder_begin(
        tensor: TensorHandle,
        method: Text,
        iterations: i64,
        told: i8,
        at: Text,
    ) -> Owned<Vec<Numbers>> {
        let method = method_of(method.get(), iterations)?;
        if matches!(method, Method::Graph | Method::Auto) {
            return in_parts(tensor.part()?, method, told, at.get()).map(Owned::new);
        }
        let tensor = tensor.get()?;
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
        let changed = |permutation: Permutation| {
            let numbers = NewNumbers { permutation, partition: None };
            (!numbers.permutation.is_identity()).then(|| Arc::new(numbers))
        };
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
        Ok(Owned::new(Copying { from, numbers: vec![None; from.placed()?.dims.len()], divided: None }))
    }

    fn comet_rt_permute_mode(copying: Owned<Copying>, mode: i64, numbers: Owned<Numbers>, undone: i8) {
        let copying = copying.get()?;
        let slot = copying.numbers.get_mut(mode as usize).ok_or_else(|| no_such("mode", mode))?;
        let Some(numbers) = numbers.get()?.as_deref() else { return Ok(()) };
        match undone {
            0 => {
                *slot = Some(numbers.permutation.clone());
                let divided = numbers.partition.clone().map(|partition| (mode as usize, partition));
                copying.divided = copying.divided.take().or(divided);
            }
            _ => *slot = Some(numbers.permutation.inverse()),
        }
        Ok(())
    }

    fn comet_rt_permute_end(copying: Owned<Copying>, to: TensorHandle, at: Text) {
        let Copying { from, numbers, divided } = copying.free()?;
        let to = to.overwritten()?;
        distributed::permute(from.part()?, to, &numbers, divided)
    }
}

/// Finds parts for processes.
fn in_parts(tensor: &Tensor, method: Method, told: i8, at: &str) -> Result<Vec<Numbers>, Error> {
    let start = Instant::now();
    let found = distributed::in_parts(tensor, method);
    let (name, modes) = (&tensor.name, tensor.dims.len());
    let kept = |reason: &str| {
        tell(format_args!("note: {at}: the indices of `{name}` keep their numbers: {reason}"));
        Ok(vec![None; modes])
    };
    match found {
        Ok(Some((permutation, partition, PartsWorth { moved: [before, after], most }))) => {
            if told != 0 {
                tell(format_args!(
                    "explain: {at}: parts for `{name}` took {:.3} s: {after} rows move in a product, before \
                     {before}; a process has at most {most:.2} of the mean of entries",
                    start.elapsed().as_secs_f64()
                ));
            }
            let numbers = NewNumbers { permutation, partition: Some(Arc::new(partition)) };
            Ok(vec![Some(Arc::new(numbers)); modes])
        }
        Ok(None) if told != 0 => {
            tell(format_args!(
                "explain: {at}: the rows of `{name}` stay in ranges: parts of METIS move as many"
            ));
            Ok(vec![None; modes])
        }
        Ok(None) => Ok(vec![None; modes]),
        Err(Error::Shape(reason)) => kept(&reason),
        Err(error) => Err(error),
    }
}

fn method_of(name: &str, iterations: i64) -> Result<Method, Error> {
    match name {
        "lexi" => Ok(Method::Lexi { iterations: u32::try_from(iterations).unwrap_or(u32::MAX) }),
        "rcm" => Ok(Method::Rcm),
        "degree" => Ok(Method::Degree),
        "graph" => Ok(Method::Graph),
        "auto" => Ok(Method::Auto),
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
