//! The same statement with its loops in another order: what is chosen and predicted depends on it.

use crate::statement::{Access, Pattern, Statement, Target, Var, position};
use std::sync::Arc;

impl Statement {
    /// The statement with its loops in an order: its variables, the outermost one first. Operands have their
    /// levels in that order, too.
    ///
    /// # Panics
    /// If these are not all variables, each once.
    pub fn in_order(&self, order: &[Var]) -> Self {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        let all: Vec<Var> = (0..self.variables.len()).map(Var).collect();
        assert_eq!(sorted, all, "an order has each variable once");
        Self {
            variables: order.iter().map(|var| self.variables[var.0].clone()).collect(),
            accesses: self.accesses.iter().map(|access| access.in_order(order)).collect(),
            target: Target { indices: sorted_in(order, &self.target.indices), ..self.target.clone() },
            value: self.value.clone(),
        }
    }
}

impl Access {
    fn in_order(&self, order: &[Var]) -> Self {
        let places: Vec<usize> = self.indices.iter().map(|&var| position(order, var)).collect();
        let mut modes: Vec<usize> = (0..places.len()).collect();
        modes.sort_by_key(|&mode| places[mode]);
        let pattern = match &self.pattern {
            Pattern::Points(points) if !modes.is_sorted() => {
                Pattern::Points(Arc::new(points.permuted(&modes)))
            }
            pattern => pattern.clone(),
        };
        Self { name: self.name.clone(), indices: sorted_in(order, &self.indices), pattern }
    }
}

fn sorted_in(order: &[Var], vars: &[Var]) -> Vec<Var> {
    let mut places: Vec<Var> = vars.iter().map(|&var| Var(position(order, var))).collect();
    places.sort_unstable();
    places
}
