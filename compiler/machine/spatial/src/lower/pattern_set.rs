//! Which coordinates a loop visits: sets over what is stored (stardust.txt section 8, the contraction set I).

use super::nest::{Nest, NestAccess, NestStmt, Value, Var};
use super::presence::Set;
use comet_notation::Patterns;

/// The set of a variable's coordinates at which statements do something.
pub(super) fn visited(nest: &Nest, body: &[NestStmt], var: Var) -> Set {
    Visit { nest, var, producers: Vec::new() }.block(body).unwrap_or(Set::True)
}

struct Visit<'n> {
    nest: &'n Nest,
    var: Var,
    /// Temporaries, and the sets of what is assigned to them.
    producers: Vec<(usize, Option<Set>)>,
}

impl Visit<'_> {
    /// `None`: what is done does not depend on the variable.
    fn block(&mut self, body: &[NestStmt]) -> Option<Set> {
        body.iter().filter_map(|stmt| self.stmt(stmt)).reduce(union)
    }

    fn stmt(&mut self, stmt: &NestStmt) -> Option<Set> {
        match stmt {
            NestStmt::Forall { body, .. } => self.block(body),
            NestStmt::Where { consumer, producer, temporary } => {
                let produced = self.block(producer);
                self.producers.push((*temporary, produced));
                let consumed = self.block(consumer);
                self.producers.pop();
                consumed
            }
            NestStmt::Assign(assign) => self.value(&assign.value),
        }
    }

    fn value(&self, value: &Value) -> Option<Set> {
        match value {
            Value::Access(access) => self.access(access),
            Value::Int(..) | Value::Float(..) | Value::Number(_) => None,
            Value::Negate(value) | Value::To(_, value) | Value::Apply(_, value) => self.value(value),
            Value::Mask { value, mask, complement } => {
                let is_dense = self.nest.tensors[mask.tensor].last_compressed().is_none();
                let own = self.value(value);
                match self.access(mask).filter(|_| !complement && !is_dense) {
                    Some(set) => Some(own.map_or(set.clone(), |own| intersect(own, set))),
                    // The loops go over what the value has; a mask that leaves out brings nothing.
                    None => own.or_else(|| self.access(mask).map(|_| Set::True)),
                }
            }
            Value::Combine(how, _, left, right) => match (how, self.value(left), self.value(right)) {
                (_, None, None) => None,
                // A value without the variable is there at all of its coordinates.
                (Patterns::Union, None, Some(_)) | (Patterns::Union, Some(_), None) => Some(Set::True),
                (Patterns::Union, Some(left), Some(right)) => Some(union(left, right)),
                (Patterns::Intersection, None, set) | (Patterns::Intersection, set, None) => set,
                (Patterns::Intersection, Some(left), Some(right)) => Some(intersect(left, right)),
            },
        }
    }

    fn access(&self, access: &NestAccess) -> Option<Set> {
        if let Some(level) = self.nest.level_over(access, self.var) {
            let is_dense = self.nest.is_full_at(access, level);
            return Some(if is_dense { Set::True } else { Set::Atom(access.clone()) });
        }
        let produced = self.producers.iter().rev().find(|(temporary, _)| *temporary == access.tensor);
        produced.and_then(|(_, set)| set.clone())
    }
}

fn union(one: Set, other: Set) -> Set {
    if one == other { one } else { one.or(other) }
}

fn intersect(one: Set, other: Set) -> Set {
    if one == other { one } else { one.and(other) }
}
