//! `assemble(T, append)` and `assemble(T, insert)`: whether the coordinates of a sparse tensor are counted
//! before they are stored, or appended as they come.

use super::Schedule;
use crate::nest;
use crate::schedule::{Command, Strategy};
use comet_ir::{IrError, Result, format};

impl<'c> Schedule<'c> {
    /// A dense tensor has all of its coordinates.
    pub(super) fn assemble(
        &mut self,
        command: &Command<'c>,
        tensor: &str,
        strategy: Strategy,
    ) -> Result<'c, ()> {
        let Some(assign) = self.assigns_to(tensor).first().copied() else { return Ok(()) };
        let target = assign.tensor();
        if format::of(target).is_dense() {
            return Ok(());
        }
        if strategy == Strategy::Append {
            self.compute.set_appended(true);
            return Ok(());
        }
        if nest::is_temporary(target) {
            let what = format!("counting what comes to the workspace `{}`", nest::name(target));
            return Err(IrError::not_supported(command.location(), what));
        }
        self.compute.set_counted(true);
        Ok(())
    }
}
