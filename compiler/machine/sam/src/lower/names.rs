//! The tensors that lowering adds to those of a statement.

use super::statement::IndexStatement;
use comet_notation::free_name;
use std::collections::HashSet;

/// A tensor that stands for all coordinates of an index variable: one dense level. Its values are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Universe {
    pub tensor: String,
    pub index: String,
}

pub(super) struct FreshNames {
    taken: HashSet<String>,
    pub(super) universes: Vec<Universe>,
}

impl FreshNames {
    pub(super) fn new(statement: &IndexStatement) -> Self {
        let taken = statement.tensors.iter().map(|format| format.name.clone()).collect();
        Self { taken, universes: Vec::new() }
    }

    pub(super) fn temporary(&mut self) -> String {
        self.fresh("sum")
    }

    pub(super) fn universe(&mut self, index: &str) -> String {
        if let Some(universe) = self.universes.iter().find(|universe| universe.index == index) {
            return universe.tensor.clone();
        }
        let tensor = self.fresh(&format!("all_{index}"));
        self.universes.push(Universe { tensor: tensor.clone(), index: index.to_owned() });
        tensor
    }

    fn fresh(&mut self, wish: &str) -> String {
        let name = free_name(wish, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }
}
