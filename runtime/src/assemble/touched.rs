//! The coordinates of a dense workspace that something came to.

use crate::tensor::Index;

/// Sorts the coordinates that a workspace was touched at; `marks` has a 1 at each of them and 0 elsewhere.
/// Where there are many of them for their range, the marks give them in order sooner than sorting does.
pub(crate) fn sort<I: Index + Ord>(touched: &mut [I], marks: &[i8]) {
    /// Marks that are passed over in the time of one step of a sort.
    const MARKS_A_STEP: usize = 16;
    let Some((least, greatest)) = range(touched) else { return };
    let steps = touched.len() * touched.len().ilog2() as usize;
    if steps * MARKS_A_STEP < greatest - least {
        touched.sort_unstable();
        return;
    }
    let mut slots = touched.iter_mut();
    let mut found = |coordinate: usize| {
        if let Some(slot) = slots.next() {
            *slot = I::truncate(coordinate as u64);
        }
    };
    let (blocks, rest) = marks[least..=greatest].as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        let mut bits = bits(block);
        while bits != 0 {
            found(least + BLOCK * number + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
    let last = least + BLOCK * blocks.len();
    let marked = rest.iter().enumerate().filter(|(_, mark)| **mark != 0);
    marked.for_each(|(place, _)| found(last + place));
}

/// Marks that are looked at together.
const BLOCK: usize = 64;

/// One bit for each mark that is set.
fn bits(block: &[i8; BLOCK]) -> u64 {
    /// Brings the lowest bits of the eight bytes of a word together in its highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let words = block.as_chunks::<8>().0;
    let word = |eight: &[i8; 8]| u64::from_le_bytes(eight.map(|mark| mark as u8));
    if words.iter().fold(0, |any, eight| any | word(eight)) == 0 {
        return 0;
    }
    let gathered = words.iter().map(|eight| word(eight).wrapping_mul(GATHER) >> 56);
    gathered.enumerate().fold(0, |bits, (number, eight)| bits | eight << (8 * number))
}

/// The least and the greatest of some coordinates.
fn range<I: Index + Ord>(touched: &[I]) -> Option<(usize, usize)> {
    let first = *touched.first()?;
    let both =
        |(least, greatest): (I, I), coordinate: &I| (least.min(*coordinate), greatest.max(*coordinate));
    let (least, greatest) = touched.iter().fold((first, first), both);
    Some((least.number() as usize, greatest.number() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_coordinates_are_sorted() {
        let many = |from: i32, to: i32| (from..to).rev().step_by(3).collect();
        for touched in [vec![], vec![900], vec![7, 3, 999, 0], many(0, 1000), many(500, 531)] {
            let mut marks = vec![0i8; 1000];
            touched.iter().for_each(|coordinate: &i32| marks[*coordinate as usize] = 1);
            let mut expected = touched.clone();
            expected.sort_unstable();
            let mut found = touched;
            sort(&mut found, &marks);
            assert_eq!(found, expected);
        }
    }
}
