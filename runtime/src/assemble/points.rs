//! Points that come in any order, several to an element: they are combined and packed at the end.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::format::ValueType;
use crate::memory::check_available;
use crate::pack;
use crate::tensor::{ArrayName, Tensor};
use crate::values::{Value, ValueColumn};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::str::FromStr;

/// Points that are kept before they are combined for the first time.
const FIRST_LIMIT: usize = 1 << 20;

/// How values that come to one element combine, by the names of `cin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// The last one stays.
    Set,
    Add,
    Mul,
    Min,
    Max,
    /// The first one stays.
    Any,
    Or,
    And,
}

impl FromStr for Reduction {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Ok(match name {
            "set" => Self::Set,
            "add" => Self::Add,
            "mul" => Self::Mul,
            "min" => Self::Min,
            "max" => Self::Max,
            "any" => Self::Any,
            "or" => Self::Or,
            "and" => Self::And,
            _ => return Err(Error::Internal(format!("`{name}` is no reduction"))),
        })
    }
}

impl Reduction {
    /// The first value, as it is after it has come to the reduction's identity: 1 for any truth, a number and
    /// no NaN for extrema.
    fn begin<V: Value>(self, first: V) -> V {
        match self {
            Self::Min => V::LARGEST.least(first),
            Self::Max => V::LEAST.greatest(first),
            Self::Or | Self::And => self.combine(first, first),
            Self::Set | Self::Add | Self::Mul | Self::Any => first,
        }
    }

    fn combine<V: Value>(self, old: V, new: V) -> V {
        let truth = |is_true: bool| if is_true { V::ONE } else { V::default() };
        let is_true = |value: V| value != V::default();
        match self {
            Self::Set => new,
            Self::Add => old.plus(new),
            Self::Mul => old.times(new),
            Self::Min => old.least(new),
            Self::Max => old.greatest(new),
            Self::Any => old,
            Self::Or => truth(is_true(old) || is_true(new)),
            Self::And => truth(is_true(old) && is_true(new)),
        }
    }
}

/// The points that have come.
pub(crate) struct Points {
    entries: CoordinateTensor,
    reduction: Reduction,
    /// How many may come before they are combined.
    limit: usize,
}

/// Begins to collect; the entries that the tensor has go.
///
/// # Errors
/// Extents that are missing.
pub(crate) fn begin(tensor: &mut Tensor, reduction: Reduction) -> Result<(), Error> {
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let entries = nothing(tensor);
    tensor.assembly.points = Some(Points { entries, reduction, limit: FIRST_LIMIT });
    Ok(())
}

fn nothing(tensor: &Tensor) -> CoordinateTensor {
    let values = match tensor.format.value {
        ValueType::F64 => ValueColumn::F64(Vec::new()),
        ValueType::F32 => ValueColumn::F32(Vec::new()),
        ValueType::I64 => ValueColumn::I64(Vec::new()),
    };
    CoordinateTensor { dims: tensor.dims.clone(), coords: vec![Vec::new(); tensor.dims.len()], values }
}

/// Takes a point.
///
/// # Errors
/// Points that do not fit the memory.
pub(crate) fn insert<V: Value>(tensor: &mut Tensor, coordinates: &[i64], value: V) -> Result<(), Error> {
    let Some(points) = &mut tensor.assembly.points else {
        return Err(Error::Internal(format!("a point comes to `{}`, which collects none", tensor.name)));
    };
    if points.entries.len() >= points.limit {
        let what = ArrayName { tensor: &tensor.name, part: "points" };
        points.combine(&what)?;
    }
    let columns = points.entries.coords.iter_mut();
    columns.zip(coordinates).for_each(|(column, coordinate)| column.push(*coordinate));
    match V::column_mut(&mut points.entries.values) {
        Some(values) => values.push(value),
        None => return Err(Error::Internal("a point's value is of another type".to_owned())),
    }
    Ok(())
}

/// Combines the points and stores them.
///
/// # Errors
/// What packing refuses.
pub(crate) fn end(tensor: &mut Tensor) -> Result<(), Error> {
    let Some(mut points) = tensor.assembly.points.take() else {
        return Err(Error::Internal(format!("`{}` has collected no points", tensor.name)));
    };
    points.combine(&ArrayName { tensor: &tensor.name, part: "points" })?;
    tensor.assembly = super::Assembly::default();
    pack::store(tensor, &points.entries)
}

impl Points {
    /// Leaves one entry for each element, in the order of the modes.
    fn combine(&mut self, what: &ArrayName) -> Result<(), Error> {
        let bytes = self.entries.len() * (self.entries.rank() + 3) * size_of::<i64>();
        check_available(bytes, what)?;
        let order = sorted(&self.entries);
        let coords = &self.entries.coords;
        let is_same = |a: usize, b: usize| coords.iter().all(|column| column[a] == column[b]);
        let starts: Vec<usize> =
            (0..order.len()).filter(|&n| n == 0 || !is_same(order[n - 1], order[n])).collect();
        self.entries.values = match &self.entries.values {
            ValueColumn::F64(values) => ValueColumn::F64(self.values(values, &order, &starts)),
            ValueColumn::F32(values) => ValueColumn::F32(self.values(values, &order, &starts)),
            ValueColumn::I64(values) => ValueColumn::I64(self.values(values, &order, &starts)),
        };
        for column in &mut self.entries.coords {
            *column = starts.iter().map(|&start| column[order[start]]).collect();
        }
        self.limit = FIRST_LIMIT.max(2 * starts.len());
        Ok(())
    }

    /// One value for each run of equal points.
    fn values<V: Value>(&self, values: &[V], order: &[usize], starts: &[usize]) -> Vec<V> {
        let ends = starts.iter().skip(1).copied().chain([order.len()]);
        let run = |(start, end): (&usize, usize)| {
            let mut run = order[*start..end].iter().map(|&entry| values[entry]);
            let first = self.reduction.begin(run.next().unwrap_or_default());
            run.fold(first, |old, new| self.reduction.combine(old, new))
        };
        starts.iter().zip(ends).map(run).collect()
    }
}

/// The numbers of the entries in the order of their coordinates; equal ones in the order in which they came.
fn sorted(entries: &CoordinateTensor) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    if let Some(keys) = row_major(entries) {
        order.par_sort_by_key(|&entry| keys[entry]);
        return order;
    }
    order.par_sort_by(|&a, &b| {
        let differing = entries.coords.iter().map(|column| column[a].cmp(&column[b]));
        differing.fold(Ordering::Equal, Ordering::then)
    });
    order
}

/// The row-major positions, where 64 bits hold them.
fn row_major(entries: &CoordinateTensor) -> Option<Vec<u64>> {
    let positions = entries.dims.iter().try_fold(1u64, |all, &extent| all.checked_mul(extent as u64));
    positions?;
    let key = |entry: usize| {
        let modes = entries.coords.iter().zip(&entries.dims);
        modes.fold(0, |key, (column, &extent)| key * extent as u64 + column[entry] as u64)
    };
    Some((0..entries.len()).map(key).collect())
}
