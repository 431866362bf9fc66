//! The attributes of a node or an edge.

use comet_diag::Span;

use super::syntax::{Attribute, Text};

/// What is given for a node or an edge. Tools read attributes or the `comment` that repeats them; here each
/// is looked for in both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    given: Vec<Attribute>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeValue<'node> {
    pub(crate) text: &'node str,
    pub(crate) span: Span,
}

impl Attributes {
    pub(crate) fn new(given: Vec<Attribute>) -> Self {
        Self { given }
    }

    /// Whether others say all of it, word for word.
    pub(crate) fn is_within(&self, others: &Self) -> bool {
        !self.given.is_empty()
            && self.given.iter().all(|attribute| {
                others.own(&attribute.name.value).is_some_and(|text| text.value == attribute.value.value)
            })
    }

    /// What another statement says of the same node; the last word counts.
    pub(crate) fn extend(&mut self, more: Self) {
        self.given.extend(more.given);
    }

    pub(crate) fn own(&self, name: &str) -> Option<&Text> {
        self.given.iter().rev().find(|attribute| attribute.name.value == name).map(|given| &given.value)
    }

    /// The value of an attribute, from the comment where it is not given by itself.
    pub(crate) fn get(&self, name: &str) -> Option<AttributeValue<'_>> {
        let own = self.own(name).map(|text| AttributeValue { text: &text.value, span: text.span });
        own.or_else(|| self.in_comment(name))
    }

    fn in_comment(&self, name: &str) -> Option<AttributeValue<'_>> {
        let parts = self.own("comment")?.split(',');
        parts.filter_map(|(part, span)| Some((part.split_once('=')?, span))).find_map(
            |((key, text), span)| (key.trim() == name).then(|| AttributeValue { text: text.trim(), span }),
        )
    }
}
