//! Which tensors new numbers are found for, and where.

use super::Reordering;
use super::classes::{Class, Classes};
use super::uses::{Body, Use};
use crate::nest;
use comet_abi::reorder::Method;
use comet_ir::{Loc, Val, format, types};
use melior::ir::ValueLike;
use std::collections::HashSet;

/// A tensor whose entries decide on new numbers.
pub(super) struct Chosen<'c> {
    pub(super) tensor: Val<'c>,
    /// The first operand of an expression that the numbers are for.
    pub(super) location: Loc<'c>,
}

/// New numbers, and where they begin to hold.
pub(super) struct Plan<'c> {
    pub(super) reordering: Reordering,
    pub(super) chosen: Vec<Chosen<'c>>,
    /// They are found behind this operation of the block.
    pub(super) place: usize,
}

/// A tensor that is not chosen, and why.
pub(super) struct Refused<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) location: Loc<'c>,
    pub(super) reason: String,
}

/// The sparse matrices and tensors that expressions read are looked at in the order of the program. One is
/// chosen where it is complete before something reads it, its modes can get numbers of their own, and no
/// other one has decided on them. Those that have a variable between them get new numbers at one place.
pub(super) fn plans<'c>(
    body: &Body<'c>,
    classes: &Classes,
    reordering: Reordering,
) -> (Vec<Plan<'c>>, Vec<Refused<'c>>) {
    let (mut plans, mut refused) = (Vec::<Plan<'c>>::new(), Vec::new());
    for tensor in body.operands().into_iter().filter(|tensor| is_sparse(*tensor) && classes.has(*tensor)) {
        let own = classes_of(classes, tensor);
        let near = plans.iter().position(|plan| plan.is_near(body, classes, &own));
        let mut plan = match near {
            Some(near) => plans.remove(near),
            None => Plan { reordering, chosen: Vec::new(), place: 0 },
        };
        match plan.check(body, classes, tensor, &plans) {
            Ok((place, location)) => {
                plan.place = place;
                plan.chosen.push(Chosen { tensor, location });
            }
            Err(reason) => {
                let first = body.places(tensor, |found| found == Use::Computed).next();
                let location = first.expect("it is an operand").1.location();
                refused.push(Refused { tensor, location, reason });
            }
        }
        if !plan.chosen.is_empty() {
            plans.push(plan);
        }
    }
    (plans, refused)
}

fn is_sparse(tensor: Val<'_>) -> bool {
    types::rank(tensor.r#type()) >= 2 && !format::of(tensor).is_dense()
}

pub(super) fn classes_of(classes: &Classes, tensor: Val<'_>) -> Vec<Class> {
    (0..types::rank(tensor.r#type())).map(|mode| classes.class(tensor, mode)).collect()
}

impl<'c> Plan<'c> {
    fn taken(&self, classes: &Classes) -> HashSet<Class> {
        self.chosen.iter().flat_map(|chosen| classes_of(classes, chosen.tensor)).collect()
    }

    /// Whether a variable has indices of these classes and others that get new numbers here.
    fn is_near(&self, body: &Body<'c>, classes: &Classes, own: &[Class]) -> bool {
        let taken = self.taken(classes);
        body.variables().into_iter().any(|variable| {
            let found = classes_of(classes, variable.tensor());
            found.iter().any(|class| own.contains(class)) && found.iter().any(|class| taken.contains(class))
        })
    }

    /// Where the new numbers begin to hold with this tensor, and what they are for; or why it is not chosen.
    fn check(
        &self,
        body: &Body<'c>,
        classes: &Classes,
        tensor: Val<'c>,
        others: &[Self],
    ) -> Result<(usize, Loc<'c>), String> {
        let own = classes_of(classes, tensor);
        check_method(self.reordering.method, tensor, &own)?;
        if let Some(reason) = own.iter().find_map(|class| classes.reason(*class)) {
            return Err(reason.to_owned());
        }
        let is_between = others.iter().any(|other| other.is_near(body, classes, &own));
        let first = self.chosen.first().map_or_else(String::new, |chosen| nest::name(chosen.tensor));
        if !self.taken(classes).is_disjoint(&own.into_iter().collect()) {
            return Err(format!("it shares indices with `{first}`, whose entries decide on their numbers"));
        }
        if is_between {
            return Err(format!(
                "it stands between `{first}` and another one, whose entries decide on numbers"
            ));
        }
        let written = body.places(tensor, Use::writes).map(|(place, _)| place).max();
        let Some(written) = written else { return Err("it is never given any entries".to_owned()) };
        let place = self.place.max(written);
        let read_behind = |tensor: Val<'c>| {
            body.places(tensor, |found| found == Use::Computed).find(|(at, _)| *at > place).map(|(_, op)| op)
        };
        if let Some(other) = self.chosen.iter().find(|chosen| read_behind(chosen.tensor).is_none()) {
            let other = nest::name(other.tensor);
            return Err(format!("it is complete only after `{other}` was used, which has new numbers then"));
        }
        match read_behind(tensor) {
            Some(op) => Ok((place, op.location())),
            None => {
                Err("no expression reads it after it is complete: it changes where it is used".to_owned())
            }
        }
    }
}

/// Whether the method has numbers for each of the classes.
fn check_method(method: Method, tensor: Val<'_>, own: &[Class]) -> Result<(), String> {
    let ty = tensor.r#type();
    if matches!(method, Method::Rcm | Method::Graph | Method::Auto) {
        let name = if method == Method::Rcm { "reverse Cuthill–McKee" } else { "METIS" };
        let rank = own.len();
        if rank != 2 {
            return Err(format!("{name} is for matrices, and it has rank {rank}"));
        }
        return match (types::static_dim(ty, 0), types::static_dim(ty, 1)) {
            (Some(rows), Some(columns)) if rows != columns => {
                Err(format!("{name} is for square matrices, and it has {rows} rows and {columns} columns"))
            }
            _ => Ok(()),
        };
    }
    let is_repeated = own.iter().enumerate().any(|(mode, class)| own[..mode].contains(class));
    match is_repeated {
        true => Err("two of its modes have the same indices, and the method has other numbers for each: \
                     reverse Cuthill–McKee has one for both"
            .to_owned()),
        false => Ok(()),
    }
}
