//! NumPy's rules for the type of a result.

use comet_expression::{Einsum, OperandKind};
use comet_format::ValueType;

/// The element type that NumPy gives a product of operands, and what each has to be converted to so that
/// nothing is lost on the way.
pub(crate) fn numpy_types(
    operands: &[OperandKind],
    stated: Option<ValueType>,
    einsum: &Einsum,
) -> (Option<ValueType>, Vec<Option<ValueType>>) {
    let elements: Vec<ValueType> = operands
        .iter()
        .map(|operand| match operand {
            OperandKind::Tensor(typed) => typed.value,
            OperandKind::Scalar(value) => *value,
        })
        .collect();
    // Each integer is promoted with the others' floating-point type, if they have one.
    let mut widest_first = elements.clone();
    widest_first.sort_by_key(|element| !(element.is_float() || element.is_complex()));
    let promoted = widest_first.into_iter().reduce(promoted).unwrap_or(ValueType::F64);
    let computed = stated.unwrap_or(promoted).computed();
    let widest = if width(computed) >= width(promoted.computed()) { computed } else { promoted.computed() };
    let conversion = |element: &ValueType| (element.computed() != widest).then_some(widest);
    let conversions = match elements.iter().any(|element| element.computed() == widest) {
        // One operand of that type makes the others be converted.
        true if elements.len() > 1 && einsum.path.is_none() => vec![None; elements.len()],
        _ => elements.iter().map(conversion).collect(),
    };
    (Some(promoted), conversions)
}

fn width(element: ValueType) -> usize {
    match element {
        ValueType::I64 => 0,
        ValueType::F32 => 1,
        ValueType::F64 => 2,
        ValueType::C64 => 3,
        _ => 4,
    }
}

/// NumPy's `result_type` of two element types.
fn promoted(a: ValueType, b: ValueType) -> ValueType {
    use ValueType::{BF16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U32};
    if a == b || b == Bool {
        return a;
    }
    if a == Bool {
        return b;
    }
    let real = |value: ValueType| match value {
        C64 => F32,
        C128 => F64,
        other => other,
    };
    if a.is_complex() || b.is_complex() {
        return if promoted(real(a), real(b)) == F64 { C128 } else { C64 };
    }
    let rank = |value: ValueType| match value {
        I8 | U8 => 1,
        I16 => 2,
        I32 | U32 => 4,
        _ => 8,
    };
    let is_half = |value: ValueType| matches!(value, F16 | BF16);
    match (a.is_float(), b.is_float()) {
        (true, true) if is_half(a) && is_half(b) => F32,
        (true, true) if is_half(a) => b,
        (true, true) if is_half(b) => a,
        (true, true) => F64,
        (true, false) | (false, true) => {
            let (float, integer) = if a.is_float() { (a, b) } else { (b, a) };
            match (is_half(float), rank(integer)) {
                _ if float == F64 => F64,
                (true, 1) => float,
                (_, 1 | 2) => F32,
                _ => F64,
            }
        }
        (false, false) => {
            let is_unsigned = |value: ValueType| matches!(value, U8 | U32);
            match (is_unsigned(a), is_unsigned(b)) {
                (true, true) => U32,
                (false, false) => {
                    if rank(a) > rank(b) {
                        a
                    } else {
                        b
                    }
                }
                _ => {
                    let (unsigned, signed) = if is_unsigned(a) { (a, b) } else { (b, a) };
                    match (unsigned, rank(signed)) {
                        (_, wide) if wide > rank(unsigned) => signed,
                        (U8, _) => I16,
                        _ => I64,
                    }
                }
            }
        }
    }
}
