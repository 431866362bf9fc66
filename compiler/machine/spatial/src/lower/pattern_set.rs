//! Which coordinates a loop visits: sets over what is stored (stardust.txt section 8, the contraction set I).

use comet_notation::Patterns;

use super::nest::{Access, Nest, Stmt, Value, Var};

/// The coordinates of a variable that matter to a part of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    /// All of them: U.
    All,
    /// Those that an operand stores: C.
    Stored(Access),
    Union(Box<Set>, Box<Set>),
    Intersect(Box<Set>, Box<Set>),
}

impl Set {
    fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (one, other) if one == other => one,
            (one, other) => Self::Union(Box::new(one), Box::new(other)),
        }
    }

    fn intersect(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, set) | (set, Self::All) => set,
            (one, other) if one == other => one,
            (one, other) => Self::Intersect(Box::new(one), Box::new(other)),
        }
    }

    /// The operands whose coordinates it is made of, each once.
    pub(super) fn operands(&self) -> Vec<&Access> {
        match self {
            Self::All => Vec::new(),
            Self::Stored(access) => vec![access],
            Self::Union(one, other) | Self::Intersect(one, other) => {
                let mut all = one.operands();
                for access in other.operands() {
                    if !all.contains(&access) {
                        all.push(access);
                    }
                }
                all
            }
        }
    }
}

/// The set of a variable's coordinates at which statements do something.
pub(super) fn visited(nest: &Nest, body: &[Stmt], var: Var) -> Set {
    Visit { nest, var, producers: Vec::new() }.block(body).unwrap_or(Set::All)
}

struct Visit<'n> {
    nest: &'n Nest,
    var: Var,
    /// Temporaries, and the sets of what is assigned to them.
    producers: Vec<(usize, Option<Set>)>,
}

impl Visit<'_> {
    /// `None`: what is done does not depend on the variable.
    fn block(&mut self, body: &[Stmt]) -> Option<Set> {
        body.iter().filter_map(|stmt| self.stmt(stmt)).reduce(Set::union)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Set> {
        match stmt {
            Stmt::Forall { body, .. } => self.block(body),
            Stmt::Where { consumer, producer, temporary } => {
                let produced = self.block(producer);
                self.producers.push((*temporary, produced));
                let consumed = self.block(consumer);
                self.producers.pop();
                consumed
            }
            Stmt::Assign(assign) => self.value(&assign.value),
        }
    }

    fn value(&self, value: &Value) -> Option<Set> {
        match value {
            Value::Access(access) => self.access(access),
            Value::Int(..) | Value::Float(..) | Value::Number(_) => None,
            Value::Negate(value) | Value::To(_, value) => self.value(value),
            Value::Mask { value, mask, complement } => {
                let is_dense = self.nest.tensors[mask.tensor].last_compressed().is_none();
                let own = self.value(value);
                match self.access(mask).filter(|_| !complement && !is_dense) {
                    Some(set) => Some(own.map_or(set.clone(), |own| own.intersect(set))),
                    // The loops go over what the value has; a mask that leaves out brings nothing.
                    None => own.or_else(|| self.access(mask).map(|_| Set::All)),
                }
            }
            Value::Combine(how, _, left, right) => match (how, self.value(left), self.value(right)) {
                (_, None, None) => None,
                // A value without the variable is there at all of its coordinates.
                (Patterns::Union, None, Some(_)) | (Patterns::Union, Some(_), None) => Some(Set::All),
                (Patterns::Union, Some(left), Some(right)) => Some(left.union(right)),
                (Patterns::Intersection, None, set) | (Patterns::Intersection, set, None) => set,
                (Patterns::Intersection, Some(left), Some(right)) => Some(left.intersect(right)),
            },
        }
    }

    fn access(&self, access: &Access) -> Option<Set> {
        if let Some(level) = self.nest.level_over(access, self.var) {
            let is_dense = self.nest.is_full_at(access, level);
            return Some(if is_dense { Set::All } else { Set::Stored(access.clone()) });
        }
        let produced = self.producers.iter().rev().find(|(temporary, _)| *temporary == access.tensor);
        produced.and_then(|(_, set)| set.clone())
    }
}
