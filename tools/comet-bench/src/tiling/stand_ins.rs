//! Matrices that stand in for those of Table 5 of d2t2.txt, which are not at hand: of the same extents, as
//! many entries, and the pattern as far as it is known.
//!
//! bcsstm26 is a diagonal, bwm2000 two coupled waves, and G33 a torus, whose sides are a guess. Of tols2000
//! its diagonals of blocks and dense corners follow from how its entries grow with its size; what is missing
//! then is drawn, as is all of the others: near the diagonal what belongs to one unit of a plant or one
//! period of a linear program, some part of it anywhere, and with a power law what is a network.

use crate::data;
use crate::setting::Outcome;
use comet_gen::{Amount, Coordinates, Generator, Kind, PowerLaw};
use comet_tiling::Points;
use std::collections::BTreeSet;

/// One of them.
#[derive(Debug)]
pub(super) struct StandIn {
    /// The matrix of the paper.
    pub(super) original: &'static str,
    extents: [u64; 2],
    entries: usize,
    /// How much faster the chosen tiles are than prescient ones, in Table 5.
    pub(super) paper: f64,
    pattern: Pattern,
}

#[derive(Debug)]
enum Pattern {
    /// Runs along diagonals.
    Diagonals(&'static [Run]),
    /// Neighbours on a torus with so many columns.
    Torus(u64),
    /// Runs, dense corners of this side where some of them begin, and the rest anywhere.
    Corners(&'static [Run], u64),
    /// Drawn: this share in a band of this width, the rest anywhere.
    Near(f64, u64),
    /// Drawn: few rows and columns have most of the entries.
    Network,
}

/// Entries from a place on, down the diagonal.
#[derive(Clone, Copy, Debug)]
struct Run {
    row: u64,
    column: u64,
    length: u64,
}

const fn run(row: u64, column: u64, length: u64) -> Run {
    Run { row, column, length }
}

/// In the order of Table 5.
pub(super) const STAND_INS: [StandIn; 8] = [
    StandIn {
        original: "bcsstm26",
        extents: [1922, 1922],
        entries: 1922,
        paper: 1.56,
        pattern: Pattern::Diagonals(&[run(0, 0, 1922)]),
    },
    StandIn {
        original: "bwm2000",
        extents: [2000, 2000],
        entries: 7996,
        paper: 3.08,
        pattern: Pattern::Diagonals(&WAVES),
    },
    StandIn {
        original: "G33",
        extents: [2000, 2000],
        entries: 8000,
        paper: 1.70,
        pattern: Pattern::Torus(20),
    },
    StandIn {
        original: "N_biocarta",
        extents: [1922, 1996],
        entries: 4335,
        paper: 3.34,
        pattern: Pattern::Network,
    },
    StandIn {
        original: "progas",
        extents: [1650, 1900],
        entries: 8897,
        paper: 2.51,
        pattern: Pattern::Near(0.8, 60),
    },
    StandIn {
        original: "qiulp",
        extents: [1192, 1900],
        entries: 4492,
        paper: 1.45,
        pattern: Pattern::Near(0.5, 40),
    },
    StandIn {
        original: "tols2000",
        extents: [2000, 2000],
        entries: 5184,
        paper: 1.60,
        pattern: Pattern::Corners(&BLOCKS, 18),
    },
    StandIn {
        original: "west2021",
        extents: [2021, 2021],
        entries: 7310,
        paper: 1.34,
        pattern: Pattern::Near(0.7, 50),
    },
];

/// Two operators along a line, each coupled to the other at every point (the Brusselator).
const WAVES: [Run; 7] = [
    run(0, 0, 2000),
    run(0, 1, 999),
    run(1, 0, 999),
    run(1000, 1001, 999),
    run(1001, 1000, 999),
    run(0, 1000, 1000),
    run(1000, 0, 1000),
];

/// Nine diagonals of blocks of 400; those of the second row of blocks have the dense corners.
const BLOCKS: [Run; 9] = [
    run(400, 0, 400),
    run(400, 400, 400),
    run(400, 800, 400),
    run(400, 1200, 400),
    run(400, 1600, 400),
    run(0, 400, 400),
    run(800, 800, 400),
    run(1200, 1200, 400),
    run(1600, 1600, 400),
];
const WITH_CORNERS: usize = 5;

/// Row and column.
type Place = [u64; 2];

impl StandIn {
    pub(super) fn points(&self) -> Outcome<Points> {
        let [rows, columns] = self.extents;
        let places = match &self.pattern {
            Pattern::Diagonals(runs) => runs.iter().flat_map(Run::places).collect(),
            Pattern::Torus(width) => torus(rows, *width),
            Pattern::Corners(runs, side) => {
                let corners = runs[..WITH_CORNERS].iter().flat_map(|run| run.corner(*side));
                self.completed(runs.iter().flat_map(Run::places).chain(corners).collect())?
            }
            Pattern::Near(share, width) => self.completed(self.near(*share, *width)?)?,
            Pattern::Network => {
                let entries = Amount::Entries(self.entries as u64);
                let kind = PowerLaw { dims: vec![rows, columns], entries, skew: 2 };
                let drawn = Generator::new(Kind::PowerLaw(kind)).generate();
                places(&drawn.map_err(|error| error.to_string())?)
            }
        };
        let column = |mode: usize| places.iter().map(|place| place[mode].cast_signed()).collect();
        Points::new(&self.extents, &[column(0), column(1)]).map_err(|error| error.to_string())
    }

    /// A share of the entries in a band, which goes on with the first column behind the last.
    fn near(&self, share: f64, width: u64) -> Outcome<Vec<Place>> {
        let [rows, columns] = self.extents;
        let count = (self.entries as f64 * share) as u64;
        let drawn = data::uniform(&[rows as usize, width as usize], count, 1)?;
        let moved = |[row, off]: Place| [row, (row * columns / rows + columns + off - width / 2) % columns];
        Ok(places(&drawn).into_iter().map(moved).collect())
    }

    /// With as many other entries anywhere as are missing.
    fn completed(&self, known: Vec<Place>) -> Outcome<Vec<Place>> {
        let dims = self.extents.map(|extent| extent as usize);
        let mut all: BTreeSet<Place> = known.into_iter().collect();
        for seed in 2.. {
            let missing = self.entries.saturating_sub(all.len());
            if missing == 0 {
                break;
            }
            all.extend(places(&data::uniform(&dims, missing as u64, seed)?));
        }
        Ok(all.into_iter().collect())
    }
}

impl Run {
    fn places(&self) -> impl Iterator<Item = Place> {
        let Self { row, column, length } = *self;
        (0..length).map(move |step| [row + step, column + step])
    }

    /// A square that begins where this does.
    fn corner(&self, side: u64) -> impl Iterator<Item = Place> {
        let Self { row, column, .. } = *self;
        (0..side * side).map(move |place| [row + place / side, column + place % side])
    }
}

/// The four neighbours of each point.
fn torus(points: u64, width: u64) -> Vec<Place> {
    let height = points / width;
    let neighbours = |point: u64| {
        let (row, column) = (point / width, point % width);
        let at = move |row: u64, column: u64| [point, row % height * width + column % width];
        [at(row + 1, column), at(row + height - 1, column), at(row, column + 1), at(row, column + width - 1)]
    };
    (0..points).flat_map(neighbours).collect()
}

fn places(drawn: &Coordinates) -> Vec<Place> {
    drawn.coords[0].iter().zip(&drawn.coords[1]).map(|(&row, &column)| [row, column]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stand-ins have the extents and the numbers of entries of Table 5.
    #[test]
    fn stand_ins_have_as_many_entries() {
        for stand_in in &STAND_INS {
            let points = stand_in.points().unwrap();
            assert_eq!(points.extents(), stand_in.extents, "{}", stand_in.original);
            assert_eq!(points.len(), stand_in.entries, "{}", stand_in.original);
        }
    }
}
