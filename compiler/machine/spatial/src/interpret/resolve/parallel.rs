//! Iterations that run at once: what they may share, and how many there may be.

use super::names::Name;
use super::{Resolver, Result};
use crate::app::{AppExpr, Block, Domain, has_controllers};
use crate::interpret::program::ArrayUse;
use comet_diag::{Diagnostic, Span};

/// How many lanes a compute unit has, and of how many copies the shuffle networks can serve the memories
/// (stardust.txt, section 9.2).
const LANES: i64 = 16;

/// The patterns around a place that have other patterns inside.
#[derive(Debug, Default)]
pub(super) struct Parallel {
    /// Those whose iterations run at once.
    around: Vec<Around>,
}

#[derive(Clone, Copy, Debug)]
struct Around {
    guard: usize,
    par: i64,
    /// From its first word to the end of its domain.
    header: Span,
}

impl Parallel {
    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }
}

impl Resolver<'_> {
    /// Checks how many iterations run at once, and counts a pattern that has others inside to those around
    /// what is in it until [`Resolver::leave`]. Returns the number of its guard.
    pub(super) fn enter(&mut self, domain: &Domain, body: &Block, header: Span) -> Result<Option<usize>> {
        let (par, span) = self.iterations_at_once(domain)?;
        if !has_controllers(body) {
            return match par <= LANES {
                true => Ok(None),
                false => Err(too_many_lanes(par, span)),
            };
        }
        if par == 1 {
            return Ok(None);
        }
        let guard = self.program.guards;
        self.program.guards += 1;
        self.parallel.around.push(Around { guard, par, header });
        Ok(Some(guard))
    }

    /// The end of what [`Resolver::enter`] began.
    pub(super) fn leave(&mut self, guard: Option<usize>) {
        if guard.is_some() {
            self.parallel.around.pop();
        }
    }

    /// The product of a domain's factors, and where the last of them is.
    pub(super) fn iterations_at_once(&mut self, domain: &Domain) -> Result<(i64, Span)> {
        let factors = domain.factors();
        let mut product = 1i64;
        for factor in &factors {
            product = product.saturating_mul(self.factor(factor)?);
        }
        Ok((product, factors.last().map_or(Span::default(), |factor| factor.span)))
    }

    /// How much is done at once: 1 where nothing is said.
    pub(super) fn at_once(&mut self, par: Option<&AppExpr>) -> Result<u64> {
        par.map_or(Ok(1), |par| self.factor(par)).map(i64::unsigned_abs)
    }

    fn factor(&mut self, par: &AppExpr) -> Result<i64> {
        match self.constant(par)? {
            Some(par) if par >= 1 => Ok(par),
            Some(other) => {
                let error = format!("`par` is {other}, and 1 is the least that can be done at once");
                Err(Diagnostic::error(par.span, error).into())
            }
            None => {
                let error = Diagnostic::error(par.span, "`par` is known only when the application runs");
                Err(error.hint("hardware is laid out before: use a number or a parameter").into())
            }
        }
    }

    /// How many elements are moved or combined at once, which are no more than there are lanes.
    pub(super) fn lanes(&mut self, par: &AppExpr) -> Result<u64> {
        match self.factor(par)? {
            lanes if lanes <= LANES => Ok(lanes.unsigned_abs()),
            lanes => Err(too_many_lanes(lanes, par.span)),
        }
    }

    /// Checks that no iteration sets or moves what all of them share.
    pub(super) fn check_inside(&self, name: &str, found: Name, used: &str, span: Span) -> Result<()> {
        let Some(around) = self.parallel.around.get(found.parallel) else { return Ok(()) };
        let error = format!("`{name}` is shared by {} iterations at once, and {used} here", around.par);
        Err(Diagnostic::error(span, error)
            .also(around.header, "iterations of this run at once")
            .also(found.span, "declared here, outside of it")
            .hint("declare it inside, or let one iteration run at a time: `par 1`")
            .into())
    }

    /// A memory in use, with the patterns whose iterations may disturb each other there.
    pub(super) fn place(&self, array: usize, found: Name) -> ArrayUse {
        let around = self.parallel.around.get(found.parallel..).unwrap_or_default();
        ArrayUse { array, guards: around.iter().map(|around| around.guard).collect() }
    }

    /// Checks that the shuffle networks can serve the uses of a sparse SRAM.
    pub(super) fn check_copies(&self, name: &str, span: Span) -> Result<()> {
        let copies = self.parallel.around.iter().fold(1i64, |all, around| all.saturating_mul(around.par));
        let Some(around) = self.parallel.around.last().filter(|_| copies > LANES) else { return Ok(()) };
        let error = format!("`{name}` is a sparse SRAM, and used by {copies} copies of this at once");
        Err(Diagnostic::error(span, error)
            .also(around.header, "iterations of this run at once")
            .hint(format!("there are shuffle networks for {LANES} of them: lower `par` of a pattern around"))
            .into())
    }
}

fn too_many_lanes(lanes: i64, span: Span) -> Box<Diagnostic> {
    let error = format!("`par` is {lanes}, and there are {LANES} lanes");
    Diagnostic::error(span, error).hint("run iterations of a pattern around at once instead").into()
}
