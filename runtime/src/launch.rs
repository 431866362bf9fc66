//! Kernels of a program that run on a device, such as dataflow graphs on their simulator; the driver
//! provides the device.

use crate::error::Error;
use crate::memory::Array;
use crate::tensor::{IndexArray, LevelStorage, Tensor};
use crate::values::with_type;
use crate::values::{Value, Values};
use comet_format::{LevelArray, ValueType};
use std::cell::RefCell;
use std::fmt;

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A tensor.
    Tensor(&'a Tensor),
    /// A number, and an extent as an integer.
    Number(Number),
}

/// A scalar of one of the element types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// `double`.
    F64(f64),
    /// `float`.
    F32(f32),
    /// `int`.
    I64(i64),
}

/// What a kernel has computed: the arrays of a tensor whose levels are D, CU and BV.
#[derive(Clone, Debug)]
pub struct Computed {
    /// One a level.
    pub levels: Vec<ComputedLevel>,
    /// The bits of the values, in the low ones of 64.
    pub values: Vec<u64>,
}

/// The arrays of a level.
#[derive(Clone, Debug)]
pub enum ComputedLevel {
    /// D.
    Dense,
    /// CU.
    Compressed {
        /// Where each parent's children begin.
        pos: Vec<usize>,
        /// Their coordinates.
        crd: Vec<usize>,
    },
    /// BV.
    BitVector {
        /// The number of bits before each parent's.
        pos: Vec<usize>,
        /// The words of all parents, the lowest bit for the first coordinate.
        words: Vec<u64>,
    },
}

/// Runs kernels by their ordinals; the first argument is the tensor to compute, as it is before.
pub type Device = Box<dyn FnMut(usize, &[Argument<'_>]) -> Result<Computed, Error>>;

thread_local! {
    static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
}

/// Runs a body on this thread, with a device for its kernels.
pub fn on_device<R>(device: Device, body: impl FnOnce() -> R) -> R {
    DEVICE.set(Some(device));
    let result = body();
    DEVICE.set(None);
    result
}

/// Runs a kernel; returns the storage of the first argument.
pub(crate) fn launch(
    number: usize,
    result: &Tensor,
    arguments: &[Argument<'_>],
) -> Result<(Vec<LevelStorage>, Values), Error> {
    let computed = DEVICE.with_borrow_mut(|device| match device {
        Some(device) => device(number, arguments),
        None => Err(Error::Internal(format!("piece {number} of the program is launched without a device"))),
    })?;
    let levels = computed.levels.iter().enumerate().map(|(level, arrays)| store(result, level, arrays));
    let levels = levels.collect::<Result<_, _>>()?;
    Ok((levels, values(result, &computed.values)?))
}

fn store(tensor: &Tensor, level: usize, arrays: &ComputedLevel) -> Result<LevelStorage, Error> {
    let other =
        || Error::Internal(format!("level {level} of `{}` was computed in another format", tensor.name));
    let kind = tensor.format.format.levels.get(level).ok_or_else(other)?.kind;
    let width = tensor.format.format.index_width;
    match arrays {
        ComputedLevel::Dense if kind.is_full() => {
            let size = tensor.level_size(level) as usize;
            Ok(LevelStorage { pos: index_array(tensor, &[size])?, crd: IndexArray::empty(width) })
        }
        ComputedLevel::Compressed { pos, crd } if kind.has_sets_in_crd() => {
            Ok(LevelStorage { pos: index_array(tensor, pos)?, crd: index_array(tensor, crd)? })
        }
        ComputedLevel::BitVector { pos, words } if kind.has(LevelArray::Words) => {
            let mut array = Array::<i64>::zeroed(words.len(), &format!("`{}` (words)", tensor.name))?;
            array.iter_mut().zip(words).for_each(|(slot, word)| *slot = word.cast_signed());
            Ok(LevelStorage { pos: index_array(tensor, pos)?, crd: IndexArray::I64(array) })
        }
        _ => Err(other()),
    }
}

fn index_array(tensor: &Tensor, numbers: &[usize]) -> Result<IndexArray, Error> {
    let what = format!("`{}` (computed)", tensor.name);
    IndexArray::of_numbers(numbers, tensor.format.format.index_width, &what, &tensor.name)
}

fn values(tensor: &Tensor, bits: &[u64]) -> Result<Values, Error> {
    let what = format!("`{}` (values)", tensor.name);
    with_type!(tensor.format.value, T => of_bits::<T>(bits, tensor.format.value, &what))
}

fn of_bits<T: Value>(bits: &[u64], of: ValueType, what: &dyn fmt::Display) -> Result<Values, Error> {
    let mut array = Array::<T>::zeroed(bits.len(), what)?;
    for (slot, bits) in array.iter_mut().zip(bits) {
        *slot = T::from_bits((*bits).into());
    }
    Values::stored(array, of)
}
