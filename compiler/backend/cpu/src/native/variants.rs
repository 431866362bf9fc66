//! Functions of numbers of which the module has variants for vectors.
//!
//! `comet.sin.f64` and `comet.sin.8xf64` are defined by `expand-functions`. LLVM's loop vectorizer replaces
//! calls of the first by calls of the second where it knows of it from the attribute
//! `vector-function-abi-variant`, and where calls have no effects. Until then no pass may inline the first
//! or drop the second, which nothing else calls.

use crate::expand_functions::PREFIX;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::values::FunctionValue;

/// Has LLVM use the variants of each function.
pub(super) fn declare_variants<'llvm>(module: &Module<'llvm>) {
    let functions: Vec<FunctionValue<'llvm>> =
        module.get_functions().filter(|function| is_ours(*function)).collect();
    let mut used = Vec::new();
    for function in &functions {
        mark(*function);
        let scalar = name(*function);
        let variants =
            functions.iter().filter_map(|vector| Some((*vector, mapping(&scalar, &name(*vector))?)));
        let (vectors, mappings): (Vec<_>, Vec<_>) = variants.unzip();
        if mappings.is_empty() {
            continue;
        }
        let context = module.get_context();
        let attribute = context.create_string_attribute("vector-function-abi-variant", &mappings.join(","));
        function.add_attribute(AttributeLoc::Function, attribute);
        used.extend(vectors);
    }
    keep(module, &used);
}

fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

fn is_ours(function: FunctionValue<'_>) -> bool {
    name(function).starts_with(PREFIX) && function.count_basic_blocks() > 0
}

/// Returns how LLVM writes that a function is another one of vectors: `comet.sin.8xf64` of `comet.sin.f64`.
fn mapping(scalar: &str, vector: &str) -> Option<String> {
    let (word, element) = scalar.rsplit_once('.')?;
    let (lanes, same) = vector.strip_prefix(word)?.strip_prefix('.')?.split_once('x')?;
    // To LLVM one lane is a number, not a vector.
    (same == element && lanes != "1").then(|| format!("_ZGV_LLVM_N{lanes}v_{scalar}({vector})"))
}

/// States that calls have no effects, and stay calls.
fn mark(function: FunctionValue<'_>) {
    let context = function.get_type().get_context();
    // `memory(none)` is 0.
    for attribute in ["memory", "nounwind", "willreturn", "noinline"] {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
    }
}

/// Lists functions in `llvm.compiler.used`.
fn keep<'llvm>(module: &Module<'llvm>, functions: &[FunctionValue<'llvm>]) {
    if functions.is_empty() {
        return;
    }
    let pointers: Vec<_> =
        functions.iter().map(|function| function.as_global_value().as_pointer_value()).collect();
    let list = pointers[0].get_type().const_array(&pointers);
    let global = module.add_global(list.get_type(), None, "llvm.compiler.used");
    global.set_linkage(Linkage::Appending);
    global.set_section(Some("llvm.metadata"));
    global.set_initializer(&list);
}

#[cfg(test)]
mod tests {
    use super::mapping;

    #[test]
    fn vectors_are_of_the_same_function_and_element() {
        let of_sines = |vector| mapping("comet.sin.f64", vector);
        assert_eq!(
            of_sines("comet.sin.8xf64").as_deref(),
            Some("_ZGV_LLVM_N8v_comet.sin.f64(comet.sin.8xf64)")
        );
        assert_eq!(of_sines("comet.sin.8xf32"), None);
        assert_eq!(of_sines("comet.cos.8xf64"), None);
        assert_eq!(of_sines("comet.sin.f64"), None);
    }
}
