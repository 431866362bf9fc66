//! What the attributes of nodes say, or why they say nothing.

use std::ops::RangeInclusive;

use comet_diag::Diagnostic;

use crate::dot::attributes::AttributeValue;
use crate::dot::network::DotNode;
use crate::graph::{Dropped, Element, GraphLevel, MOST};
use crate::named::Named;

/// `mode` of droppers: SAM's users draw those with the mode 0, the other is ours.
pub(crate) const fn dropped(element: Element) -> [(&'static str, Dropped); 2] {
    [("0", Dropped::Zeros(element)), ("absent", Dropped::Absent)]
}

pub(super) fn text(node: &DotNode, name: &str) -> Result<String, Diagnostic> {
    Ok(node.need(name)?.text.to_owned())
}

pub(crate) fn number(node: &DotNode, name: &str) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().map_err(|_| unfit(node, name, value, "a number", "write the number in digits"))
}

pub(super) fn count(node: &DotNode, name: &str) -> Result<usize, Diagnostic> {
    within(node, name, 1..=MOST)
}

pub(super) fn count_or(node: &DotNode, name: &str, default: usize) -> Result<usize, Diagnostic> {
    if node.attributes.get(name).is_some() { count(node, name) } else { Ok(default) }
}

/// How many bits a word has. Graphviz has `width` for the width of a drawn node.
pub(crate) fn width(node: &DotNode) -> Result<u32, Diagnostic> {
    let width = within(node, "bits", 1..=GraphLevel::WIDEST as usize)?;
    Ok(u32::try_from(width).expect("the widest word is no wider"))
}

fn within(node: &DotNode, name: &str, range: RangeInclusive<usize>) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        unfit(node, name, value, &expected, "write the number in digits")
    })
}

pub(super) fn choice<T: Named>(node: &DotNode, name: &str) -> Result<T, Diagnostic> {
    choice_of(node, name, &T::cases())
}

pub(super) fn choice_or<T: Named>(node: &DotNode, name: &str, default: T) -> Result<T, Diagnostic> {
    choice_of_or(node, name, &T::cases(), default)
}

fn choice_of<T: Copy>(node: &DotNode, name: &str, choices: &[(&str, T)]) -> Result<T, Diagnostic> {
    let value = node.need(name)?;
    let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
    let hint = format!("write `{name}=\"{}\"`", choices[0].0);
    let found = choices.iter().find(|(word, _)| *word == value.text);
    found.map(|choice| choice.1).ok_or_else(|| unfit(node, name, value, &words.join(" or "), &hint))
}

pub(super) fn choice_of_or<T: Copy>(
    node: &DotNode,
    name: &str,
    choices: &[(&str, T)],
    default: T,
) -> Result<T, Diagnostic> {
    if node.attributes.get(name).is_some() { choice_of(node, name, choices) } else { Ok(default) }
}

pub(super) fn unfit(
    node: &DotNode,
    name: &str,
    value: AttributeValue<'_>,
    expected: &str,
    hint: &str,
) -> Diagnostic {
    let (found, id) = (value.text.escape_debug(), &node.id.value);
    Diagnostic::error(value.span, format!("`{name}` of `{id}` is `{found}`, expected {expected}")).hint(hint)
}

pub(super) fn level(node: &DotNode) -> Result<GraphLevel, Diagnostic> {
    let value = node.need("format")?;
    match value.text {
        "dense" => Ok(GraphLevel::Dense),
        "compressed" => Ok(GraphLevel::Compressed),
        "bitvector" => Ok(GraphLevel::BitVector(width(node)?)),
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
