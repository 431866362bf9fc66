//! Operators of semirings and monoids, and what a function states of itself to be one.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use comet_diag::Span;
use comet_notation::Operator;

use super::Number;

/// What stands in the parentheses of `@(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperatorName {
    Operator(Operator),
    /// A function of the file.
    Function(FunctionName),
}

/// The name of a function, of which there is one in the process, so that operators can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionName(&'static str);

impl FunctionName {
    pub fn of(name: &str) -> Self {
        static NAMES: OnceLock<Mutex<HashSet<&'static str>>> = OnceLock::new();
        let mut names = NAMES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(name) {
            return Self(known);
        }
        let known: &'static str = String::leak(name.to_owned());
        names.insert(known);
        Self(known)
    }

    pub fn text(self) -> &'static str {
        self.0
    }
}

impl OperatorName {
    /// Returns how the language writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Operator(operator) => operator.symbol(),
            Self::Function(name) => name.text(),
        }
    }

    /// Returns the name of a function of the file.
    pub fn function(self) -> Option<&'static str> {
        match self {
            Self::Operator(_) => None,
            Self::Function(name) => Some(name.text()),
        }
    }
}

/// `operator(identity=0, associative, commutative)`.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorProperties {
    pub identity: Option<Identity>,
    pub is_associative: bool,
    pub is_commutative: bool,
    pub span: Span,
}

/// `identity=-1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    pub is_negative: bool,
    pub value: IdentityValue,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IdentityValue {
    Number(Number),
    /// `inf`: of integers, the largest one.
    Infinite,
}
