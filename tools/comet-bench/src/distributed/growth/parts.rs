//! Parts of METIS: those of `--partition=graph`.

use super::grid::{Blocks, FilePattern};
use crate::setting::Outcome;
use comet_runtime::reorder::parts_of_rows;

/// The parts of the rows of a square matrix.
pub(super) fn metis_parts(pattern: &FilePattern, count: u32) -> Outcome<Blocks> {
    let of = parts_of_rows(pattern.extents.clone(), pattern.columns.clone(), count as usize);
    Ok(Blocks { count, of: of.map_err(|error| error.to_string())? })
}

#[cfg(test)]
mod tests {
    use super::super::grid::{Direction, Transfer, processes_of, traffic};
    use super::*;

    fn rows_moved(pattern: &FilePattern, parts: &Blocks) -> u64 {
        let undivided = Blocks { count: 1, of: vec![0; pattern.extents[1]] };
        let processes = processes_of(pattern, &[parts.clone(), undivided]);
        let expand = Transfer { mode: 1, direction: Direction::Expand, owners: Some(&parts.of) };
        traffic(pattern, &processes, parts.count, &[expand]).rows
    }

    /// Two cycles whose vertices take turns: nothing has to move.
    #[test]
    fn parts_follow_the_graph() {
        let columns = vec![(0..80).collect(), (0..80).map(|vertex| (vertex + 2) % 80).collect()];
        let pattern = FilePattern { extents: vec![80, 80], columns };
        let parts = metis_parts(&pattern, 2).unwrap();
        assert_eq!(rows_moved(&pattern, &parts), 0);
        assert!(rows_moved(&pattern, &Blocks::ranges(&pattern, 0, 2)) > 0);
    }
}
