//! Attributes and names.

use crate::element::of_type;
use comet_ir::{Op, Ty, Val, spatial};
use comet_spatial::app::Type;
use melior::ir::ValueLike;
use melior::ir::attribute::{ArrayAttribute, StringAttribute};
use melior::ir::block::BlockArgument;

/// A text that the verifier demands.
pub(super) fn text(op: Op<'_>, name: &str) -> String {
    optional_text(op, name).expect("the verifier demands the attribute")
}

pub(super) fn optional_text(op: Op<'_>, name: &str) -> Option<String> {
    let attribute = op.attribute(name).and_then(|attribute| StringAttribute::try_from(attribute).ok());
    attribute.map(|text| text.value().to_owned())
}

/// A list of texts; none where it is not there.
pub(super) fn texts(op: Op<'_>, name: &str) -> Vec<String> {
    let list = op.attribute(name).and_then(|attribute| ArrayAttribute::try_from(attribute).ok());
    let Some(list) = list else { return Vec::new() };
    let element = |number| StringAttribute::try_from(list.element(number).ok()?).ok();
    (0..list.len()).filter_map(element).map(|text| text.value().to_owned()).collect()
}

/// The values of a round, by their names in the text.
pub(super) fn binders<const COUNT: usize>(pattern: Op<'_>) -> [String; COUNT] {
    texts(pattern, "binders").try_into().expect("the verifier counts them")
}

/// The name of a value that has one.
pub(super) fn name(value: Val<'_>) -> String {
    // The other way around, each value would be printed for an error that nobody reads.
    if let Some(op) = Op::defining(value) {
        return text(op, "name");
    }
    let argument = BlockArgument::try_from(value).expect("it is no result");
    let pattern = comet_ir::Block::from_ref(argument.owner()).parent();
    texts(pattern, "binders").swap_remove(argument.argument_number())
}

/// The type of elements that an operation has, under the name that it says.
pub(super) fn element(op: Op<'_>, ty: Ty<'_>) -> Type {
    optional_text(op, "alias").map_or_else(|| of_type(ty), Type::Named)
}

/// The type of the elements of what a declaration declares.
pub(super) fn declared(op: Op<'_>) -> Type {
    let ty = spatial::element(op.result(0).r#type()).expect("what is declared has elements");
    element(op, ty)
}
