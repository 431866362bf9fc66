//! Tensors of which each process shows its part: what all have is in the order of ranks, so that no process
//! needs the whole to print or write it.

use super::{Processes, processes};
use crate::error::Error;
use crate::memory::zeroed_vec;
use crate::slices;
use crate::tensor::Tensor;
use std::ops::Range;

/// What this process shows of a tensor.
pub(crate) struct Share<'a> {
    tensor: &'a Tensor,
    processes: &'static Processes,
    mode: usize,
    rows: Range<i64>,
}

impl<'a> Share<'a> {
    /// Of a tensor that is divided by the rows of its outermost level, whose levels are in order.
    pub(crate) fn of(tensor: &'a Tensor) -> Option<Self> {
        let (processes, rows) = (processes()?, tensor.placement.rows.as_ref()?);
        let is_ordered = tensor.format.format.levels.iter().all(|level| level.kind.is_ordered());
        let rows_of = |mode| Self { tensor, processes, mode, rows: rows.partition.range(processes.rank) };
        (is_ordered && slices::is_outermost(tensor, rows.mode)).then(|| rows_of(rows.mode))
    }

    /// The mode whose coordinates rows are.
    pub(crate) fn mode(&self) -> usize {
        self.mode
    }

    /// Whether it is the one that all others follow.
    pub(crate) fn is_first(&self) -> bool {
        self.processes.rank == 0
    }

    /// The coordinate that a number of a mode stands for; −1 stands for none.
    pub(crate) fn coordinate(&self, mode: usize, number: i64) -> i64 {
        if mode == self.mode {
            return number + self.rows.start;
        }
        match self.tensor.placement.numbering(mode) {
            Some(numbering) if number >= 0 => numbering.coordinate(number),
            _ => number,
        }
    }

    /// Adds up numbers of all processes: returns the sums of those of lower ranks, and of all.
    pub(crate) fn sums(&self, own: &[u64]) -> Result<(Vec<u64>, Vec<u64>), Error> {
        let all = self.processes.numbers_of_all(own)?;
        let sum = |processes: usize| {
            let of = |number: usize| all.iter().skip(number).step_by(own.len()).take(processes).sum();
            (0..own.len()).map(of).collect()
        };
        Ok((sum(self.processes.rank), sum(self.processes.count)))
    }

    /// Has the first process take the bytes of all, one process after the other.
    pub(crate) fn in_turn(
        &self,
        own: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Processes { rank, count, .. } = *self.processes;
        let lengths = self.processes.numbers_of_all(&[own.len() as u64])?;
        if rank == 0 {
            take(own)?;
        }
        for process in 1..count {
            let length = if rank == 0 { lengths[process] as usize } else { 0 };
            let mut bytes: Vec<u8> = zeroed_vec(length, &"what another process shows")?;
            let mut out = vec![&[][..]; count];
            let mut into: Vec<&mut [u8]> = (0..count).map(|_| &mut [][..]).collect();
            if rank == process {
                out[0] = own;
            }
            into[process] = &mut bytes;
            self.processes.exchange_into(&out, &mut into)?;
            if rank == 0 {
                take(&bytes)?;
            }
        }
        Ok(())
    }
}
