//! Where tiles begin along each variable: in steps of one size, or anywhere.

use super::super::json;
use crate::tile::report::ComparedSchemes;
use comet_tiling::{Tiles, Var};
use serde_json::Value;

#[derive(Clone, Copy)]
pub(super) enum OperandTiles<'a> {
    Even(&'a Tiles),
    At(&'a [Vec<u64>]),
}

impl<'a> OperandTiles<'a> {
    /// The tiles that files are written for, the largest first: packed tiles are cut into small ones.
    pub(super) fn all(own: &'a ComparedSchemes) -> Vec<Self> {
        match (&own.packed, own.written_bounds()) {
            (Some(packed), _) => vec![Self::Even(&packed.tiles), Self::Even(&packed.small)],
            (None, Some(bounds)) => vec![Self::At(bounds)],
            (None, None) => vec![Self::Even(&own.written().tiles)],
        }
    }

    pub(super) fn number(self, var: Var, at: i64) -> i64 {
        match self {
            Self::Even(tiles) => at / tiles.of(var).cast_signed(),
            Self::At(bounds) => bounds[var.0].partition_point(|begin| begin.cast_signed() <= at) as i64 - 1,
        }
    }

    pub(super) fn begin(self, var: Var, number: i64) -> i64 {
        match self {
            Self::Even(tiles) => number * tiles.of(var).cast_signed(),
            Self::At(bounds) => bounds[var.0][number as usize].cast_signed(),
        }
    }

    pub(super) fn place(self, var: Var, at: i64) -> i64 {
        at - self.begin(var, self.number(var, at))
    }

    /// How many coordinates a tile has at most, of so many in all.
    pub(super) fn longest(self, var: Var, extent: i64) -> i64 {
        match self {
            Self::Even(tiles) => tiles.of(var).cast_signed(),
            Self::At(bounds) => {
                let begins = bounds[var.0].iter().map(|begin| begin.cast_signed());
                let ends = begins.clone().skip(1).chain([extent]);
                begins.zip(ends).map(|(begin, end)| end - begin).max().unwrap_or(extent)
            }
        }
    }

    /// `544`, or how many tiles there are.
    pub(super) fn text(self, var: Var) -> String {
        match self {
            Self::Even(tiles) => tiles.of(var).to_string(),
            Self::At(bounds) => format!("{} of several lengths", bounds[var.0].len()),
        }
    }

    /// The coordinate that the tile of a name begins at, counted from 0.
    pub(super) fn begin_text(self, var: Var, number: &str) -> String {
        match self {
            Self::Even(tiles) => format!("({number} - 1) * {}", tiles.of(var)),
            Self::At(_) => format!("begin of {number}"),
        }
    }

    pub(super) fn json(self, own: &ComparedSchemes) -> Value {
        match self {
            Self::Even(tiles) => json::sizes(own, tiles),
            Self::At(bounds) => json::bounds(own, bounds),
        }
    }
}
