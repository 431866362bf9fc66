//! From entries that name their lines (COO) to lines that all have a place (CSR, CSC): one pass looks whether
//! the entries are in order, finds where lines begin, and copies, a block of entries at a time, which then is
//! still in the cache.

use super::threads_for;
use crate::tensor::Index;
use crate::threads;
use crate::values::Cell;

/// So many entries are a block.
const BLOCK: usize = 1 << 10;

/// So many entries are looked at together for the beginning of a line.
const GROUP: usize = 8;

/// Entries, as they are stored.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a, I, V> {
    /// The number of the line of each.
    pub(super) numbers: &'a [I],
    pub(super) crd: &'a [I],
    pub(super) values: &'a [V],
}

/// Where they go: as many coordinates and values, and where each line begins, and behind the last one the
/// number of entries.
pub(super) struct Spread<'a, J, V> {
    pub(super) pos: &'a mut [J],
    pub(super) crd: &'a mut [J],
    pub(super) values: &'a mut [V],
}

/// Whether one entry comes before another.
fn is_before<I: Index>(line: I, crd: I, next_line: I, next_crd: I) -> bool {
    (line < next_line) | ((line == next_line) & (crd < next_crd))
}

/// Whether the entries come in increasing order.
pub(super) fn are_in_order<I: Index>(numbers: &[I], crd: &[I]) -> bool {
    let stretch = stretch_of(crd.len());
    let in_order = threads::map((0..crd.len()).step_by(stretch), |start| {
        stretch_is_in_order(numbers, crd, start, (start + stretch).min(crd.len()))
    });
    in_order.into_iter().all(|is_in_order| is_in_order)
}

/// The number of entries of each thread.
fn stretch_of(entries: usize) -> usize {
    entries.div_ceil(threads_for(entries)).max(1)
}

/// Returns whether some entries are in order, including the one before them.
#[inline(always)]
fn stretch_is_in_order<I: Index>(numbers: &[I], crd: &[I], start: usize, end: usize) -> bool {
    let start = start.saturating_sub(1);
    let (numbers, crd) = (&numbers[start..end], &crd[start..end]);
    let pairs = numbers.iter().zip(&numbers[1..]).zip(crd.iter().zip(&crd[1..]));
    // A sum, which goes through vector registers, where a search would not.
    let falls = pairs.map(|((&line, &next_line), (&crd, &next_crd))| {
        u32::from(!is_before(line, crd, next_line, next_crd))
    });
    falls.sum::<u32>() == 0
}

impl<J: Index, V: Cell> Spread<'_, J, V> {
    /// Fills the arrays; false, and anything in them, where the entries are not in order or a line has no
    /// place.
    pub(super) fn fill<I: Index>(self, from: Listed<I, V>) -> bool {
        let count = self.pos.len() - 1;
        let len = from.numbers.len();
        let lines_up_to =
            |entry: usize| entry.checked_sub(1).map_or(0, |last| from.numbers[last].number() as usize + 1);
        let stretch = stretch_of(len);
        let starts: Vec<usize> = (0..len).step_by(stretch).collect();
        let bounds: Vec<usize> =
            starts.iter().map(|&start| lines_up_to(start)).chain([lines_up_to(len)]).collect();
        if !bounds.is_sorted() || bounds.last().is_some_and(|&lines| lines > count) {
            return false;
        }
        let (mut begun, behind) = self.pos.split_at_mut(lines_up_to(len));
        behind.fill(J::truncate(len as u64));
        let (mut crd, mut values) = (self.crd, self.values);
        let mut pieces = Vec::new();
        for (&start, lines) in starts.iter().zip(bounds.windows(2)) {
            let entries = stretch.min(len - start);
            pieces.push(EntryChunk {
                start,
                first: lines[0],
                pos: begun.split_off_mut(..lines[1] - lines[0]).unwrap_or_default(),
                crd: crd.split_off_mut(..entries).unwrap_or_default(),
                values: values.split_off_mut(..entries).unwrap_or_default(),
            });
        }
        // In the widest registers that the processor has.
        let arch = pulp::Arch::new();
        let filled = threads::map(pieces, |piece| arch.dispatch(Fill { piece, from }));
        filled.into_iter().all(|is_filled| is_filled)
    }
}

/// Some entries, and the lines that begin with them or before them.
struct EntryChunk<'a, J, V> {
    start: usize,
    first: usize,
    pos: &'a mut [J],
    crd: &'a mut [J],
    values: &'a mut [V],
}

/// A piece to be filled.
struct Fill<'a, I, J, V> {
    piece: EntryChunk<'a, J, V>,
    from: Listed<'a, I, V>,
}

impl<I: Index, J: Index, V: Cell> pulp::NullaryFnOnce for Fill<'_, I, J, V> {
    /// Whether the entries are in order, and their lines have places.
    type Output = bool;

    // Always, as all that it calls: elsewhere the compiler must not use the processor's instructions.
    #[inline(always)]
    fn call(self) -> bool {
        let Self { piece: EntryChunk { start, first, pos, crd, values }, from } = self;
        let mut begun = 0;
        for (block, (crd, values)) in crd.chunks_mut(BLOCK).zip(values.chunks_mut(BLOCK)).enumerate() {
            let entries = start + block * BLOCK..start + block * BLOCK + crd.len();
            let numbers = &from.numbers[entries.clone()];
            let lines = numbers[numbers.len() - 1].number() as usize + 1;
            if !stretch_is_in_order(from.numbers, from.crd, entries.start, entries.end)
                || lines > first + pos.len()
            {
                return false;
            }
            for (group, numbers) in numbers.chunks(GROUP).enumerate() {
                // Numbers rise: the last one shows whether a line begins.
                if (numbers[numbers.len() - 1].number() as usize) < first + begun {
                    continue;
                }
                for (entry, number) in (entries.start + group * GROUP..).zip(numbers) {
                    let lines = number.number() as usize + 1;
                    while first + begun < lines {
                        pos[begun] = J::truncate(entry as u64);
                        begun += 1;
                    }
                }
            }
            crd.iter_mut()
                .zip(&from.crd[entries.clone()])
                .for_each(|(to, from)| *to = J::truncate(from.number()));
            values.copy_from_slice(&from.values[entries]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of 300 lines, enough for several threads.
    fn listed() -> (Vec<i32>, Vec<i32>, Vec<f64>) {
        let entries = (0..300).flat_map(|line| (0..line % 7 * 100).map(move |crd| (line, crd * 2)));
        let (numbers, crd): (Vec<i32>, Vec<i32>) = entries.unzip();
        let values = (0..crd.len()).map(|number| number as f64).collect();
        (numbers, crd, values)
    }

    fn spread(lines: usize, numbers: &[i32], crd: &[i32], values: &[f64]) -> Option<Vec<i64>> {
        let mut pos = vec![-1; lines + 1];
        let (mut to_crd, mut to_values) = (vec![0i64; crd.len()], vec![0.0; crd.len()]);
        let to = Spread { pos: &mut pos, crd: &mut to_crd, values: &mut to_values };
        let is_filled = to.fill(Listed { numbers, crd, values });
        assert!(
            !is_filled || (to_crd.iter().zip(crd).all(|(a, b)| *a == i64::from(*b)) && to_values == values)
        );
        is_filled.then_some(pos)
    }

    #[test]
    fn every_line_begins_behind_the_one_before() {
        let (numbers, crd, values) = listed();
        let starts = |lines| (0..=lines).map(|line| numbers.partition_point(|number| *number < line) as i64);
        for lines in [300, 305] {
            let found = spread(lines as usize, &numbers, &crd, &values).unwrap();
            assert_eq!(found, starts(lines).collect::<Vec<_>>());
        }
        assert_eq!(spread(3, &[], &[], &[]), Some(vec![0; 4]));
    }

    #[test]
    fn entries_out_of_order_and_lines_without_a_place_are_refused() {
        let (numbers, crd, values) = listed();
        assert!(are_in_order(&numbers, &crd));
        // Entries around the ends of blocks and of threads' stretches.
        for entry in [1, BLOCK, BLOCK + 1, crd.len() / 2, crd.len() / 2 + 1, crd.len() - 1] {
            let (mut numbers, mut crd) = (numbers.clone(), crd.clone());
            (numbers[entry], crd[entry]) = (numbers[entry - 1], crd[entry - 1]);
            assert!(!are_in_order(&numbers, &crd), "{entry} is there twice");
            assert_eq!(spread(300, &numbers, &crd, &values), None, "{entry} is there twice");
            numbers[entry] = 400;
            assert_eq!(spread(300, &numbers, &crd, &values), None, "{entry} has no line");
        }
        assert_eq!(spread(299, &numbers, &crd, &values), None);
    }
}
