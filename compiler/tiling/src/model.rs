//! Predicted traffic (d2t2.txt sections 4.2 and 5.1): how probable it is that a tile is asked for, times what
//! it takes, summed over the loops over tiles.

use crate::known::Known;
use crate::machine::{Footprint, Machine};
use crate::observed::Observed;
use crate::result::finished;
use crate::sample::Products;
use crate::statement::{Nest, Pattern, Statement, Tiles, Variable};

/// What a tiled statement is expected to move, in bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    pub inputs: Vec<f64>,
    pub output: f64,
    pub iterations: f64,
}

impl Prediction {
    /// Nothing for any access of a statement.
    pub(crate) fn none(statement: &Statement) -> Self {
        Self { inputs: vec![0.0; statement.accesses.len()], ..Self::default() }
    }

    pub fn input(&self) -> f64 {
        self.inputs.iter().sum()
    }

    /// What is a share of the way to another.
    pub(crate) fn towards(&self, other: &Self, share: f64) -> Self {
        let between = |one: f64, other: f64| one + share * (other - one);
        let inputs = self.inputs.iter().zip(&other.inputs);
        Self {
            inputs: inputs.map(|(&one, &other)| between(one, other)).collect(),
            output: between(self.output, other.output),
            iterations: between(self.iterations, other.iterations),
        }
    }

    pub fn total(&self) -> f64 {
        self.input() + self.output
    }
}

/// How many times as much as the mean an iteration may have.
const RICHEST: f64 = 256.0;

impl Observed<'_> {
    /// What is expected of tiles. Sizes between those that small tiles make are between these.
    pub fn predict(&self, tiles: &Tiles) -> Prediction {
        match self.between(tiles, self.base()) {
            Some((smaller, larger, share)) => {
                self.predict_exactly(&smaller).towards(&self.predict_exactly(&larger), share)
            }
            None => self.predict_exactly(tiles),
        }
    }

    /// Sizes beyond some others that are no multiples of them lie between two that are: returns these, and
    /// which share of the way from the smaller tiles to the larger ones it is.
    pub(crate) fn between(&self, tiles: &Tiles, units: &Tiles) -> Option<(Tiles, Tiles, f64)> {
        let round = |((&size, &unit), variable): ((&u64, &u64), &Variable)| match size {
            _ if size >= variable.extent || size < unit => (size, size),
            _ => (size / unit * unit, (size.div_ceil(unit) * unit).min(variable.extent)),
        };
        let sizes = tiles.0.iter().zip(&units.0).zip(&self.statement.variables).map(round);
        let (smaller, larger): (Vec<u64>, Vec<u64>) = sizes.unzip();
        let volume = |sizes: &[u64]| sizes.iter().map(|&size| (size as f64).ln()).sum::<f64>();
        let share = (volume(&tiles.0) - volume(&smaller)) / (volume(&larger) - volume(&smaller));
        (smaller != larger).then_some((Tiles(smaller), Tiles(larger), share))
    }

    fn predict_exactly(&self, tiles: &Tiles) -> Prediction {
        let mut prediction = Prediction::none(self.statement);
        let known: &dyn Known = self;
        for (nest, products) in self.nests() {
            let iterations = known.iterations(nest, tiles);
            for (access, input) in prediction.inputs.iter_mut().enumerate().filter(|of| nest.reads(of.0)) {
                let loads = known.loads(nest, access, tiles);
                *input += loads + known.loads_again(access, (loads, iterations), tiles);
            }
            prediction.iterations += iterations;
            prediction.output += self.stores(nest, products, iterations, tiles);
        }
        prediction
    }

    /// Equation 19: what the iterations write, by the sample.
    pub(crate) fn stores(&self, nest: &Nest, products: &Products, iterations: f64, tiles: &Tiles) -> f64 {
        let target = &self.statement.target;
        let nodes = self.nodes(nest, products, tiles);
        let outermost = nodes.first().copied().unwrap_or(0.0);
        // How many iterations have a value at all, if slices of the result come to iterations at random. An
        // operand that is sparse alone has some in every tile.
        let is_sparse = |access: &&usize| self.statement.accesses[**access].pattern != Pattern::Dense;
        let is_alone = nest.terms.iter().any(|term| term.iter().filter(is_sparse).count() < 2);
        let written = match iterations > 0.0 {
            true if is_alone => iterations,
            true => iterations * (1.0 - (-outermost / iterations).exp()),
            false => 0.0,
        };
        if target.is_dense || target.indices.is_empty() {
            return written
                * (self as &dyn Known).side(&target.indices, tiles)
                * self.memory.result.value_bytes as f64;
        }
        self.in_pieces(nest, products, (nodes, written), tiles)
    }

    /// How many nodes the result has in all iterations, in each level that is not of loops around.
    pub(crate) fn nodes(&self, nest: &Nest, products: &Products, tiles: &Tiles) -> Vec<f64> {
        let outside = self.memory.around.outside(&self.statement.target.indices);
        products.nodes(self.statement, nest, tiles).split_off(outside)
    }

    /// What so many tiles of a sparse result take. Where a loop over something reduced is around more of it
    /// than fits, it is written whenever the buffer is full: as if tiles were so much shorter along that loop
    /// that what they produce fits.
    fn in_pieces(
        &self,
        nest: &Nest,
        products: &Products,
        (nodes, written): (Vec<f64>, f64),
        tiles: &Tiles,
    ) -> f64 {
        let (loops, indices) = (&nest.variables, &self.statement.target.indices);
        let around = &self.memory.around;
        let (first, outside) = (around.outside(loops), around.outside(indices));
        let finished = finished(&loops[first..], &indices[outside..]);
        let begun = finished.checked_sub(1).map_or(written, |level| nodes[level]);
        let mut bytes = self.bytes_of(&nodes, written);
        let Some(&var) = loops.get(first + finished).filter(|_| finished < nodes.len()) else {
            return bytes;
        };
        if first + finished == 0 {
            // Most iterations may have little, and a few of them most of what is written.
            let most = self.fullness(&nodes, written) * RICHEST;
            let mean = nodes.last().copied().unwrap_or(0.0) / written.max(1.0);
            let spilled = || products.spilled((self.statement, nest), tiles, (&self.memory.result, mean));
            let times = if most > 1.0 { spilled() } else { 1.0 };
            return bytes * times;
        }
        let (mut shorter, mut pieces) = (tiles.clone(), begun);
        let mut fullness = self.fullness(&nodes, pieces);
        while fullness > 1.0 && shorter.of(var) > 1 {
            shorter.0[var.0] = shorter.of(var).div_ceil(2);
            pieces = begun * tiles.of(var) as f64 / shorter.of(var) as f64;
            let tiles = written * pieces / begun.max(1.0);
            let nodes = self.nodes(nest, products, &shorter);
            (bytes, fullness) = (self.bytes_of(&nodes, tiles), self.fullness(&nodes, pieces));
        }
        bytes
    }

    /// How much of the buffer a piece of the result takes, on average.
    fn fullness(&self, nodes: &[f64], pieces: f64) -> f64 {
        let mean = nodes.iter().map(|count| (count / pieces.max(1.0)).ceil() as u64);
        self.memory.result.share(Footprint::of_levels(mean))
    }

    /// What so many nodes in each level of so many tiles take.
    fn bytes_of(&self, nodes: &[f64], tiles: f64) -> f64 {
        let values = nodes.last().copied().unwrap_or(0.0);
        let coordinates: f64 = nodes.iter().sum();
        let segments = tiles * (nodes.len() as f64 + 1.0) + coordinates - values;
        let Machine { value_bytes, word_bytes, .. } = self.memory.result;
        values * value_bytes as f64 + (coordinates + segments) * word_bytes as f64
    }
}
