//! NumPy arrays as the run time sees them: an address, a number of elements and their type; and memory that
//! the run time has allocated as NumPy arrays.

use crate::pool;
use comet_format::{IndexWidth, ValueType};
use numpy::npyffi::{self, PY_ARRAY_API, flags};
use numpy::{PyArrayDescr, PyArrayDescrMethods as _, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};

/// NumPy's numbers of types.
const TYPES: [(c_int, ValueType); 13] = [
    (0, ValueType::Bool),
    (1, ValueType::I8),
    (2, ValueType::U8),
    (3, ValueType::I16),
    (5, ValueType::I32),
    (6, ValueType::U32),
    (7, ValueType::I64),
    (9, ValueType::I64),
    (11, ValueType::F32),
    (12, ValueType::F64),
    (14, ValueType::C64),
    (15, ValueType::C128),
    (23, ValueType::F16),
];
/// NumPy has no bfloat16; its bits are a uint16.
const UINT16: c_int = 4;

/// The element type of an array; none where no tensor has such elements.
pub(crate) fn element(array: &Bound<'_, PyUntypedArray>) -> Option<ValueType> {
    let dtype = array.dtype();
    let number = dtype.num();
    let is_native = dtype.byteorder() != b'>';
    TYPES.iter().find(|(known, _)| *known == number && is_native).map(|(_, element)| *element)
}

/// The width of an array of indices.
pub(crate) fn index_width(array: &Bound<'_, PyUntypedArray>) -> Option<IndexWidth> {
    match element(array) {
        Some(ValueType::I32) => Some(IndexWidth::I32),
        Some(ValueType::I64) => Some(IndexWidth::I64),
        _ => None,
    }
}

/// NumPy's number of the type of elements.
fn type_number(element: ValueType) -> c_int {
    let found = TYPES.iter().find(|(_, known)| *known == element);
    found.map_or(UINT16, |(number, _)| *number)
}

/// NumPy's type of elements.
pub(crate) fn dtype(py: Python<'_>, element: ValueType) -> Bound<'_, PyArrayDescr> {
    // SAFETY: the number is one of NumPy's, and the reference that is returned is new.
    unsafe {
        let descr = PY_ARRAY_API.PyArray_DescrFromType(py, type_number(element));
        Bound::from_owned_ptr(py, descr.cast()).cast_into_unchecked()
    }
}

/// The elements of an array that Python owns, for as long as that is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) start: *mut c_void,
    pub(crate) count: i64,
}

impl Elements {
    pub(crate) const NONE: Self = Self { start: std::ptr::null_mut(), count: 0 };

    /// Returns the elements of an array with any strides.
    pub(crate) fn of(array: &Bound<'_, PyUntypedArray>) -> Self {
        // SAFETY: the array lives, and an array has a data pointer.
        let start = unsafe { (*array.as_array_ptr()).fields.data };
        Self { start: start.cast(), count: array.len() as i64 }
    }
}

/// Whether elements are at multiples of their size, so that code may read them.
pub(crate) fn is_aligned(array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: the array lives.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    flags & flags::NPY_ARRAY_ALIGNED != 0
}

pub(crate) fn is_writable(array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: the array lives.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    flags & flags::NPY_ARRAY_WRITEABLE != 0
}

/// The modes of an array in the order of its memory, outermost first; none where there are gaps.
pub(crate) fn storage_order(array: &Bound<'_, PyUntypedArray>) -> Option<Vec<usize>> {
    let rank = array.ndim();
    if array.is_c_contiguous() {
        return Some((0..rank).collect());
    }
    if array.is_fortran_contiguous() {
        return Some((0..rank).rev().collect());
    }
    let (shape, strides) = (array.shape(), array.strides());
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|mode| std::cmp::Reverse(strides[*mode]));
    let mut step = array.dtype().itemsize() as isize;
    for mode in order.iter().rev() {
        if shape[*mode] > 1 && strides[*mode] != step {
            return None;
        }
        step *= shape[*mode] as isize;
    }
    Some(order)
}

/// Owns the memory of a result; released with the last array that refers to it.
#[pyclass(module = "comet_sparse._comet", name = "Memory", frozen)]
pub(crate) struct OwnedMemory {
    start: *mut c_void,
}

// SAFETY: nothing reads or writes through it; any thread may release it.
unsafe impl Send for OwnedMemory {}
// SAFETY: as above.
unsafe impl Sync for OwnedMemory {}

impl Drop for OwnedMemory {
    fn drop(&mut self) {
        pool::release(std::ptr::null_mut(), self.start);
    }
}

/// An array of memory that the pool has allocated; the modes outermost first in `order`.
pub(crate) fn owned<'py>(
    py: Python<'py>,
    elements: Elements,
    element: ValueType,
    (dims, order): (&[i64], &[usize]),
) -> PyResult<Bound<'py, PyAny>> {
    let memory = Bound::new(py, OwnedMemory { start: elements.start })?;
    let mut dims: Vec<npyffi::npy_intp> = dims.iter().map(|dim| *dim as npyffi::npy_intp).collect();
    let mut strides = vec![0; dims.len()];
    let mut step = element.bytes() as npyffi::npy_intp;
    for mode in order.iter().rev() {
        strides[*mode] = step;
        step *= dims[*mode].max(1);
    }
    // SAFETY: the pool has allocated the memory of a result, of which the rest is not written to.
    unsafe { pool::state_used(elements.start, step as usize) };
    // A result without elements has no memory, which NumPy would allocate then.
    let data = if elements.start.is_null() { std::ptr::null_mut() } else { elements.start };
    // SAFETY: the shape and strides have one number for each mode, the memory has an element for each
    // position and lives as long as `memory`, which the array holds from here on.
    unsafe {
        let descr = dtype(py, element).into_dtype_ptr();
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type),
            descr,
            dims.len() as c_int,
            dims.as_mut_ptr(),
            if data.is_null() { std::ptr::null_mut() } else { strides.as_mut_ptr() },
            data,
            flags::NPY_ARRAY_WRITEABLE,
            std::ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        if !data.is_null()
            && PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), memory.into_ptr()) != 0
        {
            return Err(PyErr::take(py).unwrap_or_else(|| PyMemoryError::new_err("no array")));
        }
        Ok(array)
    }
}

/// A list of elements.
pub(crate) fn owned_list<'py>(
    py: Python<'py>,
    elements: Elements,
    element: ValueType,
) -> PyResult<Bound<'py, PyAny>> {
    owned(py, elements, element, (&[elements.count], &[0]))
}

/// The last number of an array of indices; 0 of none.
pub(crate) fn last_of(array: &Bound<'_, PyUntypedArray>, width: IndexWidth) -> i64 {
    let Elements { start, count } = Elements::of(array);
    let Ok(last) = usize::try_from(count - 1) else { return 0 };
    // SAFETY: the array is contiguous, aligned and of that width.
    unsafe {
        match width {
            IndexWidth::I32 => i64::from(*start.cast::<i32>().add(last)),
            IndexWidth::I64 => *start.cast::<i64>().add(last),
        }
    }
}

/// Whether coordinates ascend, the first mode outermost, and none is there twice.
pub(crate) fn are_ascending(coords: &[Bound<'_, PyUntypedArray>], width: IndexWidth) -> bool {
    match width {
        IndexWidth::I32 => ascend::<i32>(coords),
        IndexWidth::I64 => ascend::<i64>(coords),
    }
}

/// A coordinate that is negative, or not less than the extent of its mode, with the mode.
pub(crate) fn out_of_range(
    coords: &[Bound<'_, PyUntypedArray>],
    shape: &[usize],
    width: IndexWidth,
) -> Option<(usize, i64)> {
    match width {
        IndexWidth::I32 => outside::<i32>(coords, shape),
        IndexWidth::I64 => outside::<i64>(coords, shape),
    }
}

fn outside<I: Copy + Ord + Into<i64>>(
    coords: &[Bound<'_, PyUntypedArray>],
    shape: &[usize],
) -> Option<(usize, i64)> {
    coords.iter().zip(shape).enumerate().find_map(|(mode, (array, extent))| {
        let elements = slice::<I>(array);
        let (least, most) = (elements.iter().min()?, elements.iter().max()?);
        let is_inside = |index: &&I| (0..*extent as i64).contains(&(**index).into());
        [least, most].into_iter().find(|index| !is_inside(index)).map(|index| (mode, (*index).into()))
    })
}

/// The elements of an array that is contiguous, aligned and of that type.
fn slice<'a, I>(array: &'a Bound<'_, PyUntypedArray>) -> &'a [I] {
    let Elements { start, count } = Elements::of(array);
    if count == 0 {
        return &[];
    }
    // SAFETY: the array is as the callers state, and lives.
    unsafe { std::slice::from_raw_parts(start.cast::<I>(), count as usize) }
}

fn ascend<I: Ord>(coords: &[Bound<'_, PyUntypedArray>]) -> bool {
    let arrays: Vec<&[I]> = coords.iter().map(slice).collect();
    let entries = arrays.first().map_or(0, |array| array.len());
    arrays.iter().all(|array| array.len() == entries)
        && (1..entries).all(|entry| {
            let before = arrays.iter().map(|array| &array[entry - 1]);
            before.lt(arrays.iter().map(|array| &array[entry]))
        })
}
