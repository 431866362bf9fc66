//! The tensor of a kernel's parameter, which borrows the arrays that the caller passes. It is kept from one
//! call to the next: if the caller passes the same structure again, as iterative programs do, the tensor is
//! used again, and nothing of the structure is checked a second time.

use super::border::{BorderTensor, Bytes};
use crate::distributed::Placement;
use crate::error::Error;
use crate::tensor::Tensor;
use comet_format::{Children, TypedFormat};

/// A tensor, and the structure whose arrays it borrows.
#[derive(Default)]
pub(super) struct LentTensor {
    /// None while a call has it.
    tensor: Option<Box<Tensor>>,
    /// The address of that structure and a copy of its content; `None` if the next call has to check the
    /// structure whatever it contains.
    passed: Option<(*const BorderTensor, Box<BorderTensor>)>,
    /// The levels that have a pos array of children, each with the number of children.
    counted: Vec<(usize, i64)>,
    /// The addresses of the arrays, the values first.
    arrays: Vec<Bytes>,
}

impl LentTensor {
    /// Lends the arrays of a structure, which is in this format, to the tensor.
    ///
    /// # Errors
    /// Extents and numbers of elements that contradict each other.
    pub(super) fn lend(
        &mut self,
        given: &BorderTensor,
        (name, format): (&str, &TypedFormat),
    ) -> Result<(), Error> {
        let passed = self.passed.take();
        let tensor = self.tensor.get_or_insert_with(|| Box::new(Tensor::new(name, format.clone())));
        tensor.placement = Placement::default();
        given.lend(tensor)?;
        self.arrays.clear();
        self.arrays.extend(given.arrays(tensor));
        self.counted.clear();
        for (index, (level, stored)) in format.format.levels.iter().zip(&tensor.levels).enumerate() {
            if level.kind.children() == Children::Segment {
                self.counted.push((index, stored.pos.get(stored.pos.len() - 1)));
            }
        }
        let mut copy = passed.map_or_else(|| Box::new(*given), |(_, copy)| copy);
        *copy = *given;
        self.passed = Some((given, copy));
        Ok(())
    }

    /// True if the tensor borrows the arrays of a structure, which has not changed, and the ends of its pos
    /// arrays have not either.
    pub(super) fn has_arrays_of(&self, given: &BorderTensor) -> bool {
        let (Some(tensor), Some((from, copy))) = (&self.tensor, &self.passed) else { return false };
        let counts_as_many = |(level, children): &(usize, i64)| {
            let pos = &tensor.levels[*level].pos;
            pos.get(0) == 0 && pos.get(pos.len() - 1) == *children
        };
        std::ptr::eq(*from, given) && given.is_same(copy) && self.counted.iter().all(counts_as_many)
    }

    /// The tensor, before a call takes it.
    pub(super) fn get(&self) -> Option<&Tensor> {
        self.tensor.as_deref()
    }

    /// The numbers and the addresses of the arrays; number 0 is that of the values.
    pub(super) fn arrays(&self) -> impl Iterator<Item = (usize, &Bytes)> {
        self.arrays.iter().enumerate()
    }

    /// Sets which part of a tensor of several processes the next call passes.
    pub(super) fn place(&mut self, placement: Placement) {
        if let Some(tensor) = &mut self.tensor {
            tensor.placement = placement;
            self.passed = None;
        }
    }

    /// Takes the tensor for a call.
    pub(super) fn take(&mut self) -> Option<Box<Tensor>> {
        self.tensor.take()
    }

    /// Takes a tensor back from a call that has left its storage as it was.
    pub(super) fn put_back(&mut self, tensor: Box<Tensor>) {
        match self.passed {
            Some(_) => self.tensor = Some(tensor),
            None => self.put_back_changed(tensor),
        }
    }

    /// Takes a tensor back from a call that may have changed it, or has failed.
    pub(super) fn put_back_changed(&mut self, mut tensor: Box<Tensor>) {
        self.passed = None;
        tensor.clear();
        self.tensor = Some(tensor);
    }
}
