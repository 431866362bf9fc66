//! Statements that processes divide. The parts of their tensors are the arguments of a call, as those of a
//! kernel are.

use super::call;
use super::handle::{TensorHandle, Text};
use crate::distributed::{self, DivisibleStatement, Division, DivisionReport};
use crate::error::Error;
use crate::options;
use comet_abi::distribution::DividedStatement;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The statement that is being computed.
struct Current {
    division: Option<Division>,
    extents: Vec<i64>,
    result: TensorHandle,
    /// The parts that are no tensors of the program, by their places.
    taken: Vec<Option<TensorHandle>>,
}

thread_local! {
    static GIVEN: RefCell<Vec<TensorHandle>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
    /// The statements that were computed before, by their texts.
    static KNOWN: RefCell<HashMap<String, Rc<DividedStatement>>> = RefCell::new(HashMap::new());
}

/// The statement of a call, for another call inside of it.
pub(super) struct OuterStatement {
    given: Vec<TensorHandle>,
    current: Option<Current>,
}

/// Leaves the statement that this thread is in, if it is in one.
pub(super) fn leave() -> OuterStatement {
    OuterStatement { given: GIVEN.take(), current: CURRENT.take() }
}

/// Goes on with a statement, in the place of one that may have failed.
pub(super) fn resume(outer: OuterStatement) {
    GIVEN.set(outer.given);
    CURRENT.set(outer.current);
}

exported! {
    fn comet_rt_distribute_tensor(tensor: TensorHandle) {
        GIVEN.with_borrow_mut(|given| given.push(tensor));
        Ok(())
    }

    fn comet_rt_distribute(statement: Text, at: Text) {
        begin(&GIVEN.take(), &*statement_of(statement.get())?, at.get())
    }

    fn comet_rt_local_extent(label: i64) -> i64 {
        let extent = CURRENT.with_borrow(|current| current.as_ref()?.extents.get(label as usize).copied());
        extent.ok_or_else(|| Error::Internal(format!("the statement has no label {label}")))
    }

    fn comet_rt_collect(at: Text) {
        end()
    }
}

fn statement_of(text: &str) -> Result<Rc<DividedStatement>, Error> {
    if let Some(known) = KNOWN.with_borrow(|known| known.get(text).cloned()) {
        return Ok(known);
    }
    let statement: Rc<DividedStatement> = Rc::new(text.parse()?);
    KNOWN.with_borrow_mut(|known| known.insert(text.to_owned(), statement.clone()));
    Ok(statement)
}

fn begin(given: &[TensorHandle], labels: &DividedStatement, at: &str) -> Result<(), Error> {
    let Some(result) = given.last().copied() else {
        return Err(Error::Internal("a statement has no tensors".to_owned()));
    };
    let mut distinct: Vec<TensorHandle> = Vec::new();
    let mut places = Vec::new();
    for handle in given {
        let known = distinct.iter().position(|other| other.is_same(*handle));
        places.push(known.unwrap_or(distinct.len()));
        if known.is_none() {
            distinct.push(*handle);
        }
    }
    let tensors = distinct.iter().map(|handle| handle.part_mut()).collect::<Result<_, _>>()?;
    let mut statement = DivisibleStatement { labels, tensors, places };
    let mut division = match distributed::processes() {
        Some(processes) => {
            let report = options::explains().then(|| DivisionReport::new(at, processes));
            distributed::begin(&mut statement, processes, report)?
        }
        None => Division::alone(&statement),
    };
    let taken: Vec<Option<TensorHandle>> =
        division.parts.drain(..).map(|part| part.map(TensorHandle::new)).collect();
    let arguments = given.iter().zip(&taken).map(|(own, taken)| Some(taken.unwrap_or(*own))).collect();
    let extents = std::mem::take(&mut division.extents);
    CURRENT.set(Some(Current { division: Some(division), extents, result, taken }));
    call::begin_with(arguments);
    distributed::begin_part();
    Ok(())
}

fn end() -> Result<(), Error> {
    call::end();
    distributed::end_part();
    let Some(mut current) = CURRENT.take() else { return Ok(()) };
    let partial = current.taken.pop().flatten().map(TensorHandle::take).transpose()?;
    current.taken.into_iter().flatten().for_each(TensorHandle::free);
    match (current.division, distributed::processes()) {
        (Some(division), Some(processes)) => {
            distributed::finish(division, partial, current.result.part_mut()?, processes)
        }
        _ => Ok(()),
    }
}
