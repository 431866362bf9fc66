//! Which levels of a format coordinates can be appended to in storage order.

use crate::{Format, Level, LevelExpr, LevelKind};
use std::ops::Range;

/// Levels whose coordinates are appended together: CU by itself, CN with the S levels right below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelGroup {
    /// The levels.
    pub levels: Range<usize>,
    /// The dense levels below, down to the next group or the values.
    pub dense: Range<usize>,
}

impl Format {
    /// The groups, outermost first; all other levels are dense. `None` where a level is of another kind, or
    /// all are dense.
    pub fn appended_groups(&self) -> Option<Vec<LevelGroup>> {
        let run = |from: usize, is_wanted: fn(&Level) -> bool| {
            from..from + self.levels[from..].iter().take_while(|level| is_wanted(level)).count()
        };
        let is_dense = |level: &Level| level.kind == LevelKind::Dense && level.expr != LevelExpr::Slot;
        let is_singleton = |level: &Level| level.kind == LevelKind::Singleton;
        let mut groups = Vec::new();
        let mut next = run(0, is_dense).end;
        while let Some(level) = self.levels.get(next) {
            let end = match level.kind {
                LevelKind::CompressedUnique => next + 1,
                LevelKind::CompressedNonUnique => run(next + 1, is_singleton).end,
                _ => return None,
            };
            let dense = run(end, is_dense);
            groups.push(LevelGroup { levels: next..end, dense: dense.clone() });
            next = dense.end;
        }
        (!groups.is_empty()).then_some(groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(format: Format) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let groups = format.appended_groups()?;
        Some(groups.into_iter().map(|group| (group.levels, group.dense)).collect())
    }

    /// Dense levels stand above and below; slots and formats without a compressed level are not appended to.
    #[test]
    fn groups_are_compressed_levels_with_their_singletons() {
        assert_eq!(groups(Format::csr()), Some(vec![(1..2, 2..2)]));
        assert_eq!(groups(Format::dcsr()), Some(vec![(0..1, 1..1), (1..2, 2..2)]));
        assert_eq!(groups(Format::coo(3)), Some(vec![(0..3, 3..3)]));
        let blocks = Format::bcsr(2, 2).expect("blocks have extents");
        assert_eq!(groups(blocks), Some(vec![(1..2, 2..4)]));
        assert_eq!(groups(Format::dense(2)), None);
        assert_eq!(groups(Format::ell()), None);
    }
}
