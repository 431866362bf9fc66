//! What the attributes of nodes say, or why they say nothing.

use comet_diag::Diagnostic;

use crate::dot::attributes::Value;
use crate::dot::network::Node;
use crate::graph::{Dropped, Element, EmptyFiber, Fibers, Form, How, Kept, Level, Places, Reduction};

/// `empty` of reducers.
pub(crate) const EMPTY: [(&str, EmptyFiber); 4] = [
    (EmptyFiber::Zero.name(), EmptyFiber::Zero),
    (EmptyFiber::Removed.name(), EmptyFiber::Removed),
    (EmptyFiber::Absent.name(), EmptyFiber::Absent),
    (EmptyFiber::Token.name(), EmptyFiber::Token),
];

/// `kept` of masks.
pub(super) const KEPT: [(&str, Kept); 4] = [
    (Kept::Stored.name(), Kept::Stored),
    (Kept::NotStored.name(), Kept::NotStored),
    (Kept::NotZero.name(), Kept::NotZero),
    (Kept::Zero.name(), Kept::Zero),
];

/// `fibers` of level writers.
pub(crate) const FIBERS: [(&str, Fibers); 2] =
    [(Fibers::Nested.name(), Fibers::Nested), (Fibers::Single.name(), Fibers::Single)];

/// `places` of writers of values.
pub(crate) const PLACES: [(&str, Places); 3] = [
    (Places::InOrder.name(), Places::InOrder),
    (Places::Scattered.name(), Places::Scattered),
    (Places::Kept.name(), Places::Kept),
];

/// `mode` of droppers: SAM's users draw those with the mode 0, the other is ours.
pub(crate) const fn dropped(element: Element) -> [(&'static str, Dropped); 2] {
    [("0", Dropped::Zeros(element)), ("absent", Dropped::Absent)]
}

/// `form` of accumulators.
pub(crate) const FORM: [(&str, Form); 2] =
    [(Form::Points.name(), Form::Points), (Form::Levels.name(), Form::Levels)];

/// `element` of what computes, and of tensors.
pub(crate) const ELEMENT: [(&str, Element); 3] = [
    (Element::F64.name(), Element::F64),
    (Element::F32.name(), Element::F32),
    (Element::I64.name(), Element::I64),
];

/// `how` of operators.
pub(crate) const HOW: [(&str, How); 2] =
    [(How::Intersect.name(), How::Intersect), (How::Union.name(), How::Union)];

/// `reduction` of reducers.
pub(crate) const REDUCTION: [(&str, Reduction); 7] = [
    (Reduction::Add.name(), Reduction::Add),
    (Reduction::Multiply.name(), Reduction::Multiply),
    (Reduction::Min.name(), Reduction::Min),
    (Reduction::Max.name(), Reduction::Max),
    (Reduction::Any.name(), Reduction::Any),
    (Reduction::Or.name(), Reduction::Or),
    (Reduction::And.name(), Reduction::And),
];

/// `root` of scanners and repeaters.
pub(crate) const ROOT: [(&str, bool); 2] = [("false", false), ("true", true)];

pub(super) fn text(node: &Node, name: &str) -> Result<String, Diagnostic> {
    Ok(node.need(name)?.text.to_owned())
}

pub(super) fn number(node: &Node, name: &str) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().map_err(|_| unfit(node, name, value, "a number", "write the number in digits"))
}

/// One of some words.
pub(super) fn choice<T: Copy>(node: &Node, name: &str, choices: &[(&str, T)]) -> Result<T, Diagnostic> {
    let value = node.need(name)?;
    let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
    let hint = format!("write `{name}=\"{}\"`", choices[0].0);
    let found = choices.iter().find(|(word, _)| *word == value.text);
    found.map(|choice| choice.1).ok_or_else(|| unfit(node, name, value, &words.join(" or "), &hint))
}

/// The same for what need not be said.
pub(super) fn choice_or<T: Copy>(
    node: &Node,
    name: &str,
    choices: &[(&str, T)],
    default: T,
) -> Result<T, Diagnostic> {
    if node.attributes.get(name).is_some() { choice(node, name, choices) } else { Ok(default) }
}

/// A value that an attribute cannot have.
pub(super) fn unfit(node: &Node, name: &str, value: Value<'_>, expected: &str, hint: &str) -> Diagnostic {
    let (found, id) = (value.text.escape_debug(), &node.id.value);
    Diagnostic::error(value.span, format!("`{name}` of `{id}` is `{found}`, expected {expected}")).hint(hint)
}

pub(super) fn level(node: &Node) -> Result<Level, Diagnostic> {
    let value = node.need("format")?;
    match value.text {
        "dense" => Ok(Level::Dense),
        "compressed" => Ok(Level::Compressed),
        other if ["bitvector", "bittree", "unique", "singleton", "bv"].contains(&other) => {
            Err(Diagnostic::not_supported(value.span, format!("levels of format `{other}`"))
                .hint("store the level `compressed` or `dense`"))
        }
        _ => {
            let hint = "write the format that the graph's comment has for this level";
            Err(unfit(node, "format", value, "`compressed` or `dense`", hint))
        }
    }
}
