//! Rows of a temporary that stay on chip: their coordinates in a FIFO, their values by their number in an
//! SRAM.

use super::expr::int;
use super::nest::{Access, Refusal};
use super::plan::{Addresses, PlanStep};
use super::scope::Segment;
use super::value::Valued;
use super::{Emitter, index_type};
use crate::app::Expr;

#[derive(Clone, Debug)]
pub(super) struct RowOnChip {
    /// The FIFO of its coordinates, and the SRAM of its values.
    pub(super) crd: String,
    pub(super) values: String,
    /// How many there are, and where the iteration that computes one of them puts it.
    len: Option<Expr>,
    place: Option<Expr>,
}

impl<'p> Emitter<'p> {
    pub(super) fn produce_row(
        &mut self,
        row: usize,
        steps: &'p [PlanStep],
        readers: &[Access],
    ) -> Result<(), Refusal> {
        let (stem, element) = (self.nest.tensors[row].name.clone(), self.element(row));
        let crd = self.frames.fifo(&format!("{stem}1_crd"), index_type());
        let values = self.array(&format!("{stem}_vals"), element, Addresses::Any);
        self.rows.insert(row, RowOnChip { crd, values, len: None, place: None });
        self.steps(steps)?;
        let len = self.rows[&row].len.clone().expect("the loop over a row counts it");
        for access in readers {
            let segment = Segment { start: int(0), end: len.clone(), len: len.clone() };
            self.scope.segments.insert((access.clone(), 0), segment);
        }
        Ok(())
    }

    /// In front of the loop that computes a row: how many elements it gets.
    pub(super) fn reserve_row(&mut self, row: usize, len: Expr) {
        self.rows.get_mut(&row).expect("the row is computed").len = Some(len);
    }

    /// In an iteration of that loop: which element it computes.
    pub(super) fn number_in_row(&mut self, row: usize, number: Expr) {
        self.rows.get_mut(&row).expect("the row is computed").place = Some(number);
    }

    pub(super) fn set_in_row(&mut self, target: &Access, valued: Valued) {
        let RowOnChip { crd, values, place, .. } = self.rows[&target.tensor].clone();
        let coordinate = self.scope.coordinates[&self.nest.var_at(target, 0)].clone();
        self.frames.enqueue(&crd, coordinate, None);
        let index = place.expect("an iteration of the row has a number");
        self.frames.push(crate::app::Kind::Write { memory: values, index, value: valued.value });
    }
}
