//! The coordinates of a dense workspace that something came to.

use crate::tensor::Index;

/// Sorts the coordinates that a workspace was touched at; `marks` has a 1 at each of them and 0 elsewhere.
/// Where there are many of them, the marks give them in order sooner than sorting does.
pub(crate) fn sort<I: Index + Ord>(touched: &mut [I], marks: &[i8]) {
    /// Marks that are passed over in the time of one step of a sort.
    const MARKS_A_STEP: usize = 16;
    let steps = touched.len() * touched.len().checked_ilog2().unwrap_or(0) as usize;
    if steps * MARKS_A_STEP < marks.len() {
        touched.sort_unstable();
        return;
    }
    let mut next = touched.iter_mut();
    for (number, eight) in marks.chunks(8).enumerate() {
        if eight.iter().all(|mark| *mark == 0) {
            continue;
        }
        let marked = eight.iter().enumerate().filter(|(_, mark)| **mark != 0);
        for ((place, _), slot) in marked.zip(&mut next) {
            *slot = I::truncate((number * 8 + place) as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_coordinates_are_sorted() {
        for touched in [vec![], vec![900], vec![7, 3, 999, 0], (0..1000).rev().step_by(3).collect()] {
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
