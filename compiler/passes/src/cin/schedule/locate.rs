//! `locate(x)`: a graph looks for the coordinates of others in a tensor, where the tensor would bring its own
//! to be intersected with them (sam.txt section 4.2). Code does that anyway.

use super::Schedule;
use crate::cin::LOCATED;
use crate::nest::{self, point};
use comet_ir::{Builder, Result, cin};

impl<'c> Schedule<'c> {
    /// Whether the compute has an operand of that name.
    pub(super) fn reads(&self, tensor: &str) -> bool {
        let accesses = self.compute.descendants::<cin::Access>().into_iter();
        accesses.map(|access| point(access).0).any(|operand| nest::name(operand) == tensor)
    }

    pub(super) fn locate(&mut self, tensor: &str) -> Result<'c, ()> {
        if self.reads(tensor) {
            let mut located = crate::cin::located(self.compute);
            located.push(tensor.to_owned());
            let names = Builder::before(self.compute).strings_attribute(&located);
            self.compute.set_attribute(LOCATED, names);
        }
        Ok(())
    }
}
