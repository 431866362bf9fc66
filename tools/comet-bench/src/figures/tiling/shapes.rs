//! Traffic of A·Aᵀ row by row in tiles of one area and several shapes, as figure 5 of d2t2.txt has them:
//! `128·RF` along i and j and `128/RF` along k, for reorder factors RF from 1/16 to 16.

use super::BUFFER;
use crate::data;
use crate::setting::Outcome;
use crate::tiling::inputs::Input;
use crate::tiling::kernels::{gustavson, located};
use comet_tiling::{
    Machine, Observed, PaperModel, Points, Quantity, Sample, Statement, Statistics, TiledOperands, Tiles,
    Var, conservative, fullest, measure,
};

/// The reorder factors.
pub(super) const FACTORS: [(&str, f64); 9] = [
    ("1/16", 0.0625),
    ("1/8", 0.125),
    ("1/4", 0.25),
    ("1/2", 0.5),
    ("1", 1.0),
    ("2", 2.0),
    ("4", 4.0),
    ("8", 8.0),
    ("16", 16.0),
];

/// Of what larger tiles are made: the shortest side of any shape, since statistics of tiles are put together
/// from smaller ones. The crate's own is 32, which has no tiles of 8.
const BASE: u64 = 8;

/// A matrix with its traffic in all shapes.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) name: String,
    /// By its own transpose.
    pub(super) own: Vec<Point>,
    /// By a matrix of the same size with as many entries anywhere.
    pub(super) random: Vec<Point>,
    /// By the transpose of itself moved on by a column.
    pub(super) shifted: Vec<Point>,
    /// Traffic by its own transpose where each shape is as large as it fits.
    pub(super) resized: Vec<u64>,
    /// The sum of `Corrs` of the second operand along k.
    pub(super) corrs: f64,
}

/// Bytes in tiles of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) predicted: f64,
    /// By the paper's own equations.
    pub(super) by_paper: f64,
    pub(super) measured: f64,
}

impl Point {
    /// The same with what the paper's equations predict in place of what samples do.
    pub(super) fn of_paper(self) -> Self {
        Self { predicted: self.by_paper, ..self }
    }

    /// How much more is predicted than measured, as a share of that.
    pub(super) fn error(self) -> f64 {
        self.predicted / self.measured - 1.0
    }
}

impl Shapes {
    /// None of a matrix of more entries than that.
    pub(super) fn of(input: &Input, most: usize) -> Outcome<Option<Self>> {
        let points = input.points()?;
        if points.len() > most {
            eprintln!("LEFT OUT: {} has {} entries, and {most} are looked at", input.name, points.len());
            return Ok(None);
        }
        let machine = Machine::of_buffer(BUFFER);
        let turned = points.permuted(&[1, 0]);
        let statement = gustavson(points.clone(), turned.clone());
        let other = scattered(&turned)?;
        let moved = moved(&points)?.permuted(&[1, 0]);
        let resized = FACTORS.map(|(_, factor)| {
            let tiles = largest(&statement, factor, &machine);
            measure(&statement, &tiles, &machine).total()
        });
        eprintln!("{}: traffic of {} shapes", input.name, FACTORS.len());
        Ok(Some(Self {
            name: input.name.clone(),
            own: traffic(&statement, machine),
            random: traffic(&gustavson(points.clone(), other), machine),
            shifted: traffic(&gustavson(points, moved), machine),
            resized: resized.to_vec(),
            corrs: sum_of_corrs(&statement, machine),
        }))
    }

    /// The place of the factor with the least traffic among tiles of one area, and among the largest ones; of
    /// several with the same, the one that is nearest to square.
    pub(super) fn best(&self) -> [usize; 2] {
        let least = |traffic: &dyn Fn(usize) -> f64| {
            let distance = |place: usize| FACTORS[place].1.ln().abs();
            let order = |&one: &usize, &other: &usize| {
                let by_traffic = traffic(one).total_cmp(&traffic(other));
                by_traffic.then(distance(one).total_cmp(&distance(other)))
            };
            (0..FACTORS.len()).min_by(order).unwrap_or(0)
        };
        [least(&|place| self.own[place].measured), least(&|place| self.resized[place] as f64)]
    }
}

fn traffic(statement: &Statement, machine: Machine) -> Vec<Point> {
    let cut = TiledOperands::new(statement, Tiles::cube(statement, BASE));
    let observed = Observed::new(statement, machine, &cut, 1);
    let square = TiledOperands::new(statement, shape(statement, 1.0, 1.0));
    let paper = PaperModel::of_tiles(statement, machine, &square, Sample::of_tiles(1));
    let point = |&(_, factor): &(&str, f64)| {
        let tiles = shape(statement, factor, 1.0);
        Point {
            predicted: observed.predict(&tiles).total(),
            by_paper: paper.predict(&tiles).total(),
            measured: measure(statement, &tiles, &machine).total() as f64,
        }
    };
    FACTORS.iter().map(point).collect()
}

/// Tiles of a shape, scaled. Sizes are multiples of the base, so that all of them are known exactly.
fn shape(statement: &Statement, factor: f64, scale: f64) -> Tiles {
    let along = |size: f64, extent: u64| {
        let size = (size * scale / BASE as f64) as u64 * BASE;
        size.max(BASE).min(extent)
    };
    let [rows, inner, columns] = [0, 1, 2].map(|var| statement.extent(Var(var)));
    let (long, short) = (128.0 * factor, 128.0 / factor);
    Tiles(vec![along(long, rows), along(short, inner), along(long, columns)])
}

/// As large as all tiles of a shape fit.
fn largest(statement: &Statement, factor: f64, machine: &Machine) -> Tiles {
    let fits = |scale: f64| fullest(statement, &shape(statement, factor, scale), machine) <= 1.0;
    let (mut low, mut high) = (1.0, 2.0);
    while fits(high) && shape(statement, factor, low) != shape(statement, factor, high) {
        (low, high) = (high, 2.0 * high);
    }
    while high / low > 1.05 {
        let middle = f64::sqrt(low * high);
        if fits(middle) { low = middle } else { high = middle }
    }
    shape(statement, factor, low)
}

/// As many entries anywhere.
fn scattered(points: &Points) -> Outcome<Points> {
    let dims: Vec<usize> = points.extents().iter().map(|&extent| extent as usize).collect();
    located(data::uniform(&dims, points.len() as u64, 1)?)
}

/// All columns moved on by one, the last to the front.
fn moved(points: &Points) -> Outcome<Points> {
    let extents = points.extents();
    let rows = points.column(0).iter().map(|&row| i64::from(row)).collect();
    let columns = points.column(1).iter().map(|&column| (i64::from(column) + 1) % extents[1].cast_signed());
    Points::new(extents, &[rows, columns.collect()]).map_err(|error| error.to_string())
}

/// Of the second operand along the reduced index, in conservative tiles.
fn sum_of_corrs(statement: &Statement, machine: Machine) -> f64 {
    let tiles = conservative(statement, &machine);
    let cut = TiledOperands::new(statement, tiles.clone());
    let statistics = Statistics::new(statement, machine, &cut, Sample::of_tiles(1));
    statistics.quantity(&Quantity::Corrs(1, Var(1)), &tiles)
}
