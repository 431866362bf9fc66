//! What the attributes of nodes say, or why they say nothing.

use std::ops::RangeInclusive;

use comet_diag::Diagnostic;

use crate::dot::attributes::Value;
use crate::dot::network::Node;
use crate::graph::{
    Dropped, Element, EmptyFiber, Fibers, Form, How, Kept, Level, MOST, Places, Reduction, StreamKind,
};

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

/// `carries` of parallelizers and serializers.
pub(super) const CARRIED: [(&str, StreamKind); 5] = [
    (StreamKind::Crd.name(), StreamKind::Crd),
    (StreamKind::Ref.name(), StreamKind::Ref),
    (StreamKind::Val.name(), StreamKind::Val),
    (StreamKind::Repsig.name(), StreamKind::Repsig),
    (StreamKind::Bv.name(), StreamKind::Bv),
];

/// `root` of scanners and repeaters, `skips` of scanners.
pub(crate) const ROOT: [(&str, bool); 2] = [("false", false), ("true", true)];

pub(super) fn text(node: &Node, name: &str) -> Result<String, Diagnostic> {
    Ok(node.need(name)?.text.to_owned())
}

pub(crate) fn number(node: &Node, name: &str) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().map_err(|_| unfit(node, name, value, "a number", "write the number in digits"))
}

/// How many there are of something.
pub(super) fn count(node: &Node, name: &str) -> Result<usize, Diagnostic> {
    within(node, name, 1..=MOST)
}

/// The same for what need not be said.
pub(super) fn count_or(node: &Node, name: &str, default: usize) -> Result<usize, Diagnostic> {
    if node.attributes.get(name).is_some() { count(node, name) } else { Ok(default) }
}

/// How many bits a word has. Graphviz has `width` for the width of a drawn node.
pub(crate) fn width(node: &Node) -> Result<u32, Diagnostic> {
    let width = within(node, "bits", 1..=Level::WIDEST as usize)?;
    Ok(u32::try_from(width).expect("the widest word is no wider"))
}

fn within(node: &Node, name: &str, range: RangeInclusive<usize>) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        unfit(node, name, value, &expected, "write the number in digits")
    })
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
        "bitvector" => Ok(Level::BitVector(width(node)?)),
        other if ["bittree", "unique", "singleton", "bv"].contains(&other) => {
            Err(Diagnostic::not_supported(value.span, format!("levels of format `{other}`"))
                .hint("store the level `compressed`, `dense` or `bitvector`"))
        }
        _ => {
            let hint = "write the format that the graph's comment has for this level";
            Err(unfit(node, "format", value, "`compressed`, `dense` or `bitvector`", hint))
        }
    }
}
