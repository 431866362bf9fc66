//! Statements that processes divide. The parts of their tensors are the arguments of a call, as those of a
//! kernel are.

use super::call;
use super::handle::{TensorHandle, Text};
use crate::distributed::{self, DivisibleStatement, Division, DivisionReport, Pieces, Processes};
use crate::error::Error;
use crate::options;
use crate::tensor::Tensor;
use comet_abi::distribution::StatementDescription;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The statement that is being computed.
struct Current {
    division: Option<Division>,
    extents: Vec<i64>,
    /// The tensors of the program, by their places; the result comes last.
    given: Vec<TensorHandle>,
    /// The parts that are no tensors of the program, by their places.
    taken: Vec<Option<TensorHandle>>,
    /// What is cut of the tensors of a statement in pieces.
    cut: Vec<TensorHandle>,
}

/// The statement that is computed in pieces.
struct InPieces {
    given: Vec<TensorHandle>,
    description: Rc<StatementDescription>,
    at: String,
    /// There are none where all is computed at once.
    pieces: Option<Pieces>,
}

thread_local! {
    static GIVEN: RefCell<Vec<TensorHandle>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
    static IN_PIECES: RefCell<Option<InPieces>> = const { RefCell::new(None) };
    /// The statements that were computed before, by their texts.
    static KNOWN: RefCell<HashMap<String, Rc<StatementDescription>>> = RefCell::new(HashMap::new());
}

/// The statement of a call, for another call inside of it.
pub(super) struct OuterStatement {
    given: Vec<TensorHandle>,
    current: Option<Current>,
    in_pieces: Option<InPieces>,
}

/// Leaves the statement that this thread is in, if it is in one.
pub(super) fn leave() -> Option<Box<OuterStatement>> {
    let is_in_none = GIVEN.with_borrow(Vec::is_empty)
        && CURRENT.with_borrow(Option::is_none)
        && IN_PIECES.with_borrow(Option::is_none);
    let outer =
        || OuterStatement { given: GIVEN.take(), current: CURRENT.take(), in_pieces: IN_PIECES.take() };
    (!is_in_none).then(|| Box::new(outer()))
}

/// Goes on with a statement, if there is one, in the place of one that may have failed.
pub(super) fn resume(outer: Option<Box<OuterStatement>>) {
    drop(leave());
    if let Some(outer) = outer {
        GIVEN.set(outer.given);
        CURRENT.set(outer.current);
        IN_PIECES.set(outer.in_pieces);
    }
}

exported! {
    fn comet_rt_distribute_tensor(tensor: TensorHandle) {
        GIVEN.with_borrow_mut(|given| given.push(tensor));
        Ok(())
    }

    fn comet_rt_distribute(statement: Text, at: Text) {
        begin(&GIVEN.take(), &*statement_of(statement.get())?, at.get())
    }

    fn comet_rt_distribute_pieces(statement: Text, at: Text) -> i64 {
        in_pieces(GIVEN.take(), statement_of(statement.get())?, at.get())
    }

    fn comet_rt_begin_piece(number: i64, at: Text) {
        begin_piece(number)
    }

    fn comet_rt_local_extent(label: i64) -> i64 {
        let extent = CURRENT.with_borrow(|current| current.as_ref()?.extents.get(label as usize).copied());
        extent.ok_or_else(|| Error::Internal(format!("the statement has no label {label}")))
    }

    fn comet_rt_collect(at: Text) {
        end()
    }
}

fn statement_of(text: &str) -> Result<Rc<StatementDescription>, Error> {
    if let Some(known) = KNOWN.with_borrow(|known| known.get(text).cloned()) {
        return Ok(known);
    }
    let statement: Rc<StatementDescription> = Rc::new(text.parse()?);
    KNOWN.with_borrow_mut(|known| known.insert(text.to_owned(), statement.clone()));
    Ok(statement)
}

impl InPieces {
    fn next_piece(&self) -> i64 {
        self.pieces.as_ref().map_or(0, |pieces| pieces.next() as i64)
    }
}

/// Calls a body with a statement on tensors.
fn with_statement<R>(
    given: &[TensorHandle],
    description: &StatementDescription,
    body: impl FnOnce(&mut DivisibleStatement<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let (distinct, places) = distinct(given);
    let tensors = distinct.iter().map(|handle| handle.placed_mut()).collect::<Result<_, _>>()?;
    body(&mut DivisibleStatement { description, tensors, places })
}

/// Each tensor once, and which one is in each place.
fn distinct(given: &[TensorHandle]) -> (Vec<TensorHandle>, Vec<usize>) {
    let mut distinct: Vec<TensorHandle> = Vec::new();
    let mut places = Vec::new();
    for handle in given {
        let known = distinct.iter().position(|other| other.is_same(*handle));
        places.push(known.unwrap_or(distinct.len()));
        if known.is_none() {
            distinct.push(*handle);
        }
    }
    (distinct, places)
}

fn report(at: &str, processes: &Processes) -> Option<DivisionReport> {
    options::explains().then(|| DivisionReport::new(at, processes))
}

fn begin(given: &[TensorHandle], description: &StatementDescription, at: &str) -> Result<(), Error> {
    let division = with_statement(given, description, |statement| match distributed::processes() {
        Some(processes) => distributed::begin(statement, processes, report(at, processes)),
        None => Ok(Division::alone(statement)),
    })?;
    compute_on(given.to_vec(), division, Vec::new())
}

/// Passes the parts of tensors, as the arguments of a call.
fn compute_on(given: Vec<TensorHandle>, mut division: Division, cut: Vec<TensorHandle>) -> Result<(), Error> {
    let taken: Vec<Option<TensorHandle>> =
        division.parts.drain(..).map(|part| part.map(TensorHandle::new)).collect();
    let parts = division.sources.iter().map(|source| taken[*source]);
    let arguments = given.iter().zip(parts).map(|(own, part)| Some(part.unwrap_or(*own))).collect();
    let extents = std::mem::take(&mut division.extents);
    CURRENT.set(Some(Current { division: Some(division), extents, given, taken, cut }));
    call::begin_with(arguments);
    distributed::begin_part();
    Ok(())
}

fn end() -> Result<(), Error> {
    call::end();
    distributed::end_part();
    let Some(mut current) = CURRENT.take() else { return Ok(()) };
    let no_tensors = || Error::Internal("a statement has no tensors".to_owned());
    let result = current.given.last().copied().ok_or_else(no_tensors)?;
    let partial = current.taken.pop().flatten().map(TensorHandle::take).transpose()?;
    for (place, part) in current.taken.into_iter().enumerate() {
        if let (Some(part), Some(division)) = (part, &current.division) {
            division.give_back(place, part.take()?, current.given[place].placed_mut()?)?;
        }
    }
    let (Some(division), Some(processes)) = (current.division, distributed::processes()) else {
        return Ok(());
    };
    if current.cut.is_empty() {
        return distributed::finish(division, partial, result.placed_mut()?, processes);
    }
    current.cut.retain(|handle| !handle.is_same(result));
    current.cut.into_iter().for_each(TensorHandle::free);
    end_piece(division, result.take()?, processes)
}

/// Begins a statement in pieces, and returns how many there are.
fn in_pieces(
    given: Vec<TensorHandle>,
    description: Rc<StatementDescription>,
    at: &str,
) -> Result<i64, Error> {
    let pieces = match (distributed::processes(), description.pieces) {
        (Some(processes), Some(size)) => with_statement(&given, &description, |statement| {
            Pieces::begin(statement, size, processes, report(at, processes))
        })?,
        _ => None,
    };
    let count = pieces.as_ref().map_or(1, Pieces::count);
    IN_PIECES.set(Some(InPieces { given, description, at: at.to_owned(), pieces }));
    Ok(count as i64)
}

fn begin_piece(number: i64) -> Result<(), Error> {
    let current = IN_PIECES.take().filter(|current| current.next_piece() == number);
    let no_piece = || Error::Internal(format!("no statement is at its piece {number}"));
    let mut current = current.ok_or_else(no_piece)?;
    let (Some(pieces), Some(processes)) = (&mut current.pieces, distributed::processes()) else {
        return begin(&current.given, &current.description, &current.at);
    };
    let cut =
        with_statement(&current.given, &current.description, |statement| pieces.cut(statement, processes))?;
    let parts: Vec<TensorHandle> = cut.parts.into_iter().map(TensorHandle::new).collect();
    let part = |(own, part): (&TensorHandle, Option<usize>)| part.map_or(*own, |part| parts[part]);
    let given: Vec<TensorHandle> = current.given.iter().zip(cut.places).map(part).collect();
    let description = pieces.description().clone();
    let division =
        with_statement(&given, &description, |statement| pieces.begin_piece(statement, processes))?;
    IN_PIECES.set(Some(current));
    compute_on(given, division, parts)
}

/// Takes the result of a piece, and of the statement behind the last one.
fn end_piece(division: Division, result: Tensor, processes: &Processes) -> Result<(), Error> {
    let Some(InPieces { given, description, at, pieces: Some(mut pieces) }) = IN_PIECES.take() else {
        return Ok(());
    };
    pieces.finish_piece(division, result, processes)?;
    match given.last() {
        Some(whole) if pieces.is_complete() => pieces.finish(whole.placed_mut()?, processes),
        _ => {
            IN_PIECES.set(Some(InPieces { given, description, at, pieces: Some(pieces) }));
            Ok(())
        }
    }
}
