//! When something is stored at the point that the loops are at: formulas over levels of operands.

use super::nest::{Access, Var};
use super::pattern_set::Set;

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

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Formula {
    /// It holds.
    True,
    /// An atom does.
    Atom(Atom),
    /// Both hold.
    And(Box<Formula>, Box<Formula>),
    /// One of them holds.
    Or(Box<Formula>, Box<Formula>),
}

impl Formula {
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

    /// That a coordinate is in a set; `stored` is when an operand has it.
    pub(super) fn of_set(set: &Set, stored: &impl Fn(&Access) -> Self) -> Self {
        match set {
            Set::All => Self::True,
            Set::Stored(access) => stored(access),
            Set::Union(one, other) => Self::of_set(one, stored).or(Self::of_set(other, stored)),
            Set::Intersect(one, other) => Self::of_set(one, stored).and(Self::of_set(other, stored)),
        }
    }

    /// What has to hold, one by one.
    pub(super) fn conjuncts<'f>(&'f self, found: &mut Vec<&'f Formula>) {
        match self {
            Self::And(one, other) => {
                one.conjuncts(found);
                other.conjuncts(found);
            }
            other => found.push(other),
        }
    }

    /// Whether it asks of nothing but what levels store.
    pub(super) fn is_of_levels(&self) -> bool {
        let mut atoms = Vec::new();
        self.atoms(&mut atoms);
        atoms.into_iter().all(|atom| matches!(atom, Atom::Level(..)))
    }

    /// Whether it asks whether something is stored at a variable.
    pub(super) fn is_about(&self, var: Var) -> bool {
        let mut atoms = Vec::new();
        self.atoms(&mut atoms);
        atoms.into_iter().any(|atom| matches!(atom, Atom::Level(_, other) if *other == var))
    }

    fn atoms<'f>(&'f self, found: &mut Vec<&'f Atom>) {
        match self {
            Self::True => {}
            Self::Atom(atom) => {
                if !found.contains(&atom) {
                    found.push(atom);
                }
            }
            Self::And(one, other) | Self::Or(one, other) => {
                one.atoms(found);
                other.atoms(found);
            }
        }
    }

    fn holds(&self, true_ones: &dyn Fn(&Atom) -> bool) -> bool {
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
        let mut atoms = Vec::new();
        self.atoms(&mut atoms);
        other.atoms(&mut atoms);
        if atoms.len() > MOST {
            return self == other;
        }
        (0_u32..1 << atoms.len()).all(|case| {
            let holds = |atom: &Atom| {
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
