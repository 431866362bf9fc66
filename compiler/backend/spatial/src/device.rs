//! Runs the applications of a program on the interpreter, on the tensors of the run time: what is run is the
//! text.

use crate::pieces::{Piece, Role};
use comet_diag::{Diagnostic, Source};
use comet_runtime::Error;
use comet_runtime::launch::{Argument, Computed, ComputedLevel, Number};
use comet_runtime::tensor::Tensor;
use comet_runtime::values::{Value, ValueColumn};
use comet_spatial::app::{self, App};
use comet_spatial::capstan::{Estimate, estimate};
use comet_spatial::interpret::{Column, Inputs, Outcome, Resolved};
use comet_spatial::read::{ReadError, read};
use comet_spatial::storage::{crd_file, dims_file, entries, extent_of, file, naturals, pos_file, vals_file};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug)]
pub struct ApplicationRun {
    pub piece: usize,
    pub outcome: Outcome,
    /// What it takes of Capstan, by the model; nothing where there was nothing to run.
    pub estimate: Option<Estimate>,
    pub dims: Vec<usize>,
    /// What is stored of the result, sorted by coordinates.
    pub entries: Vec<(Vec<usize>, f64)>,
}

/// Runs a piece on the arguments of its launch: the run, and the arrays of what it computed.
///
/// # Errors
/// The data is more than the chip has room for, or the text breaks a rule.
pub fn run(
    pieces: &[Piece],
    number: usize,
    arguments: &[Argument<'_>],
) -> Result<(ApplicationRun, Computed), Error> {
    let piece = pieces.get(number).ok_or_else(|| Error::Internal(format!("there is no piece {number}")))?;
    let (text, Loaded { app, resolved }) = (&piece.text, piece.loaded()?);
    if let Some(computed) = nothing(app, arguments)? {
        let (outcome, dims) = (Outcome::default(), extents(arguments));
        return Ok((
            ApplicationRun { piece: number, outcome, estimate: None, dims, entries: Vec::new() },
            computed,
        ));
    }
    let mut files = BTreeMap::new();
    for (role, argument) in piece.arguments.iter().zip(arguments) {
        give(&mut files, role, argument)?;
    }
    let inputs = Inputs { files, ..Inputs::default() };
    let resolved = resolved.as_ref().map_err(|fault| failed(fault, text))?;
    let outcome = resolved.run(&inputs).map_err(|fault| failed(&fault, text))?;
    let declared = declared(app)?;
    let computed = computed(declared, &outcome).map_err(Error::Internal)?;
    let dims = extents(arguments);
    let mut entries = entries(declared, &dims, &outcome.files).map_err(Error::Internal)?;
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    let estimate = Some(estimate(app, &outcome));
    Ok((ApplicationRun { piece: number, outcome, estimate, dims, entries }, computed))
}

/// An application as it is run: what its text says, read once.
pub(crate) struct Loaded {
    app: App,
    resolved: Result<Resolved, Diagnostic>,
}

impl Loaded {
    /// Reads the text of an application. Which rules it breaks is reported when it is run.
    pub(crate) fn new(text: &str) -> Result<Self, Error> {
        let app = read(text).map_err(|error| unreadable(&error, text))?;
        let resolved = Resolved::new(&app, &Inputs::default());
        Ok(Self { app, resolved })
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.app.name)
    }
}

fn declared(app: &App) -> Result<&app::Tensor, Error> {
    let declared = app.tensors.iter().find(|tensor| tensor.role != app::Role::Operand);
    declared.ok_or_else(|| Error::Internal("an application computes a tensor".to_owned()))
}

fn extents(arguments: &[Argument<'_>]) -> Vec<usize> {
    match arguments.first() {
        Some(Argument::Tensor(result)) => result.dims.iter().map(|extent| *extent as usize).collect(),
        _ => Vec::new(),
    }
}

/// A sparse result with an extent of 0, in which there is nothing. Which rows of a sparse result there are is
/// found out before the extents are known; loops over all values of an index are taken to have iterations
/// then.
fn nothing(app: &App, arguments: &[Argument<'_>]) -> Result<Option<Computed>, Error> {
    let declared = declared(app)?;
    let is_sparse = declared.levels.iter().any(|level| !level.is_full());
    let is_empty =
        |argument: &&Argument<'_>| matches!(argument, Argument::Tensor(tensor) if tensor.dims.contains(&0));
    let Some(Argument::Tensor(empty)) = arguments.iter().find(is_empty).filter(|_| is_sparse) else {
        return Ok(None);
    };
    if !extents(arguments).contains(&0) {
        return Err(Error::Unsupported(format!(
            "not supported yet: `{}`, which has an extent of 0, beside a sparse result on the accelerator",
            empty.name
        )));
    }
    let (extents, mut count) = (extents(arguments), 1);
    let mut levels = Vec::new();
    for level in &declared.levels {
        levels.push(if !level.is_full() {
            let pos = vec![0; count + 1];
            count = 0;
            ComputedLevel::Compressed { pos, crd: Vec::new() }
        } else {
            count *= extent_of(level.expr, extents[app::mode_of(level)]);
            ComputedLevel::Dense
        });
    }
    Ok(Some(Computed { levels, values: Vec::new() }))
}

/// Our own text is read as it was meant, if it is not deeper than texts may be.
fn unreadable(error: &ReadError, text: &str) -> Error {
    let lines: Vec<String> = error.iter().map(|error| line(error, text)).collect();
    let lines = lines.join("; ");
    match error {
        ReadError::TooDeep(_) => Error::Unsupported(format!(
            "not supported yet: this is as deep as no application may be: {lines}; compute a part of it in a statement of its own"
        )),
        ReadError::Mistakes(_) => Error::Internal(format!("an application cannot be read: {lines}")),
    }
}

/// Memories that are too small are what the user can change.
fn failed(fault: &Diagnostic, text: &str) -> Error {
    Error::Unsupported(format!("on the accelerator: {}", line(fault, text)))
}

/// A message with its line, and what to do.
fn line(diagnostic: &Diagnostic, text: &str) -> String {
    let source = Source::new("application", text);
    let line = diagnostic.span().map(|span| source.line_column(span.start).0);
    let line = line.map_or_else(String::new, |line| format!(" (line {line} of its text)"));
    let hint = diagnostic.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
    format!("{}{line}{hint}", diagnostic.message)
}

fn give(files: &mut BTreeMap<String, Column>, role: &Role, argument: &Argument<'_>) -> Result<(), Error> {
    match (role, *argument) {
        (Role::Tensor(name), Argument::Tensor(tensor)) => add_arrays(files, name, tensor),
        (Role::Number(name), Argument::Number(number)) => {
            let column = match number {
                Number::F64(value) => Column::Doubles(vec![value]),
                Number::F32(value) => Column::Singles(vec![value]),
                Number::I64(value) => Column::Integers(vec![value]),
            };
            files.insert(format!("{name}.csv"), column);
        }
        _ => return Err(Error::Internal(format!("an argument is not the {role:?} that is read"))),
    }
    Ok(())
}

/// Adds the arrays of a tensor as files.
pub fn add_arrays(files: &mut BTreeMap<String, Column>, name: &str, tensor: &Tensor) {
    let dims = tensor.dims.clone();
    files.insert(dims_file(name), Column::Integers(dims));
    for (number, level) in tensor.levels.iter().enumerate() {
        files.insert(pos_file(name, number), Column::Integers(level.pos.iter().collect()));
        files.insert(crd_file(name, number), Column::Integers(level.crd.iter().collect()));
    }
    let values = match tensor.values.computed() {
        ValueColumn::F64(values) => Column::Doubles(values),
        ValueColumn::F32(values) => Column::Singles(values),
        ValueColumn::I64(values) => Column::Integers(values),
        ValueColumn::C64(_) | ValueColumn::C128(_) => {
            unreachable!("programs with complex values are refused")
        }
    };
    files.insert(vals_file(name), values);
}

fn computed(declared: &app::Tensor, outcome: &Outcome) -> Result<Computed, String> {
    let mut levels = Vec::new();
    for (number, level) in declared.levels.iter().enumerate() {
        let name = &declared.name;
        levels.push(if !level.is_full() {
            ComputedLevel::Compressed {
                pos: naturals(&outcome.files, &pos_file(name, number))?,
                crd: naturals(&outcome.files, &crd_file(name, number))?,
            }
        } else {
            ComputedLevel::Dense
        });
    }
    let values = match file(&outcome.files, &vals_file(&declared.name))? {
        Column::Doubles(values) => values.iter().map(|value| value.word()).collect(),
        Column::Singles(values) => values.iter().map(|value| value.word()).collect(),
        Column::Integers(values) => values.iter().map(|value| value.word()).collect(),
    };
    Ok(Computed { levels, values })
}
