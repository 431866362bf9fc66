//! The classes of assignments (sparse-workspace.txt section 2): whether the loops bring points in the order
//! in which the target stores them, and whether more is done than to put single values in their places.

use crate::nest::{self, Relations, loops_around, point};
use comet_format::{Level, LevelExpr};
use comet_ir::cin::Reduction;
use comet_ir::cin::{self, Claim};
use comet_ir::{Op, Val, format};
use comet_notation::distinct;
use std::fmt;

/// What an assignment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It gives elements the values of one tensor.
    Assignment,
    /// It combines values with what the target holds, or is made of more than one tensor: the paper's
    /// co-iteration and assignment. (A loop over a variable that the target lacks makes several values for
    /// one element; where an assignment does not combine them, each takes the place of the one before.)
    Accumulation,
}

/// The class of an assignment, and the orders that make it one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Whether points come in the order of the target.
    pub agreement: Claim,
    pub purpose: Purpose,
    /// The variables of the loops that bring points, outermost first.
    pub from: Vec<String>,
    /// The variables of the target's levels, or the parts of variables that they store, outermost first.
    pub to: Vec<String>,
    /// The variables of all loops around.
    loops: Vec<String>,
}

impl Class {
    pub fn of(assign: cin::Assign<'_>) -> Self {
        let compute = assign.ancestors().filter(|op| op.is::<cin::Compute>()).last();
        let compute = compute.expect("assignments are in a compute");
        let nest = Nest { relations: nest::relations(compute), vars: loops_around(assign, compute) };
        let (tensor, indices) = point(assign);
        let mut digits: Vec<Digit> = Vec::new();
        let mut to = Vec::new();
        for level in format::of(tensor).levels {
            let Some((name, own)) = nest.coordinate(level, &indices) else { continue };
            to.push(name);
            digits.extend(own);
        }
        let digits = distinct(digits);
        let mut loops: Vec<usize> = digits.iter().flat_map(|digit| digit.loops.iter().copied()).collect();
        loops.sort_unstable();
        loops.dedup();
        Self {
            agreement: if are_in_order(&digits) { Claim::Concordant } else { Claim::Discordant },
            purpose: Purpose::of(assign),
            from: loops.into_iter().map(|number| nest::name(nest.vars[number])).collect(),
            to,
            loops: nest.vars.iter().map(|var| nest::name(*var)).collect(),
        }
    }

    pub fn claim(&self, assign: cin::Assign<'_>) {
        let assign = assign.cast::<cin::Assign>().expect("it is an assignment");
        let is_discordant = self.agreement == Claim::Discordant;
        assign
            .set_claim(Some(self.agreement))
            .set_header_from(is_discordant.then_some(&self.from))
            .set_header_to(is_discordant.then_some(&self.to));
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = self.agreement.word();
        let purpose = match self.purpose {
            Purpose::Assignment => "assignment",
            Purpose::Accumulation => "accumulation",
        };
        let (loops, levels) = (self.loops.join(", "), self.to.join(", "));
        write!(f, "a {agreement} {purpose} (loops {loops}; levels {levels})")
    }
}

impl Purpose {
    fn of(assign: cin::Assign<'_>) -> Self {
        match assign.reduction() == Reduction::Set && count_tensors(assign.value()) <= 1 {
            true => Self::Assignment,
            false => Self::Accumulation,
        }
    }
}

/// The number of accesses that a value is made of; single numbers aside.
fn count_tensors(value: Val<'_>) -> usize {
    match cin::Access::defining(value) {
        Some(access) => usize::from(!access.indices().is_empty()),
        None => Op::defining(value).map_or(0, |op| op.operands().into_iter().map(count_tensors).sum()),
    }
}

/// The numbers of loops, outermost first, that a value is counted by; of pairs, which part of what they
/// count.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digit {
    loops: Vec<usize>,
    part: Vec<u8>,
}

/// What counts one half of what the digits count: of a pair, or of a quotient and its remainder.
fn half_of(whole: Vec<Digit>, half: u8) -> Vec<Digit> {
    let mut part = if let [only] = &whole[..] { only.part.clone() } else { Vec::new() };
    part.push(half);
    vec![Digit { loops: whole.into_iter().flat_map(|digit| digit.loops).collect(), part }]
}

/// Whether the digits count upwards, the first one slowest.
fn are_in_order(digits: &[Digit]) -> bool {
    let comes_before = |first: &Digit, second: &Digit| match first.loops == second.loops {
        true => first.part < second.part,
        false => first.loops.last() < second.loops.first(),
    };
    digits.iter().all(|digit| digit.loops.is_sorted())
        && digits.windows(2).all(|pair| comes_before(&pair[0], &pair[1]))
}

struct Nest<'c> {
    relations: Relations<'c>,
    vars: Vec<Val<'c>>,
}

impl<'c> Nest<'c> {
    /// The name of a level's coordinate, and the digits that count it; `None` for a slot.
    fn coordinate(&self, level: Level, indices: &[Val<'c>]) -> Option<(String, Vec<Digit>)> {
        let part = match level.expr {
            LevelExpr::Mode(mode) => {
                return Some((nest::name(indices[mode]), self.digits(indices[mode]).unwrap_or_default()));
            }
            LevelExpr::Div(mode, factor) => (mode, factor, "floordiv", 0),
            LevelExpr::Mod(mode, factor) => (mode, factor, "mod", 1),
            LevelExpr::Slot => return None,
        };
        let (mode, factor, word, number) = part;
        let stored = self.relations.level_var(level, indices);
        let name =
            stored.map_or_else(|| format!("{} {word} {factor}", nest::name(indices[mode])), nest::name);
        let own = stored.and_then(|var| self.digits(var));
        let part_of_whole = || self.digits(indices[mode]).map(|whole| half_of(whole, number));
        Some((name, own.or_else(part_of_whole).unwrap_or_default()))
    }

    /// The digits of an index variable, the most significant first; `None` where the loops do not fix it.
    fn digits(&self, var: Val<'c>) -> Option<Vec<Digit>> {
        let relations = &self.relations;
        let var = relations.unbounded(var);
        if let Some(number) = self.vars.iter().position(|bound| relations.unbounded(*bound) == var) {
            return Some(vec![Digit { loops: vec![number], part: Vec::new() }]);
        }
        let of_halves = relations
            .splits_of(var)
            .find_map(|split| Some([self.digits(split.outer)?, self.digits(split.inner)?].concat()));
        let of_pair = || {
            relations
                .fusions_of(var)
                .find_map(|pair| Some(half_of(self.digits(pair.fused)?, u8::from(pair.outer != var))))
        };
        let of_positions = || {
            let mut positions = relations.positions.iter().filter(|positions| positions.var == var);
            positions.find_map(|positions| self.digits(positions.position))
        };
        of_halves.or_else(of_pair).or_else(of_positions)
    }
}
