//! From the LLVM dialect to code that runs here.

use crate::failure::Result;
use crate::middle;
use crate::session::Session;
use comet_backend_cpu::native::{CodeKind, Jit, LlvmContext, Target, Unit};
use comet_runtime::Error;
use comet_runtime::launch::{Argument, Computed, on_device};
use melior::ir::Module;
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) fn target(session: &Session) -> Result<Target> {
    let target = session.timing.step("target", || session.target())?;
    target.check_host()?;
    Ok(target)
}

/// From the LLVM dialect to the object of a program.
pub(crate) fn machine_code(session: &Session, module: &Module<'_>, target: Target) -> Result<Vec<u8>> {
    let llvm = LlvmContext::create();
    let unit = session.timing.step("translate", || Unit::translate(module, &llvm, target))?;
    session.timing.step("optimize", || unit.optimize())?;
    Ok(session.timing.step("generate code", || unit.code(CodeKind::Object))?)
}

/// What is left of a program without the statements that a device runs, linked.
pub(crate) fn host(session: &Session, mut module: Module<'_>) -> Result<Jit> {
    middle::lower_host(session, &mut module)?;
    let object = machine_code(session, &module, target(session)?)?;
    let host = session.timing.step("link", || Jit::load(&object))?;
    session.timing.report();
    Ok(host)
}

/// Runs a program whose statements a device runs: the launches, in order.
pub(crate) fn run_with_device<R: 'static>(
    host: &Jit,
    mut launch: impl FnMut(usize, &[Argument<'_>]) -> std::result::Result<(R, Computed), Error> + 'static,
) -> Vec<R> {
    let runs = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&runs);
    let device = move |number: usize, arguments: &[Argument<'_>]| {
        let (run, computed) = launch(number, arguments)?;
        sink.borrow_mut().push(run);
        Ok(computed)
    };
    on_device(Box::new(device), || host.run());
    comet_runtime::output::flush();
    runs.take()
}
