//! Random statements and data.

pub(crate) mod shuffle;

use super::draw::Draw;
use super::notation::Text;
use super::pack::pack;
use comet_sam::arithmetic::Function;
use comet_sam::arithmetic::TypedValue;
use comet_sam::graph::{Element, GraphLevel, Kept, Merge, Operator, Reduction, TensorFormat};
use comet_sam::lower::{Choices, IndexAccess, IndexExpression, IndexStatement};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// A statement, the extents of its variables, and what its operands store.
pub(crate) struct Case {
    pub(crate) statement: IndexStatement,
    pub(crate) extents: BTreeMap<String, usize>,
    pub(crate) tensors: BTreeMap<String, StoredTensor>,
    pub(crate) choices: Choices,
    /// How deep queues are that are bounded.
    pub(crate) depth: usize,
    /// Where the order of the blocks is drawn from.
    pub(crate) shuffle: u64,
}

const VARIABLES: [&str; 5] = ["i", "j", "k", "l", "m"];

pub(crate) fn case(draw: &mut Draw) -> Case {
    let order = draw.shuffled(&VARIABLES.map(str::to_owned));
    let extents: BTreeMap<String, usize> =
        order.iter().map(|var| (var.clone(), draw.one(&[0, 1, 1, 2, 3, 3, 4, 4, 5, 6]))).collect();
    let levels = draw.one(&[COMPRESSED, COMPRESSED, WORDS]);
    let mut making = Making { draw, order, extents, levels, tensors: Vec::new(), dims: Vec::new() };
    let count = making.draw.below(4);
    let indices = making.indices(&making.order.clone(), count);
    let result = making.tensor("X", &indices);
    let depth = 1 + making.draw.below(4);
    let value = making.value(&indices, depth);
    let fill = match &value {
        IndexExpression::Reduce(reduction, ..) => *reduction,
        _ => Reduction::Add,
    };
    making.tensors[0].order = making.draw.shuffled(&making.tensors[0].order.clone());
    let is_dense = making.tensors[0].levels.iter().all(|level| *level == GraphLevel::Dense);
    let keeps = is_dense && count > 0 && making.draw.percent(30);
    let stored = making.stored(keeps);
    let choices = making.choices();
    let depth = 2 + making.draw.one(&[0, 1, 2, 6, 14]);
    let shuffle = making.draw.number();
    let Making { order, extents, tensors, .. } = making;
    let statement = IndexStatement { tensors, order, result, value, fill, keeps };
    Case { statement, extents, tensors: stored, choices, depth, shuffle }
}

/// The levels that tensors have.
const COMPRESSED: &[GraphLevel] = &[GraphLevel::Dense, GraphLevel::Compressed, GraphLevel::Compressed];
const WORDS: &[GraphLevel] = &[
    GraphLevel::Dense,
    GraphLevel::Compressed,
    GraphLevel::BitVector(2),
    GraphLevel::BitVector(2),
    GraphLevel::BitVector(64),
];

struct Making<'d> {
    draw: &'d mut Draw,
    order: Vec<String>,
    extents: BTreeMap<String, usize>,
    tensors: Vec<TensorFormat>,
    /// The extents of each tensor.
    dims: Vec<Vec<usize>>,
    /// The levels to choose from.
    levels: &'static [GraphLevel],
}

impl Making<'_> {
    /// What is not as it would be without a schedule.
    fn choices(&mut self) -> Choices {
        let chance = self.draw.one(&[0, 0, 40]);
        let located = (1..self.tensors.len()).filter(|_| self.draw.percent(chance)).collect();
        let skips = self.draw.one(&[0, 0, 70]);
        let skipped = self.order.clone().into_iter().filter(|_| self.draw.percent(skips)).collect();
        let chance = self.draw.one(&[0, 0, 30]);
        let parallel = self.numbers(chance, &[2, 2, 3]);
        let chance = self.draw.one(&[0, 0, 30]);
        let lanes = self.numbers(chance, &[2, 3, 16]);
        let first = self.draw.one(&self.order);
        let tiled_from = Some(first).filter(|_| self.draw.percent(30));
        let drops_zeros = self.draw.percent(10);
        Choices { located, skipped, parallel, lanes, tiled_from, drops_zeros, ..Choices::default() }
    }

    /// One of these for some of the variables.
    fn numbers(&mut self, chance: usize, of: &[usize]) -> BTreeMap<String, usize> {
        let mut numbers = BTreeMap::new();
        for var in self.order.clone() {
            if self.draw.percent(chance) {
                numbers.insert(var, self.draw.one(of));
            }
        }
        numbers
    }

    /// So many of these variables, some of them more than once.
    fn indices(&mut self, of: &[String], count: usize) -> Vec<String> {
        let mut indices = self.draw.shuffled(of);
        indices.truncate(count);
        for place in 1..indices.len() {
            if self.draw.percent(12) {
                indices[place] = indices[place - 1].clone();
            }
        }
        self.draw.shuffled(&indices)
    }

    /// A tensor that is stored in the order of the variables.
    fn tensor(&mut self, name: &str, indices: &[String]) -> IndexAccess {
        let modes: Vec<usize> = (0..indices.len()).collect();
        let order = self.concordant(&modes, indices);
        let kinds = self.levels;
        let level = |draw: &mut Draw| draw.one(kinds);
        let is_dense = self.draw.percent(25);
        let levels =
            modes.iter().map(|_| if is_dense { GraphLevel::Dense } else { level(self.draw) }).collect();
        self.tensors.push(TensorFormat { name: name.to_owned(), levels, order, element: Element::F64 });
        self.dims.push(indices.iter().map(|index| self.extents[index]).collect());
        IndexAccess { tensor: self.tensors.len() - 1, indices: indices.to_vec() }
    }

    /// Levels that repeat a variable come anywhere behind the first.
    fn concordant(&mut self, modes: &[usize], indices: &[String]) -> Vec<usize> {
        let mut order = self.draw.shuffled(modes);
        order.sort_by_key(|mode| self.place(&indices[*mode]));
        for place in 1..order.len() {
            if indices[order[place]] == indices[order[place - 1]] && self.draw.percent(50) {
                let mode = order.remove(place);
                order.push(mode);
            }
        }
        order
    }

    fn place(&self, index: &str) -> usize {
        self.order.iter().position(|var| var == index).expect("the order has all variables")
    }

    /// A value in which these variables have values.
    fn value(&mut self, bound: &[String], depth: usize) -> IndexExpression {
        let free: Vec<String> = self.order.iter().filter(|var| !bound.contains(var)).cloned().collect();
        match self.draw.below(if depth == 0 { 2 } else { 12 }) {
            0 | 1 => IndexExpression::Access(self.access(bound)),
            2..=4 if !free.is_empty() => {
                let reductions =
                    [Reduction::Add, Reduction::Add, Reduction::Add, Reduction::Min, Reduction::Or];
                let (reduction, index) = (self.draw.one(&reductions), self.draw.one(&free));
                let bound = [bound, std::slice::from_ref(&index)].concat();
                // What reduces directly is reduced in the same way, mostly.
                IndexExpression::Reduce(reduction, index, Box::new(self.value(&bound, depth - 1)))
            }
            5 if self.draw.percent(60) => {
                let value = Box::new(self.value(bound, depth - 1));
                let mask = self.access(bound);
                let kept = if self.draw.percent(50) { Kept::NotStored } else { Kept::Stored };
                IndexExpression::Mask(kept, value, mask)
            }
            6 if self.draw.percent(50) => {
                IndexExpression::Apply(Function::Negate, Box::new(self.value(bound, depth - 1)))
            }
            7 | 8 => {
                let operators = [Operator::Add, Operator::Add, Operator::Sub, Operator::Max];
                let operator = self.draw.one(&operators);
                self.combine(Merge::Union, operator, bound, depth)
            }
            _ => {
                let others = [Operator::Add, Operator::Min, Operator::Second, Operator::First, Operator::And];
                let other = self.draw.one(&others);
                let operator = if self.draw.percent(75) { Operator::Mul } else { other };
                self.combine(Merge::Intersect, operator, bound, depth)
            }
        }
    }

    fn combine(&mut self, how: Merge, operator: Operator, bound: &[String], depth: usize) -> IndexExpression {
        let (a, b) = (self.value(bound, depth - 1), self.value(bound, depth - 1));
        IndexExpression::Combine(how, operator, Box::new(a), Box::new(b))
    }

    /// An operand, which may be one that there is already.
    fn access(&mut self, bound: &[String]) -> IndexAccess {
        let count = self.draw.one(&[0, 1, 1, 2, 2, 2, 3]);
        let indices = self.indices(bound, count);
        let dims: Vec<usize> = indices.iter().map(|index| self.extents[index]).collect();
        let fits: Vec<usize> = (1..self.tensors.len())
            .filter(|&tensor| self.dims[tensor] == dims && self.is_concordant(tensor, &indices))
            .collect();
        if !fits.is_empty() && self.draw.percent(50) {
            return IndexAccess { tensor: self.draw.one(&fits), indices };
        }
        let name = format!("B{}", self.tensors.len());
        self.tensor(&name, &indices)
    }

    fn is_concordant(&self, tensor: usize, indices: &[String]) -> bool {
        let levels: Vec<&String> = self.tensors[tensor].order.iter().map(|&mode| &indices[mode]).collect();
        let firsts = levels.iter().enumerate().filter(|(level, index)| !levels[..*level].contains(index));
        firsts.map(|(_, index)| self.place(index)).is_sorted_by(|a, b| a < b)
    }

    /// What the operands store, and what the result does of which elements are kept.
    fn stored(&mut self, keeps: bool) -> BTreeMap<String, StoredTensor> {
        let mut stored = BTreeMap::new();
        for (format, dims) in self.tensors.iter().zip(&self.dims).skip(usize::from(!keeps)) {
            let entries = entries(self.draw, dims);
            stored.insert(format.name.clone(), pack(format, dims, &entries));
        }
        stored
    }
}

/// Some of the points, or all, or none; values of both signs and zeros.
fn entries(draw: &mut Draw, dims: &[usize]) -> Vec<Entry> {
    let density = if dims.is_empty() { 100 } else { draw.one(&[0, 10, 30, 30, 60, 60, 100]) };
    let mut entries = Vec::new();
    for mut place in 0..dims.iter().product() {
        let mut point = vec![0; dims.len()];
        for (mode, dim) in dims.iter().enumerate().rev() {
            point[mode] = place % dim;
            place /= dim;
        }
        if draw.percent(density) {
            entries.push((point, TypedValue::F64(draw.below(9) as f64 - 2.0)));
        }
    }
    entries
}

impl Case {
    /// The statement and its data, for a person.
    pub(crate) fn told(&self) -> String {
        let statement = &self.statement;
        let formats: Vec<String> = statement.tensors.iter().map(ToString::to_string).collect();
        let stored: Vec<String> =
            self.tensors.iter().map(|(name, stored)| format!("{name}: {:?}", stored.entries())).collect();
        format!(
            "{} = {} (fill {})\n  order {}, {}, extents {:?}, {:?}, depth {}\n  {}",
            Text(statement).access(&statement.result),
            Text(statement).expression(&statement.value),
            statement.fill.name(),
            statement.order.concat(),
            formats.join(" "),
            self.extents,
            self.choices,
            self.depth,
            stored.join("\n  ")
        )
    }
}
