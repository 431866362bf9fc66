//! Tensors that several processes pass to a kernel which they call together: each passes its rows, or all
//! pass the same whole tensor.
//!
//! Rows are those of the mode that the outermost level stores, and follow each other by rank. What callers
//! state of that is compared on all processes, with the extents and the numbers that must be the same.

use super::border::BorderTensor;
use super::handle::KernelArguments;
use crate::distributed::{self, Partition, Placement, Processes, TensorRows};
use crate::error::Error;
use crate::slices;
use crate::tensor::Tensor;
use comet_abi::kernel::{Parameter, ParameterKind, Role, Signature};
use comet_format::TypedFormat;
use std::sync::Arc;

/// `comet_rows`: the rows of a tensor that a process has.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BorderRows {
    /// The rows, as a tensor of their own.
    pub tensor: BorderTensor,
    /// The coordinate of the first one; −1 where the caller leaves it open.
    pub first: i64,
    /// The extent of the whole tensor; −1 where the caller leaves it open.
    pub extent: i64,
}

/// `COMET_BY_RANK`.
const BY_RANK: i64 = -1;

impl BorderRows {
    /// The rows behind those of the processes of lower rank.
    pub fn new(tensor: BorderTensor) -> Self {
        Self { tensor: tensor.with_bytes(size_of::<Self>()), first: BY_RANK, extent: BY_RANK }
    }
}

/// What all processes pass for the parameters of a kernel.
#[derive(Debug, Default)]
pub(super) struct PassedRows {
    /// One for each parameter; none where there is one process.
    parameters: Vec<PassedParameter>,
}

/// What all processes pass for a parameter.
#[derive(Clone, Debug, Default)]
pub(super) enum PassedParameter {
    /// The same tensor, or a number.
    #[default]
    Whole,
    Rows(TensorRows),
    /// A result that is to have rows, which are divided as those of parameters with the same extent are.
    ResultRows {
        mode: usize,
        partition: Option<Arc<Partition>>,
    },
}

impl PassedRows {
    /// Has all processes of the call compare what they pass.
    ///
    /// # Errors
    /// Parameters that are not there or of another format, rows that do not follow each other, extents and
    /// numbers that differ.
    pub(super) fn agreed(signature: &Signature, arguments: KernelArguments) -> Result<Self, Error> {
        if distributed::called().is_none()
            && !(0..signature.parameters.len()).any(|place| is_rows(signature, place, arguments))
        {
            return Ok(Self::default());
        }
        let own = signature.parameters.iter().enumerate();
        let own = own.map(|(place, parameter)| stated(signature, place, parameter, arguments));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        match distributed::called() {
            Some(processes) => Self::compared(signature, &own, processes),
            None if own.iter().any(|stated| stated.rows.is_some()) => Err(Error::Option(
                "rows of a tensor were passed, and the call has no communicator: pass a `comet_tensor`, or set \
                 `COMET_DISTRIBUTED` and `comm`"
                    .to_owned(),
            )),
            None => Ok(Self::default()),
        }
    }

    /// The parameter in a place.
    pub(super) fn of(&self, place: usize) -> &PassedParameter {
        self.parameters.get(place).unwrap_or(&PassedParameter::Whole)
    }

    /// True if no other process takes part.
    pub(super) fn is_alone(&self) -> bool {
        self.parameters.is_empty()
    }

    fn compared(signature: &Signature, own: &[Stated], processes: &Processes) -> Result<Self, Error> {
        let numbers: Vec<i64> = own.iter().flat_map(|stated| stated.numbers.iter().copied()).collect();
        let all = numbers_of_all(signature, &numbers, processes)?;
        let (mut parameters, mut from) = (Vec::new(), 0);
        for (parameter, own) in signature.parameters.iter().zip(own) {
            let to = from + own.numbers.len();
            let of_processes: Vec<&[i64]> = all.iter().map(|all| &all[from..to]).collect();
            from = to;
            let name = shown(parameter);
            parameters.push(match &parameter.kind {
                ParameterKind::Scalar(_) => {
                    check_same(&of_processes, |process| {
                        format!("{name} is one number on process 0, and another on process {process}")
                    })?;
                    PassedParameter::Whole
                }
                ParameterKind::Tensor { .. } => own.compared(&name, &of_processes)?,
            });
        }
        for place in 0..parameters.len() {
            if let PassedParameter::ResultRows { mode, .. } = parameters[place] {
                let partition = partition_of(signature, &parameters, place, mode);
                parameters[place] = PassedParameter::ResultRows { mode, partition };
            }
        }
        Ok(Self { parameters })
    }
}

/// True if a parameter is a tensor of which the caller passes rows.
fn is_rows(signature: &Signature, place: usize, arguments: KernelArguments) -> bool {
    matches!(signature.parameters[place].kind, ParameterKind::Tensor { .. })
        && arguments.rows(place).is_some()
}

/// So many numbers are compared at once.
const FIRST: usize = 32;

/// Returns the numbers of all processes, by rank. Who calls the same kernel has as many: formats and types
/// are parts of its signature.
fn numbers_of_all(signature: &Signature, own: &[i64], processes: &Processes) -> Result<Vec<Vec<i64>>, Error> {
    // FNV-1a.
    let hash = signature.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let (first, rest) = own.split_at(own.len().min(FIRST));
    let mut sent = [&[hash.cast_signed()], first].concat();
    sent.resize(FIRST + 1, 0);
    let all = processes.numbers_of_all(&sent)?;
    let of_processes: Vec<&[i64]> = all.chunks(sent.len()).collect();
    if let Some(process) = of_processes.iter().position(|other| other[0] != of_processes[0][0]) {
        let name = &signature.name;
        return Err(Error::Mismatch(format!(
            "process {process} calls another kernel than process 0, or in other formats, as `{name}`"
        )));
    }
    let others = processes.numbers_of_all(rest)?;
    let numbers = |(process, numbers): (usize, &&[i64])| {
        let rest = &others[process * rest.len()..(process + 1) * rest.len()];
        [&numbers[1..=first.len()], rest].concat()
    };
    Ok(of_processes.iter().enumerate().map(numbers).collect())
}

/// What this process passes for a parameter.
struct Stated {
    /// The mode of the rows, of which this process has some.
    rows: Option<usize>,
    /// A number's bits; or 1 for rows, 2 for rows of a result that has no arrays, else 0, then the first one,
    /// the whole extent, and all extents.
    numbers: Vec<i64>,
}

fn stated(
    signature: &Signature,
    place: usize,
    parameter: &Parameter,
    arguments: KernelArguments,
) -> Result<Stated, Error> {
    let format = match &parameter.kind {
        ParameterKind::Scalar(value) => {
            let is_compared = parameter.role == Role::In && !value.is_complex();
            let bits = is_compared.then(|| arguments.number(place, value.bytes()));
            return Ok(Stated { rows: None, numbers: bits.into_iter().collect() });
        }
        ParameterKind::Tensor { format, .. } => format,
    };
    let given = arguments.tensor(place).ok_or_else(|| null(signature, parameter))?;
    given.check_format(&parameter.name, format)?;
    let mut dims = given.dims().to_vec();
    let is_new = parameter.role == Role::Out && !given.has_values();
    if is_new {
        dims.fill(0);
    }
    let Some(rows) = arguments.rows(place) else {
        return Ok(Stated { rows: None, numbers: [&[0, 0, 0], &dims[..]].concat() });
    };
    let kind = if is_new { 2 } else { 1 };
    let (first, extent) = if is_new { (BY_RANK, BY_RANK) } else { (rows.first, rows.extent) };
    let mode = mode_of_rows(&parameter.name, format)?;
    Ok(Stated { rows: Some(mode), numbers: [&[kind, first, extent], &dims[..]].concat() })
}

/// The mode that the outermost level stores.
fn mode_of_rows(name: &str, format: &TypedFormat) -> Result<usize, Error> {
    let tensor = Tensor::new(name, format.clone());
    let mode = (0..format.format.rank).find(|mode| slices::level_of(&tensor, *mode) == Some(0));
    mode.filter(|_| !format.format.pads()).ok_or_else(|| {
        Error::Unsupported(format!(
            "not supported yet: rows of `{name}`, which is of {}: pass all of it on every process, or rows in a \
             format without blocks",
            format.in_words()
        ))
    })
}

impl Stated {
    /// What all processes pass, who have so many numbers each.
    fn compared(&self, name: &str, of_processes: &[&[i64]]) -> Result<PassedParameter, Error> {
        let kinds: Vec<&[i64]> = of_processes.iter().map(|numbers| &numbers[..1]).collect();
        check_same(&kinds, |process| {
            format!("{name} has rows on one of the processes 0 and {process}, and not on the other")
        })?;
        for mode in (0..self.numbers.len() - 3).filter(|mode| self.rows != Some(*mode)) {
            let extents: Vec<&[i64]> =
                of_processes.iter().map(|numbers| &numbers[mode + 3..=mode + 3]).collect();
            check_same(&extents, |process| {
                let [first, other] = [0, process].map(|process| extents[process][0]);
                format!(
                    "mode {mode} of {name} has the extent {first} on process 0, but {other} on process {process}"
                )
            })?;
        }
        let Some(mode) = self.rows else { return Ok(PassedParameter::Whole) };
        if self.numbers[0] == 2 {
            return Ok(PassedParameter::ResultRows { mode, partition: None });
        }
        let bounds = bounds(name, mode, of_processes)?;
        let partition = Arc::new(Partition::with_bounds(bounds));
        Ok(PassedParameter::Rows(TensorRows { mode, partition }))
    }
}

/// Where the rows of each process begin, and the last ones end.
fn bounds(name: &str, mode: usize, of_processes: &[&[i64]]) -> Result<Vec<i64>, Error> {
    let mut bounds = vec![0i64];
    for (process, numbers) in of_processes.iter().enumerate() {
        let (first, count) = (numbers[1], numbers[mode + 3]);
        let expected = bounds[process];
        if first != BY_RANK && first != expected {
            return Err(Error::Shape(format!(
                "the rows of {name} on process {process} begin at {first}, expected {expected}, behind those of \
                 lower ranks"
            )));
        }
        let end = expected.checked_add(count).filter(|_| count >= 0);
        bounds
            .push(end.ok_or_else(|| Error::Shape(format!("{name} has {count} rows on process {process}")))?);
    }
    let extent = bounds[of_processes.len()];
    let wrong =
        of_processes.iter().map(|numbers| numbers[2]).find(|stated| ![BY_RANK, extent].contains(stated));
    match wrong {
        Some(stated) => Err(Error::Shape(format!(
            "{name} has the extent {stated}, but all processes together have {extent} rows of it"
        ))),
        None => Ok(bounds),
    }
}

/// The partition of the first parameter whose rows have the extent of a mode of the result.
fn partition_of(
    signature: &Signature,
    parameters: &[PassedParameter],
    result: usize,
    mode: usize,
) -> Option<Arc<Partition>> {
    let size = |place: usize, mode: usize| match &signature.parameters[place].kind {
        ParameterKind::Tensor { sizes, .. } => sizes.get(mode).copied(),
        ParameterKind::Scalar(_) => None,
    };
    parameters.iter().enumerate().find_map(|(place, parameter)| match parameter {
        PassedParameter::Rows(rows) if size(place, rows.mode) == size(result, mode) => {
            Some(rows.partition.clone())
        }
        _ => None,
    })
}

fn check_same(of_processes: &[&[i64]], message: impl Fn(usize) -> String) -> Result<(), Error> {
    let other = of_processes.iter().position(|numbers| *numbers != of_processes[0]);
    other.map_or(Ok(()), |process| Err(Error::Shape(message(process))))
}

impl PassedParameter {
    /// The extents of the whole tensor, of which a process passes some.
    /// Returns `None` if they are the extents that are passed.
    pub(super) fn whole_dims(&self, dims: &[i64]) -> Option<Vec<i64>> {
        let Self::Rows(rows) = self else { return None };
        let mut dims = dims.to_vec();
        dims[rows.mode] = rows.partition.extent();
        Some(dims)
    }

    /// Has a new result, whose extents are those of the whole, be the part of this process.
    ///
    /// # Errors
    /// Room for other rows than the result has.
    pub(super) fn prepare(&self, tensor: &mut Tensor) -> Result<(), Error> {
        let Some(rows) = self.rows(&tensor.name, &tensor.dims)? else { return Ok(()) };
        let own = rows.own();
        tensor.dims[rows.mode] = own.end - own.start;
        tensor.placement = placement(rows);
        Ok(())
    }

    /// Has each process have its rows of a tensor, or the whole; returns the first row and the whole extent
    /// where the caller wants rows.
    ///
    /// # Errors
    /// Room for other rows than the result has, and what moving them fails with.
    pub(super) fn put(&self, tensor: &mut Tensor) -> Result<Option<(i64, i64)>, Error> {
        let rows = self.rows(&tensor.name, &tensor.whole_dims())?;
        distributed::place(tensor, rows.as_ref().filter(|rows| are_parts(rows)))?;
        Ok(rows.map(|rows| (rows.own().start, rows.partition.extent())))
    }

    /// The rows of a tensor with those extents that each process has; none where each has the whole.
    ///
    /// # Errors
    /// Room for other rows than the result has.
    pub(super) fn rows(&self, name: &str, whole_dims: &[i64]) -> Result<Option<TensorRows>, Error> {
        let Some(processes) = distributed::called() else { return Ok(None) };
        let rows = match self {
            Self::Whole => return Ok(None),
            Self::Rows(rows) => rows.clone(),
            Self::ResultRows { mode, partition } => {
                let even = || Arc::new(Partition::even(whole_dims[*mode], processes.count));
                TensorRows { mode: *mode, partition: partition.clone().unwrap_or_else(even) }
            }
        };
        let (stated, extent) = (rows.partition.extent(), whole_dims[rows.mode]);
        match stated == extent {
            true => Ok(Some(rows)),
            false => Err(Error::Shape(format!(
                "`{name}` has {extent} rows on all processes together, but room for {stated}"
            ))),
        }
    }
}

/// The placement of a tensor that has rows. One process has the whole.
pub(super) fn placement(rows: TensorRows) -> Placement {
    match are_parts(&rows) {
        true => Placement::by_rows(rows.mode, rows.partition),
        false => Placement::default(),
    }
}

fn are_parts(rows: &TensorRows) -> bool {
    rows.partition.processes() > 1
}

/// The refusal of a parameter that is not there.
pub(super) fn null(signature: &Signature, parameter: &Parameter) -> Error {
    let (what, kernel) = (shown(parameter), &signature.name);
    Error::Option(format!("{what} of `{kernel}` is a null pointer"))
}

fn shown(parameter: &Parameter) -> String {
    match parameter.name.as_str() {
        "" => "the result".to_owned(),
        name => format!("`{name}`"),
    }
}
