//! The figures of d2t2.txt: tiles of matrices chosen from data. What several figures are about is measured
//! once.

mod cycles;
mod fit;
mod reuse;
mod schemes;
mod shapes;
mod validation;

use super::Shown;
use crate::setting::{Outcome, Setting};
use crate::tiling::inputs::{self, Input};
use crate::tiling::kernels::TiledKernel;
use crate::tiling::parallel::each;
use crate::tiling::row::{Contest, Row};
use comet_tiling::{Contender, Machine, Scheme};
use serde_json::Value;
use shapes::Shapes;
use std::path::Path;

/// The buffer of section 6.
const BUFFER: u64 = 128 << 10;

/// Larger matrices have no traffic by shape where none is named: tiles of 8 by 2048 take very long on them.
const MOST: usize = 600_000;

/// The matrices, and what has been measured of them so far.
pub(super) struct Tiling<'a> {
    setting: &'a Setting,
    matrices: Vec<Input>,
    /// Whether some were named.
    is_part: bool,
    /// Rows of another run, in place of measuring again.
    known: Vec<Row>,
    rows: Option<Vec<Row>>,
    shapes: Option<Vec<Shapes>>,
}

impl<'a> Tiling<'a> {
    /// On the matrices whose names hold a text, with the rows that a file has.
    ///
    /// # Errors
    /// A file that `tools/bench tiling` has not written.
    pub(super) fn new(setting: &'a Setting, only: Option<&str>, known: Option<&Path>) -> Outcome<Self> {
        let is_wanted = |name: &str| only.is_none_or(|only| name.contains(only));
        let mut matrices = inputs::all();
        matrices.retain(|input| input.is_matrix() && is_wanted(&input.name));
        let mut known = known.map_or_else(|| Ok(Vec::new()), rows_of)?;
        known.retain(|row| is_wanted(&row.name));
        Ok(Self { setting, matrices, is_part: only.is_some(), known, rows: None, shapes: None })
    }

    /// Predicted and measured traffic, by the shape of tiles.
    pub(super) fn validation(&mut self) -> Outcome<Vec<Shown>> {
        validation::show(self.shapes()?)
    }

    /// Cycles against traffic.
    pub(super) fn cycles(&self) -> Outcome<Vec<Shown>> {
        cycles::show(self.setting)
    }

    /// Chosen tiles, Tailors and prescient ones, by inner products.
    pub(super) fn tailors(&mut self) -> Outcome<Vec<Shown>> {
        let schemes = [Scheme::Prescient, Scheme::Tailors, Scheme::D2t2].map(Contender::Scheme);
        schemes::tailors(&self.contest(TiledKernel::Ijk, schemes.to_vec())?)
    }

    /// Chosen tiles, DRT, conservative and prescient ones, row by row.
    pub(super) fn drt(&mut self) -> Outcome<Vec<Shown>> {
        schemes::drt(self.rows()?)
    }

    /// The shape with the least traffic, by the sum of `Corrs`.
    pub(super) fn reuse(&mut self) -> Outcome<Vec<Shown>> {
        reuse::show(self.shapes()?)
    }

    /// Tiles chosen with less knowledge.
    pub(super) fn ablations(&mut self) -> Outcome<Vec<Shown>> {
        schemes::ablations(self.rows()?)
    }

    fn rows(&mut self) -> Outcome<&[Row]> {
        if self.rows.is_none() {
            let compared = [Scheme::Conservative, Scheme::Prescient, Scheme::D2t2];
            let schemes = compared.into_iter().chain(Scheme::ABLATIONS).map(Contender::Scheme);
            self.rows = Some(self.contest(TiledKernel::Ikj, schemes.chain([Contender::Drt]).collect())?);
        }
        Ok(self.rows.as_deref().unwrap_or_default())
    }

    fn shapes(&mut self) -> Outcome<&[Shapes]> {
        if self.shapes.is_none() {
            let most = if self.is_part { usize::MAX } else { MOST };
            let shapes = each(&self.matrices, |input| Shapes::of(input, most))?;
            self.shapes = Some(shapes.into_iter().flatten().collect());
        }
        Ok(self.shapes.as_deref().unwrap_or_default())
    }

    fn contest(&mut self, kernel: TiledKernel, contenders: Vec<Contender>) -> Outcome<Vec<Row>> {
        let known: Vec<Row> = self.known.extract_if(.., |row| row.kernel == kernel).collect();
        if !known.is_empty() {
            return Ok(known);
        }
        let contest = Contest { machine: Machine::of_buffer(BUFFER), contenders };
        each(&self.matrices, |input| {
            let row = contest.row(input, kernel, &input.points()?)?;
            eprint!("{}", row.text());
            Ok(row)
        })
    }
}

/// What `tools/bench tiling --json` has written.
fn rows_of(path: &Path) -> Outcome<Vec<Row>> {
    let failed = |reason: String| format!("`{}`: {reason}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let json: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let rows = json.as_array().and_then(|rows| rows.iter().map(Row::from_json).collect());
    rows.ok_or_else(|| failed("`tools/bench tiling` has not written this".to_owned()))
}
