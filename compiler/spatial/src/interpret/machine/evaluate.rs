//! Values.

use super::{Machine, Result, is_disturbed};
use crate::interpret::program::{Divide, Node, Read};
use comet_diag::Span;

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
                let condition = self.evaluate(condition)?;
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                Ok(if condition == 1 { left } else { right })
            }
            Node::Read(read) => self.read(read),
            Node::ReadDram(read) => {
                let word = self.read(read)?;
                let bytes = self.program.arrays[read.place.array].element.bytes();
                let traffic = &mut self.arrays[read.place.array].traffic;
                traffic.random_reads += 1;
                traffic.read_bytes += bytes;
                Ok(word)
            }
            Node::Dequeue(fifo, span) => self.dequeue(*fifo, *span),
            Node::Length(array) => Ok(self.arrays[*array].cells.len() as u64),
        }
    }

    #[inline]
    fn read(&mut self, read: &Read) -> Result<u64> {
        let index = self.evaluate(&read.index)?;
        let array = &self.arrays[read.place.array];
        match array.cells.get(index as usize) {
            Some(cell)
                if cell.stamp >= array.birth
                    && !is_disturbed(&self.guards, &read.place.guards, cell.stamp) =>
            {
                Ok(cell.word)
            }
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
            0 => Err(self.by_zero(left, divide.span)),
            right => Ok((divide.operation)(left, right)),
        }
    }
}
