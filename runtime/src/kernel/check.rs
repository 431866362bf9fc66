//! The content of a caller's pos and crd arrays, which generated code takes for granted.

use crate::error::{Error, index_range};
use crate::levels::{LevelCode as _, with_code};
use crate::tensor::{LevelStorage, Tensor};
use comet_format::LevelKind;
use std::ops::Range;

/// Refuses positions that go back, coordinates that are out of range, and those that are out of order.
///
/// # Errors
/// The first element that is wrong, with its place.
pub fn arrays(tensor: &Tensor) -> Result<(), Error> {
    let mut parents = 1;
    for (index, level) in tensor.format.format.levels.iter().enumerate() {
        let (stored, size) = (&tensor.levels[index], tensor.level_size(index));
        let checked = CheckedLevel { tensor, index, kind: level.kind, stored, size };
        parents = with_code!(level.kind, code => code.check(&checked, parents))?;
    }
    Ok(())
}

/// A level whose arrays come from outside.
pub(crate) struct CheckedLevel<'a> {
    tensor: &'a Tensor,
    index: usize,
    pub(crate) kind: LevelKind,
    pub(crate) stored: &'a LevelStorage,
    pub(crate) size: i64,
}

impl CheckedLevel<'_> {
    /// Refuses positions that go back.
    pub(crate) fn positions(&self, parents: usize) -> Result<(), Error> {
        let pos = &self.stored.pos;
        match (0..parents).find(|&parent| pos.get(parent) > pos.get(parent + 1)) {
            Some(parent) => Err(self.wrong("pos", parent + 1, &format!("at least {}", pos.get(parent)))),
            None => Ok(()),
        }
    }

    /// Refuses coordinates out of `least..size` at these positions.
    pub(crate) fn coordinates(&self, range: Range<usize>, least: i64) -> Result<(), Error> {
        let crd = &self.stored.crd;
        let outside = range.into_iter().find(|&place| !(least..self.size).contains(&crd.get(place)));
        match outside {
            Some(place) => Err(self.wrong("crd", place, &index_range(least, self.size - 1))),
            None => Ok(()),
        }
    }

    /// Refuses fibers that do not ascend.
    pub(crate) fn ascending_fibers(&self, parents: usize) -> Result<(), Error> {
        let LevelStorage { pos, crd } = self.stored;
        for parent in 0..parents {
            let fiber = pos.get(parent) as usize + 1..pos.get(parent + 1) as usize;
            if let Some(place) = fiber.into_iter().find(|&place| crd.get(place - 1) >= crd.get(place)) {
                return Err(self.wrong("crd", place, &format!("more than {}", crd.get(place - 1))));
            }
        }
        Ok(())
    }

    pub(crate) fn wrong(&self, part: &str, place: usize, expected: &str) -> Error {
        let LevelStorage { pos, crd } = self.stored;
        let found = if part == "pos" { pos.get(place) } else { crd.get(place) };
        let (index, name) = (self.index, &self.tensor.name);
        Error::Unsupported(format!(
            "the {part} array of level {index} of `{name}` has {found} at {place}, expected {expected}"
        ))
    }
}
