//! `locate(x)`: a graph looks for the coordinates of others in a tensor, where the tensor would bring its own
//! to be intersected with them (sam.txt section 4.2). Code does that anyway.

use super::Schedule;
use crate::nest;
use comet_ir::{Result, cin};

impl<'c> Schedule<'c> {
    pub(super) fn reads(&self, tensor: &str) -> bool {
        let accesses = self.compute.walk::<cin::Access>().into_iter();
        accesses.map(|access| access.tensor()).any(|operand| nest::name(operand) == tensor)
    }

    pub(super) fn locate(&mut self, tensor: &str) -> Result<'c, ()> {
        if self.reads(tensor) {
            let mut located = self.compute.located().unwrap_or_default();
            located.push(tensor.to_owned());
            self.compute.set_located(Some(&located));
        }
        Ok(())
    }
}
