//! Which levels of a format coordinates can be appended to in storage order.

use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};
use std::ops::Range;

/// Levels whose coordinates are appended together: CU by itself, CN with the S levels right below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The levels.
    pub levels: Range<usize>,
}

/// The groups of a format, outermost first; all its other levels are dense. `None` where a level is of
/// another kind, or all are dense.
pub fn groups(format: &Format) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, level) in format.levels.iter().enumerate() {
        match level.kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => {
                groups.push(Group { levels: number..number + 1 });
            }
            LevelKind::Singleton => {
                let group =
                    groups.last_mut().filter(|group| takes_singleton(group, &format.levels, number))?;
                group.levels.end += 1;
            }
            LevelKind::Dense if level.expr != LevelExpr::Slot => {}
            _ => return None,
        }
    }
    (!groups.is_empty()).then_some(groups)
}

fn takes_singleton(group: &Group, levels: &[Level], number: usize) -> bool {
    group.levels.end == number && levels[group.levels.start].kind == LevelKind::CompressedNonUnique
}
