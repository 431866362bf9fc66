//! The parts of a run in which one block has most of the critical path.

use std::ops::Range;

/// The most phases that a run is reported in.
const MOST_PHASES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its first cycle; the run begins with cycle 1.
    pub first: u64,
    pub last: u64,
    /// The number of the block that has most of the critical path in it.
    pub block: usize,
    pub critical: u64,
}

/// The phases of a run of so many cycles, in whose bins of this width blocks have parts of the critical path.
pub(super) fn phases(critical: &[Vec<u64>], width: u64, cycles: u64) -> Vec<Phase> {
    let bins = critical.first().map_or(0, Vec::len);
    let mut parts: Vec<Range<usize>> = (0..bins).map(|bin| bin..bin + 1).collect();
    join_equal(&mut parts, critical);
    while parts.len() > MOST_PHASES {
        join_shortest(&mut parts);
        join_equal(&mut parts, critical);
    }
    let phase = |part: &Range<usize>| {
        let (block, critical) = most(critical, part)?;
        let (first, last) = (part.start as u64 * width + 1, cycles.min(part.end as u64 * width));
        Some(Phase { first, last, block, critical })
    };
    parts.iter().filter_map(phase).collect()
}

/// The block that has most of the critical path, and how many cycles. `None`: the memory alone was busy.
fn most(critical: &[Vec<u64>], part: &Range<usize>) -> Option<(usize, u64)> {
    let cycles = |row: &Vec<u64>| row[part.clone()].iter().sum::<u64>();
    let most = critical.iter().map(cycles).enumerate().rev().max_by_key(|(_, cycles)| *cycles)?;
    (most.1 > 0).then_some(most)
}

/// Joins neighbours of which one block has most.
fn join_equal(parts: &mut Vec<Range<usize>>, critical: &[Vec<u64>]) {
    let block = |part: &Range<usize>| most(critical, part).map(|(block, _)| block);
    parts.dedup_by(|next, part| {
        let is_equal = block(next) == block(part);
        if is_equal {
            part.end = next.end;
        }
        is_equal
    });
}

/// Joins the shortest part with the shorter one of its neighbours.
fn join_shortest(parts: &mut Vec<Range<usize>>) {
    let shortest = (0..parts.len()).min_by_key(|&place| parts[place].len());
    let Some(place) = shortest.filter(|_| parts.len() > 1) else { return };
    let neighbours = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
    let neighbour = neighbours.filter(|&place| place < parts.len()).min_by_key(|&place| parts[place].len());
    let Some(first) = neighbour.map(|neighbour| neighbour.min(place)) else { return };
    parts[first].end = parts[first + 1].end;
    parts.remove(first + 1);
}
