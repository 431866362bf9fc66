//! Whether the numbers of a tensor fit the width of its arrays.

use super::levels::LevelBuilder;
use crate::error::Error;
use crate::tensor::Index;
use comet_format::{Level, LevelArray};

impl<I: Index> LevelBuilder<'_, I> {
    /// Refuses coordinates and positions that the width of the arrays cannot hold.
    pub(crate) fn check_width(&self) -> Result<(), Error> {
        let too_large = |found| Err(Error::IndexTooNarrow { tensor: self.tensor.name.clone(), found });
        if self.entries as u64 > I::LARGEST {
            return too_large(self.entries as u64);
        }
        for (level, Level { kind, .. }) in self.levels.iter().enumerate() {
            if !kind.has(LevelArray::Crd) || self.tensor.level_size(level) as u64 <= I::LARGEST {
                continue;
            }
            let largest = (0..self.entries).map(|entry| self.keys.coordinate(level, entry)).max();
            match largest {
                Some(found) if found > I::LARGEST => return too_large(found),
                _ => {}
            }
        }
        Ok(())
    }
}
