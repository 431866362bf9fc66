//! The structures of `include/comet.h`, and what is between them and tensors.

use super::rows::BorderRows;
use crate::error::Error;
use crate::kernel::ABI_VERSION;
use crate::levels::words;
use crate::memory::{self, Allocator, Array, Handed, checked_product};
use crate::presence::Presence;
use crate::tensor::with_indices;
use crate::tensor::with_width;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor, TensorStorage};
use crate::values::with_cell;
use crate::values::with_values;
use crate::values::{Cell, Values};
use comet_abi::kernel::MOST_MODES;
use comet_format::{
    Children, Format, IndexWidth, Level, LevelArray, LevelExpr, LevelKind, TypedFormat, ValueType,
};
use std::ffi::c_void;
use std::fmt::{self, Display};
use std::mem::size_of;

/// `comet_level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BorderLevel {
    kind: u32,
    bits: u32,
    part: u32,
    mode: u32,
    factor: i64,
    /// The number of coordinates: read for slots only, written in results.
    pub size: i64,
    /// Null where the level format has none.
    pub pos: *mut c_void,
    /// The number of elements.
    pub pos_count: i64,
    /// Coordinates, or what the level format has in their place.
    pub crd: *mut c_void,
    /// The number of elements.
    pub crd_count: i64,
}

/// `comet_tensor`: a tensor at the border of a kernel, by the addresses of its arrays.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BorderTensor {
    version: u32,
    bytes: u32,
    element: u32,
    index_bits: u32,
    rank: u32,
    level_count: u32,
    /// The extents; only as many count as the tensor has modes.
    pub dims: [i64; MOST_MODES],
    /// Outermost first; only as many count as the format has.
    pub levels: [BorderLevel; MOST_MODES],
    /// Null where a kernel is to allocate them.
    pub values: *mut c_void,
    /// The number of elements.
    pub value_count: i64,
}

/// What messages call an array of a level.
#[derive(Clone, Copy)]
struct ArrayPlace<'a> {
    part: &'static str,
    index: usize,
    name: &'a str,
}

impl Display for ArrayPlace<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, index, name } = self;
        write!(out, "the {part} array of level {index} of `{name}`")
    }
}

/// The addresses of an array.
pub(super) type Bytes = std::ops::Range<usize>;

impl BorderTensor {
    /// A tensor of that format without extents and arrays.
    ///
    /// # Panics
    /// A format of more than 16 modes or levels, which [`comet_abi::kernel`] does not pass.
    pub fn of_format(format: &TypedFormat) -> Self {
        let TypedFormat { value, format: Format { rank, levels: written, index_width } } = format;
        let null = std::ptr::null_mut();
        let mut levels = [BorderLevel::NONE; MOST_MODES];
        levels[..written.len()].iter_mut().zip(written).for_each(|(to, level)| *to = BorderLevel::of(*level));
        Self {
            version: ABI_VERSION,
            bytes: size_of::<Self>() as u32,
            element: value.row().code.0,
            index_bits: if *index_width == IndexWidth::I64 { 64 } else { 32 },
            rank: *rank as u32,
            level_count: written.len() as u32,
            dims: [0; MOST_MODES],
            levels,
            values: null,
            value_count: 0,
        }
    }

    /// The tensor with its arrays in an allocator's memory.
    ///
    /// # Errors
    /// Memory that is not granted.
    pub fn hand_over(mut tensor: Tensor, allocator: Allocator) -> Result<Self, Error> {
        let mut border = Self::of_format(&tensor.format);
        Parcel::new(&mut tensor, allocator)?.deliver(&mut border);
        Ok(border)
    }

    /// The arrays as a tensor that does not own them.
    ///
    /// # Errors
    /// Extents and numbers of elements that contradict each other.
    ///
    /// # Safety
    /// The arrays live as long as the tensor is used, and are as long as stated.
    pub unsafe fn as_tensor(&self, name: &str, format: &TypedFormat) -> Result<Tensor, Error> {
        let mut tensor = self.borrow(name, format)?;
        // The tensor may live longer than the structure, whose extents its dense levels borrow.
        for (LevelStorage { pos, .. }, level) in tensor.levels.iter_mut().zip(&format.format.levels) {
            if level.kind.children() == Children::Every {
                *pos = pos.copied(&format_args!("the sizes of `{name}`"))?;
            }
        }
        Ok(tensor)
    }

    /// The number of modes.
    pub fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The extents that the caller states.
    pub(super) fn dims(&self) -> &[i64] {
        &self.dims[..(self.rank as usize).min(MOST_MODES)]
    }

    /// Whether the caller brings values.
    pub(super) fn has_values(&self) -> bool {
        !self.values.is_null()
    }

    /// Whether it is the beginning of a [`BorderRows`].
    pub(super) fn has_rows(&self) -> bool {
        (self.version, self.bytes as usize) == (ABI_VERSION, size_of::<BorderRows>())
    }

    /// The same as the beginning of a structure of so many bytes.
    pub(super) fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes: bytes as u32, ..self }
    }

    fn levels(&self) -> &[BorderLevel] {
        &self.levels[..(self.level_count as usize).min(MOST_MODES)]
    }

    /// Refuses a structure of another version, or in another format.
    pub(super) fn check_format(&self, name: &str, expected: &TypedFormat) -> Result<(), Error> {
        let is_known = self.bytes as usize == size_of::<Self>() || self.has_rows();
        if self.version != ABI_VERSION || !is_known {
            return Err(Error::Option(format!(
                "`{name}` has the version {} and {} bytes, expected {ABI_VERSION} and {}",
                self.version,
                self.bytes,
                size_of::<Self>()
            )));
        }
        if self.states(expected) {
            return Ok(());
        }
        let found = self.format(name, expected)?;
        if found == *expected {
            return Ok(());
        }
        // A format's text does not have the rank, which differs alone where a caller states a wrong one.
        let (rank, expected_rank) = (found.format.rank, expected.format.rank);
        if rank != expected_rank {
            let message = format!("the rank of `{name}` is {rank}, expected {expected_rank}");
            return Err(Error::Mismatch(message));
        }
        let (found, expected) = (found.in_words(), expected.in_words());
        Err(Error::Mismatch(format!("`{name}` is of {found}, expected {expected}")))
    }

    /// True if every field of the structure is the one that [`Self::of_format`] writes for the format; the
    /// index width of a dense tensor does not count. Allocates nothing.
    fn states(&self, expected: &TypedFormat) -> bool {
        let TypedFormat { value, format: Format { rank, levels, index_width } } = expected;
        let has_width = self.index_bits as usize == 8 * index_width.bytes() || expected.format.is_dense();
        self.element == value.row().code.0
            && self.rank as usize == *rank
            && self.level_count as usize == levels.len()
            && has_width
            && self.levels.iter().zip(levels).all(|(given, level)| given.states(*level))
    }

    /// The format that the structure states.
    fn format(&self, name: &str, expected: &TypedFormat) -> Result<TypedFormat, Error> {
        let unknown = |what: &str, number: u32, range: &str| {
            Error::Mismatch(format!("{what} of `{name}` is {number}, expected {range}"))
        };
        let Some(value) = ValueType::ALL.into_iter().find(|value| value.row().code.0 == self.element) else {
            let range = format!("1 to {} (`COMET_F64`, …)", ValueType::ALL.len());
            return Err(unknown("the element type", self.element, &range));
        };
        let index_width = match self.index_bits {
            32 => IndexWidth::I32,
            64 => IndexWidth::I64,
            // Nothing of that width is there.
            _ if expected.format.is_dense() => expected.format.index_width,
            other => return Err(unknown("the index width", other, "32 or 64")),
        };
        let index_width = if expected.format.is_dense() { expected.format.index_width } else { index_width };
        if self.rank as usize > MOST_MODES || self.level_count as usize > MOST_MODES {
            return Err(unknown(
                "the larger of rank and number of levels",
                self.rank.max(self.level_count),
                "16 at most",
            ));
        }
        let levels = self.levels().iter().enumerate().map(|(index, level)| {
            level.level().ok_or_else(|| {
                Error::Mismatch(format!(
                    "level {index} of `{name}` has the kind {} and the part {}, expected `COMET_DENSE`, … and \
                     `COMET_WHOLE`, …",
                    level.kind, level.part
                ))
            })
        });
        let format =
            Format { rank: self.rank as usize, levels: levels.collect::<Result<_, _>>()?, index_width };
        Ok(TypedFormat { value, format })
    }

    /// Returns a tensor that borrows the caller's arrays.
    pub(super) fn borrow(&self, name: &str, format: &TypedFormat) -> Result<Tensor, Error> {
        let mut tensor = Tensor::new(name, format.clone());
        self.lend(&mut tensor)?;
        Ok(tensor)
    }

    /// Gives a tensor of this format the caller's extents and arrays, which it does not own. The sizes of
    /// dense levels are those of the structure, which lives as long as the tensor.
    pub(super) fn lend(&self, tensor: &mut Tensor) -> Result<(), Error> {
        tensor.dims.clear();
        tensor.dims.extend_from_slice(self.dims());
        tensor.check_dims()?;
        with_width!(tensor.format.format.index_width, N => self.borrow_as::<N>(tensor)?);
        // Callers say nothing of presence.
        tensor.present = if tensor.format.format.pads() { Presence::NonZero } else { Presence::Every };
        Ok(())
    }

    fn borrow_as<I: Index>(&self, tensor: &mut Tensor) -> Result<(), Error> {
        let mut positions = 1;
        for index in 0..self.levels().len() {
            positions = self.borrow_level::<I>(tensor, index, positions)?;
        }
        let name = &tensor.name;
        let values = with_cell!(tensor.format.value, T => {
            self.values::<T>((positions, tensor.format.value), &format_args!("the values of `{name}`"))?
        });
        tensor.values = values;
        Ok(())
    }

    /// Takes the arrays of a level under that many parents; returns the number of its own positions.
    fn borrow_level<I: Index>(
        &self,
        tensor: &mut Tensor,
        index: usize,
        parents: usize,
    ) -> Result<usize, Error> {
        let (given, level) = (&self.levels()[index], tensor.format.format.levels[index]);
        let name = tensor.name.as_str();
        let place = |part| ArrayPlace { part, index, name };
        let size = level.expr.size(&tensor.dims).unwrap_or(given.size);
        let Ok(extent) = usize::try_from(size) else {
            return Err(Error::Shape(format!("level {index} of `{}` has the size {size}", tensor.name)));
        };
        let (pos, positions) = match level.kind.children() {
            Children::Every => {
                let pos = match level.expr {
                    LevelExpr::Mode(mode) => self.size_in_place(mode),
                    // The tensor may be kept for longer than the memory of this call.
                    _ => memory::apart(|| Array::copied(&[I::truncate(size as u64)], &place("pos")))?,
                };
                (I::store(pos), checked_product(&[parents, extent], &place("pos"))?)
            }
            Children::Segment => {
                let pos = elements::<I>(given.pos, given.pos_count, parents + 1, &place("pos"))?;
                let children = bounds(&pos, &place("pos"))?;
                (I::store(pos), children)
            }
            Children::One => (I::store(Array::empty()), parents),
        };
        let indices = |count| elements::<I>(given.crd, given.crd_count, count, &place("crd")).map(I::store);
        let crd = match (level.kind.coordinate_array(), level.kind.word_bits()) {
            (_, Some(bits)) => {
                let words = words(parents, extent, bits as usize, &place("crd"))?;
                IndexArray::I64(elements::<i64>(given.crd, given.crd_count, words, &place("crd"))?)
            }
            (Some(LevelArray::Start), _) => indices(parents)?,
            (Some(_), _) => indices(positions)?,
            (None, _) => I::store(Array::empty()),
        };
        tensor.levels[index] = LevelStorage { pos, crd };
        Ok(positions)
    }

    /// Returns an array of one element, the extent of a mode. It borrows the extent in the structure, so that
    /// nothing is allocated.
    fn size_in_place<I: Index>(&self, mode: usize) -> Array<I> {
        const { assert!(cfg!(target_endian = "little"), "the low half of a number comes first") };
        let extent = (&raw const self.dims[mode]).cast_mut();
        // SAFETY: the extent is not written while a tensor borrows the structure, and its first bytes are
        // those of the narrower number.
        unsafe { Array::borrowed(extent.cast(), 1) }
    }

    /// Returns the addresses of the values.
    fn value_bytes(&self, tensor: &Tensor) -> Bytes {
        bytes(self.values, self.value_count, tensor.format.value.bytes())
    }

    fn values<V: Cell>(
        &self,
        (positions, of): (usize, ValueType),
        place: &dyn Display,
    ) -> Result<Values, Error> {
        Ok(V::store(elements(self.values, self.value_count, positions, place)?, of))
    }

    /// True if a tensor stores its values in the caller's array.
    pub(super) fn is_lent_to(&self, tensor: &Tensor) -> bool {
        with_values!(&tensor.values, values => values.is_borrowed() && values.as_ptr().cast() == self.values)
    }

    /// True if two structures have the same fields: format, extents, and addresses and lengths of arrays.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let header = |of: &Self| {
            (
                of.version,
                of.bytes,
                of.element,
                of.index_bits,
                of.rank,
                of.level_count,
                of.values,
                of.value_count,
            )
        };
        header(self) == header(other) && self.dims() == other.dims() && self.levels() == other.levels()
    }

    /// Returns the addresses of the caller's arrays, the values first.
    pub(super) fn arrays(&self, tensor: &Tensor) -> impl Iterator<Item = Bytes> {
        let width = tensor.index_bytes();
        let levels = self.levels().iter().zip(&tensor.format.format.levels);
        let of_levels = levels.flat_map(move |(given, level)| {
            level.kind.arrays().iter().map(move |array| match array {
                LevelArray::Pos => bytes(given.pos, given.pos_count, width),
                LevelArray::Words => bytes(given.crd, given.crd_count, size_of::<u64>()),
                _ => bytes(given.crd, given.crd_count, width),
            })
        });
        std::iter::once(self.value_bytes(tensor)).chain(of_levels)
    }

    /// Refuses a result that would lose arrays.
    pub(super) fn check_empty(&self, name: &str) -> Result<(), Error> {
        let holds = |level: &BorderLevel| !level.pos.is_null() || !level.crd.is_null();
        if !self.has_values() && !self.levels().iter().any(holds) {
            return Ok(());
        }
        Err(Error::Option(format!(
            "the result `{name}` holds arrays already, expected null pointers: release them before the next call"
        )))
    }

    /// Copies the values of a tensor to the caller's, unless they are there already.
    pub(super) fn take_values(&self, tensor: &Tensor) -> Result<(), Error> {
        with_values!(&tensor.values, values => self.copy(values))
    }

    fn copy<V: Cell>(&self, values: &Array<V>) -> Result<(), Error> {
        if values.is_empty() || values.as_ptr().cast() == self.values {
            return Ok(());
        }
        if values.len() as i64 != self.value_count {
            return Err(Error::Internal(format!("{} values for {}", values.len(), self.value_count)));
        }
        // SAFETY: the caller promises that many elements, and the array's are elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.values.cast(), values.len()) };
        Ok(())
    }
}

impl BorderLevel {
    const NONE: Self = Self {
        kind: 0,
        bits: 0,
        part: 0,
        mode: 0,
        factor: 0,
        size: 0,
        pos: std::ptr::null_mut(),
        pos_count: 0,
        crd: std::ptr::null_mut(),
        crd_count: 0,
    };

    /// The inverse of [`Self::level`].
    fn of(level: Level) -> Self {
        let (part, factor) = match level.expr {
            LevelExpr::Mode(_) => (0, 0),
            LevelExpr::Div(_, factor) => (1, factor),
            LevelExpr::Mod(_, factor) => (2, factor),
            LevelExpr::Slot => (3, 0),
        };
        let (id, bits) = (level.kind.id(), level.kind.word_bits().unwrap_or(0));
        let mode = level.expr.mode().unwrap_or(0) as u32;
        Self { kind: id + 1, bits, part, mode, factor: factor as i64, ..Self::NONE }
    }

    /// True if kind, bits, part, mode and factor are those that [`Self::of`] writes for the level.
    fn states(&self, level: Level) -> bool {
        let Self { kind, bits, part, mode, factor, .. } = Self::of(level);
        (self.kind, self.bits, self.part, self.mode, self.factor) == (kind, bits, part, mode, factor)
    }

    fn level(&self) -> Option<Level> {
        // 0 is not a kind, so that memory set to zero is refused.
        let kind = LevelKind::from_id(self.kind.checked_sub(1)?, self.bits)?;
        let mode = self.mode as usize;
        let expr = match self.part {
            0 => LevelExpr::Mode(mode),
            1 => LevelExpr::Div(mode, self.factor as u64),
            2 => LevelExpr::Mod(mode, self.factor as u64),
            3 => LevelExpr::Slot,
            _ => return None,
        };
        Some(Level { expr, kind })
    }
}

fn bytes(start: *mut c_void, count: i64, width: usize) -> Bytes {
    let start = start.addr();
    start..start.saturating_add(count.saturating_mul(width as i64).max(0) as usize)
}

/// The caller's elements, whose number must be the one expected.
fn elements<T: crate::memory::Plain>(
    start: *mut c_void,
    count: i64,
    expected: usize,
    place: &dyn Display,
) -> Result<Array<T>, Error> {
    if usize::try_from(count) != Ok(expected) {
        return Err(Error::Shape(format!("{place} has {count} elements, expected {expected}")));
    }
    if expected > 0 && start.is_null() {
        return Err(Error::Option(format!("{place} is a null pointer, expected {expected} elements")));
    }
    if !start.addr().is_multiple_of(align_of::<T>()) {
        let width = align_of::<T>();
        return Err(Error::Option(format!("{place} stands at {start:p}, expected a multiple of {width}")));
    }
    // SAFETY: the caller of a kernel promises that many elements for the time of the call.
    Ok(unsafe { Array::borrowed(start.cast(), expected) })
}

/// Returns the number of children that a pos array counts, which has at least one element.
fn bounds<I: Index>(pos: &[I], place: &dyn Display) -> Result<usize, Error> {
    let (first, last) = (pos[0].number(), pos[pos.len() - 1].number());
    if first == 0 && last <= I::LARGEST {
        return Ok(last as usize);
    }
    Err(Error::Shape(format!(
        "{place} begins with {} and ends with {}, expected 0 and a number of entries",
        first as i64, last as i64
    )))
}

/// A result on its way to the caller, complete; dropped, it goes back.
pub(super) struct Parcel {
    dims: Vec<i64>,
    levels: Vec<(i64, Option<Handed>, Option<Handed>)>,
    values: Handed,
}

impl Parcel {
    /// Packs a tensor's arrays in the allocator's memory.
    pub(super) fn new(tensor: &mut Tensor, allocator: Allocator) -> Result<Self, Error> {
        let sizes: Vec<i64> = (0..tensor.levels.len()).map(|level| tensor.level_size(level)).collect();
        let TensorStorage { levels: stored, values, .. } = tensor.take_storage();
        let name = tensor.name.clone();
        let mut levels = Vec::new();
        for (LevelStorage { pos, crd }, (level, size)) in
            stored.into_iter().zip(tensor.format.format.levels.iter().zip(sizes))
        {
            let array = |array: IndexArray, part| with_indices!(array, array => array.into_memory_of(allocator, &ArrayName { tensor: &name, part }));
            let has = |array| level.kind.has(array);
            let pos = has(LevelArray::Pos).then(|| array(pos, "pos")).transpose()?;
            let has_crd = level.kind.coordinate_array().is_some();
            levels.push((size, pos, has_crd.then(|| array(crd, "crd")).transpose()?));
        }
        let what = ArrayName { tensor: &name, part: "values" };
        let values = with_values!(values, values => values.into_memory_of(allocator, &what)?);
        Ok(Self { dims: tensor.dims.clone(), levels, values })
    }

    /// Writes extents, arrays and their lengths into the caller's structure.
    pub(super) fn deliver(self, to: &mut BorderTensor) {
        to.dims[..self.dims.len()].copy_from_slice(&self.dims);
        for ((size, pos, crd), level) in self.levels.into_iter().zip(&mut to.levels) {
            level.size = size;
            let handed = |array: Option<Handed>| array.map_or((std::ptr::null_mut(), 0), Handed::hand_over);
            (level.pos, level.pos_count) = handed(pos);
            (level.crd, level.crd_count) = handed(crd);
        }
        (to.values, to.value_count) = self.values.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `include/comet.h` asserts the same numbers.
    #[test]
    fn structures_have_the_layout_of_the_header() {
        assert_eq!(size_of::<BorderLevel>(), 64);
        assert_eq!(size_of::<BorderTensor>(), 1192);
        assert_eq!(size_of::<BorderRows>(), 1208);
        assert_eq!(std::mem::offset_of!(BorderTensor, levels), 152);
    }
}
