//! Tiles of about equal occupancy: short along an index where entries are many, long where they are few.
//!
//! Coordinates are moved apart in proportion to the entries that they have. Tiles of one length along these
//! places have about the same number of entries, and no more coordinates than places. What a tile holds,
//! what it takes and what is moved does not depend on how far apart coordinates are, so that statistics,
//! search and count are those of tiles of one length.

use crate::measure::{Traffic, measure_in};
use crate::model::Prediction;
use crate::observed::Observed;
use crate::operands::TiledOperands;
use crate::optimize::fullest_in;
use crate::points::Points;
use crate::schemes::Counting;
use crate::statement::{Access, Statement, Term, Tiles, Var, Variable, position};

/// A statement with its coordinates moved apart.
#[derive(Clone, Debug)]
pub struct Stretched {
    pub statement: Statement,
    /// Where coordinates of each variable are now; none where they stay.
    places: Vec<Option<Vec<u32>>>,
}

/// Tiles of about equal occupancy, what is expected of them, and what they move.
#[derive(Clone, Debug)]
pub struct OccupancyOutcome {
    /// At which coordinates tiles begin along each variable.
    pub bounds: Vec<Vec<u64>>,
    /// How much of the buffer the fullest tile takes.
    pub fill: f64,
    pub predicted: Prediction,
    /// Between which numbers of bytes the traffic lies with a probability of nine in ten.
    pub interval: [f64; 2],
    pub measured: Option<Traffic>,
}

impl Observed<'_> {
    /// Chooses tiles of about equal occupancy by samples of a seed, and counts what they move where
    /// `counting` asks for it.
    pub fn occupancy(&self, seed: u64, counting: Counting) -> OccupancyOutcome {
        let stretched = Stretched::new(self.statement);
        let (statement, memory) = (&stretched.statement, &self.memory);
        let cut = TiledOperands::small_in(statement, memory);
        let observed = Observed::in_memory(statement, memory.clone(), &cut, seed);
        let tiles = observed.sure();
        OccupancyOutcome {
            bounds: stretched.bounds(&tiles),
            fill: fullest_in(statement, &tiles, memory),
            predicted: observed.predict(&tiles),
            interval: observed.interval(&tiles),
            measured: (counting == Counting::Done).then(|| measure_in(statement, &tiles, memory)),
        }
    }
}

/// How many places there are for a coordinate, on average: all but one are for its entries. With 2, tiles
/// moved up to 6 % more on the matrices that were tried.
const PLACES: u64 = 8;

/// How many places there are at most: statistics have a number for each.
const MOST_PLACES: u64 = 100_000_000;

impl Stretched {
    /// Along all variables that only sparse tensors have; tiles of dense ones stay of one length, since they
    /// have all coordinates that they reach over.
    ///
    /// ```
    /// use comet_tiling::{Access, Expr, Pattern, Points, Statement, Stretched, Target, Tiles, Var, Variable};
    /// use std::sync::Arc;
    /// // y[i] = A[i,j]: 3 of 6 entries are in row 0, the others in rows 2, 5 and 7.
    /// let points = Points::new(&[8, 3], &[vec![0, 0, 0, 2, 5, 7], vec![0, 1, 2, 0, 1, 2]]).unwrap();
    /// let variable = |name: &str, extent| Variable { name: name.to_owned(), extent };
    /// let statement = Statement {
    ///     variables: vec![variable("i", 8), variable("j", 3)],
    ///     accesses: vec![Access {
    ///         name: "A".to_owned(),
    ///         indices: vec![Var(0), Var(1)],
    ///         pattern: Pattern::Points(Arc::new(points)),
    ///     }],
    ///     target: Target { name: "y".to_owned(), indices: vec![Var(0)], is_dense: false },
    ///     value: Expr::Access(0),
    /// };
    /// let stretched = Stretched::new(&statement);
    /// // Rows are at 0, 29, 30, 40, 41, 42, 52 and 53.
    /// assert_eq!(stretched.statement.variables[0].extent, 54);
    /// assert_eq!(stretched.bounds(&Tiles(vec![30, 18]))[0], [0, 2]);
    /// ```
    pub fn new(statement: &Statement) -> Self {
        let places: Vec<Option<Vec<u32>>> =
            (0..statement.variables.len()).map(|place| places(statement, Var(place))).collect();
        let extent = |(variable, places): (&Variable, &Option<Vec<u32>>)| Variable {
            extent: places
                .as_ref()
                .and_then(|all| all.last())
                .map_or(variable.extent, |&last| u64::from(last) + 1),
            ..variable.clone()
        };
        let variables: Vec<Variable> = statement.variables.iter().zip(&places).map(extent).collect();
        let access = |access: &Access| Access {
            pattern: access.with_points(|points| moved(points, access, &variables, &places)),
            ..access.clone()
        };
        let accesses = statement.accesses.iter().map(access).collect();
        Self { statement: Statement { variables, accesses, ..statement.clone() }, places }
    }

    /// At which coordinates of the own statement tiles of the stretched one begin, along each variable;
    /// those that have no coordinate are left out.
    pub fn bounds(&self, tiles: &Tiles) -> Vec<Vec<u64>> {
        let along = |(place, places): (usize, &Option<Vec<u32>>)| {
            let (size, extent) = (tiles.of(Var(place)), self.statement.variables[place].extent);
            let Some(places) = places else { return (0..extent).step_by(size as usize).collect() };
            let tile = |at: usize| u64::from(places[at]) / size;
            let begins = |&at: &usize| at == 0 || tile(at) != tile(at - 1);
            (0..places.len()).filter(begins).map(|at| at as u64).collect()
        };
        self.places.iter().enumerate().map(along).collect()
    }
}

/// Where each coordinate of a variable goes; none where they stay.
fn places(statement: &Statement, var: Var) -> Option<Vec<u32>> {
    let extent = statement.extent(var);
    let room = (PLACES * extent).min(MOST_PLACES).checked_sub(extent)?;
    if has_all(statement, var) {
        return None;
    }
    let mut entries = vec![0u64; extent as usize];
    for access in statement.accesses.iter().filter(|access| access.indices.contains(&var)) {
        let own = access.points()?.entries_along(position(&access.indices, var));
        entries.iter_mut().zip(own).for_each(|(all, own)| *all += u64::from(own));
    }
    let all = u128::from(entries.iter().sum::<u64>().max(1));
    let mut before = 0;
    let place = |(at, own): (usize, u64)| {
        let added = u128::from(room) * before / all;
        before += u128::from(own);
        at as u32 + added as u32
    };
    Some(entries.into_iter().enumerate().map(place).collect())
}

/// Whether tiles have all coordinates of a variable that they reach over: it is that of a dense result, or
/// one along which a product is the same everywhere.
fn has_all(statement: &Statement, var: Var) -> bool {
    let lacks_it =
        |term: &Term| !term.iter().any(|&access| statement.accesses[access].indices.contains(&var));
    let nests = statement.nests();
    let mut own = nests.iter().filter(|nest| nest.variables.contains(&var));
    statement.target.is_dense && statement.target.indices.contains(&var)
        || own.any(|nest| nest.terms.iter().any(lacks_it))
}

fn moved(points: &Points, access: &Access, variables: &[Variable], places: &[Option<Vec<u32>>]) -> Points {
    let column = |(mode, var): (usize, &Var)| match &places[var.0] {
        Some(places) => points.column(mode).iter().map(|&at| places[at as usize]).collect(),
        None => points.column(mode).to_vec(),
    };
    let extents = access.indices.iter().map(|var| variables[var.0].extent).collect();
    Points::sorted(extents, access.indices.iter().enumerate().map(column).collect())
}
