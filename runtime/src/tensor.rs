//! A stored tensor: its extents, one pair of pos and crd a level, and its values.

use crate::assemble::Assembly;
use crate::error::Error;
use crate::memory::{Array, Plain};
use crate::presence::Presence;
use crate::values::Values;
use comet_format::{Format, IndexWidth, LevelKind, TypedFormat};
use std::fmt;

/// An extent that nothing has set yet.
pub(crate) const UNKNOWN: i64 = -1;

/// A tensor in some format. The arrays follow the storage rules of the runtime's README.
#[derive(Debug)]
pub struct Tensor {
    /// The name in the program, for messages.
    pub name: String,
    /// The format and the type of values.
    pub format: TypedFormat,
    /// The extents in mode order; −1 where none is set.
    pub dims: Vec<i64>,
    /// Where the program states each extent, for messages; empty where none is set.
    pub(crate) dims_stated: Vec<String>,
    /// One a level.
    pub levels: Vec<LevelStorage>,
    /// One a position of the last level; one alone at rank 0.
    pub values: Values,
    /// Which positions of the last level are entries.
    pub(crate) present: Presence,
    /// What exists only while generated code computes the tensor.
    pub(crate) assembly: Assembly,
}

/// What a tensor stores.
pub(crate) struct Storage {
    pub(crate) levels: Vec<LevelStorage>,
    pub(crate) values: Values,
    pub(crate) present: Presence,
}

/// The arrays of one level.
#[derive(Debug)]
pub struct LevelStorage {
    /// D: the size; CU, CN, BV: where each parent's children begin; S: none.
    pub pos: IndexArray,
    /// The coordinates; BV: the words, always 64 bits wide.
    pub crd: IndexArray,
}

/// An array of positions or coordinates.
#[derive(Debug)]
pub enum IndexArray {
    /// `index=i32`.
    I32(Array<i32>),
    /// `index=i64`, and the words of bit vectors.
    I64(Array<i64>),
}

/// An integer that positions and coordinates are stored in.
pub(crate) trait Index: Plain + Ord {
    /// The largest number it holds.
    const LARGEST: u64;
    /// Stores a number that was checked to fit.
    fn truncate(number: u64) -> Self;
    /// The number, which is not negative.
    fn number(self) -> u64;
    fn store(array: Array<Self>) -> IndexArray;
    /// The elements of an array of this width.
    fn elements(array: &IndexArray) -> Option<&Array<Self>>;
    /// Takes an array of this width away; none is left.
    fn take(array: &mut IndexArray) -> Option<Array<Self>>;
}

macro_rules! index {
    ($ty:ty, $variant:ident) => {
        impl Index for $ty {
            const LARGEST: u64 = <$ty>::MAX as u64;
            fn truncate(number: u64) -> Self {
                number as $ty
            }
            fn number(self) -> u64 {
                self as u64
            }
            fn store(array: Array<Self>) -> IndexArray {
                IndexArray::$variant(array)
            }
            fn elements(array: &IndexArray) -> Option<&Array<Self>> {
                if let IndexArray::$variant(array) = array { Some(array) } else { None }
            }
            fn take(array: &mut IndexArray) -> Option<Array<Self>> {
                if let IndexArray::$variant(array) = array {
                    Some(std::mem::replace(array, Array::empty()))
                } else {
                    None
                }
            }
        }
    };
}

index!(i32, I32);
index!(i64, I64);

impl IndexArray {
    /// No elements.
    pub fn empty(width: IndexWidth) -> Self {
        match width {
            IndexWidth::I32 => Self::I32(Array::empty()),
            IndexWidth::I64 => Self::I64(Array::empty()),
        }
    }

    /// These numbers, if the width holds them.
    pub(crate) fn of_numbers(
        numbers: &[usize],
        width: IndexWidth,
        what: &dyn fmt::Display,
        tensor: &str,
    ) -> Result<Self, Error> {
        match width {
            IndexWidth::I32 => of_numbers::<i32>(numbers, what, tensor),
            IndexWidth::I64 => of_numbers::<i64>(numbers, what, tensor),
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(array) => array.len(),
            Self::I64(array) => array.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element, widened.
    pub fn get(&self, index: usize) -> i64 {
        match self {
            Self::I32(array) => i64::from(array[index]),
            Self::I64(array) => array[index],
        }
    }

    /// The elements, widened.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Changes the length; the first elements stay, new ones are zero.
    pub fn resize(&mut self, len: usize, what: &dyn fmt::Display) -> Result<(), Error> {
        match self {
            Self::I32(array) => array.resize(len, what),
            Self::I64(array) => array.resize(len, what),
        }
    }

    /// A copy.
    pub(crate) fn copied(&self, what: &dyn fmt::Display) -> Result<Self, Error> {
        Ok(match self {
            Self::I32(array) => Self::I32(Array::copied(array, what)?),
            Self::I64(array) => Self::I64(Array::copied(array, what)?),
        })
    }

    /// Lengthens the array; the first elements stay, new ones are of any value.
    pub(crate) fn extend(&mut self, len: usize, what: &dyn fmt::Display) -> Result<(), Error> {
        match self {
            Self::I32(array) => array.extend(len, what),
            Self::I64(array) => array.extend(len, what),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::I32(array) => size_of_val(&array[..]),
            Self::I64(array) => size_of_val(&array[..]),
        }
    }
}

impl LevelStorage {
    /// A level without arrays.
    pub(crate) fn empty(kind: LevelKind, width: IndexWidth) -> Self {
        let crd = if matches!(kind, LevelKind::BitVector(_)) { IndexWidth::I64 } else { width };
        Self { pos: IndexArray::empty(width), crd: IndexArray::empty(crd) }
    }
}

impl Tensor {
    /// A tensor without extents and storage.
    pub fn new(name: &str, format: TypedFormat) -> Self {
        let levels = empty_levels(&format.format);
        let values = Values::empty(format.value);
        let dims = vec![UNKNOWN; format.format.rank];
        let dims_stated = vec![String::new(); dims.len()];
        Self {
            name: name.to_owned(),
            dims,
            dims_stated,
            levels,
            values,
            present: Presence::Every,
            format,
            assembly: Assembly::default(),
        }
    }

    /// The number of coordinates of a level: of a slot level, the slots of the data it holds.
    pub fn level_size(&self, level: usize) -> i64 {
        let expr = self.format.format.levels[level].expr;
        expr.size(&self.dims).unwrap_or_else(|| {
            let pos = &self.levels[level].pos;
            if pos.is_empty() { 0 } else { pos.get(0) }
        })
    }

    /// The number of bytes of all arrays.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|level| level.pos.bytes() + level.crd.bytes()).sum();
        levels + self.values.bytes() + self.present.bytes()
    }

    /// The number of bytes of a coordinate.
    pub(crate) fn index_bytes(&self) -> usize {
        match self.format.format.index_width {
            IndexWidth::I32 => size_of::<i32>(),
            IndexWidth::I64 => size_of::<i64>(),
        }
    }

    /// Refuses extents that are missing or negative.
    pub(crate) fn check_dims(&self) -> Result<(), Error> {
        match self.dims.iter().position(|&extent| extent < 0) {
            Some(mode) => Err(Error::Shape(format!(
                "mode {mode} of `{}` has the extent {}, expected 0 or more",
                self.name, self.dims[mode]
            ))),
            None => Ok(()),
        }
    }

    /// Gives the storage away and keeps none.
    pub(crate) fn take_storage(&mut self) -> Storage {
        let levels = std::mem::replace(&mut self.levels, empty_levels(&self.format.format));
        let values = std::mem::replace(&mut self.values, Values::empty(self.format.value));
        Storage { levels, values, present: std::mem::take(&mut self.present) }
    }

    /// Replaces the storage.
    pub(crate) fn set_storage(&mut self, storage: Storage) {
        let Storage { levels, values, present } = storage;
        (self.levels, self.values, self.present) = (levels, values, present);
    }
}

fn of_numbers<T: Index>(
    numbers: &[usize],
    what: &dyn fmt::Display,
    tensor: &str,
) -> Result<IndexArray, Error> {
    let mut array = Array::<T>::zeroed(numbers.len(), what)?;
    for (slot, &number) in array.iter_mut().zip(numbers) {
        let found = number as u64;
        if found > T::LARGEST {
            return Err(Error::IndexTooNarrow { tensor: tensor.to_owned(), found });
        }
        *slot = T::truncate(found);
    }
    Ok(T::store(array))
}

fn empty_levels(format: &Format) -> Vec<LevelStorage> {
    format.levels.iter().map(|level| LevelStorage::empty(level.kind, format.index_width)).collect()
}

/// Names an array of a tensor in a message.
pub(crate) struct ArrayName<'a> {
    pub(crate) tensor: &'a str,
    pub(crate) part: &'static str,
}

impl fmt::Display for ArrayName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.tensor, self.part)
    }
}
