//! Lowered statements that run, and what they store beside what loops over all points find.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod observed;
pub(crate) mod queues;

use super::notation::dense::expected;
use super::pack::pack;
use comet_sam::arithmetic::{Combine, TypedValue};
use comet_sam::graph::{Element, Graph, GraphLevel, TensorFormat};
use comet_sam::lower::{IndexStatement, Lowered};
use comet_sam::machine::Timings;
use comet_sam::simulate::{
    EmptyCoordinates, MemoryModel, RunReport, SimulationFault, SimulationOptions, simulate,
};
use comet_sam::storage::{Entry, StoredLevel, StoredTensor};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// Runs the graphs one after the other, and compares the result, its pattern included.
pub(crate) fn compare(
    statement: &IndexStatement,
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
) -> Result<(), String> {
    compare_entries(statement, lowered, tensors, extent, &|_| true)
}

/// The same, where the result has those of the entries only, if it is not dense.
pub(crate) fn compare_entries(
    statement: &IndexStatement,
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
    is_left: &dyn Fn(&Entry) -> bool,
) -> Result<(), String> {
    let result = run(lowered, tensors, extent, SimulationOptions::default())?.pop();
    let result = result.ok_or_else(|| "nothing has run".to_owned())?.result;
    let expected = expected(statement, tensors, extent);
    let format = &lowered.last().tensors[0];
    if result.order != format.order {
        return Err(format!("expected the levels {format}, found {result:?}"));
    }
    if format.levels.iter().all(|level| *level == GraphLevel::Dense) {
        return compare_elements(statement, &result, expected, tensors.get(&format.name));
    }
    let expected: Vec<Entry> = expected.into_iter().filter(is_left).collect();
    let found = result.entries();
    if found != expected {
        return Err(format!("expected {expected:?}, found {found:?}"));
    }
    let is_empty = result.dims.contains(&0);
    let again = pack(format, &result.dims, &expected);
    if !is_empty && result.levels != again.levels {
        return Err(format!("expected the levels {:?}, found {:?}", again.levels, result.levels));
    }
    Ok(())
}

/// The same, where the result may store zeros besides.
pub(crate) fn compare_nonzeros(
    statement: &IndexStatement,
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
) -> Result<(), String> {
    let result = run(lowered, tensors, extent, SimulationOptions::default())?.pop();
    let result = result.ok_or_else(|| "nothing has run".to_owned())?.result;
    let nonzeros = |mut entries: Vec<Entry>| {
        entries.retain(|(_, value)| !value.is_zero());
        entries
    };
    let (expected, found) = (nonzeros(expected(statement, tensors, extent)), nonzeros(result.entries()));
    if found == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

/// Queues that are bounded, though nothing ever fills them, so that all blocks go through a cycle together.
const TOGETHER: SimulationOptions = SimulationOptions {
    queue_depth: NonZeroUsize::new(1 << 60),
    skip_depth: None,
    empty_coordinates: EmptyCoordinates::Dropped,
    memory: None,
    timings: Timings::DEFAULT,
};

/// Blocks that go through cycles on their own do what they do together, in whichever order they come.
pub(crate) fn compare_times(
    lowered: &Lowered,
    shuffled: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
) -> Result<(), String> {
    let alone = run(lowered, tensors, extent, SimulationOptions::default())?;
    let mut together = run(shuffled, tensors, extent, TOGETHER)?;
    together.iter_mut().for_each(|outcome| outcome.most_waiting = None);
    let slow = MemoryModel { dram: 0.5, last_level: 20, buffers: 3, ..MemoryModel::default() };
    let slowly = run(
        lowered,
        tensors,
        extent,
        SimulationOptions { memory: Some(slow), ..SimulationOptions::default() },
    )?;
    if alone.iter().zip(&slowly).any(|(alone, slowly)| alone.result != slowly.result) {
        return Err(format!("from a slow memory {slowly:?}, alone {alone:?}"));
    }
    for memory in [None, Some(slow)] {
        run_with(lowered, tensors, extent, &mut |graph, tensors| {
            observed::compare(graph, tensors, SimulationOptions { memory, ..SimulationOptions::default() })
        })?;
    }
    let (alone, together) = (by_name(alone), by_name(together));
    if alone == together { Ok(()) } else { Err(format!("together {together:?}, alone {alone:?}")) }
}

/// Blocks of a machine that go through cycles on their own do what they do together, and compute what they do
/// on any other machine.
pub(crate) fn compare_machines(
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
    options: SimulationOptions,
) -> Result<(), String> {
    let plain = run(lowered, tensors, extent, SimulationOptions::default())?;
    let alone = run(lowered, tensors, extent, options)?;
    let mut together =
        run(lowered, tensors, extent, SimulationOptions { timings: options.timings, ..TOGETHER })?;
    together.iter_mut().for_each(|outcome| outcome.most_waiting = None);
    if alone.iter().zip(&plain).any(|(alone, plain)| alone.result != plain.result) {
        return Err(format!("on the machine {alone:?}, plainly {plain:?}"));
    }
    let (alone, together) = (by_name(alone), by_name(together));
    if alone == together { Ok(()) } else { Err(format!("together {together:?}, alone {alone:?}")) }
}

/// Runs a graph that runs.
pub(crate) fn stored_run(
    graph: &Graph,
    tensors: &BTreeMap<String, StoredTensor>,
    options: SimulationOptions,
) -> RunReport {
    simulate(graph, tensors, options).unwrap_or_else(|fault| panic!("{fault}"))
}

/// What is reported of blocks, in the order of their names.
fn by_name(mut outcomes: Vec<RunReport>) -> Vec<RunReport> {
    outcomes.iter_mut().for_each(|outcome| outcome.blocks.sort_by(|a, b| a.name.cmp(&b.name)));
    outcomes
}

/// What each graph reports.
fn run(
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
    options: SimulationOptions,
) -> Result<Vec<RunReport>, String> {
    run_with(lowered, tensors, extent, &mut |graph, tensors| {
        let told =
            |fault: SimulationFault| format!("{fault} ({})", fault.hint.as_deref().unwrap_or_default());
        simulate(graph, tensors, options).map_err(told)
    })
}

/// Runs a graph on tensors.
type RunOne<'r> = dyn FnMut(&Graph, &BTreeMap<String, StoredTensor>) -> Result<RunReport, String> + 'r;

/// What each graph reports that is run in some way.
fn run_with(
    lowered: &Lowered,
    tensors: &BTreeMap<String, StoredTensor>,
    extent: &dyn Fn(&str) -> usize,
    run: &mut RunOne<'_>,
) -> Result<Vec<RunReport>, String> {
    let mut tensors = tensors.clone();
    for universe in &lowered.universes {
        tensors.insert(universe.tensor.clone(), all(extent(&universe.index)));
    }
    let mut outcomes = Vec::new();
    for graph in &lowered.graphs {
        graph.check_wiring().map_err(|error| error.to_string())?;
        let outcome = run(graph, &tensors)?;
        tensors.insert(graph.tensors[0].name.clone(), outcome.result.clone());
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// A vector of ones.
fn all(size: usize) -> StoredTensor {
    let (levels, order) = (vec![GraphLevel::Dense], vec![0]);
    let format = TensorFormat { name: String::new(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> = (0..size).map(|place| (vec![place], TypedValue::F64(1.0))).collect();
    pack(&format, &[size], &entries)
}

/// Elements of a dense result that nothing is written to hold what fills it, or what they held before.
fn compare_elements(
    statement: &IndexStatement,
    result: &StoredTensor,
    expected: Vec<Entry>,
    before: Option<&StoredTensor>,
) -> Result<(), String> {
    let fill = Combine::nothing(statement.fill, statement.tensors[0].element);
    let expected: BTreeMap<Vec<usize>, TypedValue> = expected.into_iter().collect();
    if !result.levels.iter().all(|level| matches!(level, StoredLevel::Dense { .. })) {
        return Err(format!("expected dense levels, found {result:?}"));
    }
    for place in 0..result.values.len() {
        let mut rest = place;
        let mut point = vec![0; result.dims.len()];
        for &mode in result.order.iter().rev() {
            point[mode] = rest % result.dims[mode];
            rest /= result.dims[mode];
        }
        let kept = before.and_then(|before| before.values.get(place)).unwrap_or(fill);
        let (found, wanted) = (result.values.get(place), *expected.get(&point).unwrap_or(&kept));
        if found != Some(wanted) {
            return Err(format!("at {point:?} expected {wanted}, found {found:?}"));
        }
    }
    if result.values.len() == result.dims.iter().product::<usize>() {
        Ok(())
    } else {
        Err(format!("expected {:?} elements, found {}", result.dims, result.values.len()))
    }
}
