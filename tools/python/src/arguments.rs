//! What kernels are passed, and the numbers that they write.

use crate::array;
use crate::errors;
use crate::operand::{ScalarValue, ViewValue};
use crate::tensor::TensorObject;
use comet_format::ValueType;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::PyComplex;

/// Refuses an array that must not be written.
pub(crate) fn check_writable(out: &Bound<'_, PyAny>) -> PyResult<()> {
    let values = match out.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let part = if out.is_instance_of::<TensorObject>() { "values" } else { "data" };
            match out.getattr(part).map(Bound::cast_into::<PyUntypedArray>) {
                Ok(Ok(array)) => array,
                _ => {
                    let found = out.get_type().fully_qualified_name()?;
                    let message = format!(
                        "expected an array of NumPy, a SciPy matrix or a `Tensor` for `out`, found `{found}`"
                    );
                    return Err(errors::format(out.py(), message));
                }
            }
        }
    };
    match array::is_writable(&values) {
        true => Ok(()),
        false => Err(errors::format(out.py(), "expected an array for `out` that can be written".to_owned())),
    }
}

pub(crate) fn address<T>(value: &T) -> u64 {
    std::ptr::from_ref(value).expose_provenance() as u64
}

/// The address of what a kernel writes.
pub(crate) fn address_of_room<T>(room: &mut T) -> u64 {
    std::ptr::from_mut(room).expose_provenance() as u64
}

pub(crate) fn number_bits(value: &ViewValue, wanted: ValueType, room: &mut [f64; 2]) -> u64 {
    let ViewValue::ScalarValue(number) = value else { unreachable!("the operand is a scalar") };
    match (number, wanted) {
        (ScalarValue::Integer(integer), ValueType::F64) => (*integer as f64).to_bits(),
        (ScalarValue::Integer(integer), _) => integer.cast_unsigned(),
        (ScalarValue::Real(real), ValueType::F32) => u64::from((*real as f32).to_bits()),
        (ScalarValue::Real(real), _) => real.to_bits(),
        (ScalarValue::Complex(parts), _) => {
            *room = *parts;
            address(room)
        }
    }
}

/// A number that a kernel has written.
pub(crate) fn scalar<'py>(py: Python<'py>, value: ValueType, bits: [f64; 2]) -> PyResult<Bound<'py, PyAny>> {
    match value {
        ValueType::F64 => Ok(bits[0].into_pyobject(py)?.into_any()),
        ValueType::C128 => Ok(PyComplex::from_doubles(py, bits[0], bits[1]).into_any()),
        ValueType::I64 => Ok(bits[0].to_bits().cast_signed().into_pyobject(py)?.into_any()),
        ValueType::F32 => Ok(f32::from_bits(bits[0].to_bits() as u32).into_pyobject(py)?.into_any()),
        _ => Err(errors::format(py, format!("a scalar result of `{}` is not supported yet", value.word()))),
    }
}
