//! When something is stored at the point that the loops are at: formulas over levels of operands.

use super::nest::{Access, Var};
use comet_notation::distinct;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// The level of an operand over a variable stores the coordinate.
    Level(Access, Var),
    /// A temporary has a value, by its marks.
    Marks(Access),
    /// A dense mask is not 0.
    Masked(Access),
    /// A complemented mask is not stored, or 0.
    MaskedOut(Access),
}

/// A combination of conditions: of [`Atom`]s, or, as a [`Set`], of what operands store.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula<A = Atom> {
    /// It holds.
    True,
    /// An atom does.
    Atom(A),
    /// Both hold.
    And(Box<Formula<A>>, Box<Formula<A>>),
    /// One of them holds.
    Or(Box<Formula<A>>, Box<Formula<A>>),
}

/// The coordinates of a variable that matter to a part of a statement: all of them (U of stardust.txt, section
/// 8), those that an operand stores (C), unions and intersections.
pub(super) type Set = Formula<Access>;

impl<A: Clone + PartialEq> Formula<A> {
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, other) | (other, Self::True) => other,
            (one, other) => Self::And(Box::new(one), Box::new(other)),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (one, other) => Self::Or(Box::new(one), Box::new(other)),
        }
    }

    /// The same with a formula in the place of each atom.
    pub(super) fn map<B: Clone + PartialEq>(&self, of: &impl Fn(&A) -> Formula<B>) -> Formula<B> {
        match self {
            Self::True => Formula::True,
            Self::Atom(atom) => of(atom),
            Self::And(one, other) => one.map(of).and(other.map(of)),
            Self::Or(one, other) => one.map(of).or(other.map(of)),
        }
    }

    /// The atoms, each once.
    pub(super) fn atoms(&self) -> Vec<&A> {
        match self {
            Self::True => Vec::new(),
            Self::Atom(atom) => vec![atom],
            Self::And(one, other) | Self::Or(one, other) => {
                distinct(one.atoms().into_iter().chain(other.atoms()))
            }
        }
    }

    /// What has to hold, one by one.
    pub(super) fn conjuncts<'f>(&'f self, found: &mut Vec<&'f Self>) {
        match self {
            Self::And(one, other) => {
                one.conjuncts(found);
                other.conjuncts(found);
            }
            other => found.push(other),
        }
    }

    fn holds(&self, true_ones: &dyn Fn(&A) -> bool) -> bool {
        match self {
            Self::True => true,
            Self::Atom(atom) => true_ones(atom),
            Self::And(one, other) => one.holds(true_ones) && other.holds(true_ones),
            Self::Or(one, other) => one.holds(true_ones) || other.holds(true_ones),
        }
    }

    /// Whether it holds wherever `self` does. It is found by trying all cases; of very many operands it is
    /// taken not to, which makes conditions longer and changes no result.
    pub(super) fn implies(&self, other: &Self) -> bool {
        let atoms = distinct(self.atoms().into_iter().chain(other.atoms()));
        if atoms.len() > MOST {
            return self == other;
        }
        (0_u32..1 << atoms.len()).all(|case| {
            let holds = |atom: &A| {
                let place = atoms.iter().position(|other| *other == atom);
                place.is_some_and(|place| case >> place & 1 == 1)
            };
            !self.holds(&holds) || other.holds(&holds)
        })
    }

    /// The same where a condition holds: what that implies is left out.
    pub(super) fn given(self, context: &Self) -> Self {
        if context.implies(&self) {
            return Self::True;
        }
        match self {
            Self::And(one, other) => one.given(context).and(other.given(context)),
            Self::Or(one, other) => one.given(context).or(other.given(context)),
            other => other,
        }
    }
}

impl Formula {
    /// Whether it asks of nothing but what levels store.
    pub(super) fn is_of_levels(&self) -> bool {
        self.atoms().into_iter().all(|atom| matches!(atom, Atom::Level(..)))
    }

    /// Whether it asks whether something is stored at a variable.
    pub(super) fn is_about(&self, var: Var) -> bool {
        self.atoms().into_iter().any(|atom| matches!(atom, Atom::Level(_, other) if *other == var))
    }
}

/// Operands whose cases are all tried.
const MOST: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(tensor: usize) -> Formula {
        Formula::Atom(Atom::Level(Access { tensor, indices: vec![0] }, 0))
    }

    /// In a union one of both is there, and each of them may not be.
    #[test]
    fn a_union_implies_one_of_both() {
        let union = stored(0).or(stored(1));
        assert!(union.implies(&stored(1).or(stored(0))));
        assert!(!union.implies(&stored(0)));
        assert_eq!(stored(0).and(stored(1)).given(&stored(0)), stored(1));
    }
}
