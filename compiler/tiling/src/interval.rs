//! How far off a prediction may be: the sample of products is drawn again from itself (the bootstrap), slices
//! and coordinates of the last index each for themselves, since values share both.

use crate::distinct::Distinct;
use crate::observed::Observed;
use crate::random::{Random, mixed};
use crate::result::finished;
use crate::sample::Products;
use crate::statement::{Nest, Statement, Tiles, Var, position};

/// Between which of the samples that are drawn again nine of ten lie.
const QUANTILES: [f64; 2] = [0.05, 0.95];

/// How often it is drawn again.
const TIMES: usize = 200;

/// Into how many parts the coordinates of the last index are divided.
const PARTS: usize = 16;

/// What a prediction can be off besides: rows that tiles have in common are known from a sample of their own,
/// and sizes that small tiles do not make lie between others. Of more than two factors it is known by pairs
/// how often they come together.
const BESIDES: f64 = 0.02;
const BESIDES_OF_MANY: f64 = 0.06;

/// The same where a loop over something reduced is around all of the result, which is then written before it
/// is finished: how much iterations differ is known from what little of each is sampled.
const BESIDES_OF_UNFINISHED: f64 = 0.15;

impl Observed<'_> {
    /// Between which numbers of bytes nine of ten predictions of tiles are expected to lie.
    pub fn interval(&self, tiles: &Tiles) -> [f64; 2] {
        let prediction = self.predict(tiles);
        let spreads =
            self.nests().iter().map(|(nest, products)| products.spread(self.statement, nest, tiles));
        let widest = spreads.fold([1.0f64, 1.0f64], |[low, high], own| [low.min(own[0]), high.max(own[1])]);
        let has_many = self.nests().iter().flat_map(|(nest, _)| &nest.terms).any(|term| term.len() > 2);
        let target = &self.statement.target.indices;
        let is_unfinished = |(nest, _): &(Nest, Products)| finished(&nest.variables, target) == 0;
        let besides = match has_many {
            _ if !target.is_empty() && self.nests().iter().any(is_unfinished) => BESIDES_OF_UNFINISHED,
            true => BESIDES_OF_MANY,
            false => BESIDES,
        };
        let of = |besides: f64, output: f64| (prediction.input() + prediction.output * output) * besides;
        [of(1.0 - besides, widest[0]), of(1.0 + besides, widest[1])]
    }
}

impl Products {
    /// By what the number of values that iterations have is multiplied in samples that are drawn again.
    fn spread(&self, statement: &Statement, nest: &Nest, tiles: &Tiles) -> [f64; 2] {
        // A tile of a dense result takes the same with any values.
        if statement.target.is_dense || statement.target.indices.is_empty() {
            return [1.0, 1.0];
        }
        let [products, values] = self.by_parts(statement, nest, tiles);
        let slices = products.len();
        let mut random = Random::new(mixed(slices as u64));
        let whole = |counts: &[[f64; PARTS]]| counts.iter().flatten().sum::<f64>();
        if slices == 0 || whole(&products) == 0.0 {
            return [1.0, 1.0];
        }
        let mut times: Vec<f64> = (0..TIMES)
            .map(|_| {
                let often =
                    if self.has_all_slices() { vec![1.0; slices] } else { again(slices, &mut random) };
                let often_parts = if self.is_whole() { vec![1.0; PARTS] } else { again(PARTS, &mut random) };
                let sum = |counts: &[[f64; PARTS]]| {
                    let of = |(slice, own): (&[f64; PARTS], &f64)| {
                        own * slice.iter().zip(&often_parts).map(|(count, often)| count * often).sum::<f64>()
                    };
                    counts.iter().zip(&often).map(of).sum::<f64>()
                };
                let values = sum(&values) / whole(&values);
                // The number of all products is known, and only how many values they make is not.
                if self.is_exact() { values * whole(&products) / sum(&products) } else { values }
            })
            .filter(|times| times.is_finite())
            .collect();
        times.sort_by(f64::total_cmp);
        QUANTILES.map(|quantile| times.get((quantile * times.len() as f64) as usize).copied().unwrap_or(1.0))
    }

    /// How many products each slice has in each part of the coordinates of the last index, and how many
    /// values of the result these make.
    fn by_parts(&self, statement: &Statement, nest: &Nest, tiles: &Tiles) -> [Vec<[f64; PARTS]>; 2] {
        let place = |&var: &Var| position(&nest.variables, var);
        let target: Vec<usize> = statement.target.indices.iter().map(place).collect();
        let size = |(place, &var): (usize, &Var)| {
            if target.contains(&place) { 1 } else { tiles.of(var).clamp(1, u64::from(u32::MAX)) as u32 }
        };
        let sizes: Vec<u32> = nest.variables.iter().enumerate().map(size).collect();
        let mut seen = Distinct::new(self.len());
        let mut counts = [Vec::new(), Vec::new()];
        for (weight, points) in self.slices() {
            let mut own = [[0.0; PARTS]; 2];
            for point in points {
                let part = target.last().map_or(0, |&last| mixed(u64::from(point[last])) as usize % PARTS);
                own[0][part] += weight;
                if seen.insert(0, point.iter().copied().zip(sizes.iter().copied())) {
                    own[1][part] += weight;
                }
            }
            counts.iter_mut().zip(own).for_each(|(all, own)| all.push(own));
        }
        counts
    }
}

/// How often each of several things is drawn when as many are drawn of them.
fn again(count: usize, random: &mut Random) -> Vec<f64> {
    let mut often = vec![0.0; count];
    (0..count).for_each(|_| often[random.below(count)] += 1.0);
    often
}
