//! What kernels are passed, and the numbers that they write.

use crate::array;
use crate::errors;
use crate::operand::ScalarValue;
use crate::tensor::TensorObject;
use comet_format::{ValueKind, ValueType};
use comet_runtime::values::Value as _;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::PyComplex;

/// Refuses an object for what `name` is, whose values cannot be written.
pub(crate) fn check_writable(out: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let values = match out.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let part = if out.is_instance_of::<TensorObject>() { "values" } else { "data" };
            match out.getattr(part).map(Bound::cast_into::<PyUntypedArray>) {
                Ok(Ok(array)) => array,
                _ => {
                    let found = out.get_type().fully_qualified_name()?;
                    let message = format!(
                        "expected an array of NumPy, a SciPy matrix or a `Tensor` for `{name}`, which is written, found `{found}`"
                    );
                    return Err(errors::format(out.py(), message));
                }
            }
        }
    };
    match array::is_writable(&values) {
        true => Ok(()),
        false => {
            let message =
                format!("expected an array for `{name}` that can be written, found one that is read-only");
            Err(errors::format(out.py(), message))
        }
    }
}

pub(crate) fn address<T>(value: &T) -> u64 {
    std::ptr::from_ref(value).expose_provenance() as u64
}

/// The address of what a kernel writes.
pub(crate) fn address_of_room<T>(room: &mut T) -> u64 {
    std::ptr::from_mut(room).expose_provenance() as u64
}

/// A number in memory as kernels pass it: the real and the imaginary part, or one of them, in its first
/// bytes.
pub(crate) type NumberRoom = [u64; 2];

/// What a kernel is passed for a number of a type: its bits, or the address of a complex one, which is put
/// into `room`. `None` where the type does not hold the number.
pub(crate) fn number_bits(number: ScalarValue, wanted: ValueType, room: &mut NumberRoom) -> Option<u64> {
    let real = match number {
        ScalarValue::Integer(integer) => integer as f64,
        ScalarValue::Real(real) => real,
        ScalarValue::Complex(_) => 0.0,
    };
    match (wanted.row().kind, number) {
        (ValueKind::Complex(_), number) => {
            let parts = if let ScalarValue::Complex(parts) = number { parts } else { [real, 0.0] };
            *room = match wanted {
                ValueType::C64 => {
                    let [re, im] = parts.map(|part| u64::from((part as f32).to_bits()));
                    [re | im << 32, 0]
                }
                _ => parts.map(f64::to_bits),
            };
            Some(address(room))
        }
        (_, ScalarValue::Complex(_)) => None,
        (ValueKind::Float(53), _) => Some(real.to_bits()),
        (ValueKind::Float(24), _) => Some(u64::from((real as f32).to_bits())),
        (ValueKind::Float(_), _) => Some(u64::from((real as f32).encoded(wanted))),
        (ValueKind::Truth, ScalarValue::Integer(integer @ 0..=1)) => Some(integer.cast_unsigned()),
        (ValueKind::Integer(least, most), ScalarValue::Integer(integer)) => {
            (least..=most).contains(&integer).then_some(integer.cast_unsigned())
        }
        (ValueKind::Truth | ValueKind::Integer(..), _) => None,
    }
}

/// What a number that a parameter does not hold is refused with.
pub(crate) fn not_held(py: Python<'_>, name: &str, number: ScalarValue, wanted: ValueType) -> PyErr {
    let found = match number {
        ScalarValue::Integer(integer) => format!("the integer {integer}"),
        ScalarValue::Real(real) => format!("the real number {real}"),
        ScalarValue::Complex(_) => "a complex number".to_owned(),
    };
    errors::format(py, format!("`{name}` is {found}, expected a number that `{}` holds", wanted.word()))
}

/// A number that a kernel has written.
pub(crate) fn scalar<'py>(
    py: Python<'py>,
    value: ValueType,
    [bits, more]: NumberRoom,
) -> PyResult<Bound<'py, PyAny>> {
    let low = bits as u32;
    let complex = |re: f64, im: f64| Ok(PyComplex::from_doubles(py, re, im).into_any());
    match value.row().kind {
        ValueKind::Float(53) => Ok(f64::from_bits(bits).into_pyobject(py)?.into_any()),
        ValueKind::Float(24) => Ok(f32::from_bits(low).into_pyobject(py)?.into_any()),
        ValueKind::Float(_) => Ok(f32::decoded(low & 0xffff, value).into_pyobject(py)?.into_any()),
        ValueKind::Complex(53) => complex(f64::from_bits(bits), f64::from_bits(more)),
        ValueKind::Complex(_) => {
            complex(f32::from_bits(low).into(), f32::from_bits((bits >> 32) as u32).into())
        }
        ValueKind::Truth => Ok((bits & 1 == 1).into_pyobject(py)?.to_owned().into_any()),
        // The bytes above those of the type are 0; the sign is the highest bit of the type's own.
        ValueKind::Integer(least, _) => {
            let unused = 64 - 8 * value.bytes() as u32;
            let (signed, unsigned) = ((bits << unused).cast_signed() >> unused, (bits << unused) >> unused);
            let integer = if least < 0 { signed } else { unsigned.cast_signed() };
            Ok(integer.into_pyobject(py)?.into_any())
        }
    }
}
