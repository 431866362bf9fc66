//! What a graph reads.

use super::memory::AllUntiled;
use crate::storage::Storage;
use std::collections::BTreeMap;

/// The tensors that a graph reads.
#[derive(Clone, Copy, Debug)]
pub struct Tensors<'a> {
    /// By their names, as they are stored.
    pub stored: &'a BTreeMap<String, Storage>,
    /// What is known of those in tiles and of the result, as a memory moves them.
    pub untiled: &'a AllUntiled,
}

impl<'a> From<&'a BTreeMap<String, Storage>> for Tensors<'a> {
    fn from(stored: &'a BTreeMap<String, Storage>) -> Self {
        const NOTHING: &AllUntiled = &AllUntiled::new();
        Self { stored, untiled: NOTHING }
    }
}
