//! Python objects as operands: which format they have, and where their arrays are.

use crate::array::{self, Elements};
use crate::errors;
use crate::tensor::TensorObject;
use comet_expression::OperandKind;
use comet_format::{Format, IndexWidth, Level, LevelExpr, LevelKind, TypedFormat, ValueType};
use comet_runtime::kernel::BorderTensor;
use numpy::{PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyTuple, PyType};

/// An operand for the time of a call.
pub(crate) struct View<'py> {
    pub(crate) kind: OperandKind,
    pub(crate) value: ViewValue,
    /// Where results look whether they are to be SciPy's matrices or arrays.
    pub(crate) family: Family,
    /// The arrays, and what was converted.
    _held: Vec<Bound<'py, PyAny>>,
}

pub(crate) enum ViewValue {
    Tensor(Box<BorderTensor>),
    /// Real and imaginary part, or an integer.
    ScalarValue(ScalarValue),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ScalarValue {
    Integer(i64),
    Real(f64),
    Complex([f64; 2]),
}

/// Whose kind of object an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Dense,
    SparseArray,
    SparseMatrix,
    Tensor,
}

/// How an expression uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// With brackets.
    Tensor,
    /// Without.
    Scalar,
}

/// Whether an object that has to be converted may be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copying {
    /// It is, with a warning.
    Warned,
    Refused,
}

/// Takes an enumeration of two variants from an object of Python that is true, or not.
macro_rules! extracted_from_truth {
    ($type:ident, $when_true:ident, $when_false:ident) => {
        impl<'py> FromPyObject<'_, 'py> for $type {
            type Error = PyErr;

            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                Ok(if object.is_truthy()? { Self::$when_true } else { Self::$when_false })
            }
        }
    };
}
pub(crate) use extracted_from_truth;

// What Python passes as `copy`.
extracted_from_truth!(Copying, Warned, Refused);

/// SciPy's classes by their types, with the name of the format.
struct ScipyTypes {
    types: Vec<(Py<PyType>, &'static str, Family)>,
}

static SCIPY: PyOnceLock<ScipyTypes> = PyOnceLock::new();

/// The classes, where the module has been imported: who has an object of one has done so.
fn scipy<'py>(py: Python<'py>) -> PyResult<Option<&'py ScipyTypes>> {
    if let Some(found) = SCIPY.get(py) {
        return Ok(Some(found));
    }
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let Some(sparse) = modules.get_item("scipy.sparse")? else { return Ok(None) };
    let mut types = Vec::new();
    for name in ["csr", "csc", "coo", "bsr"] {
        for (suffix, family) in [("array", Family::SparseArray), ("matrix", Family::SparseMatrix)] {
            let class = sparse.getattr(format!("{name}_{suffix}").as_str())?.cast_into::<PyType>()?;
            types.push((class.unbind(), name, family));
        }
    }
    Ok(Some(SCIPY.get_or_init(py, || ScipyTypes { types })))
}

impl<'py> View<'py> {
    /// The format and the element type of a tensor.
    pub(crate) fn typed(&self) -> Option<&TypedFormat> {
        match &self.kind {
            OperandKind::Tensor(typed) => Some(typed),
            OperandKind::Scalar(_) => None,
        }
    }

    /// The operand of an object, as the expression uses it.
    pub(crate) fn of(object: &Bound<'py, PyAny>, usage: Usage, copying: Copying) -> PyResult<Self> {
        let py = object.py();
        if usage == Usage::Scalar {
            return Self::of_number(object);
        }
        if let Some(view) = Self::of_known(object, copying)? {
            return Ok(view);
        }
        let converted = errors::module(py)?
            .getattr(intern!(py, "_converted"))?
            .call1((object, copying == Copying::Warned))?;
        Self::of_known(&converted, copying)?.map_or_else(
            || {
                Err(errors::format(
                    py,
                    format!("expected a tensor, found `{}`", object.get_type().fully_qualified_name()?),
                ))
            },
            Ok,
        )
    }

    /// Returns the operand of an object of NumPy, SciPy or comet; `None` for other objects.
    fn of_known(object: &Bound<'py, PyAny>, copying: Copying) -> PyResult<Option<Self>> {
        let py = object.py();
        if let Ok(array) = object.cast::<PyUntypedArray>() {
            return Self::of_array(array.clone(), copying).map(Some);
        }
        if let Ok(tensor) = object.cast::<TensorObject>() {
            return Self::of_tensor(tensor).map(Some);
        }
        let Some(scipy) = scipy(py)? else { return Ok(None) };
        let class = object.get_type();
        let mut types = scipy.types.iter();
        let exact = types.clone().find(|(known, ..)| known.as_ptr() == class.as_ptr());
        let found =
            exact.or_else(|| types.find(|(known, ..)| object.is_instance(known.bind(py)).unwrap_or(false)));
        found.map(|(_, name, family)| Self::of_scipy(object, name, *family, copying)).transpose()
    }

    fn of_number(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let (element, number) = if object.is_instance_of::<PyBool>() || object.is_instance_of::<PyInt>() {
            (ValueType::I64, ScalarValue::Integer(object.extract()?))
        } else if object.is_instance_of::<PyFloat>() {
            (ValueType::F64, ScalarValue::Real(object.extract()?))
        } else if object.is_instance_of::<PyComplex>() {
            let complex = object.cast::<PyComplex>()?;
            (ValueType::C128, ScalarValue::Complex([complex.real(), complex.imag()]))
        } else if object.hasattr(intern!(py, "item"))? {
            // NumPy's numbers, and arrays with one element.
            let item = object.call_method0(intern!(py, "item")).map_err(|error| {
                let is_of_several = error.is_instance_of::<PyValueError>(py);
                let several = || errors::format(py, "expected a number, found several".to_owned());
                if is_of_several { several() } else { error }
            })?;
            // NumPy's numbers that Python has no type for are their own items.
            if item.get_type().is(object.get_type()) {
                let name = item.get_type().name()?;
                let message = format!("expected a number of at most 64 bits, found `{name}`: convert it");
                return Err(errors::format(py, message));
            }
            return Self::of_number(&item);
        } else {
            return Err(errors::format(
                py,
                format!("expected a number, found `{}`", object.get_type().name()?),
            ));
        };
        let kind = OperandKind::Scalar(element);
        Ok(Self { kind, value: ViewValue::ScalarValue(number), family: Family::Dense, _held: Vec::new() })
    }

    /// Any strides: what has gaps is copied.
    fn of_array(array: Bound<'py, PyUntypedArray>, copying: Copying) -> PyResult<Self> {
        let py = array.py();
        let Some(element) = array::element(&array) else {
            let dtype = array.dtype();
            return Err(errors::format(
                py,
                format!(
                    "expected an array of numbers that tensors hold, found the dtype `{dtype}`: convert it with `astype`"
                ),
            ));
        };
        let order = array::storage_order(&array).filter(|_| array::is_aligned(&array));
        let Some(order) = order else {
            if copying == Copying::Refused {
                let problem = match array::is_aligned(&array) {
                    true => "gaps between its elements",
                    false => "elements at addresses that are no multiples of their size",
                };
                let message =
                    format!("expected an array that kernels access without a copy, found one with {problem}");
                return Err(errors::format(py, message));
            }
            let copy = array.call_method1(intern!(py, "copy"), ("C",))?;
            return Self::of_array(copy.cast_into::<PyUntypedArray>()?, copying);
        };
        let format = TypedFormat { value: element, format: dense(&order) };
        let mut tensor = BorderTensor::of_format(&format);
        set_dims(py, &mut tensor, array.shape().iter().copied())?;
        set_values(&mut tensor, Elements::of(&array));
        Ok(Self::new(format, tensor, Family::Dense, vec![array.into_any()]))
    }

    fn of_tensor(tensor: &Bound<'py, TensorObject>) -> PyResult<Self> {
        let py = tensor.py();
        let view = tensor.get();
        let border = view.border(py)?;
        Ok(Self::new(view.format.clone(), border, Family::Tensor, vec![tensor.clone().into_any()]))
    }

    fn of_scipy(object: &Bound<'py, PyAny>, name: &str, family: Family, copying: Copying) -> PyResult<Self> {
        let py = object.py();
        let view = match name {
            "csr" | "csc" | "bsr" => Self::of_compressed(object, name, family)?,
            _ => Self::of_coordinates(object, family)?,
        };
        if let Some(view) = view {
            return Ok(view);
        }
        let canonical = errors::module(py)?
            .getattr(intern!(py, "_canonical"))?
            .call1((object, copying == Copying::Warned))?;
        let again = match name {
            "csr" | "csc" | "bsr" => Self::of_compressed(&canonical, name, family)?,
            _ => Self::of_coordinates(&canonical, family)?,
        };
        again.ok_or_else(|| {
            errors::format(py, format!("expected sorted indices of 32 or 64 bits in a `{name}` matrix"))
        })
    }

    /// None where it is not canonical, or has arrays of kinds that kernels do not read.
    fn of_compressed(object: &Bound<'py, PyAny>, name: &str, family: Family) -> PyResult<Option<Self>> {
        let py = object.py();
        if !object.getattr(intern!(py, "has_canonical_format"))?.is_truthy()? {
            return Ok(None);
        }
        let [data, indices, indptr] = [intern!(py, "data"), intern!(py, "indices"), intern!(py, "indptr")]
            .map(|part| object.getattr(part));
        let [data, indices, indptr] = [data?, indices?, indptr?].map(Bound::cast_into::<PyUntypedArray>);
        let (data, indices, indptr) = (data?, indices?, indptr?);
        let widths = (array::index_width(&indices), array::index_width(&indptr));
        let arrays = [&data, &indices, &indptr];
        let (Some(element), (Some(width), Some(other))) = (array::element(&data), widths) else {
            return Ok(None);
        };
        if width != other || !arrays.iter().all(|array| array::is_aligned(array) && array.is_c_contiguous()) {
            return Ok(None);
        }
        let format = match name {
            "csr" => Format::csr(),
            "csc" => Format::csc(),
            _ if data.ndim() != 3 => {
                let message =
                    format!("expected `data` with 3 dimensions in a bsr matrix, found {}", data.ndim());
                return Err(errors::shape(py, message));
            }
            _ => {
                let shape = data.shape();
                let blocks = Format::bcsr(shape[1] as u64, shape[2] as u64);
                blocks.map_err(|error| errors::format(py, error.to_string()))?
            }
        };
        let format = TypedFormat { value: element, format: Format { index_width: width, ..format } };
        let mut tensor = BorderTensor::of_format(&format);
        let shape: Vec<usize> = object.getattr(intern!(py, "shape"))?.extract()?;
        if shape.len() != 2 {
            return Ok(None);
        }
        set_dims(py, &mut tensor, shape.into_iter())?;
        // SciPy's arrays may be longer than they are filled.
        let entries = if name == "bsr" { indices.len() as i64 } else { array::last_of(&indptr, width) };
        let crd = Elements { count: entries.min(indices.len() as i64), ..Elements::of(&indices) };
        set_level(&mut tensor, 1, Elements::of(&indptr), crd);
        let values = Elements::of(&data);
        let count = if name == "bsr" { values.count } else { crd.count.min(values.count) };
        set_values(&mut tensor, Elements { count, ..values });
        let held = vec![data.into_any(), indices.into_any(), indptr.into_any()];
        Ok(Some(Self::new(format, tensor, family, held)))
    }

    fn of_coordinates(object: &Bound<'py, PyAny>, family: Family) -> PyResult<Option<Self>> {
        let py = object.py();
        let data = object.getattr(intern!(py, "data"))?.cast_into::<PyUntypedArray>()?;
        let coords = object.getattr(intern!(py, "coords"))?.cast_into::<PyTuple>()?;
        let coords: Vec<Bound<'py, PyUntypedArray>> =
            coords.iter().map(|array| Ok(array.cast_into::<PyUntypedArray>()?)).collect::<PyResult<_>>()?;
        let shape: Vec<usize> = object.getattr(intern!(py, "shape"))?.extract()?;
        let Some(element) = array::element(&data) else { return Ok(None) };
        let width = coords.first().and_then(array::index_width);
        let is_plain =
            |array: &Bound<'_, PyUntypedArray>| array::is_aligned(array) && array.is_c_contiguous();
        let Some(width) =
            width.filter(|width| coords.iter().all(|array| array::index_width(array) == Some(*width)))
        else {
            return Ok(None);
        };
        if !coords.iter().chain([&data]).all(is_plain) {
            return Ok(None);
        }
        if let Some((mode, found)) = array::out_of_range(&coords, &shape, width) {
            let message = format!(
                "the coordinates of mode {mode} have {found}, expected at least 0 and less than {}",
                shape[mode]
            );
            return Err(errors::shape(py, message));
        }
        if !array::are_ascending(&coords, width) {
            return Ok(None);
        }
        let rank = coords.len();
        let format =
            TypedFormat { value: element, format: Format { index_width: width, ..Format::coo(rank) } };
        let mut tensor = BorderTensor::of_format(&format);
        set_dims(py, &mut tensor, shape.into_iter())?;
        let entries = data.len() as i64;
        let pos = indices(py, width, &[0, entries])?;
        for (level, array) in coords.iter().enumerate() {
            let pos = if level == 0 { Elements::of(&pos) } else { Elements::NONE };
            set_level(&mut tensor, level, pos, Elements::of(array));
        }
        set_values(&mut tensor, Elements::of(&data));
        let arrays = coords.into_iter().chain([data, pos]).map(Bound::into_any);
        Ok(Some(Self::new(format, tensor, family, arrays.collect())))
    }

    fn new(format: TypedFormat, tensor: BorderTensor, family: Family, held: Vec<Bound<'py, PyAny>>) -> Self {
        let value = ViewValue::Tensor(Box::new(tensor));
        Self { kind: OperandKind::Tensor(format), value, family, _held: held }
    }
}

/// A copy of a tensor that kernels may write.
pub(crate) fn copy_of<'py>(operand: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    errors::module(operand.py())?.getattr(intern!(operand.py(), "_copied"))?.call1((operand,))
}

/// A list of indices as an array.
pub(crate) fn indices<'py>(
    py: Python<'py>,
    width: IndexWidth,
    numbers: &[i64],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = if width == IndexWidth::I64 { "int64" } else { "int32" };
    let array =
        py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "array"), (numbers.to_vec(), dtype))?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

pub(crate) fn dense(order: &[usize]) -> Format {
    let level = |mode: &usize| Level { expr: LevelExpr::Mode(*mode), kind: LevelKind::Dense };
    Format { rank: order.len(), levels: order.iter().map(level).collect(), index_width: IndexWidth::I32 }
}

pub(crate) fn set_dims(
    py: Python<'_>,
    tensor: &mut BorderTensor,
    shape: impl ExactSizeIterator<Item = usize>,
) -> PyResult<()> {
    if shape.len() > tensor.dims.len() {
        return Err(errors::format(
            py,
            format!("expected at most {} modes, found {}", tensor.dims.len(), shape.len()),
        ));
    }
    tensor.dims.iter_mut().zip(shape).for_each(|(dim, extent)| *dim = extent as i64);
    Ok(())
}

pub(crate) fn set_level(tensor: &mut BorderTensor, number: usize, pos: Elements, crd: Elements) {
    let level = &mut tensor.levels[number];
    (level.pos, level.pos_count) = (pos.start, pos.count);
    (level.crd, level.crd_count) = (crd.start, crd.count);
}

pub(crate) fn set_values(tensor: &mut BorderTensor, values: Elements) {
    (tensor.values, tensor.value_count) = (values.start, values.count);
}
