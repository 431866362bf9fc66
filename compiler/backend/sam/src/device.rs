//! Runs the graphs of a program on the simulator, on the tensors of the run time.

use crate::cases;
use crate::launch::{GraphArgument, LaunchedGraph};
use crate::statement::parts;
use comet_format::{Format, Level, LevelExpr};
use comet_runtime::Error;
use comet_runtime::launch::{Argument, Computed, ComputedLevel, Number};
use comet_runtime::replace::replace;
use comet_runtime::tensor::{IndexArray, Tensor};
use comet_runtime::values::{Value, ValueColumn, Values};
use comet_sam::arithmetic::Element;
use comet_sam::dot;
use comet_sam::graph::{Graph, GraphLevel};
use comet_sam::lower::Dialect;
use comet_sam::simulate::{
    Cause, Cut, Observe, RunReport, SimulationFault, SimulationOptions, Tensors, Untiled, Watch,
    simulate_observed,
};
use comet_sam::storage::{BitVectors, Entry, LevelCoordinates, StoredLevel, StoredTensor, text};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

#[derive(Debug)]
pub struct GraphRun {
    pub piece: usize,
    pub outcome: RunReport,
    result: DeclaredResult,
}

#[derive(Debug)]
struct DeclaredResult {
    dims: Vec<usize>,
    /// What the modes of the graph's result are to it.
    parts: Vec<LevelExpr>,
}

impl GraphRun {
    /// The extents of the result and what is stored of it, sorted by coordinates, as the program has them: in
    /// a graph a mode that is cut is two.
    pub fn result(&self) -> (&[usize], Vec<Entry>) {
        let mut entries = self.outcome.result.entries();
        for (point, _) in &mut entries {
            *point = self.result.point(point);
        }
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        (&self.result.dims, entries)
    }
}

impl DeclaredResult {
    fn of(argument: Option<&Argument<'_>>) -> Self {
        let Some(Argument::Tensor(tensor)) = argument else { unreachable!("a piece computes a tensor") };
        let dims = tensor.dims.iter().map(|extent| *extent as usize).collect();
        Self { dims, parts: parts(&tensor.format.format) }
    }

    fn point(&self, parts: &[usize]) -> Vec<usize> {
        let mut point = vec![0; self.dims.len()];
        for (part, coordinate) in self.parts.iter().zip(parts) {
            match *part {
                LevelExpr::Mode(mode) | LevelExpr::Mod(mode, _) => point[mode] += coordinate,
                LevelExpr::Div(mode, size) => point[mode] += coordinate * size as usize,
                LevelExpr::Slot => {}
            }
        }
        point
    }
}

pub struct Manner<'m, 'w> {
    pub options: SimulationOptions,
    /// Where the graph and what it reads are left.
    pub folder: Option<&'m Path>,
    pub watch: &'m mut Watch<'m>,
    pub observe: Observe<'m, 'w>,
}

/// Runs a piece on the arguments of its launch.
///
/// # Errors
/// The simulation fails, or a file cannot be written.
pub fn run(
    pieces: &[LaunchedGraph],
    number: usize,
    arguments: &[Argument<'_>],
    Manner { options, folder, watch, observe }: Manner<'_, '_>,
) -> Result<GraphRun, Error> {
    let piece = pieces.get(number).ok_or_else(|| Error::Internal(format!("there is no piece {number}")))?;
    let mut tensors = BTreeMap::new();
    // The first is the result, of which a graph reads nothing, unless it keeps elements.
    let keeps = piece.graph.keeps_elements();
    for (role, argument) in piece.arguments.iter().zip(arguments).skip(usize::from(!keeps)) {
        let (name, storage) = operand(role, argument)?;
        tensors.insert(name.to_owned(), storage);
    }
    if let Some(folder) = folder {
        write(folder, piece, &tensors)?;
    }
    let untiled = untiled(piece, arguments);
    let given = Tensors { stored: &tensors, untiled: &untiled };
    let outcome = simulate_observed(&piece.graph, given, options, watch, observe);
    let outcome = outcome.map_err(|fault| failure(fault, piece))?;
    if let Some(fault) = outcome.unfit {
        return Err(failure(fault, piece));
    }
    Ok(GraphRun { piece: number, outcome, result: DeclaredResult::of(arguments.first()) })
}

/// The graph as `graph.gv`, and its operands in SAM's text layout.
fn write(
    folder: &Path,
    piece: &LaunchedGraph,
    tensors: &BTreeMap<String, StoredTensor>,
) -> Result<(), Error> {
    let graph = &piece.graph;
    let path = folder.join("graph.gv");
    let written = std::fs::create_dir_all(folder).and_then(|()| put(&path, dot::write(graph).as_bytes()));
    written.map_err(|source| Error::File { path, action: "write", source })?;
    for (format, tensor) in
        graph.tensors.iter().filter_map(|format| Some((format, tensors.get(&format.name)?)))
    {
        // SAM's tools want values of every tensor.
        let is_universe = piece.arguments.contains(&GraphArgument::Universe(format.name.clone()));
        let filled = is_universe.then(|| with_ones(tensor));
        let written = text::write(folder, format, filled.as_ref().unwrap_or(tensor), &put);
        written.map_err(|error| Error::Option(error.to_string()))?;
    }
    Ok(())
}

fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    replace(path, |file| file.write_all(content))
}

/// Values are the program's, and queues that are too short or a memory that is too small the user's.
/// Otherwise the graphs of our lowering run to their end, but for those of SAM's own blocks: its reducer
/// makes a zero where a fiber of the result is empty, to which no coordinate belongs.
fn failure(fault: SimulationFault, piece: &LaunchedGraph) -> Error {
    let hint = fault.hint.map_or_else(String::new, |hint| format!("; {hint}"));
    let message = format!("the simulation failed: {}{hint}", fault.message);
    match fault.cause {
        Cause::Values => Error::Unsupported(fault.message),
        Cause::Options => Error::Option(message),
        Cause::Graph => {
            let blocks = match piece.dialect {
                Dialect::Comet => return Error::Internal(message),
                Dialect::Sam => "SAM's own blocks",
                Dialect::Comal => "Comal's blocks",
            };
            let (name, message, dialect) =
                (&piece.graph.tensors[0].name, fault.message, piece.dialect.name());
            Error::Option(format!(
                "{blocks} find no result for `{name}`: {message}; leave `--dialect={dialect}` out"
            ))
        }
    }
}

pub fn computed(result: StoredTensor) -> Computed {
    let level = |level: StoredLevel| match level.into_arrays() {
        None => ComputedLevel::Dense,
        Some((pos, LevelCoordinates::Stored(crd))) => ComputedLevel::Compressed { pos, crd },
        Some((pos, LevelCoordinates::Words(words))) => ComputedLevel::BitVector { pos, words },
    };
    Computed { levels: result.levels.into_iter().map(level).collect(), values: result.values.bits }
}

fn operand<'a>(role: &'a GraphArgument, argument: &Argument<'_>) -> Result<(&'a str, StoredTensor), Error> {
    match (role, argument) {
        (GraphArgument::Tensor(name), Argument::Tensor(tensor)) => Ok((name, storage(tensor)?)),
        (GraphArgument::Number(name), Argument::Number(number)) => {
            Ok((name, StoredTensor { values: scalar(*number), ..StoredTensor::default() }))
        }
        (GraphArgument::Universe(name), Argument::Number(Number::I64(extent))) => {
            Ok((name, universe(*extent as usize)))
        }
        _ => Err(Error::Internal(format!("an argument is not the {role:?} that the graph reads"))),
    }
}

/// What the statement of a piece is without its tiles.
fn untiled(piece: &LaunchedGraph, arguments: &[Argument<'_>]) -> Untiled {
    let mut untiled = Untiled { sums: piece.sums.clone(), ..Untiled::default() };
    for (role, argument) in piece.arguments.iter().zip(arguments) {
        let (GraphArgument::Tensor(name), Argument::Tensor(tensor)) = (role, argument) else { continue };
        if is_whole(&tensor.format.format) {
            untiled.dense.insert(name.clone());
        }
        untiled.cuts.extend(cuts(&piece.graph, name, tensor));
    }
    if piece.has_dense_result {
        untiled.dense.insert(piece.graph.tensors[0].name.clone());
    }
    untiled
}

/// Whether a tensor stores all of its elements. In tiles only the level of the place in a tile is compressed,
/// where the last tile may not be full.
pub(crate) fn is_whole(format: &Format) -> bool {
    let is_dense = |level: &Level| level.kind.is_full() || matches!(level.expr, LevelExpr::Mod(..));
    format.levels.iter().all(is_dense)
}

fn cuts(graph: &Graph, name: &str, tensor: &Tensor) -> Vec<(String, Cut)> {
    let parts = parts(&tensor.format.format);
    let index = |part: &LevelExpr| graph.index(name, parts.iter().position(|other| other == part)?);
    let cut = |part: &LevelExpr| {
        let LevelExpr::Mod(mode, size) = *part else { return None };
        let over_tiles = index(&LevelExpr::Div(mode, size))?.to_owned();
        Some((index(part)?.to_owned(), Cut { over_tiles, extent: tensor.dims[mode] as usize }))
    };
    parts.iter().filter_map(cut).collect()
}

fn scalar(number: Number) -> comet_sam::arithmetic::Values {
    let (element, bits) = match number {
        Number::F64(value) => (Element::F64, value.word()),
        Number::F32(value) => (Element::F32, value.word()),
        Number::I64(value) => (Element::I64, value.word()),
    };
    comet_sam::arithmetic::Values { element, bits: vec![bits] }
}

/// A dense level over all coordinates with values.
fn with_ones(universe: &StoredTensor) -> StoredTensor {
    let values = comet_sam::arithmetic::Values {
        element: Element::F64,
        bits: vec![1f64.to_bits(); universe.dims.iter().product()],
    };
    StoredTensor { values, ..universe.clone() }
}

/// A dense level over all coordinates; its values are never read.
fn universe(size: usize) -> StoredTensor {
    StoredTensor {
        dims: vec![size],
        levels: vec![StoredLevel::Dense { size }],
        order: vec![0],
        ..StoredTensor::default()
    }
}

fn storage(tensor: &Tensor) -> Result<StoredTensor, Error> {
    let format = &tensor.format.format;
    let parts = parts(format);
    let mut order = Vec::new();
    let mut levels = Vec::new();
    for (number, level) in format.levels.iter().enumerate() {
        let stored = &tensor.levels[number];
        order.extend(parts.iter().position(|part| *part == level.expr));
        let pos = || numbers(&stored.pos);
        levels.push(match cases::of_kind(level.kind) {
            Some(GraphLevel::Dense) => StoredLevel::Dense { size: tensor.level_size(number) as usize },
            Some(GraphLevel::Compressed) => StoredLevel::Compressed { seg: pos(), crd: numbers(&stored.crd) },
            Some(GraphLevel::BitVector(width)) => {
                let words = stored.crd.iter().map(i64::cast_unsigned).collect();
                let size = tensor.level_size(number) as usize;
                StoredLevel::BitVector(BitVectors { size, width, seg: pos(), words })
            }
            None => {
                return Err(Error::Internal(format!("`{}` is stored in no levels of graphs", tensor.name)));
            }
        });
    }
    let dims = parts.iter().filter_map(|part| part.size(&tensor.dims)).map(|size| size as usize).collect();
    Ok(StoredTensor { dims, levels, order, values: values(&tensor.values) })
}

fn numbers(array: &IndexArray) -> Vec<usize> {
    array.iter().map(|number| number as usize).collect()
}

fn values(values: &Values) -> comet_sam::arithmetic::Values {
    let computed = values.computed();
    let bits = match &computed {
        ValueColumn::F64(values) => values.iter().map(|value| value.word()).collect(),
        ValueColumn::F32(values) => values.iter().map(|value| value.word()).collect(),
        ValueColumn::I64(values) => values.iter().map(|value| value.word()).collect(),
        ValueColumn::C64(_) | ValueColumn::C128(_) => {
            unreachable!("programs with complex values are refused")
        }
    };
    comet_sam::arithmetic::Values { element: computed.value_type(), bits }
}
