//! How tensors are stored: the comment of a graph, `X=ss01,B=ss01,a=none`.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};

use super::block::{number, width};
use super::network::{DotNode, Network};
use crate::graph::{Element, GraphLevel, TensorFormat};
use crate::named::Named as _;

const HINT: &str = "write the result and the operands as `X=ss01,B=ds10,c=none`: a letter for each level, then the mode of each";

pub(crate) fn tensors(network: &Network) -> Result<Vec<TensorFormat>, Diagnostic> {
    let Some(comment) = &network.comment else {
        let message = "this graph has no comment, expected one that says how its tensors are stored";
        return Err(Diagnostic::error(network.keyword, message).hint(HINT));
    };
    let widths = Widths::of(network)?;
    let mut tensors: Vec<TensorFormat> = Vec::new();
    let mut places = HashMap::new();
    for (part, span) in comment.split(',') {
        let tensor = tensor(part.trim(), span, &widths)?;
        let (first, place) = *places.entry(tensor.name.clone()).or_insert((tensors.len(), span));
        if tensors.get(first).is_some_and(|first| *first != tensor) {
            return Err(two_formats(&tensor.name, span, place));
        }
        tensors.push(tensor);
    }
    if let Some(elements) = &network.elements {
        elements.split(',').try_for_each(|(part, span)| element(part, span, &mut tensors))?;
    }
    Ok(tensors)
}

/// `B=i64` of `elements`: the type of the elements, where it is not f64.
fn element(part: &str, span: Span, tensors: &mut [TensorFormat]) -> Result<(), Diagnostic> {
    const HINT: &str = "write tensors whose elements are not f64 as `elements=\"X=i64,B=f32\"`";
    let wrong = |message: String| Diagnostic::error(span, message).hint(HINT);
    let Some((name, type_name)) = part.split_once('=').map(|(name, element)| (name.trim(), element.trim()))
    else {
        return Err(wrong(format!(
            "expected a tensor and the type of its elements, found `{}`",
            part.trim()
        )));
    };
    let found = Element::streamed().find(|element| element.case_name() == type_name);
    let element =
        found.ok_or_else(|| wrong(format!("`{type_name}` is no type, expected `f64`, `f32` or `i64`")))?;
    let mut named = tensors.iter_mut().filter(|tensor| tensor.name == name).peekable();
    if named.peek().is_none() {
        return Err(wrong(format!("`{name}` is no tensor of this graph")));
    }
    named.for_each(|tensor| tensor.element = element);
    Ok(())
}

/// A tensor that is used twice is there twice, stored once.
fn two_formats(name: &str, span: Span, other: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` has two formats, expected one"))
        .also(other, "the other one")
        .hint("give a tensor that is stored in two ways two names")
}

fn tensor(part: &str, span: Span, widths: &Widths<'_>) -> Result<TensorFormat, Diagnostic> {
    let Some((name, format)) = part.split_once('=').map(|(name, format)| (name.trim(), format.trim())) else {
        return Err(
            Diagnostic::error(span, format!("expected a tensor and its format, found `{part}`")).hint(HINT)
        );
    };
    if name.is_empty() {
        return Err(Diagnostic::error(span, format!("`{part}` names no tensor")).hint(HINT));
    }
    let (letters, order) =
        if format == "none" { Default::default() } else { letters_and_order(format, span)? };
    let level = |(letter, mode): (char, &usize)| level(letter, span, || widths.of_mode(name, *mode, span));
    let levels = letters.chars().zip(&order).map(level).collect::<Result<_, _>>()?;
    Ok(TensorFormat { name: name.to_owned(), levels, order, element: Element::F64 })
}

fn letters_and_order(format: &str, span: Span) -> Result<(&str, Vec<usize>), Diagnostic> {
    let is_mode = |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase();
    let split = format.find(is_mode).unwrap_or(format.len());
    let (letters, digits) = format.split_at(split);
    let count = letters.chars().count();
    let order = order(digits).filter(|order| order.len() == count && count > 0);
    let order = order.ok_or_else(|| {
        let message =
            format!("`{format}` is no format: expected as many modes as levels, each from 0 on once");
        Diagnostic::error(span, message).hint(HINT)
    })?;
    Ok((letters, order))
}

/// A level by its letter; how many bits a word has is said elsewhere.
fn level(
    letter: char,
    span: Span,
    width: impl Fn() -> Result<u32, Diagnostic>,
) -> Result<GraphLevel, Diagnostic> {
    match letter {
        'd' => Ok(GraphLevel::Dense),
        's' => Ok(GraphLevel::Compressed),
        'b' => Ok(GraphLevel::BitVector(width()?)),
        'u' => Err(Diagnostic::not_supported(span, "compressed levels that are not unique")
            .hint("store the tensor with unique coordinates: `s`")),
        'q' => {
            Err(Diagnostic::not_supported(span, "singleton levels").hint("store the level compressed: `s`"))
        }
        other => {
            let message = format!("`{}` is no level, expected `d`, `s` or `b`", other.escape_debug());
            Err(Diagnostic::error(span, message).hint(HINT))
        }
    }
}

struct Widths<'network>(HashMap<Place<'network>, (u32, Span)>);

/// A level, by its tensor and the mode that it stores.
type Place<'network> = (&'network str, usize);

impl<'network> Widths<'network> {
    fn of(network: &'network Network) -> Result<Self, Diagnostic> {
        let mut widths = HashMap::new();
        for node in &network.nodes {
            let Some((place, width)) = width_of(node)? else { continue };
            let span = node.need("bits")?.span;
            let (first, other) = *widths.entry(place).or_insert((width, span));
            if first != width {
                let message = format!("words of mode {} of `{}` have {width} bits here", place.1, place.0);
                return Err(Diagnostic::error(span, format!("{message} and {first} elsewhere"))
                    .also(other, "the other place")
                    .hint("a level is stored in words of one width"));
            }
        }
        Ok(Self(widths))
    }

    fn of_mode(&self, tensor: &str, mode: usize, span: Span) -> Result<u32, Diagnostic> {
        let width = self.0.get(&(tensor, mode));
        width.map(|(width, _)| *width).ok_or_else(|| {
            let message = format!("no block says how many bits the words of mode {mode} of `{tensor}` have");
            let hint = "what scans, locates or writes the level has `format=\"bitvector\"` and `bits=\"64\"`";
            Diagnostic::error(span, message).hint(hint)
        })
    }
}

fn width_of(node: &DotNode) -> Result<Option<(Place<'_>, u32)>, Diagnostic> {
    let (tensor, format) = (node.attributes.get("tensor"), node.attributes.get("format"));
    let (Some(tensor), Some("bitvector")) = (tensor, format.map(|format| format.text)) else {
        return Ok(None);
    };
    Ok(Some(((tensor.text, number(node, "mode")?), width(node)?)))
}

/// A permutation of the modes, one digit each; from mode 10 on, a capital letter.
fn order(digits: &str) -> Option<Vec<usize>> {
    let order: Vec<usize> =
        digits.chars().map(|digit| Some(digit.to_digit(36)? as usize)).collect::<Option<_>>()?;
    (0..order.len()).all(|mode| order.contains(&mode)).then_some(order)
}
