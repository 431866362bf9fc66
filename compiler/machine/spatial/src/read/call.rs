//! Calls, taken apart: `r.name[T](a, b)(c) { … }`.

use comet_diag::Span;

use crate::app::Schedule;
use crate::text::tree::{Term, TermArgument, TermKind, TypeName, Word};

/// A name, what stands in front of its dot, and what it is given. A name alone is a call without arguments.
#[derive(Clone, Debug)]
pub(super) struct Call<'tree> {
    pub(super) receiver: Option<&'tree Term>,
    pub(super) name: Word,
    pub(super) types: &'tree [TypeName],
    /// The lists of arguments, a block being a list of one.
    pub(super) lists: Vec<&'tree [TermArgument]>,
    pub(super) span: Span,
}

impl<'tree> Call<'tree> {
    pub(super) fn of(term: &'tree Term) -> Option<Self> {
        match &term.kind {
            TermKind::Name(name) => {
                Some(Self::new(None, &Word { text: name.clone(), span: term.span }, term))
            }
            TermKind::Select(receiver, name) => Some(Self::new(Some(&**receiver), name, term)),
            TermKind::Types(of, types) => {
                let inner = Self::of(of).filter(|call| call.types.is_empty() && call.lists.is_empty())?;
                Some(Self { types, span: term.span, ..inner })
            }
            TermKind::Apply(of, arguments) => {
                let mut call = Self::of(of)?;
                call.lists.push(arguments);
                Some(Self { span: term.span, ..call })
            }
            _ => None,
        }
    }

    fn new(receiver: Option<&'tree Term>, name: &Word, term: &Term) -> Self {
        Self { receiver, name: name.clone(), types: &[], lists: Vec::new(), span: term.span }
    }

    /// Whether it is `name` and nothing else.
    pub(super) fn is_bare(&self) -> bool {
        self.receiver.is_none() && self.types.is_empty() && self.lists.is_empty()
    }

    /// What is done, for patterns: `Foreach`, also as `Sequential.Foreach`.
    pub(super) fn pattern(&self) -> Option<&str> {
        let name = self.name.text.as_str();
        let is_pattern = matches!(name, "Foreach" | "Reduce" | "MemReduce" | "MemFold");
        (is_pattern && self.scheduled().is_some()).then_some(name)
    }

    pub(super) fn schedule(&self) -> Schedule {
        self.scheduled().unwrap_or_default()
    }

    /// What stands in front of the dot, if it is a schedule.
    fn scheduled(&self) -> Option<Schedule> {
        let Some(term) = self.receiver else { return Some(Schedule::Pipelined) };
        let TermKind::Name(name) = &term.kind else { return None };
        match name.as_str() {
            "Sequential" => Some(Schedule::Sequential),
            "Pipe" => Some(Schedule::Pipelined),
            "Stream" => Some(Schedule::Streaming),
            _ => None,
        }
    }
}
