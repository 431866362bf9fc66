//! Random programs that all have one element type, or all apply one function.

use super::complex;
use super::functions;
use super::kernel::{Content, Kernel, Operand, Value};
use super::rng::Rng;

/// The element types with the ones that they are computed in.
const ELEMENTS: &[(&str, &str)] = &[
    ("double", "double"),
    ("float", "float"),
    ("float16", "float"),
    ("bfloat16", "float"),
    ("int", "int"),
    ("int32", "int"),
    ("int16", "int"),
    ("int8", "int"),
    ("uint32", "int"),
    ("uint8", "int"),
    ("bool", "int"),
    ("complex128", "complex128"),
    ("complex64", "complex64"),
];

/// What all kernels of a run have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Focus {
    /// The element type of most operands and of most results.
    pub element: Option<&'static str>,
    /// The function that every kernel applies.
    pub function: Option<&'static str>,
}

impl Focus {
    /// The focus on an element type and a function, by their names.
    ///
    /// # Errors
    /// The names that there are, if it is none of them or is not drawn in kernels of that kind.
    pub fn named(element: Option<&str>, function: Option<&str>, is_complex: bool) -> Result<Self, String> {
        let element = element.map(|name| chosen(name, &elements(is_complex), "COMET_ELEMENT")).transpose()?;
        let functions = function_names(is_complex);
        let function = function.map(|name| chosen(name, functions, "COMET_FUNCTION")).transpose()?;
        Ok(Self { element, function })
    }

    /// One focus for each element type, and one for each function.
    #[cfg(test)]
    pub(super) fn all(is_complex: bool) -> Vec<Self> {
        let elements = elements(is_complex).into_iter().map(Some).map(|element| (element, None));
        let functions = function_names(is_complex).iter().copied().map(Some).map(|function| (None, function));
        elements.chain(functions).map(|(element, function)| Self { element, function }).collect()
    }

    /// The type that elements of the focus are computed in.
    pub(super) fn computed(self) -> Option<&'static str> {
        let element = self.element?;
        ELEMENTS.iter().find(|(name, _)| *name == element).map(|(_, computed)| *computed)
    }

    /// Whether values of the function are rounded.
    pub(super) fn is_rounded(self, is_complex: bool) -> bool {
        let is_rounded = if is_complex { complex::is_rounded } else { functions::is_rounded };
        self.function.is_some_and(is_rounded)
    }

    /// Stores most operands of the computed type in the type of the focus, with values that it holds.
    pub(super) fn narrow(self, rng: &mut Rng, operands: &mut [Operand]) {
        let (Some(element), Some(computed)) = (self.element, self.computed()) else { return };
        for operand in operands.iter_mut().filter(|operand| operand.element == computed) {
            if rng.percent(80) {
                operand.element = element;
                fit(operand);
            }
        }
    }
}

fn elements(is_complex: bool) -> Vec<&'static str> {
    let names = ELEMENTS.iter().map(|(name, _)| *name);
    names.filter(|name| name.starts_with("complex") == is_complex).collect()
}

fn function_names(is_complex: bool) -> &'static [&'static str] {
    if is_complex { complex::NAMES } else { functions::NAMES }
}

fn chosen(name: &str, names: &[&'static str], variable: &str) -> Result<&'static str, String> {
    let found = names.iter().find(|known| **known == name);
    found.copied().ok_or_else(|| format!("{variable}={name} is none of {}", names.join(", ")))
}

/// Makes the values of an unsigned operand positive; a file of one with a negative number is refused.
fn fit(operand: &mut Operand) {
    if !operand.element.starts_with("uint") {
        return;
    }
    match &mut operand.content {
        Content::Nothing => {}
        Content::Fill(value) => *value = value.abs(),
        Content::File(_, entries) => entries.iter_mut().for_each(|(_, value)| *value = value.abs()),
    }
}

/// Whether the kernel reduces by another operator than `+` into elements of a narrow type, which dataflow
/// graphs and applications refuse.
pub(super) fn reduces_into_narrow(kernel: &Kernel) -> bool {
    let element = kernel.operands[0].element;
    let is_narrow = ELEMENTS.iter().any(|(name, computed)| *name == element && name != computed);
    is_narrow
        && kernel.value.any_operator(|op| op.starts_with('@') && op.contains(',') && !op.starts_with("@(+,"))
}

/// A number that a function of two arguments takes.
pub(super) fn small_number(rng: &mut Rng) -> Value {
    Value::Number(rng.pick(&["0", "1", "2", "3"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let error = Focus::named(Some("int9"), None, false).unwrap_err();
        assert!(error.starts_with("COMET_ELEMENT=int9 is none of double, float,"), "{error}");
        let error = Focus::named(Some("complex64"), None, false).unwrap_err();
        assert!(error.contains("is none of"), "{error}");
        assert_eq!(Focus::named(Some("uint8"), Some("exp"), false).unwrap().computed(), Some("int"));
    }
}
