//! Which levels of a format coordinates can be appended to in storage order.

use crate::{Append, Format, Level};
use std::ops::Range;

/// Levels whose coordinates are appended together: CU by itself, CN with the S levels right below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelGroup {
    pub levels: Range<usize>,
    /// The dense levels below, down to the next group or the values.
    pub dense: Range<usize>,
}

impl Format {
    /// Returns the groups, outermost first, where all other levels are full; `None` where a level can be
    /// neither, or all are full.
    pub fn appended_groups(&self) -> Option<Vec<LevelGroup>> {
        let full_from = |from: usize| {
            from..from + self.levels[from..].iter().take_while(|level| Level::is_full(level)).count()
        };
        let mut groups = Vec::new();
        let mut next = full_from(0).end;
        while let Some(level) = self.levels.get(next) {
            if level.kind.append() != Append::Opens {
                return None;
            }
            let levels = self.tuple(next);
            let dense = full_from(levels.end);
            next = dense.end;
            groups.push(LevelGroup { levels, dense });
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
