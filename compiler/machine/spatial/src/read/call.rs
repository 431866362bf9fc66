//! Calls, taken apart: `r.name[T](a, b)(c) { … }`, and their arguments, by place and by name.

use crate::app::Schedule;
use crate::text::Result;
use crate::text::tree::{Braces, Term, TermArgument, TermKind, TypeName, Word};
use comet_diag::{Diagnostic, Span};

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

/// What a call can be given: names of its arguments, of which the optional ones come last.
#[derive(Clone, Copy)]
pub(super) struct Signature<const REQUIRED: usize, const OPTIONAL: usize> {
    /// As it is written: `m.RMW(address, value, op, order, barriers)`.
    pub(super) shown: &'static str,
    pub(super) required: [&'static str; REQUIRED],
    pub(super) optional: [&'static str; OPTIONAL],
}

/// The arguments of a call, required and optional ones.
type Arguments<'tree, const REQUIRED: usize, const OPTIONAL: usize> =
    ([&'tree Term; REQUIRED], [Option<&'tree Term>; OPTIONAL]);

impl<const REQUIRED: usize, const OPTIONAL: usize> Signature<REQUIRED, OPTIONAL> {
    /// For each name its argument.
    pub(super) fn fill<'tree>(&self, call: &Call<'tree>) -> Result<Arguments<'tree, REQUIRED, OPTIONAL>> {
        let (mut required, mut optional) = ([None; REQUIRED], [None; OPTIONAL]);
        for (place, argument) in call.list(self.shown)?.iter().enumerate() {
            let place = self.place(place, argument)?;
            let slot = required.iter_mut().chain(&mut optional).nth(place).expect("it is a place of a name");
            if slot.replace(&argument.value).is_some() {
                let name = self.names().nth(place).unwrap_or_default();
                let message = format!("`{name}` is given twice");
                return Err(Diagnostic::error(argument.value.span, message).hint(self.hint()));
            }
        }
        if let Some(missing) = required.iter().position(Option::is_none) {
            let message = format!("`{}` is missing", self.required[missing]);
            return Err(Diagnostic::error(call.span, message).hint(self.hint()));
        }
        Ok((required.map(|term| term.expect("none is missing")), optional))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.required.into_iter().chain(self.optional)
    }

    fn place(&self, place: usize, argument: &TermArgument) -> Result<usize> {
        let Some(name) = &argument.name else {
            if place < REQUIRED + OPTIONAL {
                return Ok(place);
            }
            let message = format!("found {} arguments or more, expected {}", place + 1, REQUIRED + OPTIONAL);
            return Err(Diagnostic::error(argument.value.span, message).hint(self.hint()));
        };
        self.names().position(|known| known == name.text).ok_or_else(|| {
            let message = format!("there is no argument of name `{}`", name.text);
            Diagnostic::error(name.span, message).hint(self.hint())
        })
    }

    fn hint(&self) -> String {
        format!("it is written `{}`", self.shown)
    }
}

impl<'tree> Call<'tree> {
    /// The arguments of a call with one list of them, none of which has a name.
    pub(super) fn exactly<const COUNT: usize>(&self, shown: &'static str) -> Result<[&'tree Term; COUNT]> {
        let hint = || format!("it is written `{shown}`");
        let list = self.list(shown)?;
        if let Some(name) = list.iter().find_map(|argument| argument.name.as_ref()) {
            let message = format!("there is no argument of name `{}`", name.text);
            return Err(Diagnostic::error(name.span, message).hint(hint()));
        }
        let terms: Vec<&Term> = list.iter().map(|argument| &argument.value).collect();
        terms.try_into().map_err(|terms: Vec<&Term>| {
            let message = format!("found {}, expected {COUNT}", counted(terms.len(), "argument"));
            Diagnostic::error(self.span, message).hint(hint())
        })
    }

    pub(super) fn list(&self, shown: &'static str) -> Result<&'tree [TermArgument]> {
        let [list] = self.lists[..] else { return Err(self.not_as(shown)) };
        Ok(list)
    }

    /// An error for a call that does not look as it should.
    pub(super) fn not_as(&self, shown: &str) -> Diagnostic {
        let message = format!("`{}` is written otherwise", self.name.text);
        Diagnostic::error(self.span, message).hint(format!("it is written `{shown}`"))
    }
}

pub(super) fn single(list: &[TermArgument]) -> Option<&Term> {
    match list {
        [TermArgument { name: None, value }] => Some(value),
        _ => None,
    }
}

pub(super) fn block(list: &[TermArgument]) -> Option<&Braces> {
    match single(list) {
        Some(Term { kind: TermKind::Braces(braces), .. }) => Some(braces),
        _ => None,
    }
}

/// `1 argument`, `2 arguments`
pub(super) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
