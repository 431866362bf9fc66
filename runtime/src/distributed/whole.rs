//! Tensors outside of statements: generated code that asks for one wants the whole.

use super::parts::{self, Along};
use super::placement::{Placement, TensorRows};
use super::{DivisionReport, divided_from, processes};
use crate::convert::fill_with;
use crate::error::Error;
use crate::tensor::Tensor;
use crate::values::{Value, ValueColumn, with_type};
use crate::{memory, options, pack, slices};
use std::cell::{Cell, RefCell};

thread_local! {
    /// Whether generated code that asks for a tensor wants the whole: the program does, between statements.
    static WANTS_WHOLE: Cell<bool> = const { Cell::new(false) };
    /// The place in the program that asks for tensors.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Has this thread compute its part of a statement.
pub(crate) fn begin_part() {
    WANTS_WHOLE.set(false);
}

/// Has this thread compute what is outside of statements.
pub(crate) fn end_part() {
    WANTS_WHOLE.set(processes().is_some());
}

/// Whether this thread computes its part of a statement, or there is one process.
pub(crate) fn is_in_part() -> bool {
    !WANTS_WHOLE.get()
}

/// Makes a tensor that is declared hold no entries. A long dense one has zeros that no process stores: a
/// statement takes what it computes on of them, and the program the whole where it asks for that.
pub(crate) fn declare(tensor: &mut Tensor) -> Result<(), Error> {
    if !is_stored_later(tensor) {
        return pack::store_nothing(tensor);
    }
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let zero = with_type!(tensor.format.value, T => T::column(vec![T::default()]));
    tensor.placement = Placement::constant(zero);
    Ok(())
}

/// Sets every position of a tensor to the only value of a column.
pub(crate) fn fill(tensor: &mut Tensor, value: ValueColumn) -> Result<(), Error> {
    if !tensor.is_constant() {
        return fill_with(tensor, &value);
    }
    tensor.placement = Placement::constant(value);
    Ok(())
}

/// Where not even the part of one process fits the memory, the error is at the declaration.
fn is_stored_later(tensor: &Tensor) -> bool {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return false };
    let is_long = tensor.dims.iter().any(|extent| *extent >= divided_from() as i64);
    let elements: f64 = tensor.dims.iter().map(|extent| *extent as f64).product();
    let bytes = elements * tensor.format.value.bytes() as f64 / processes.count as f64;
    !is_in_part() && slices::is_dense(tensor) && is_long && memory::is_available(bytes as usize)
}

/// Has a tensor be whole where this thread wants it so.
pub(crate) fn provide(tensor: &mut Tensor) -> Result<(), Error> {
    let Some(processes) = processes().filter(|_| WANTS_WHOLE.get()) else {
        // A statement has stored its parts.
        return match tensor.is_constant() {
            true => Err(Error::Internal(format!("nothing is stored of `{}`", tensor.name))),
            false => Ok(()),
        };
    };
    if !options::explains() {
        return parts::gather(tensor, processes);
    }
    let mut report = PLACE.with_borrow(|place| DivisionReport::new(place, processes));
    parts::gather(tensor, processes)?;
    report.placed(&tensor.name, "gathered", processes);
    report.finish_moves(processes)
}

/// Names the place in the program from which tensors are asked for next, for what `--explain` reports.
pub(crate) fn set_place<'a>(place: impl FnOnce() -> &'a str) {
    if WANTS_WHOLE.get() && options::explains() {
        let place = place();
        if !place.is_empty() {
            PLACE.set(place.to_owned());
        }
    }
}

/// Has a tensor be whole on every process, or each have the rows of a partition.
pub(crate) fn place(tensor: &mut Tensor, rows: Option<&TensorRows>) -> Result<(), Error> {
    let Some(processes) = processes() else { return Ok(()) };
    let mut wanted = vec![Along::All; tensor.dims.len()];
    if let Some(TensorRows { mode, partition }) = rows {
        wanted[*mode] = Along::Divided(partition.clone());
    }
    if !parts::is_wanted(tensor, &wanted) {
        *tensor = parts::taken(tensor, &wanted, processes)?;
    }
    Ok(())
}

/// Calls a body with the whole of a tensor.
pub(crate) fn with_whole(
    tensor: &Tensor,
    body: impl FnOnce(&Tensor) -> Result<(), Error>,
) -> Result<(), Error> {
    match processes() {
        Some(processes) if tensor.is_divided() => {
            body(&parts::taken(tensor, &vec![Along::All; tensor.dims.len()], processes)?)
        }
        _ => body(tensor),
    }
}

/// Has the coordinates of a tensor be no local numbers, outside of statements.
pub(crate) fn give_coordinates_back(tensor: &mut Tensor) -> Result<(), Error> {
    if is_in_part() {
        return Ok(());
    }
    (0..tensor.dims.len()).try_for_each(|mode| parts::renumber(tensor, mode, None))
}

/// Returns the largest of numbers that processes have of their parts of a tensor.
pub(crate) fn largest(tensor: &Tensor, own: f64) -> Result<f64, Error> {
    match processes() {
        Some(processes) if tensor.is_divided() && !is_in_part() => {
            let all = processes.of_all(&own.to_ne_bytes())?;
            let numbers = all.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes));
            Ok(numbers.fold(own, f64::max))
        }
        _ => Ok(own),
    }
}

/// Returns an extent of the whole tensor to a program, and of this process's part to a statement.
pub(crate) fn extent(tensor: &Tensor, mode: usize) -> i64 {
    if WANTS_WHOLE.get() { tensor.whole_extent(mode) } else { tensor.dims[mode] }
}
