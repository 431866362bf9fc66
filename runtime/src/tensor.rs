//! A stored tensor: its extents, one pair of pos and crd a level, and its values.

use crate::assemble::Assembly;
use crate::distributed::Placement;
use crate::error::Error;
use crate::memory::{Array, Plain};
use crate::presence::Presence;
use crate::values::Values;
use comet_format::{Format, IndexWidth, LevelArray, LevelKind, TypedFormat};
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
    /// Where the program states each extent, for messages; empty where no place is known.
    pub(crate) dims_stated: Vec<String>,
    /// One a level.
    pub levels: Vec<LevelStorage>,
    /// One a position of the last level; one alone at rank 0.
    pub values: Values,
    /// Which positions of the last level are entries.
    pub(crate) present: Presence,
    /// What exists only while generated code computes the tensor.
    pub(crate) assembly: Assembly,
    /// What of the whole tensor this process has, and what its coordinates mean; everything else describes
    /// this part as a tensor of its own.
    pub(crate) placement: Placement,
}

/// What a tensor stores.
pub(crate) struct TensorStorage {
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
    /// The number, or −1 where there is none.
    fn signed(self) -> i64;
    fn store(array: Array<Self>) -> IndexArray;
    /// The elements of an array of this width.
    fn elements(array: &IndexArray) -> Option<&Array<Self>>;
    /// Takes an array of this width away; none is left.
    fn take(array: &mut IndexArray) -> Option<Array<Self>>;
}

/// Evaluates an expression with `$ty` as the Rust type of an index width.
macro_rules! with_width {
    ($width:expr, $ty:ident => $body:expr) => {
        match $width {
            comet_format::IndexWidth::I32 => {
                type $ty = i32;
                $body
            }
            comet_format::IndexWidth::I64 => {
                type $ty = i64;
                $body
            }
        }
    };
}

/// Evaluates an expression with an array of positions or coordinates, whatever its width.
macro_rules! with_indices {
    ($indices:expr, $array:ident => $body:expr) => {
        match $indices {
            $crate::tensor::IndexArray::I32($array) => $body,
            $crate::tensor::IndexArray::I64($array) => $body,
        }
    };
}

pub(crate) use {with_indices, with_width};

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
            fn signed(self) -> i64 {
                i64::from(self)
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
        with_width!(width, N => N::store(Array::empty()))
    }

    /// These numbers, if the width holds them.
    pub(crate) fn of_numbers(
        numbers: &[usize],
        width: IndexWidth,
        what: &dyn fmt::Display,
        tensor: &str,
    ) -> Result<Self, Error> {
        with_width!(width, N => of_numbers::<N>(numbers, what, tensor))
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        with_indices!(self, array => array.len())
    }

    /// The width of the elements.
    pub(crate) fn width(&self) -> IndexWidth {
        match self {
            Self::I32(_) => IndexWidth::I32,
            Self::I64(_) => IndexWidth::I64,
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
        with_indices!(self, array => array.resize(len, what))
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
        with_indices!(self, array => array.extend(len, what))
    }

    fn bytes(&self) -> usize {
        with_indices!(self, array => size_of_val(&array[..]))
    }
}

impl LevelStorage {
    /// A level without arrays.
    pub(crate) fn empty(kind: LevelKind, width: IndexWidth) -> Self {
        let crd = if kind.has(LevelArray::Words) { IndexWidth::I64 } else { width };
        Self { pos: IndexArray::empty(width), crd: IndexArray::empty(crd) }
    }
}

impl Tensor {
    /// A tensor without extents and storage.
    pub fn new(name: &str, format: TypedFormat) -> Self {
        let levels = empty_levels(&format.format);
        let values = Values::empty(format.value);
        let dims = vec![UNKNOWN; format.format.rank];
        Self {
            name: name.to_owned(),
            dims,
            dims_stated: Vec::new(),
            levels,
            values,
            present: Presence::Every,
            format,
            assembly: Assembly::default(),
            placement: Placement::default(),
        }
    }

    /// Notes where the program states the extent of a mode.
    pub(crate) fn state_dim(&mut self, mode: usize, place: &str) {
        self.dims_stated.resize(self.dims.len(), String::new());
        place.clone_into(&mut self.dims_stated[mode]);
    }

    /// Returns the place in the program that states the extent of a mode; empty if none is known.
    pub(crate) fn dim_stated(&self, mode: usize) -> &str {
        self.dims_stated.get(mode).map_or("", String::as_str)
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

    /// Whether this process does not store the whole.
    pub(crate) fn is_divided(&self) -> bool {
        !self.placement.is_everywhere()
    }

    /// The number of bytes of a coordinate.
    pub(crate) fn index_bytes(&self) -> usize {
        self.format.format.index_width.bytes()
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

    /// Makes the tensor what [`Self::new`] returns, with the memory that it has for its description.
    pub(crate) fn clear(&mut self) {
        let format = &self.format.format;
        self.dims.fill(UNKNOWN);
        self.dims_stated.clear();
        self.levels.clear();
        self.levels
            .extend(format.levels.iter().map(|level| LevelStorage::empty(level.kind, format.index_width)));
        self.values = Values::empty(self.format.value);
        self.present = Presence::Every;
        self.assembly = Assembly::default();
        self.placement = Placement::default();
    }

    /// Exchanges the storage of two tensors of one format.
    pub(crate) fn swap_storage(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.levels, &mut other.levels);
        std::mem::swap(&mut self.values, &mut other.values);
        std::mem::swap(&mut self.present, &mut other.present);
    }

    /// Takes the storage out of the tensor.
    pub(crate) fn take_storage(&mut self) -> TensorStorage {
        let levels = std::mem::replace(&mut self.levels, empty_levels(&self.format.format));
        let values = std::mem::replace(&mut self.values, Values::empty(self.format.value));
        TensorStorage { levels, values, present: std::mem::take(&mut self.present) }
    }

    /// Replaces the storage.
    pub(crate) fn set_storage(&mut self, storage: TensorStorage) {
        let TensorStorage { levels, values, present } = storage;
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
