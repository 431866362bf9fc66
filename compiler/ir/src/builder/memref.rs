//! Loads and stores.

use super::Builder;
use crate::{Result, Val, types};
use melior::ir::ValueLike;

impl<'c> Builder<'c> {
    /// An element of a `memref<?xT>`.
    pub fn load(self, memref: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("memref.load", &[memref, position], types::element(memref.r#type()))
    }

    /// An element of a `memref<?xiN>` as `index`.
    pub fn load_index(self, memref: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        let loaded = self.load(memref, position)?;
        self.index_cast(loaded, types::index(self.context()))
    }

    /// Stores an element of a `memref<?xT>`.
    pub fn store(self, value: Val<'c>, memref: Val<'c>, position: Val<'c>) -> Result<'c, ()> {
        self.op("memref.store", &[value, memref, position], &[], &[]).map(|_| ())
    }
}
