//! What a DOT text consists of.

use comet_diag::Span;

/// An identifier: a name, a number or a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// Without quotes and with escapes carried out.
    pub(crate) value: String,
    pub(crate) span: Span,
    /// Where the first byte of the value stands, if the text has the value as it is.
    start: Option<usize>,
}

impl Text {
    pub(crate) fn plain(source: &str, span: Span) -> Self {
        Self { value: source.to_owned(), span, start: Some(span.start) }
    }

    /// A string in quotes. Escaped quotes and line ends are carried out; all other escapes are a matter of
    /// labels and stay, as in Graphviz.
    pub(crate) fn quoted(source: &str, span: Span) -> Self {
        let inner = &source[1..source.len() - 1];
        let mut value = String::with_capacity(inner.len());
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            let escaped = if character == '\\' { characters.next() } else { None };
            match escaped {
                None => value.push(character),
                Some('"') => value.push('"'),
                Some('\n') => {}
                Some(other) => value.extend(['\\', other]),
            }
        }
        let start = (value == inner).then_some(span.start + 1);
        Self { value, span, start }
    }

    /// The place of some bytes of the value, as near as the text has them.
    pub(crate) fn place(&self, start: usize, end: usize) -> Span {
        self.start.map_or(self.span, |first| Span::new(first + start, first + end))
    }

    /// The parts between separators, each with its place.
    pub(crate) fn split(&self, separator: char) -> impl Iterator<Item = (&str, Span)> {
        let mut start = 0;
        self.value.split(separator).map(move |part| {
            let end = start + part.len();
            let place = self.place(start, end);
            start = end + separator.len_utf8();
            (part, place)
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: Text,
    pub(crate) value: Text,
}

/// What a list of attributes is for when it belongs to no node and no edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defaults {
    Graph,
    Nodes,
    Edges,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DotStatement {
    Set(Attribute),
    Defaults(Defaults, Vec<Attribute>),
    /// `a [type="mul"]`
    Node(Text, Vec<Attribute>),
    /// `a -> b -> c [type="crd"]`
    Edges(Vec<Text>, Vec<Attribute>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) keyword: Span,
    pub(crate) statements: Vec<DotStatement>,
}
