//! The classes of assignments (sparse-workspace.txt section 2): whether the loops bring points in the order
//! in which the target stores them, and whether more is done than to put single values in their places.

use crate::nest::{self, loops_around};
use comet_ir::cin::{self, Claim, Reduction};
use std::fmt;

/// What an assignment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It sets elements to the values of one tensor.
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
        let loops = loops_around(assign, compute.expect("assignments are in a compute"));
        let (agreement, from, to) = assign.derived_orders();
        let loops = loops.into_iter().map(nest::name).collect();
        Self { agreement, purpose: Purpose::of(assign), from, to, loops }
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
        let tensors = nest::accesses_of(assign.value()).filter(|access| !access.indices().is_empty());
        match assign.reduction() == Reduction::Set && tensors.count() <= 1 {
            true => Self::Assignment,
            false => Self::Accumulation,
        }
    }
}
