//! The figures of d2t2.txt: tiles of matrices chosen from data. What several figures are about is measured
//! once.

mod cycles;
mod reuse;
mod schemes;
mod shapes;
mod validation;

use super::Shown;
use crate::setting::{Outcome, Setting};
use crate::tiling::inputs::{self, Input};
use crate::tiling::kernels::Kernel;
use crate::tiling::parallel::each;
use crate::tiling::row::{Contender, Contest, Row};
use comet_tiling::{Machine, Scheme};
use shapes::Shapes;

/// The buffer of section 6.
const BUFFER: u64 = 128 << 10;

/// The matrices, and what has been measured of them so far.
pub(super) struct Tiling<'a> {
    setting: &'a Setting,
    matrices: Vec<Input>,
    rows: Option<Vec<Row>>,
    shapes: Option<Vec<Shapes>>,
}

impl<'a> Tiling<'a> {
    /// On the matrices whose names hold a text.
    pub(super) fn new(setting: &'a Setting, only: Option<&str>) -> Self {
        let mut matrices = inputs::all();
        matrices.retain(|input| input.is_matrix() && only.is_none_or(|only| input.name.contains(only)));
        Self { setting, matrices, rows: None, shapes: None }
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
    pub(super) fn tailors(&self) -> Outcome<Vec<Shown>> {
        let schemes = [Scheme::Prescient, Scheme::Tailors, Scheme::D2t2].map(Contender::Scheme);
        schemes::tailors(&self.contest(Kernel::Ijk, schemes.to_vec())?)
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
            self.rows = Some(self.contest(Kernel::Ikj, schemes.chain([Contender::Drt]).collect())?);
        }
        Ok(self.rows.as_deref().unwrap_or_default())
    }

    fn shapes(&mut self) -> Outcome<&[Shapes]> {
        if self.shapes.is_none() {
            self.shapes = Some(each(&self.matrices, Shapes::of)?);
        }
        Ok(self.shapes.as_deref().unwrap_or_default())
    }

    fn contest(&self, kernel: Kernel, contenders: Vec<Contender>) -> Outcome<Vec<Row>> {
        let contest = Contest { machine: Machine::of_buffer(BUFFER), contenders };
        each(&self.matrices, |input| {
            let row = contest.row(input, kernel, &input.points()?)?;
            eprint!("{}", row.text());
            Ok(row)
        })
    }
}
