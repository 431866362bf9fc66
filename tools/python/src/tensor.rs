//! `Tensor`: a tensor in any format of the language, whose arrays are NumPy's.

use crate::array::{self, Elements};
use crate::call::with_border;
use crate::errors;
use crate::operand::{extracted_from_truth, set_dims, set_level, set_values};
use comet_expression::format_of_text;
use comet_format::{Children, Format, IndexWidth, LevelArray, LevelExpr, TypedFormat, ValueType};
use comet_runtime::exit::Failure;
use comet_runtime::kernel::{BorderTensor, check_arrays};
use numpy::{PyArrayDescrMethods as _, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// What is checked of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checking {
    /// Types and lengths, for arrays that a kernel has made.
    Lengths,
    /// Positions and coordinates, too.
    Content,
}

// What Python passes as `is_checked`.
extracted_from_truth!(Checking, Content, Lengths);

/// The arrays of a level.
type LevelArrays = (Option<Py<PyUntypedArray>>, Option<Py<PyUntypedArray>>);

/// The state of `comet_sparse.Tensor`, which adds what Python can do.
#[pyclass(module = "comet_sparse._comet", name = "TensorBase", frozen, subclass)]
pub(crate) struct TensorObject {
    pub(crate) format: TypedFormat,
    pub(crate) shape: Vec<usize>,
    pub(crate) levels: Vec<LevelArrays>,
    /// The numbers of coordinates of the levels.
    pub(crate) level_sizes: Vec<i64>,
    pub(crate) values: Py<PyUntypedArray>,
}

impl TensorObject {
    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The addresses of the arrays.
    pub(crate) fn border(&self, py: Python<'_>) -> PyResult<BorderTensor> {
        let mut border = BorderTensor::of_format(&self.format);
        set_dims(py, &mut border, self.shape.iter().copied())?;
        for (number, (pos, crd)) in self.levels.iter().enumerate() {
            let of = |array: &Option<Py<PyUntypedArray>>| {
                array.as_ref().map_or(Elements::NONE, |array| Elements::of(array.bind(py)))
            };
            set_level(&mut border, number, of(pos), of(crd));
            border.levels[number].size = self.level_sizes[number];
        }
        set_values(&mut border, Elements::of(self.values.bind(py)));
        Ok(border)
    }
}

/// The width that all arrays of indices have; that of the format where there is none. The words of bit
/// vectors are no indices, and have 64 bits.
fn index_width(py: Python<'_>, format: &Format, levels: &[LevelArrays]) -> PyResult<IndexWidth> {
    let mut width = None;
    for (number, ((pos, crd), level)) in levels.iter().zip(&format.levels).enumerate() {
        let has_words = level.kind.word_bits().is_some();
        for (part, array) in [("pos", pos), ("crd", crd)] {
            let Some(array) = array.as_ref().map(|array| array.bind(py)) else { continue };
            if part == "crd" && has_words {
                if array.dtype().itemsize() != 8 || !b"iu".contains(&array.dtype().kind()) {
                    let found = array.dtype();
                    let message =
                        format!("the words of level {number} have the dtype `{found}`, expected `uint64`");
                    return Err(errors::format(py, message));
                }
                continue;
            }
            let found = array::index_width(array);
            if found.is_none() || width.is_some_and(|width| found != Some(width)) {
                let expected = match width {
                    Some(IndexWidth::I32) => "`int32`, as before",
                    Some(IndexWidth::I64) => "`int64`, as before",
                    None => "`int32` or `int64`",
                };
                let found = array.dtype();
                let message = format!(
                    "the {part} array of level {number} has the dtype `{found}`, expected {expected}"
                );
                return Err(errors::format(py, message));
            }
            width = found;
        }
    }
    Ok(width.unwrap_or(format.index_width))
}

#[pymethods]
impl TensorObject {
    /// A tensor of arrays that are there: one pair of `pos` and `crd` a level, each none where its format has
    /// none. Types and lengths are checked; positions and coordinates, too, where `is_checked` is set.
    #[new]
    #[pyo3(signature = (format, shape, levels, values, slots=0, is_checked=Checking::Content))]
    fn new(
        py: Python<'_>,
        format: &str,
        shape: Vec<usize>,
        levels: Vec<LevelArrays>,
        values: Py<PyUntypedArray>,
        slots: i64,
        is_checked: Checking,
    ) -> PyResult<Self> {
        let rank = shape.len();
        let format =
            format_of_text(format, rank).map_err(|(_, found)| errors::of_format(py, format, &found))?;
        let bound = values.bind(py);
        let Some(value) = array::element(bound) else {
            return Err(errors::format(
                py,
                format!("expected values that a tensor holds, found the dtype `{}`", bound.dtype()),
            ));
        };
        if levels.len() != format.levels.len() {
            let message =
                format!("expected arrays for {} levels, found {}", format.levels.len(), levels.len());
            return Err(errors::shape(py, message));
        }
        for array in levels.iter().flat_map(|(pos, crd)| [pos, crd]).flatten().chain([&values]) {
            let array = array.bind(py);
            if !array.is_c_contiguous() || !array::is_aligned(array) || array.ndim() != 1 {
                let message = "expected contiguous arrays with one dimension".to_owned();
                return Err(errors::format(py, message));
            }
        }
        let index_width = index_width(py, &format, &levels)?;
        let dims: Vec<i64> = shape.iter().map(|extent| *extent as i64).collect();
        let level_sizes = format.levels.iter().map(|level| level.expr.size(&dims).unwrap_or(slots)).collect();
        let format = TypedFormat { value, format: Format { index_width, ..format } };
        let made = Self { format, shape, levels, level_sizes, values };
        let check = |tensor: &_| match is_checked {
            Checking::Content => check_arrays(tensor),
            Checking::Lengths => Ok(()),
        };
        with_border(py, &made.border(py)?, &made.format, check)
            .map_err(|error| errors::of_call(py, Failure::new("", &error)))?;
        Ok(made)
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// NumPy's type of the elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        array::dtype(py, self.format.value).into_any()
    }

    /// The format, as the language writes it.
    #[getter]
    fn format(&self) -> String {
        format_text(&self.format.format)
    }

    /// The values, in the order of the innermost level.
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.values.clone_ref(py)
    }

    /// A pair of `pos` and `crd` for each level, outermost first, with none where a format has no such array.
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let pairs = self
            .levels
            .iter()
            .map(|(pos, crd)| [pos, crd].map(|array| array.as_ref().map(|array| array.clone_ref(py))));
        PyList::new(py, pairs.map(|[pos, crd]| (pos, crd)))
    }

    /// The number of slots of an ELL matrix; 0 in other formats.
    #[getter]
    fn slots(&self) -> i64 {
        let levels = &self.format.format.levels;
        levels.iter().position(comet_format::Level::is_slot).map_or(0, |level| self.level_sizes[level])
    }

    /// The number of modes.
    #[getter]
    fn ndim(&self) -> usize {
        self.rank()
    }
}

/// A format as a declaration writes it.
pub(crate) fn format_text(format: &Format) -> String {
    let (spec, options) = comet_expression::written(format);
    comet_syntax::print_format(&spec, &options)
}

/// A result on its way to Python: the arrays of a tensor that a kernel has allocated.
pub(crate) struct Made<'a> {
    pub(crate) format: &'a TypedFormat,
    pub(crate) border: &'a comet_runtime::kernel::BorderTensor,
}

impl Made<'_> {
    pub(crate) fn dims(&self) -> &[i64] {
        &self.border.dims[..self.format.format.rank]
    }

    /// The array of positions of a level, and that of coordinates.
    pub(crate) fn level<'py>(
        &self,
        py: Python<'py>,
        number: usize,
    ) -> PyResult<[Option<Bound<'py, PyAny>>; 2]> {
        let (level, kind) = (&self.border.levels[number], self.format.format.levels[number].kind);
        let index =
            if self.format.format.index_width == IndexWidth::I64 { ValueType::I64 } else { ValueType::I32 };
        let list = |start, count, element| array::owned_list(py, Elements { start, count }, element);
        let pos = match kind.has(LevelArray::Pos) && kind.children() == Children::Segment {
            true => Some(list(level.pos, level.pos_count, index)?),
            false => None,
        };
        let crd = match kind.coordinate_array() {
            Some(_) if kind.word_bits().is_some() => Some(list(level.crd, level.crd_count, ValueType::I64)?),
            Some(_) => Some(list(level.crd, level.crd_count, index)?),
            None => None,
        };
        Ok([pos, crd])
    }

    pub(crate) fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let elements = Elements { start: self.border.values, count: self.border.value_count };
        array::owned_list(py, elements, self.format.value)
    }

    /// A dense array with the shape and the order of the format.
    pub(crate) fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let order: Vec<usize> =
            self.format.format.levels.iter().filter_map(|level| level.expr.mode()).collect();
        let elements = Elements { start: self.border.values, count: self.border.value_count };
        array::owned(py, elements, self.format.value, (self.dims(), &order))
    }

    pub(crate) fn tensor(&self, py: Python<'_>) -> PyResult<TensorObject> {
        let mut levels = Vec::new();
        for number in 0..self.format.format.levels.len() {
            let arrays = self.level(py, number)?;
            let [pos, crd] = arrays.map(|array| array.map(Bound::cast_into::<PyUntypedArray>).transpose());
            levels.push((pos?.map(Bound::unbind), crd?.map(Bound::unbind)));
        }
        let levels_of_format = &self.format.format.levels;
        let level_sizes =
            self.border.levels[..levels_of_format.len()].iter().map(|level| level.size).collect();
        Ok(TensorObject {
            format: self.format.clone(),
            shape: self.dims().iter().map(|dim| *dim as usize).collect(),
            levels,
            level_sizes,
            values: self.values(py)?.cast_into::<PyUntypedArray>()?.unbind(),
        })
    }
}

/// Whether the levels are those of a matrix in blocks, with the numbers of rows and columns of a block.
pub(crate) fn blocks(format: &Format) -> Option<[u64; 2]> {
    match format.levels.first()?.expr {
        LevelExpr::Div(0, rows) => {
            let LevelExpr::Div(1, columns) = format.levels.get(1)?.expr else { return None };
            let is_so = Format::bcsr(rows, columns).is_ok_and(|blocked| blocked.levels == format.levels);
            is_so.then_some([rows, columns])
        }
        _ => None,
    }
}
