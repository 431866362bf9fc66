//! Entries on their way into a tensor: each as its key and its cell, without a list of coordinates and
//! without values that are wider than they are stored.

use super::keys::{Field, Keys, layout};
use super::{build, sort};
use crate::error::Error;
use crate::memory::{Array, check_available};
use crate::tensor::{ArrayName, Tensor, with_width};
use crate::values::{Cell, Stores, Value};

/// Entries for a tensor that is not dense, in any order.
pub(crate) struct KeyedEntries<T: Cell> {
    keys: Keys,
    /// The key of the entry that is added.
    key: Vec<u64>,
    /// There is room behind the last one.
    cells: Array<T>,
    len: usize,
    tensor: String,
    /// What messages call the list.
    part: &'static str,
}

impl<T: Cell> KeyedEntries<T> {
    /// Returns a list with room for `expected` entries of a tensor, whose extents are set; messages call it
    /// `part`.
    ///
    /// # Errors
    /// No memory for the list.
    pub(crate) fn new(tensor: &Tensor, expected: usize, part: &'static str) -> Result<Self, Error> {
        let (fields, words) = layout(tensor);
        let name = ArrayName { tensor: &tensor.name, part };
        check_available(expected.saturating_mul(8 * words + size_of::<T>()), &name)?;
        let keys = Keys { words: (0..words).map(|_| Vec::with_capacity(expected)).collect(), fields };
        let cells = Array::unspecified(expected, &name)?;
        Ok(Self { keys, key: vec![0; words], cells, len: 0, tensor: tensor.name.clone(), part })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// No memory for a longer list.
    pub(crate) fn push(&mut self, coordinates: &[i64], cell: T) -> Result<(), Error> {
        if self.len == self.cells.len() {
            let name = ArrayName { tensor: &self.tensor, part: self.part };
            self.cells.extend(self.len + self.len / 2 + 16, &name)?;
        }
        self.cells[self.len] = cell;
        self.len += 1;
        self.key.fill(0);
        self.keys.fields.iter().for_each(|field: &Field| field.add(&mut self.key, coordinates));
        self.keys.words.iter_mut().zip(&self.key).for_each(|(column, word)| column.push(*word));
        Ok(())
    }

    /// Replaces the content of a tensor by the entries. Values at equal coordinates are summed in the order
    /// in which they were added.
    ///
    /// # Errors
    /// What the levels cannot store, and storage that does not fit the memory.
    pub(crate) fn store<V: Value>(self, tensor: &mut Tensor) -> Result<(), Error>
    where
        T: Stores<V>,
    {
        let Self { keys, mut cells, len, .. } = self;
        cells.truncate(len);
        drop(tensor.take_storage());
        let of = tensor.format.value;
        let (keys, cells) = match keys.strictly_increase(len) {
            true => (keys, cells),
            false => sort::sort_and_sum(keys, &cells, &tensor.name, |run| T::sum(run, of))?,
        };
        let (cells, _) =
            with_width!(tensor.format.format.index_width, N => build::<N, T>(tensor, &keys, cells)?);
        tensor.values = T::store(cells, of);
        Ok(())
    }
}
