//! Reductions that become statements of their own.
//!
//! What a reducer of several levels puts out comes level by level: inner coordinates are on their way when it
//! turns out at a joiner that outer ones are dropped, or that a variable comes between them. Such a reduction
//! is computed first, into a temporary that the rest then reads as it reads any operand.

use super::names::FreshNames;
use super::statement::{IndexAccess, IndexExpression, IndexStatement};
use crate::graph::{GraphLevel, Merge, Reduction, TensorFormat};
use std::collections::HashMap;

/// The statements, in the order in which they run; the last one is what is left of the given one.
pub(super) fn split(statement: &IndexStatement, names: &mut FreshNames) -> Vec<IndexStatement> {
    let mut rest = statement.clone();
    let mut statements = Vec::new();
    while let Some(reduction) = take_reduction(&mut rest, names) {
        statements.extend(split(&reduction, names));
    }
    statements.push(rest);
    statements
}

fn take_reduction(statement: &mut IndexStatement, names: &mut FreshNames) -> Option<IndexStatement> {
    let scopes = vec![ReductionScope { place: None, uses: Uses::of(&statement.value), unites: false }];
    let tensor = statement.tensors.len();
    let results = &statement.result.indices;
    let mut finder = Finder { order: &statement.order, results, tensor, scopes };
    let (result, value) = finder.find(&mut statement.value)?;
    statement.tensors.push(TensorFormat {
        name: names.temporary(),
        levels: vec![GraphLevel::Compressed; result.indices.len()],
        order: (0..result.indices.len()).collect(),
        element: value.element_of(&statement.tensors),
    });
    let (tensors, order) = (statement.tensors.clone(), statement.order.clone());
    Some(IndexStatement { tensors, order, result, value, fill: Reduction::Add, keeps: false })
}

/// How often accesses use index variables that no reduction inside binds.
#[derive(Default)]
struct Uses(HashMap<String, usize>);

impl Uses {
    fn of(expression: &IndexExpression) -> Self {
        let mut uses = Self::default();
        uses.collect(expression);
        uses
    }

    fn count(&self, index: &str) -> usize {
        self.0.get(index).copied().unwrap_or_default()
    }

    fn collect(&mut self, expression: &IndexExpression) {
        if let IndexExpression::Reduce(_, index, body) = expression {
            let outside = self.count(index);
            self.collect(body);
            self.0.insert(index.clone(), outside);
            return;
        }
        expression.parts().into_iter().for_each(|part| self.collect(part));
        if let IndexExpression::Access(access) | IndexExpression::Mask(_, _, access) = expression {
            for index in &access.indices {
                *self.0.entry(index.clone()).or_default() += 1;
            }
        }
    }
}

/// What is walked together: the statement, or the inside of a reduction once its variable has come.
struct ReductionScope {
    /// The place of the reduction's variable in the order; none for the statement.
    place: Option<usize>,
    uses: Uses,
    /// Whether patterns unite between the scope and what is looked at.
    unites: bool,
}

struct Finder<'s> {
    order: &'s [String],
    results: &'s [String],
    tensor: usize,
    /// Those around what is looked at, the outermost first.
    scopes: Vec<ReductionScope>,
}

impl Finder<'_> {
    /// Puts the temporary in the place of a reduction. The result are its access and the reduction.
    fn find(&mut self, expression: &mut IndexExpression) -> Option<(IndexAccess, IndexExpression)> {
        match expression {
            IndexExpression::Access(_) => None,
            IndexExpression::Apply(_, value) | IndexExpression::Mask(_, value, _) => self.find(value),
            IndexExpression::Combine(how, _, a, b) => {
                let scope = self.scopes.len() - 1;
                let unites = self.scopes[scope].unites;
                self.scopes[scope].unites |= *how == Merge::Union;
                let found = self.find(a).or_else(|| self.find(b));
                self.scopes[scope].unites = unites;
                found
            }
            IndexExpression::Drop(value, condition) => {
                let scope = self.scopes.len() - 1;
                let unites = std::mem::replace(&mut self.scopes[scope].unites, true);
                let found = self.find(value).or_else(|| self.find(condition));
                self.scopes[scope].unites = unites;
                found
            }
            IndexExpression::Reduce(..) => self.find_reduction(expression),
        }
    }

    fn find_reduction(&mut self, expression: &mut IndexExpression) -> Option<(IndexAccess, IndexExpression)> {
        let places = self.places(expression);
        if self.is_taken_apart(expression, places[0]) {
            let access = IndexAccess { tensor: self.tensor, indices: self.free(expression) };
            let reduction = std::mem::replace(expression, IndexExpression::Access(access.clone()));
            return Some((access, reduction));
        }
        let depth = self.scopes.len();
        let mut inside = expression;
        for _ in &places {
            let IndexExpression::Reduce(_, _, body) = inside else {
                unreachable!("there is one for each place")
            };
            inside = body;
        }
        let scope = |place| ReductionScope { place: Some(place), uses: Uses::of(inside), unites: false };
        self.scopes.extend(places.into_iter().map(scope));
        let found = self.find(inside);
        self.scopes.truncate(depth);
        found
    }

    /// The places of the variables of a reduction and of those of its kind right inside of it, in dataflow
    /// order.
    fn places(&self, expression: &IndexExpression) -> Vec<usize> {
        let (mut places, mut body, mut kind) = (Vec::new(), expression, None);
        while let IndexExpression::Reduce(reduction, index, value) = body
            && kind.is_none_or(|kind| kind == reduction)
        {
            kind = Some(reduction);
            places.push(self.place(index));
            body = value;
        }
        places.sort_unstable();
        places
    }

    fn place(&self, index: &str) -> usize {
        self.order.iter().position(|other| other == index).expect("the order has all index variables")
    }

    /// Whether, of the variables that are left when a reduction is closed at a place, one that has others
    /// inside meets other operands, or a variable that the reduction lacks comes between them.
    fn is_taken_apart(&self, reduction: &IndexExpression, place: usize) -> bool {
        let (free, own) = (self.free(reduction), Uses::of(reduction));
        let Some(last) = free.last().map(|index| self.place(index)) else { return false };
        let scope = self.scopes.iter().rposition(|scope| scope.place.is_none_or(|outer| outer < place));
        let scopes = &self.scopes[scope.expect("the statement is around")..];
        let unites = scopes.iter().any(|scope| scope.unites);
        let is_taken_apart = |between: usize| {
            let index = &self.order[between];
            let is_used = scopes.iter().any(|scope| scope.uses.count(index) > own.count(index));
            let is_reduced = scopes.iter().any(|scope| scope.place == Some(between));
            let is_result = scopes[0].place.is_none() && self.results.contains(index);
            is_used || if free.contains(index) { unites } else { is_reduced || is_result }
        };
        (place + 1..last).any(is_taken_apart)
    }

    fn free(&self, reduction: &IndexExpression) -> Vec<String> {
        let free = reduction.free_indices();
        self.order.iter().filter(|index| free.contains(index.as_str())).cloned().collect()
    }
}
