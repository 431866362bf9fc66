//! The expression and its flags as one source, so that a message can point at both.

use comet_diag::{Source, Span};

/// The flags of the notation, as TACO calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag {
    /// `-f=A:ds:0,1`.
    Format,
    /// `-t=A:double`.
    Element,
    /// `-d=i:5`, `-d=A:5,6`.
    Size,
    /// `-i=A:a.mtx`.
    Input,
    /// `-o=y:y.tns`.
    Output,
    /// `-s="reorder(i,j)"`.
    Schedule,
}

impl Flag {
    pub fn letter(self) -> char {
        match self {
            Self::Format => 'f',
            Self::Element => 't',
            Self::Size => 'd',
            Self::Input => 'i',
            Self::Output => 'o',
            Self::Schedule => 's',
        }
    }
}

/// An expression with its flags: the first lines of the source are the expression, each flag follows on a
/// line of its own.
#[derive(Clone, Debug)]
pub struct CommandLine {
    source: Source,
    expression: Span,
    flags: Vec<(Flag, Span)>,
}

impl CommandLine {
    /// The values of flags are what stands behind their `=`.
    pub fn new(expression: &str, flags: impl IntoIterator<Item = (Flag, String)>) -> Self {
        let mut text = expression.to_owned();
        let mut spans = Vec::new();
        for (flag, value) in flags {
            text += &format!("\n-{}=", flag.letter());
            let start = text.len();
            text += &value;
            spans.push((flag, Span::new(start, text.len())));
        }
        let source = Source::new("<expression>", text);
        Self { source, expression: Span::new(0, expression.len()), flags: spans }
    }

    /// What the places of messages and of the translated tree are in.
    pub fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn expression(&self) -> Span {
        self.expression
    }

    /// The values of a flag, in their order.
    pub(crate) fn values(&self, wanted: Flag) -> impl Iterator<Item = Span> {
        self.flags.iter().filter(move |(flag, _)| *flag == wanted).map(|(_, value)| *value)
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        &self.source.text()[span.start..span.end]
    }
}
