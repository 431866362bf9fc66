//! Values.

use super::memory::ArrayState;
use super::{Machine, Result, is_disturbed};
use crate::app::BURST_BYTES;
use crate::interpret::program::{Divide, Node, Read};
use comet_diag::Span;

#[derive(Clone, Copy)]
pub(super) enum AccessKind {
    Read,
    Write,
}

impl Machine<'_> {
    pub(super) fn evaluate(&mut self, node: &Node) -> Result<u64> {
        match node {
            Node::Constant(word) => Ok(*word),
            Node::Slot(slot) => Ok(self.slots[*slot]),
            Node::Unary(operation, operand) => Ok(operation(self.evaluate(operand)?)),
            Node::Binary(operation, operands) => {
                let [left, right] = &**operands;
                let left = self.evaluate(left)?;
                Ok(operation(left, self.evaluate(right)?))
            }
            Node::Divide(divide) => self.divide(divide),
            Node::Mux(operands) => {
                let [condition, left, right] = &**operands;
                let is_left = self.evaluate(condition)? == 1;
                let (left, right) = match is_left {
                    true => (self.evaluate(left)?, self.evaluate_unused(right)?),
                    false => (self.evaluate_unused(left)?, self.evaluate(right)?),
                };
                Ok(if is_left { left } else { right })
            }
            Node::Read(read) => self.read(read),
            Node::ReadDram(read) => {
                let index = self.evaluate(&read.index)?;
                let word = self.read_at(read, index)?;
                // What nobody uses is not fetched.
                if self.unused == 0 {
                    self.account_element(read.place.array, index, AccessKind::Read);
                }
                Ok(word)
            }
            Node::Modify(modify) => self.modify(modify),
            Node::Dequeue(fifo, span) => self.dequeue(*fifo, *span),
            Node::Length(array) => Ok(self.arrays[*array].size as u64),
        }
    }

    /// Counts an element of a DRAM that is read or written by itself.
    pub(super) fn account_element(&mut self, dram: usize, index: u64, access: AccessKind) {
        let bytes = self.program.arrays[dram].element.bytes();
        let ArrayState { traffic, last_bursts, .. } = &mut self.arrays[dram];
        let (count, moved) = match access {
            AccessKind::Read => (&mut traffic.random_reads, &mut traffic.read_bytes),
            AccessKind::Write => (&mut traffic.random_writes, &mut traffic.written_bytes),
        };
        *count += 1;
        *moved += bytes;
        let burst = index * bytes / BURST_BYTES;
        let last = last_bursts[access as usize].replace(burst);
        traffic.random_bursts += u64::from(last != Some(burst));
    }

    /// A value that is computed and not used: it is no fault that memory has none.
    pub(super) fn evaluate_unused(&mut self, node: &Node) -> Result<u64> {
        self.unused += 1;
        let word = self.evaluate(node)?;
        self.unused -= 1;
        Ok(word)
    }

    #[inline]
    fn read(&mut self, read: &Read) -> Result<u64> {
        let index = self.evaluate(&read.index)?;
        self.read_at(read, index)
    }

    #[inline]
    fn read_at(&self, read: &Read, index: u64) -> Result<u64> {
        match self.arrays[read.place.array].filled(index as usize) {
            Some(cell) if !is_disturbed(&self.guards, &read.place.guards, cell.stamp) => Ok(cell.word),
            _ if self.unused > 0 => Ok(0),
            _ => Err(self.cannot_read(&read.place, index, read.span)),
        }
    }

    #[inline]
    pub(super) fn dequeue(&mut self, fifo: usize, span: Span) -> Result<u64> {
        match self.fifos[fifo].waiting.pop_front() {
            Some(word) => Ok(word),
            None => Err(self.is_empty(fifo, span)),
        }
    }

    fn divide(&mut self, divide: &Divide) -> Result<u64> {
        let [left, right] = &divide.operands;
        let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
        match right {
            0 if self.unused > 0 => Ok(0),
            0 => Err(self.by_zero(left, divide.span)),
            right => Ok((divide.operation)(left, right)),
        }
    }
}
