//! Where the result of a statement has entries, worked out from where its operands have them: a statement
//! that reads what another one computes is tiled with that.
//!
//! All products are gone through, term by term, and the points of the result that they reach are kept. Values
//! are not looked at: a sum that cancels to zero is an entry, as it is in the tensor that is computed.

use crate::join::{Cursor, Join, JoinOperand, Terms, Visitor};
use crate::measure::depths;
use crate::points::Points;
use crate::statement::{Access, Nest, Statement, Term, Var, connected, position};
use crate::tiled::Tiled;
use itertools::Itertools as _;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// There are more products than may be gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyProducts {
    /// How many there are of one term, where that is known without going through them.
    pub products: Option<u64>,
}

/// The points at which the result of a statement has entries, with the modes in dataflow order. Goes through
/// the products of one term after the other, in loops that begin with the first index of the result.
/// Variables that are reduced and that only one operand has are left out, so that a reduction of one operand
/// costs no more than the operand has entries.
///
/// # Errors
/// More iterations of all loops than `most`.
///
/// ```
/// use comet_tiling::{Access, Expr, Pattern, Points, Statement, Target, Var, Variable, entries_of_result};
/// use std::sync::Arc;
/// # let variable = |name: &str| Variable { name: name.to_owned(), extent: 3 };
/// # let access = |name: &str, indices: [usize; 2], entries: [Vec<i64>; 2]| Access {
/// #     name: name.to_owned(), indices: indices.map(Var).into(),
/// #     pattern: Pattern::Points(Arc::new(Points::new(&[3, 3], &entries).unwrap())) };
/// // C[i,j] = A[i,k] * B[k,j]
/// let statement = Statement {
///     variables: ["i", "k", "j"].map(variable).into(),
///     accesses: vec![access("A", [0, 1], [vec![0, 2], vec![1, 0]]), access("B", [1, 2], [vec![1, 1], vec![0, 2]])],
///     target: Target { name: "C".to_owned(), indices: vec![Var(0), Var(2)], is_dense: false },
///     value: Expr::All(vec![Expr::Access(0), Expr::Access(1)]),
/// };
/// let entries = entries_of_result(&statement, 100).unwrap();
/// assert_eq!((entries.column(0), entries.column(1)), (&[0, 0][..], &[0, 2][..]));
/// ```
pub fn entries_of_result(statement: &Statement, most: u64) -> Result<Points, TooManyProducts> {
    let target = &statement.target.indices;
    let mut found = Found::new(statement.extents(target), most);
    for term in statement.nests().iter().flat_map(|nest| &nest.terms) {
        let Some(factors) = factors(statement, term) else { continue };
        let pairs: Vec<_> = factors.iter().map(|factor| (&factor.vars[..], &*factor.points)).collect();
        let products = combinations(&pairs);
        if products.is_some_and(|products| products > most) {
            return Err(TooManyProducts { products });
        }
        go_through(statement, &factors, &mut found);
        if found.is_done() {
            return Err(TooManyProducts { products: None });
        }
    }
    Ok(Points::sorted(found.extents, found.columns))
}

/// A sparse operand of a product without the modes that decide nothing.
struct SparseFactor {
    vars: Vec<Var>,
    points: Arc<Points>,
}

/// The sparse operands of a product; none where it has no value anywhere.
fn factors(statement: &Statement, term: &Term) -> Option<Vec<SparseFactor>> {
    let accesses = term.iter().map(|&access| &statement.accesses[access]);
    let sparse = accesses.filter_map(|access| Some((&access.indices, access.points()?)));
    let sparse: Vec<(&Vec<Var>, &Arc<Points>)> = sparse.collect();
    let decides = |var: &Var| {
        let shared = sparse.iter().filter(|(vars, _)| vars.contains(var)).count() > 1;
        shared || statement.target.indices.contains(var)
    };
    let mut factors = Vec::new();
    for (vars, points) in &sparse {
        if points.is_empty() {
            return None;
        }
        let kept: Vec<usize> = (0..vars.len()).filter(|&mode| decides(&vars[mode])).collect();
        if kept.is_empty() {
            continue;
        }
        let points =
            if kept.len() == vars.len() { Arc::clone(points) } else { Arc::new(points.permuted(&kept)) };
        factors.push(SparseFactor { vars: kept.iter().map(|&mode| vars[mode]).collect(), points });
    }
    Some(factors)
}

/// Returns how many products there are of factors, each with its variables, where at most one variable is
/// shared: each of its coordinates has as many as the entries of the factors there make combinations.
pub(crate) fn combinations(factors: &[(&[Var], &Points)]) -> Option<u64> {
    let sharing = |var: &Var| factors.iter().filter(|(vars, _)| vars.contains(var)).count();
    let all = factors.iter().flat_map(|(vars, _)| vars.iter().copied());
    let shared: Vec<Var> = all.filter(|var| sharing(var) > 1).unique().collect();
    let mut counts = match &shared[..] {
        [] => vec![1],
        [var] => {
            let mode = |vars: &[Var]| vars.iter().position(|own| own == var);
            let along = factors.iter().filter_map(|(vars, points)| Some(points.entries_along(mode(vars)?)));
            along.fold(Vec::new(), |counts: Vec<u64>, own| match counts.is_empty() {
                true => own.into_iter().map(u64::from).collect(),
                false => counts.iter().zip(own).map(|(all, own)| all.saturating_mul(own.into())).collect(),
            })
        }
        _ => return None,
    };
    for (_, points) in factors.iter().filter(|(vars, _)| !vars.iter().any(|var| shared.contains(var))) {
        counts.iter_mut().for_each(|count| *count = count.saturating_mul(points.len() as u64));
    }
    Some(counts.into_iter().fold(0, u64::saturating_add))
}

fn go_through(statement: &Statement, factors: &[SparseFactor], found: &mut Found) {
    let target = &statement.target.indices;
    let of_factors: Vec<&[Var]> = factors.iter().map(|factor| &factor.vars[..]).collect();
    let order = connected(target.iter().chain(of_factors.iter().copied().flatten()).copied(), &of_factors);
    let in_order = |factor: &SparseFactor| {
        let mut modes: Vec<usize> = (0..factor.vars.len()).collect();
        modes.sort_by_key(|&mode| position(&order, factor.vars[mode]));
        let points = match modes.is_sorted() {
            true => Arc::clone(&factor.points),
            false => Arc::new(factor.points.permuted(&modes)),
        };
        let depths: Vec<usize> = modes.iter().map(|&mode| position(&order, factor.vars[mode])).collect();
        (Tiled::new(&points, points.extents()), depths)
    };
    let fibers: Vec<(Tiled, Vec<usize>)> = factors.iter().map(in_order).collect();
    // One tile has all entries.
    let operands = fibers.iter().map(|(tiled, depths)| JoinOperand {
        levels: Some(&tiled.levels()[tiled.rank()..]),
        depths: depths.clone(),
        terms: 1,
    });
    let counts = order.iter().map(|&var| statement.extent(var) as u32).collect();
    let mut join = Join::new(operands.collect(), counts);
    found.begin(target.iter().map(|&var| position(&order, var)).collect());
    join.walk(vec![0; factors.len()], 1, found);
    found.end_slice();
}

struct Found {
    extents: Vec<u64>,
    columns: Vec<Vec<u32>>,
    left: u64,
    /// The depths of the loops over the indices of the result.
    depths: Vec<usize>,
    slice: Slice,
}

/// The points at one coordinate of the first index, each once; a key has the other coordinates.
struct Slice {
    at: u32,
    keys: Vec<u64>,
    seen: Seen,
}

enum Seen {
    /// For each key, the number of the slice that had it last.
    Stamps(Vec<u32>, u32),
    Keys(FxHashSet<u64>),
    /// Keys would be too large: points are kept as they come.
    Unknown,
}

/// For how many keys there are stamps at most. Only those that are used take memory.
const MOST_STAMPS: u64 = 1 << 27;

impl Seen {
    fn new(extents: &[u64]) -> Self {
        match extents.iter().skip(1).try_fold(1u64, |all, &extent| all.checked_mul(extent)) {
            Some(keys) if keys <= MOST_STAMPS => Self::Stamps(vec![0; keys as usize], 1),
            Some(_) => Self::Keys(FxHashSet::default()),
            None => Self::Unknown,
        }
    }

    fn insert(&mut self, key: u64) -> bool {
        match self {
            Self::Stamps(stamps, slice) => std::mem::replace(&mut stamps[key as usize], *slice) != *slice,
            Self::Keys(keys) => keys.insert(key),
            Self::Unknown => true,
        }
    }

    fn next_slice(&mut self) {
        match self {
            // There are no more slices of a term than coordinates, and stamps begin anew after all of them.
            Self::Stamps(stamps, slice) => {
                *slice = slice.wrapping_add(1);
                if *slice == 0 {
                    stamps.fill(0);
                    *slice = 1;
                }
            }
            Self::Keys(keys) => keys.clear(),
            Self::Unknown => {}
        }
    }
}

impl Found {
    fn new(extents: Vec<u64>, most: u64) -> Self {
        let slice = Slice { at: 0, keys: Vec::new(), seen: Seen::new(&extents) };
        // One more than may be, so that the last of them differs from one beyond.
        let left = most.saturating_add(1);
        Self { columns: vec![Vec::new(); extents.len()], extents, left, depths: Vec::new(), slice }
    }

    fn begin(&mut self, depths: Vec<usize>) {
        self.depths = depths;
        self.slice.at = 0;
    }

    /// Keeps the points of a slice, in order.
    fn end_slice(&mut self) {
        let Slice { at, keys, seen } = &mut self.slice;
        seen.next_slice();
        keys.sort_unstable();
        for mut key in keys.drain(..) {
            for (column, extent) in self.columns.iter_mut().zip(&self.extents).skip(1).rev() {
                column.push((key % extent) as u32);
                key /= extent;
            }
            self.columns[0].push(*at);
        }
    }

    fn keep(&mut self, at: &Cursor) {
        if matches!(self.slice.seen, Seen::Unknown) {
            self.columns.iter_mut().zip(&self.depths).for_each(|(own, &depth)| own.push(at.path[depth]));
            return;
        }
        let first = at.path[self.depths[0]];
        if first != self.slice.at {
            self.end_slice();
            self.slice.at = first;
        }
        let rest = self.depths.iter().zip(&self.extents).skip(1);
        let key = rest.fold(0, |key, (&depth, extent)| key * extent + u64::from(at.path[depth]));
        if self.slice.seen.insert(key) {
            self.slice.keys.push(key);
        }
    }
}

impl Visitor for Found {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        if !self.depths.is_empty() {
            self.keep(at);
        }
        terms
    }

    fn leave(&mut self, _depth: usize, _reached: Terms, _at: &Cursor) {
        self.left = self.left.saturating_sub(1);
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }
}

/// The products of all points at which they have a value, each for itself.
pub(crate) fn products(statement: &Statement) -> u64 {
    statement.nests().iter().map(|nest| of_nest(statement, nest)).sum()
}

fn of_nest(statement: &Statement, nest: &Nest) -> u64 {
    // Tiles of one coordinate: the levels of tiles are those of the operand.
    let cut = |access: &Access| Some(Tiled::new(access.points()?, &vec![1; access.indices.len()]));
    let cut: Vec<Option<Tiled>> = statement.accesses.iter().map(cut).collect();
    let operands = cut.iter().enumerate().map(|(number, tiled)| {
        let terms = nest.terms_with(number);
        let levels = tiled.as_ref().map(|tiled| &tiled.levels()[..tiled.rank()]);
        let depths = depths(&statement.accesses[number].indices, &nest.variables);
        JoinOperand { levels: levels.filter(|_| terms != 0), depths, terms }
    });
    let counts = nest.variables.iter().map(|&var| statement.extent(var) as u32).collect();
    let mut join = Join::new(operands.collect(), counts);
    let mut count = Count(0);
    join.walk(vec![0; cut.len()], nest.terms_where(|_| true), &mut count);
    count.0
}

struct Count(u64);

impl Visitor for Count {
    fn leaf(&mut self, terms: Terms, _at: &Cursor) -> Terms {
        self.0 += u64::from(terms.count_ones());
        terms
    }
}
