//! Subscripts as NumPy's `einsum` has them, to statements.
//!
//! `ik,kj->ij` becomes `out[i,j] = A[i,k] * B[k,j]`. Without `->`, the labels that occur once are those of
//! the result, in alphabetical order, behind those that `...` stands for.

use crate::expression::StatementText;
use comet_diag::{Diagnostic, Source, Span};
use comet_format::ValueType;
use comet_syntax::ast::{
    Assign, AssignOp, BinaryOp, Expr, ExprKind, Ident, Index, Mask, OperatorName, Stmt, StmtKind,
};
use comet_syntax::ast::{Number, Operator};

/// What messages call the text.
const NAME: &str = "<einsum>";

/// The labels of operands and of the result.
#[derive(Clone, Debug)]
pub struct Subscripts {
    source: Source,
    operands: Vec<Term>,
    result: Term,
}

#[derive(Clone, Debug)]
struct Term {
    labels: Vec<String>,
    span: Span,
}

/// Which operands are contracted first: the places of one or two, whose result goes to the end of the list.
pub type EinsumPath = Vec<Vec<usize>>;

/// How the values of an einsum are combined.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Einsum {
    /// The names of operands, and that of the result.
    pub names: Vec<String>,
    pub result: String,
    /// How values are reduced and combined, where not by `+` and `*`.
    pub semiring: Option<(Operator, Operator)>,
    /// The tensor that selects positions, and whether it selects the others.
    pub mask: Option<(String, bool)>,
    /// Whether the result is added to what is there.
    pub accumulates: bool,
    /// The type that each operand is converted to, where its own is not the one to compute in.
    pub conversions: Vec<Option<ValueType>>,
    pub path: Option<EinsumPath>,
}

type Refused = (Source, Vec<Diagnostic>);

impl Subscripts {
    /// Reads subscripts for operands of those ranks.
    ///
    /// # Errors
    /// The text with the first error in it.
    pub fn parse(text: &str, ranks: &[usize]) -> Result<Self, Refused> {
        let source = Source::new(NAME, text);
        parse(text, ranks, source.clone()).map_err(|error| (source, vec![error]))
    }

    /// The number of modes of the result.
    pub fn rank(&self) -> usize {
        self.result.labels.len()
    }

    /// The statements that compute it.
    ///
    /// # Errors
    /// A path that names an operand which is not there.
    pub fn expression(&self, einsum: &Einsum) -> Result<StatementText, Refused> {
        let statements = self.statements(einsum).map_err(|error| (self.source.clone(), vec![error]))?;
        Ok(StatementText { source: self.source.clone(), statements })
    }

    fn statements(&self, einsum: &Einsum) -> Result<Vec<Stmt>, Diagnostic> {
        let mut pending: Vec<Factor> = self.factors(einsum).collect();
        let mut statements = Vec::new();
        for (number, step) in einsum.path.iter().flatten().enumerate() {
            let taken = take(&mut pending, step)?;
            if pending.is_empty() {
                pending = taken;
                break;
            }
            // Labels that nothing behind this step has are summed over.
            let needed = |label: &String| {
                self.result.labels.contains(label) || pending.iter().any(|other| other.labels.contains(label))
            };
            let mut labels: Vec<String> = Vec::new();
            for label in taken.iter().flat_map(|factor| &factor.labels).filter(|label| needed(label)) {
                if !labels.contains(label) {
                    labels.push(label.clone());
                }
            }
            let span = taken.iter().map(|factor| factor.span).reduce(Span::to).unwrap_or_default();
            let target = Term { labels: labels.clone(), span };
            let name = format!("step{}", number + 1);
            statements.push(assignment(&name, &target, product(&taken, einsum.semiring), span));
            pending.push(Factor { value: access(&name, &target), labels, span });
        }
        let whole = Span::new(0, self.source.text().len());
        let mut last = assignment(&einsum.result, &self.result, product(&pending, einsum.semiring), whole);
        if let StmtKind::Assign(assign) = &mut last.kind {
            assign.op = if einsum.accumulates { AssignOp::Add } else { AssignOp::Set };
            assign.mask = einsum.mask.as_ref().map(|(name, complement)| Mask {
                complement: *complement,
                tensor: Ident { name: name.clone(), span: whole },
                method: None,
                span: whole,
            });
        }
        statements.push(last);
        Ok(statements)
    }

    fn factors<'s>(&'s self, einsum: &'s Einsum) -> impl Iterator<Item = Factor> + 's {
        self.operands.iter().enumerate().map(|(number, term)| {
            let access = access(&einsum.names[number], term);
            let value = match einsum.conversions.get(number).copied().flatten() {
                Some(to) => {
                    let callee = Ident { name: to.word().to_owned(), span: term.span };
                    Expr { kind: ExprKind::Call { callee, args: vec![access] }, span: term.span }
                }
                None => access,
            };
            Factor { value, labels: term.labels.clone(), span: term.span }
        })
    }
}

/// An operand, or the result of a step.
struct Factor {
    value: Expr,
    labels: Vec<String>,
    span: Span,
}

fn take(pending: &mut Vec<Factor>, step: &[usize]) -> Result<Vec<Factor>, Diagnostic> {
    let mut places = step.to_vec();
    places.sort_unstable();
    places.dedup();
    if places.is_empty() || places.len() < step.len() || places.last() >= Some(&pending.len()) {
        let message = format!("the path has the step {step:?} where there are {} operands", pending.len());
        let hint = "a step names one or two operands by their places from 0; its result goes to the end";
        return Err(Diagnostic::error_without_place(message).hint(hint));
    }
    let mut taken: Vec<Factor> = places.iter().rev().map(|place| pending.remove(*place)).collect();
    taken.reverse();
    Ok(taken)
}

fn product(factors: &[Factor], semiring: Option<(Operator, Operator)>) -> Expr {
    let op = match semiring {
        Some((reduce, combine)) => {
            BinaryOp::Semiring(OperatorName::Operator(reduce), OperatorName::Operator(combine))
        }
        None => BinaryOp::Mul,
    };
    let binary = |left: Expr, right: Expr| {
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        Expr { kind: ExprKind::Binary { op, op_span: span, left, right }, span }
    };
    let mut values = factors.iter().map(|factor| factor.value.clone());
    let first = values.next().expect("there is an operand");
    match (semiring, factors.len()) {
        // A semiring has two operands.
        (Some((reduce, _)), 1) => {
            let one =
                Expr { kind: ExprKind::Number(Number { value: 1.0, integer: Some(1) }), span: first.span };
            let span = first.span;
            let (left, right) = (Box::new(first), Box::new(one));
            let [reduce, combine] = [reduce, Operator::First].map(OperatorName::Operator);
            let op = BinaryOp::Semiring(reduce, combine);
            Expr { kind: ExprKind::Binary { op, op_span: span, left, right }, span }
        }
        _ => values.fold(first, binary),
    }
}

fn access(name: &str, term: &Term) -> Expr {
    let tensor = Ident { name: name.to_owned(), span: term.span };
    Expr { kind: ExprKind::Access { tensor, indices: indices(term) }, span: term.span }
}

fn indices(term: &Term) -> Vec<Index> {
    let index = |label: &String| Index::Name(Ident { name: label.clone(), span: term.span });
    term.labels.iter().map(index).collect()
}

fn assignment(name: &str, target: &Term, value: Expr, span: Span) -> Stmt {
    let tensor = Ident { name: name.to_owned(), span: target.span };
    let assign = Assign {
        tensor,
        indices: indices(target),
        target_span: target.span,
        mask: None,
        op: AssignOp::Set,
        value,
        schedule: None,
    };
    Stmt { kind: StmtKind::Assign(assign), span }
}

/// A word or sign of a semiring: the language's, GraphBLAS's or NumPy's.
pub fn combining(word: &str) -> Option<Operator> {
    Operator::of_symbol(word).or_else(|| Operator::of_alias(word)).filter(|operator| operator.is_monoid())
}

/// The names of what [`combining`] knows.
pub fn combining_words() -> Vec<&'static str> {
    let monoids = Operator::ALL.iter().filter(|operator| operator.is_monoid());
    monoids.map(|operator| operator.name()).collect()
}

fn parse(text: &str, ranks: &[usize], source: Source) -> Result<Subscripts, Diagnostic> {
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some((output, inputs.len() + 2))),
        None => (text, None),
    };
    let mut start = 0;
    let mut written = Vec::new();
    for part in inputs.split(',') {
        written.push(term(part, start)?);
        start += part.len() + 1;
    }
    if written.len() != ranks.len() {
        let [wrote, passed] = [written.len(), ranks.len()].map(counted);
        let message = format!("the subscripts are those of {wrote}, and {passed} passed");
        return Err(Diagnostic::error(Span::new(0, inputs.len()), message).hint("separate operands by `,`"));
    }
    let mut hidden = 0;
    for (number, (term, rank)) in written.iter().zip(ranks).enumerate() {
        hidden = hidden.max(term.hidden(*rank, number)?);
    }
    let operands: Vec<Term> =
        written.iter().zip(ranks).map(|(term, rank)| term.expanded(*rank, hidden)).collect();
    let result = match output {
        Some((output, start)) => {
            let term = term(output, start)?;
            let known = if term.ellipsis.is_some() { hidden } else { 0 };
            term.expanded(term.labels.len() + known, hidden)
        }
        None => implicit(&operands, hidden, text.len()),
    };
    check_result(&result, &operands)?;
    let drops = |number: usize| !result.labels.contains(&hidden_label(number));
    if (0..hidden).any(drops) {
        let message = "operands have more modes than labels, and the result has no `...` for them";
        return Err(Diagnostic::error(result.span, message).hint("write `...` in the result, too"));
    }
    Ok(Subscripts { source, operands, result })
}

fn counted(count: usize) -> String {
    match count {
        1 => "1 operand".to_owned(),
        count => format!("{count} operands"),
    }
}

/// Subscripts as they are written.
struct Written {
    labels: Vec<String>,
    /// How many labels are in front of `...`.
    ellipsis: Option<usize>,
    span: Span,
}

fn term(text: &str, start: usize) -> Result<Written, Diagnostic> {
    let mut written =
        Written { labels: Vec::new(), ellipsis: None, span: Span::new(start, start + text.len()) };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let place = Span::new(start + at, start + at + c.len_utf8());
        match c {
            ' ' => {}
            '.' if text[at..].starts_with("...") && written.ellipsis.is_none() => {
                written.ellipsis = Some(written.labels.len());
                chars.next();
                chars.next();
            }
            '.' => {
                let message = "a `.` is not part of the one `...` that subscripts may have";
                return Err(Diagnostic::error(place, message));
            }
            c if c.is_ascii_alphabetic() => written.labels.push(c.to_string()),
            // As other packages write contractions of more than 52 labels.
            c if c.is_alphabetic() => written.labels.push(format!("u{:x}", u32::from(c))),
            c => {
                let message = format!("a label is a letter, found `{c}`");
                return Err(Diagnostic::error(place, message).hint("write subscripts as `ik,kj->ij`"));
            }
        }
    }
    Ok(written)
}

impl Written {
    /// How many modes `...` stands for.
    fn hidden(&self, rank: usize, number: usize) -> Result<usize, Diagnostic> {
        let count = self.labels.len();
        match (self.ellipsis, rank.checked_sub(count)) {
            (None, Some(0)) => Ok(0),
            (Some(_), Some(hidden)) => Ok(hidden),
            _ => {
                let message = format!("operand {number} has {rank} modes, and its subscripts {count} labels");
                Err(Diagnostic::error(self.span, message)
                    .hint("a label stands for each mode; `...` for any number"))
            }
        }
    }

    /// With labels in the place of `...`, of which there are at most `hidden`: the last ones.
    fn expanded(&self, rank: usize, hidden: usize) -> Term {
        let mut labels = self.labels.clone();
        if let Some(at) = self.ellipsis {
            let count = rank - self.labels.len();
            labels.splice(at..at, (hidden - count..hidden).map(hidden_label));
        }
        Term { labels, span: self.span }
    }
}

/// Returns the letter that a label stands for: the inverse of how [`parse`] names those that are not ASCII.
fn letter(label: &str) -> u32 {
    let code = label.strip_prefix('u').and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.or_else(|| label.chars().next().map(u32::from)).unwrap_or_default()
}

fn hidden_label(number: usize) -> String {
    format!("rest{number}")
}

fn implicit(operands: &[Term], hidden: usize, end: usize) -> Term {
    let all: Vec<&String> = operands.iter().flat_map(|term| &term.labels).collect();
    let is_hidden = |label: &String| label.starts_with("rest");
    let mut once: Vec<String> = all
        .iter()
        .filter(|label| !is_hidden(label) && all.iter().filter(|other| other == label).count() == 1)
        .map(|label| (*label).clone())
        .collect();
    once.sort_unstable_by_key(|label| letter(label));
    let labels = (0..hidden).map(hidden_label).chain(once).collect();
    Term { labels, span: Span::new(0, end) }
}

fn check_result(result: &Term, operands: &[Term]) -> Result<(), Diagnostic> {
    for (place, label) in result.labels.iter().enumerate() {
        if result.labels[..place].contains(label) {
            let message = format!("the result has the label `{label}` twice");
            return Err(
                Diagnostic::error(result.span, message).hint("take the diagonal of an operand: `ii->i`")
            );
        }
        if !operands.iter().any(|term| term.labels.contains(label)) {
            let message = format!("no operand has the label `{label}` of the result");
            return Err(Diagnostic::error(result.span, message));
        }
    }
    Ok(())
}
