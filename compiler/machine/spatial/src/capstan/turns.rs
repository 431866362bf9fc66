//! Whether the iterations of a pattern have to wait for each other.
//!
//! The steps of a body are stages of a pipeline: while one iteration is in the second step, the next one is
//! in the first. Where a step needs what a later step of the iteration before has left in a register or a
//! memory, it waits, and so does all that leads from the one to the other.

use crate::app::visit::{Use, UseKind};
use crate::app::{AppExpr, AppStatement, Block, Domain};
use std::collections::BTreeSet;

/// Whether the next iteration begins only when all of this one is done.
pub(super) fn are_in_turn(domain: &Domain, body: &Block) -> bool {
    let steps: Vec<BodyStep<'_>> = body.iter().map(BodyStep::new).collect();
    let own: BTreeSet<&str> = steps.iter().flat_map(BodyStep::declared).chain(domain.binders()).collect();
    let leads = leads(&steps);
    let carries = |earlier: usize, later: usize| {
        leads[earlier].contains(&later)
            && steps[earlier]
                .all(UseKind::Read)
                .filter(|read| !own.contains(read.name))
                .any(|read| steps[later].all(UseKind::Write).any(|write| meet(read, write, &own)))
    };
    (0..steps.len()).any(|earlier| (earlier + 1..steps.len()).any(|later| carries(earlier, later)))
}

/// For each statement of a block, those behind it that need something of it.
pub(super) fn needed_by(body: &Block) -> Vec<BTreeSet<usize>> {
    leads(&body.iter().map(BodyStep::new).collect::<Vec<_>>())
}

struct BodyStep<'a> {
    /// The names that are not declared inside of it.
    uses: Vec<Use<'a>>,
}

impl<'a> BodyStep<'a> {
    fn new(statement: &'a AppStatement) -> Self {
        let nested = statement.bodies().into_iter().flatten().flat_map(AppStatement::uses_inside);
        let declared = nested.filter(|used| used.what == UseKind::Declare);
        let inner: BTreeSet<&str> = declared.map(|used| used.name).collect();
        let mut uses = statement.uses_inside();
        uses.retain(|used| !inner.contains(used.name));
        Self { uses }
    }

    fn all(&self, what: UseKind) -> impl Iterator<Item = &Use<'a>> {
        self.uses.iter().filter(move |used| used.what == what)
    }

    fn declared(&self) -> impl Iterator<Item = &'a str> {
        self.all(UseKind::Declare).map(|used| used.name)
    }
}

/// For each step, those behind it that need something of it, directly or through others.
fn leads(steps: &[BodyStep<'_>]) -> Vec<BTreeSet<usize>> {
    let mut leads = vec![BTreeSet::new(); steps.len()];
    for earlier in (0..steps.len()).rev() {
        let left: BTreeSet<&str> = steps[earlier]
            .uses
            .iter()
            .filter(|used| used.what != UseKind::Read)
            .map(|used| used.name)
            .collect();
        let needs = |later: &usize| steps[*later].all(UseKind::Read).any(|read| left.contains(read.name));
        let direct: Vec<usize> = (earlier + 1..steps.len()).filter(needs).collect();
        for later in direct {
            let further = leads[later].clone();
            leads[earlier].extend(further);
            leads[earlier].insert(later);
        }
    }
    leads
}

/// Whether one iteration may read what another has written: not where both are at a place that each iteration
/// computes in the same way from what is its own.
fn meet(read: &Use<'_>, write: &Use<'_>, own: &BTreeSet<&str>) -> bool {
    let is_own = || read.at.into_iter().flat_map(AppExpr::uses).any(|used| own.contains(used.name));
    read.name == write.name && !(read.at == write.at && is_own())
}
