//! Whether tiles can pay on a processor, from little: bounds of what moves with and without tiles, and a
//! cache that few entries go through.
//!
//! A cache keeps what was used last without tiles, so that only products of a sparse operand with dense ones
//! gain, where rows of the dense ones come from memory many times. What is known before anything is read, or
//! from a sample of the entries, mostly shows that they cannot, in far less time than it takes to choose.

use crate::machine::Machine;
use crate::points::{Points, PointsError};
use crate::random::mixed;
use crate::statement::{Access, Expr, Pattern, Statement, Target, Tiles, Var, Variable};
use lru::LruCache;
use std::sync::Arc;

/// Of a line of the cache, in bytes.
const LINE: f64 = 64.0;

/// How many entries are gone through with a cache.
const LEAST_WINDOW: usize = 1 << 14;
const MOST_WINDOW: usize = 1 << 20;

/// A product of one sparse operand with dense ones, of which all have a variable that the sparse one does not
/// have. The loops are in the order of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseProduct {
    variables: Vec<Variable>,
    sparse: (String, Vec<Var>),
    dense: Vec<(String, Vec<Var>)>,
    target: Target,
    /// A variable of all dense tensors that the sparse one does not have.
    wide: Var,
}

/// What moves at most without tiles, and at least with them, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// At most, through a cache.
    pub untiled: f64,
    /// At least, in tiles of any sizes.
    pub tiled: f64,
}

impl SparseProduct {
    /// Of a sparse operand with its indices, which are in the order of the loops, and dense ones. `None`
    /// where there is no dense operand, or no variable that all dense tensors have and the sparse one does
    /// not.
    pub fn new(
        variables: Vec<Variable>,
        sparse: (String, Vec<Var>),
        dense: Vec<(String, Vec<Var>)>,
        target: Target,
    ) -> Option<Self> {
        let (_, first) = dense.first()?;
        let is_wide = |var: &&Var| {
            let result_has_it = !target.is_dense || target.indices.contains(var);
            let all_have_it = dense.iter().all(|(_, indices)| indices.contains(var));
            !sparse.1.contains(var) && all_have_it && result_has_it
        };
        let wide = first.iter().rev().find(is_wide).copied()?;
        Some(Self { variables, sparse, dense, target, wide })
    }

    /// Before anything is known but how many entries there are at most. What tiles save is at most all that
    /// comes again; nothing does where all of them fit the cache.
    pub fn before_reading(&self, entries: u64, cache: u64) -> Bounds {
        let cache = cache as f64;
        let untiled = self.most_untiled(entries, cache);
        // Where rows come again, those between two uses of one take more than the cache has.
        let tiled = if self.fits(cache) { untiled } else { self.sparse_bytes(entries) + cache };
        Bounds { untiled, tiled: tiled.min(untiled) }
    }

    /// With so many entries, which have so many different coordinates or more along each index of the sparse
    /// operand.
    pub fn with_distinct(&self, entries: u64, distinct: &[u64], cache: u64) -> Bounds {
        let least = |indices: &[Var]| {
            let along = |(var, &count): (&Var, &u64)| indices.contains(var).then_some(count as f64);
            let counts = self.sparse.1.iter().zip(distinct).filter_map(along);
            counts.fold(1.0, f64::max) * self.row(indices, 8.0)
        };
        let dense: f64 = self.tensors().map(least).sum();
        let untiled = self.most_untiled(entries, cache as f64);
        Bounds { untiled, tiled: self.sparse_bytes(entries) + dense }
    }

    /// What moves through a cache of so many bytes without tiles, about: rows of dense tensors come and go in
    /// the order of some consecutive entries, whose coordinates are here, one column an index. Of the rows
    /// that are used since the cache is full, a share is missed, as in the whole computation.
    pub fn untiled(&self, entries: u64, window: &Points, cache: u64) -> f64 {
        let tensors: Vec<&[Var]> = self.tensors().collect();
        let rows: Vec<f64> = tensors.iter().map(|indices| self.touched(indices)).collect();
        let mut rows_seen = RowCache::new(cache as f64, rows.clone());
        let places: Vec<Vec<usize>> = tensors.iter().map(|indices| self.places(indices)).collect();
        for entry in 0..window.len() {
            for (tensor, places) in places.iter().enumerate() {
                let key = places.iter().fold(tensor as u64 + 1, |key, &mode| {
                    mixed(key ^ u64::from(window.column(mode)[entry])).wrapping_add(key)
                });
                rows_seen.touch(tensor, key);
            }
        }
        let moved = tensors.iter().zip(&rows).enumerate().map(|(tensor, (indices, row))| {
            let touched = entries as f64 * row;
            self.whole(indices).min(touched).max(touched * rows_seen.missed(tensor))
        });
        self.sparse_bytes(entries) + moved.sum::<f64>()
    }

    /// How many consecutive entries show what moves through a cache of so many bytes: several times as many
    /// as it has rows.
    pub fn window(&self, cache: u64) -> usize {
        let row = self.tensors().map(|indices| self.touched(indices)).fold(LINE, f64::max);
        ((4.0 * cache as f64 / row) as usize).clamp(LEAST_WINDOW, MOST_WINDOW)
    }

    /// Points of the sparse operand with these coordinates, one column an index.
    ///
    /// # Errors
    /// Coordinates that are not below the extents, and extents that are too large.
    pub fn points(&self, columns: &[Vec<i64>]) -> Result<Points, PointsError> {
        let extents: Vec<u64> = self.sparse.1.iter().map(|var| self.variables[var.0].extent).collect();
        Points::new(&extents, columns)
    }

    /// The modes of the sparse operand whose variables a dense tensor has.
    fn places(&self, indices: &[Var]) -> Vec<usize> {
        (0..self.sparse.1.len()).filter(|&mode| indices.contains(&self.sparse.1[mode])).collect()
    }

    /// The statement at a scale of one in so many: that share of the entries, of the coordinates of a
    /// variable that all dense tensors have, and of the buffer. Everything takes that share, and the same
    /// tiles fit.
    pub fn scaled(&self, points: Points, scale: u64) -> Statement {
        let access = |(name, indices): &(String, Vec<Var>), pattern| {
            let mut indices = indices.clone();
            indices.sort_unstable();
            Access { name: name.clone(), indices, pattern }
        };
        let sparse = access(&self.sparse, Pattern::Points(Arc::new(points)));
        let dense = self.dense.iter().map(|own| access(own, Pattern::Dense));
        let accesses: Vec<Access> = std::iter::once(sparse).chain(dense).collect();
        let value = Expr::All((0..accesses.len()).map(Expr::Access).collect());
        let mut variables = self.variables.clone();
        let wide = &mut variables[self.wide.0];
        wide.extent = wide.extent.div_ceil(scale);
        Statement { variables, accesses, target: self.target.clone(), value }
    }

    /// Tiles of a statement at a scale, as they are in this one.
    pub fn unscaled(&self, tiles: &Tiles, scale: u64) -> Tiles {
        let mut sizes = tiles.0.clone();
        let wide = &mut sizes[self.wide.0];
        *wide = wide.saturating_mul(scale).min(self.variables[self.wide.0].extent);
        Tiles(sizes)
    }

    /// The scale at which there are no more than about so many entries: a power of two.
    pub fn scale(&self, entries: u64, most: u64) -> u64 {
        let wide = self.variables[self.wide.0].extent.max(1);
        entries.div_ceil(most).next_power_of_two().min(1 << wide.ilog2())
    }

    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The dense tensors: operands, and the result if it is dense.
    fn tensors(&self) -> impl Iterator<Item = &[Var]> {
        let result = self.target.is_dense.then_some(&self.target.indices[..]);
        self.dense.iter().map(|(_, indices)| &indices[..]).chain(result)
    }

    fn extent(&self, var: Var) -> f64 {
        self.variables[var.0].extent as f64
    }

    fn whole(&self, indices: &[Var]) -> f64 {
        indices.iter().map(|&var| self.extent(var)).product::<f64>() * 8.0
    }

    /// What is at a coordinate of all variables that the sparse operand has too, where a value takes so much.
    fn row(&self, indices: &[Var], value: f64) -> f64 {
        let own = indices.iter().filter(|var| !self.sparse.1.contains(var));
        own.map(|&var| self.extent(var)).product::<f64>() * value
    }

    /// What an entry touches of a dense tensor, in whole lines.
    fn touched(&self, indices: &[Var]) -> f64 {
        // Values lie side by side along the last index.
        let is_wide = indices.last().is_some_and(|last| !self.sparse.1.contains(last));
        if is_wide { (self.row(indices, 8.0) / LINE).ceil() * LINE } else { self.row(indices, LINE) }
    }

    fn sparse_bytes(&self, entries: u64) -> f64 {
        let machine = Machine::of_buffer(1);
        entries as f64 * (machine.value_bytes + machine.word_bytes) as f64
    }

    /// Whether all dense tensors fit a cache, so that nothing comes again.
    fn fits(&self, cache: f64) -> bool {
        self.tensors().map(|indices| self.whole(indices)).sum::<f64>() <= cache
    }

    /// Each entry misses all that it touches, unless everything fits, but of tensors that the outermost loop
    /// over the sparse operand goes through in order: what is between two uses of a row of these is what one
    /// entry touches. Which loop that is, is left open.
    fn most_untiled(&self, entries: u64, cache: f64) -> f64 {
        let fits = self.fits(cache);
        let keeps_rows = 2.0 * self.tensors().map(|indices| self.touched(indices)).sum::<f64>() <= cache;
        let of = |indices: &[Var], outermost: Var| {
            let touched = entries as f64 * self.touched(indices);
            let mut shared = indices.iter().filter(|var| self.sparse.1.contains(var));
            let is_in_order = keeps_rows && shared.all(|&var| var == outermost);
            if fits || is_in_order { self.whole(indices).min(touched) } else { touched }
        };
        let all =
            self.sparse.1.iter().map(|&var| self.tensors().map(|indices| of(indices, var)).sum::<f64>());
        self.sparse_bytes(entries) + all.fold(0.0, f64::max)
    }
}

/// Rows of dense tensors in a cache that forgets what was not used for the longest time.
struct RowCache {
    cache: LruCache<u64, usize>,
    left: f64,
    /// Of each tensor: what a row takes, the row that was used last, and how many were used and missed since
    /// the cache is full.
    bytes: Vec<f64>,
    last: Vec<u64>,
    used: Vec<(u64, u64)>,
    is_full: bool,
}

impl RowCache {
    fn new(cache: f64, bytes: Vec<f64>) -> Self {
        let (last, used) = (vec![0; bytes.len()], vec![(0, 0); bytes.len()]);
        Self { cache: LruCache::unbounded(), left: cache, bytes, last, used, is_full: false }
    }

    fn touch(&mut self, tensor: usize, key: u64) {
        let is_late = self.is_full;
        let is_last = std::mem::replace(&mut self.last[tensor], key) == key;
        let is_kept = is_last || self.cache.put(key, tensor).is_some();
        if is_late {
            let (used, missed) = &mut self.used[tensor];
            *used += 1;
            *missed += u64::from(!is_kept);
        }
        if is_kept {
            return;
        }
        self.left -= self.bytes[tensor];
        while self.left < 0.0 {
            self.is_full = true;
            let Some((_, oldest)) = self.cache.pop_lru() else { break };
            self.left += self.bytes[oldest];
        }
    }

    /// The share of the uses of rows that miss them; nothing is missed of what never fills the cache.
    fn missed(&self, tensor: usize) -> f64 {
        let (used, missed) = self.used[tensor];
        if used == 0 { 0.0 } else { missed as f64 / used as f64 }
    }
}

/// Places of entries: one of each so many consecutive ones, drawn by a number.
pub fn thinned(entries: usize, scale: u64, seed: u64) -> impl Iterator<Item = usize> {
    let scale = scale as usize;
    (0..entries.div_ceil(scale)).filter_map(move |group| {
        let place = group * scale + mixed(seed ^ group as u64) as usize % scale;
        (place < entries).then_some(place)
    })
}

/// How many different coordinates some of the entries have, looked at in steps of so many. All are below the
/// extent.
pub fn distinct(column: &[i64], step: usize, extent: i64) -> u64 {
    let mut seen = vec![false; usize::try_from(extent).unwrap_or(0)];
    let looked_at = column.iter().step_by(step.max(1));
    looked_at.map(|&at| u64::from(!std::mem::replace(&mut seen[at as usize], true))).sum()
}
