//! The sparse workspace (sparse-workspace.txt section 3): points that come in any order, several to an
//! element, on their way into a tensor of any format.
//!
//! A point's key is the coordinates of its levels side by side, so that the order of keys is that of the
//! tensor's storage. Points come into [`Acc`], which has room for a given number of them; when it is full it
//! is sorted, and merged into [`All`], which holds the result so far: the paper's TryInsert, Sort,
//! Contraction and Clear. In the end the levels are built from what All holds, whose values become the
//! tensor's.

mod acc;
mod all;

use super::reduction::Reduction;
use crate::error::Error;
use crate::format::ValueType;
use crate::pack::{Field, Keys, key_layout, store_sorted};
use crate::tensor::{ArrayName, Tensor};
use crate::values::Value;
pub(crate) use acc::Kind;
use acc::{Acc, Capacity};
use all::All;

/// What a tensor collects points in, whatever their keys and values are.
pub(crate) trait Collector: Send + Sync {
    /// Takes a point with a value of those bits.
    fn insert(&mut self, coordinates: &[i64], bits: u64, name: &str) -> Result<(), Error>;
    /// Stores everything that has come in the tensor.
    fn end(self: Box<Self>, tensor: &mut Tensor) -> Result<(), Error>;
}

/// Keys of W words of 64 bits.
struct Points<V: Value, const W: usize> {
    fields: Vec<Field>,
    acc: Acc<W>,
    all: All<V, W>,
    reduction: Reduction,
}

/// Begins to collect, in room for `capacity` points, or for more the more have come; the entries that the
/// tensor has go.
///
/// # Errors
/// Extents that are missing.
pub(crate) fn begin(
    tensor: &mut Tensor,
    reduction: Reduction,
    kind: Kind,
    capacity: Option<usize>,
) -> Result<(), Error> {
    tensor.check_dims()?;
    drop(tensor.take_storage());
    let capacity = Capacity::of(capacity);
    tensor.assembly.points = Some(match tensor.format.value {
        ValueType::F64 => collector::<f64>(tensor, reduction, kind, capacity)?,
        ValueType::F32 => collector::<f32>(tensor, reduction, kind, capacity)?,
        ValueType::I64 => collector::<i64>(tensor, reduction, kind, capacity)?,
    });
    Ok(())
}

fn collector<V: Value>(
    tensor: &Tensor,
    reduction: Reduction,
    kind: Kind,
    capacity: Capacity,
) -> Result<Box<dyn Collector>, Error> {
    let (fields, words) = key_layout(tensor);
    Ok(match words {
        0..=1 => Points::<V, 1>::boxed(fields, reduction, kind, capacity),
        2 => Points::<V, 2>::boxed(fields, reduction, kind, capacity),
        3..=4 => Points::<V, 4>::boxed(fields, reduction, kind, capacity),
        5..=16 => Points::<V, 16>::boxed(fields, reduction, kind, capacity),
        _ => {
            let what = format!("`{}`, whose coordinates have more than {} bits", tensor.name, 16 * 64);
            return Err(Error::Unsupported(what));
        }
    })
}

/// Takes a point.
///
/// # Errors
/// Points that do not fit the memory.
pub(crate) fn insert<V: Value>(tensor: &mut Tensor, coordinates: &[i64], value: V) -> Result<(), Error> {
    let Some(points) = &mut tensor.assembly.points else {
        return Err(Error::Internal(format!("a point comes to `{}`, which collects none", tensor.name)));
    };
    points.insert(coordinates, value.bits(), &tensor.name)
}

/// Combines the points and stores them.
///
/// # Errors
/// What packing refuses.
pub(crate) fn end(tensor: &mut Tensor) -> Result<(), Error> {
    let Some(points) = tensor.assembly.points.take() else {
        return Err(Error::Internal(format!("`{}` has collected no points", tensor.name)));
    };
    tensor.assembly = super::Assembly::default();
    points.end(tensor)
}

impl<V: Value, const W: usize> Points<V, W> {
    fn boxed(fields: Vec<Field>, reduction: Reduction, kind: Kind, capacity: Capacity) -> Box<dyn Collector> {
        Box::new(Self { fields, acc: Acc::new(kind, capacity), all: All::new(), reduction })
    }

    fn key(&self, coordinates: &[i64]) -> [u64; W] {
        let mut key = [0; W];
        self.fields.iter().for_each(|field| field.add(&mut key, coordinates));
        key
    }

    /// Makes the accumulator larger, or empties it if it has its full size.
    fn make_room(&mut self, what: &ArrayName) -> Result<(), Error> {
        if self.acc.grow(self.all.len(), what)? {
            return Ok(());
        }
        self.contract(what)
    }

    /// Everything in the accumulator goes on into the result.
    fn contract(&mut self, what: &ArrayName) -> Result<(), Error> {
        let points = self.acc.sorted(self.reduction.depends_on_order());
        self.all.contract(points, self.reduction, what)?;
        self.acc.clear();
        Ok(())
    }
}

impl<V: Value, const W: usize> Collector for Points<V, W> {
    fn insert(&mut self, coordinates: &[i64], bits: u64, name: &str) -> Result<(), Error> {
        let key = self.key(coordinates);
        let first = self.reduction.begin(V::from_bits(bits)).bits();
        let reduction = self.reduction;
        let combine = |old: u64| reduction.combine(V::from_bits(old), V::from_bits(bits)).bits();
        while !self.acc.try_insert(key, first, combine) {
            self.make_room(&ArrayName { tensor: name, part: "points" })?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, tensor: &mut Tensor) -> Result<(), Error> {
        let name = tensor.name.clone();
        self.contract(&ArrayName { tensor: &name, part: "points" })?;
        let Self { fields, acc, all, .. } = *self;
        drop(acc);
        let (words, values) = all.into_parts();
        store_sorted(tensor, Keys { words, fields }, values)
    }
}

#[cfg(test)]
mod tests;
