//! Predicted traffic (d2t2.txt sections 4.2 and 5.1): how probable it is that a tile is asked for, times what
//! it takes, summed over the loops over tiles.

use crate::grid::Summary;
use crate::machine::Footprint;
use crate::observed::Observed;
use crate::sample::Products;
use crate::statement::{Nest, Tiles, Var};
use std::rc::Rc;

/// What a tiled statement is expected to move, in bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Of each access.
    pub inputs: Vec<f64>,
    /// Of the result.
    pub output: f64,
    /// Rounds of the loops over tiles.
    pub iterations: f64,
}

impl Prediction {
    /// Of all accesses.
    pub fn input(&self) -> f64 {
        self.inputs.iter().sum()
    }

    /// All.
    pub fn total(&self) -> f64 {
        self.input() + self.output
    }
}

/// A factor of a probability: an access that has a tile at the variables that are seen, for some coordinates
/// of the others.
struct Factor {
    summary: Option<Rc<Summary>>,
    indices: Vec<Var>,
    seen: Vec<Var>,
    /// Whether what counts is what its tiles take, not whether there is one.
    is_loaded: bool,
}

impl Observed<'_> {
    /// What is expected of tiles.
    pub fn predict(&self, tiles: &Tiles) -> Prediction {
        let mut prediction =
            Prediction { inputs: vec![0.0; self.statement.accesses.len()], ..Prediction::default() };
        for (nest, products) in self.nests() {
            for access in 0..self.statement.accesses.len() {
                if nest.terms.iter().any(|term| term.contains(&access)) {
                    prediction.inputs[access] += self.loads(nest, access, tiles);
                }
            }
            let iterations = self.iterations(nest, tiles);
            prediction.iterations += iterations;
            prediction.output += self.stores(nest, products, iterations, tiles);
        }
        prediction
    }

    /// Equation 7: what an access takes in all rounds that ask for one of its tiles.
    fn loads(&self, nest: &Nest, access: usize, tiles: &Tiles) -> f64 {
        let indices = &self.statement.accesses[access].indices;
        let last = indices.iter().rev().find(|var| self.count(**var, tiles) > 1.0);
        let around: Vec<Var> = match last {
            Some(last) => nest.variables.iter().copied().filter(|var| var <= last).collect(),
            None => Vec::new(),
        };
        let with = nest.terms.iter().filter(|term| term.contains(&access));
        let of_terms: Vec<f64> = with
            .map(|term| {
                let own = self.factor(access, &around, tiles, true);
                let others = term.iter().filter(|&&other| other != access);
                let factors = others.map(|&other| self.factor(other, &around, tiles, false));
                let factors: Vec<Factor> = std::iter::once(own).chain(factors).collect();
                self.expected(&factors, &around, tiles)
            })
            .collect();
        self.united(&of_terms, self.full(access, &around, tiles))
    }

    /// What would be moved if all rounds asked for the tiles that there are.
    fn full(&self, access: usize, around: &[Var], tiles: &Tiles) -> f64 {
        self.expected(&[self.factor(access, around, tiles, true)], around, tiles)
    }

    /// The union of events of which the expectations are known, out of a whole.
    fn united(&self, parts: &[f64], whole: f64) -> f64 {
        match parts {
            [only] => *only,
            _ if whole <= 0.0 => 0.0,
            _ => whole * (1.0 - parts.iter().map(|part| 1.0 - (part / whole).min(1.0)).product::<f64>()),
        }
    }

    /// Rounds in which all factors of a product have a tile.
    fn iterations(&self, nest: &Nest, tiles: &Tiles) -> f64 {
        let whole = nest.variables.iter().map(|&var| self.count(var, tiles)).product();
        let of_terms: Vec<f64> = nest
            .terms
            .iter()
            .map(|term| {
                let factors: Vec<Factor> =
                    term.iter().map(|&access| self.factor(access, &nest.variables, tiles, false)).collect();
                self.expected(&factors, &nest.variables, tiles)
            })
            .collect();
        self.united(&of_terms, whole)
    }

    /// Equation 19: what the rounds write.
    fn stores(&self, nest: &Nest, products: &Products, iterations: f64, tiles: &Tiles) -> f64 {
        let target = &self.statement.target;
        let nodes = products.nodes(self.statement, nest, tiles);
        let outermost = nodes.first().copied().unwrap_or(0.0);
        // How many rounds have a value at all, if slices of the result come to rounds at random.
        let written =
            if iterations > 0.0 { iterations * (1.0 - (-outermost / iterations).exp()) } else { 0.0 };
        if target.is_dense || target.indices.is_empty() {
            let extents =
                target.indices.iter().map(|&var| self.statement.extent(var) as f64 / self.count(var, tiles));
            return written * extents.product::<f64>() * self.machine.value_bytes as f64;
        }
        let values = nodes.last().copied().unwrap_or(0.0);
        let coordinates: f64 = nodes.iter().sum();
        let segments = written * (nodes.len() as f64 + 1.0) + coordinates - values;
        values * self.machine.value_bytes as f64 + (coordinates + segments) * self.machine.word_bytes as f64
    }

    fn count(&self, var: Var, tiles: &Tiles) -> f64 {
        tiles.count(self.statement, var) as f64
    }

    fn factor(&self, access: usize, around: &[Var], tiles: &Tiles, is_loaded: bool) -> Factor {
        let indices = &self.statement.accesses[access].indices;
        let seen = indices.iter().copied().filter(|var| around.contains(var)).collect();
        Factor { summary: self.summary(access, tiles), indices: indices.clone(), seen, is_loaded }
    }

    /// The expected sum over the loops around: the number of rounds, times the means of all factors, times
    /// how much more or less often factors that share a variable come together than if they knew nothing of
    /// each other.
    fn expected(&self, factors: &[Factor], around: &[Var], tiles: &Tiles) -> f64 {
        let rounds: f64 = around.iter().map(|&var| self.count(var, tiles)).product();
        let means: f64 = factors.iter().map(|factor| self.mean(factor, tiles)).product();
        let overlaps: f64 = around.iter().map(|&var| self.overlap(factors, var, tiles)).product();
        rounds * means * overlaps
    }

    /// The mean over all coordinates of the variables that are seen.
    fn mean(&self, factor: &Factor, tiles: &Tiles) -> f64 {
        let Some(summary) = &factor.summary else {
            let values: f64 = factor
                .indices
                .iter()
                .map(|&var| self.statement.extent(var) as f64 / self.count(var, tiles))
                .product();
            let dense = self.machine.bytes(Footprint::dense(1)) as f64;
            return if factor.is_loaded { values * dense } else { 1.0 };
        };
        let whole: f64 = factor.seen.iter().map(|&var| self.count(var, tiles)).product();
        if factor.is_loaded {
            return summary.bytes / whole;
        }
        if factor.seen.len() == factor.indices.len() {
            return summary.tiles / whole;
        }
        if let [only] = factor.seen[..] {
            return summary.present[place(factor, only)] / whole;
        }
        // Some tile among those of the variables that are not seen.
        let hidden: f64 = factor
            .indices
            .iter()
            .filter(|var| !factor.seen.contains(var))
            .map(|&var| self.count(var, tiles))
            .product();
        1.0 - (1.0 - summary.tiles / (whole * hidden)).powf(hidden)
    }

    /// The mean of the product of what factors have along a variable, each by its own mean.
    fn overlap(&self, factors: &[Factor], var: Var, tiles: &Tiles) -> f64 {
        let with: Vec<&Factor> =
            factors.iter().filter(|factor| factor.seen.contains(&var) && factor.summary.is_some()).collect();
        if with.len() < 2 {
            return 1.0;
        }
        let count = self.count(var, tiles) as usize;
        let mut products = vec![1.0; count];
        for factor in with {
            let Some(summary) = &factor.summary else { continue };
            let along = &summary.along[place(factor, var)];
            let is_there = factor.seen.len() == 1 && factor.indices.len() > 1;
            let weight = |at: &(f64, f64)| match () {
                () if factor.is_loaded => at.1,
                () if is_there => f64::from(u8::from(at.0 > 0.0)),
                () => at.0,
            };
            let mean = along.iter().map(weight).sum::<f64>() / count as f64;
            products
                .iter_mut()
                .zip(along)
                .for_each(|(product, at)| *product *= weight(at) / mean.max(f64::MIN_POSITIVE));
        }
        products.iter().sum::<f64>() / count as f64
    }
}

fn place(factor: &Factor, var: Var) -> usize {
    factor.indices.iter().position(|&other| other == var).expect("the factor has it")
}
