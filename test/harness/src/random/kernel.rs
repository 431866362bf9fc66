//! A random statement with its tensors: plain data, which the reducer takes apart.

use super::format::Format;
use super::part::DrawnPart;
use super::schedule::DrawnCommand;

/// One statement and what it needs.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The labels; others refer to them by number.
    pub labels: Vec<DrawnLabel>,
    /// The tensors; the first one is assigned.
    pub operands: Vec<Operand>,
    /// `=`, `+=` or `-=`.
    pub op: &'static str,
    /// Which positions are computed.
    pub mask: Option<Mask>,
    /// The right-hand side.
    pub value: Value,
    /// Whether the sparse operands are printed, too.
    pub prints_operands: bool,
    /// How often the statement runs: not 1 where it stands in a `for`.
    pub rounds: usize,
    /// The `=`, `+=` or `-=` of a second statement like it.
    pub again: Option<&'static str>,
    /// How the statements are computed.
    pub schedule: Vec<DrawnCommand>,
    /// Whether a sparse result is copied to COO before it is printed, so that formats print the same.
    pub prints_entries: bool,
}

/// The mask of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    /// The tensor, which has the target's labels; 0 is the target itself.
    pub operand: usize,
    /// Before the name: nothing, or `!`.
    pub complement: &'static str,
    /// Behind the name: nothing, or a method behind a comma.
    pub method: &'static str,
}

/// A label.
#[derive(Clone, Debug)]
pub struct DrawnLabel {
    /// Its size.
    pub size: usize,
    /// Whether the size is left for the files to say.
    pub open: bool,
}

/// A tensor.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Of its declaration and of its one access.
    pub labels: Vec<usize>,
    /// The word of its element type.
    pub element: &'static str,
    /// How it is stored.
    pub format: Format,
    /// What it holds before the statement.
    pub content: Content,
    /// What the statement accesses of a tensor that holds it, one for each mode; empty where it is this one.
    pub part: Vec<DrawnPart>,
}

/// Where the values of a tensor come from.
#[derive(Clone, Debug)]
pub enum Content {
    /// Nothing: zeros, or nothing stored.
    Nothing,
    /// The same value everywhere.
    Fill(f64),
    /// A file.
    File(FileKind, Vec<Entry>),
}

/// A position and a value; a file may hold a position twice.
pub type Entry = (Vec<usize>, f64);

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `.mtx` coordinate, for matrices.
    Market,
    /// `.mtx` array, for matrices all of whose positions have one entry.
    MarketArray,
    /// `.tns`, 1-based.
    Frostt,
    /// `.tns` with a header, 0-based.
    Comet,
    /// No file but an array in the program, for tensors with modes, none of which is empty.
    Array,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// An access to an operand.
    Operand(usize),
    /// The same, written as a transpose.
    Transposed(usize),
    /// A number as it is written.
    Number(&'static str),
    /// `-x`.
    Neg(Box<Value>),
    /// `x op y`.
    Binary(&'static str, Box<Value>, Box<Value>),
    /// `f(x, y)`.
    Call(&'static str, Vec<Value>),
}

impl Kernel {
    /// The extents of an operand.
    pub fn dims(&self, operand: usize) -> Vec<usize> {
        self.operands[operand].labels.iter().map(|&label| self.labels[label].size).collect()
    }

    /// Whether the expression, the target or the mask is that operand.
    pub fn uses(&self, operand: usize) -> bool {
        let masks = self.mask.is_some_and(|mask| mask.operand == operand);
        operand == 0 || masks || self.value.uses(operand)
    }
}

impl Value {
    /// `left op right`.
    pub fn binary(op: &'static str, left: Self, right: Self) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// Whether it is a quotient, or has one inside.
    pub(super) fn divides(&self) -> bool {
        match self {
            Self::Operand(_) | Self::Transposed(_) | Self::Number(_) => false,
            Self::Neg(inner) => inner.divides(),
            Self::Binary(op, left, right) => *op == "/" || left.divides() || right.divides(),
            Self::Call(_, arguments) => arguments.iter().any(Self::divides),
        }
    }

    /// Whether it has an operator such as `@(min)`.
    pub(super) fn has_monoids(&self) -> bool {
        self.any_operator(|op| op.starts_with('@'))
    }

    /// Whether something holds of one of its operators.
    pub(super) fn any_operator(&self, holds: fn(&str) -> bool) -> bool {
        match self {
            Self::Operand(_) | Self::Transposed(_) | Self::Number(_) => false,
            Self::Neg(inner) => inner.any_operator(holds),
            Self::Binary(op, left, right) => {
                holds(op) || left.any_operator(holds) || right.any_operator(holds)
            }
            Self::Call(_, arguments) => arguments.iter().any(|argument| argument.any_operator(holds)),
        }
    }

    /// Whether a function or an operator of that name is applied in it.
    pub(super) fn applies(&self, name: &str) -> bool {
        match self {
            Self::Operand(_) | Self::Transposed(_) | Self::Number(_) => false,
            Self::Neg(inner) => inner.applies(name),
            Self::Binary(op, left, right) => *op == name || left.applies(name) || right.applies(name),
            Self::Call(function, arguments) => {
                *function == name || arguments.iter().any(|argument| argument.applies(name))
            }
        }
    }

    pub(super) fn uses(&self, operand: usize) -> bool {
        match self {
            Self::Operand(used) | Self::Transposed(used) => *used == operand,
            Self::Number(_) => false,
            Self::Neg(inner) => inner.uses(operand),
            Self::Binary(_, left, right) => left.uses(operand) || right.uses(operand),
            Self::Call(_, arguments) => arguments.iter().any(|argument| argument.uses(operand)),
        }
    }
}
