//! The coordinates of a dense workspace that something came to.

use crate::tensor::Index;

/// Sorts the coordinates that a workspace was touched at; `marks` has a 1 at each of them and 0 elsewhere.
/// Where there are many of them for their range, the marks give them in order sooner than sorting does.
pub(crate) fn sort<I: Index>(touched: &mut [I], marks: &[i8]) {
    let Some((least, greatest)) = range(touched) else { return };
    let steps = touched.len() * touched.len().ilog2() as usize;
    let arch = pulp::Arch::new();
    if steps * marks_a_step(arch) < greatest - least {
        touched.sort_unstable();
    } else {
        arch.dispatch(InOrderOfMarks { touched, least, marks: &marks[least..=greatest], arch });
    }
}

/// How many marks are passed over in the time of one step of a sort.
fn marks_a_step(arch: pulp::Arch) -> usize {
    match arch {
        #[cfg(target_arch = "x86_64")]
        pulp::Arch::V4(_) => 64,
        #[cfg(target_arch = "x86_64")]
        pulp::Arch::V3(_) => 48,
        _ => 16,
    }
}

/// Overwrites coordinates by those that are marked, from the least one on.
struct InOrderOfMarks<'a, I> {
    touched: &'a mut [I],
    least: usize,
    marks: &'a [i8],
    arch: pulp::Arch,
}

impl<I: Index> pulp::NullaryFnOnce for InOrderOfMarks<'_, I> {
    type Output = ();

    // Always, as all that it calls: elsewhere the compiler must not use the processor's instructions.
    #[inline(always)]
    fn call(self) {
        let Self { touched, least, marks, arch } = self;
        let mut slots = touched.iter_mut();
        let mut found = |coordinate: usize| {
            if let Some(slot) = slots.next() {
                *slot = I::truncate(coordinate as u64);
            }
        };
        let (blocks, rest) = marks.as_chunks::<BLOCK>();
        for (number, block) in blocks.iter().enumerate() {
            let mut bits = bits(block, arch);
            while bits != 0 {
                found(least + BLOCK * number + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        let last = least + BLOCK * blocks.len();
        for (place, mark) in rest.iter().enumerate() {
            if *mark != 0 {
                found(last + place);
            }
        }
    }
}

/// Marks that are looked at together.
const BLOCK: usize = 64;

/// One bit for each mark that is set.
#[inline(always)]
fn bits(block: &[i8; BLOCK], arch: pulp::Arch) -> u64 {
    match arch {
        #[cfg(target_arch = "x86_64")]
        pulp::Arch::V4(simd) => {
            let marks = pulp::cast(*block);
            simd.avx512bw._mm512_test_epi8_mask(marks, marks)
        }
        #[cfg(target_arch = "x86_64")]
        pulp::Arch::V3(simd) => {
            // A mark is 0 or 1; the instruction takes the highest bit of each byte.
            let halves: [[i8; 32]; 2] = pulp::cast(*block);
            let [low, high] = halves.map(|half| {
                let half = simd.avx2._mm256_slli_epi16::<7>(pulp::cast(half));
                simd.avx2._mm256_movemask_epi8(half) as u32
            });
            u64::from(low) | u64::from(high) << 32
        }
        _ => bits_of_words(block),
    }
}

fn bits_of_words(block: &[i8; BLOCK]) -> u64 {
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
fn range<I: Index>(touched: &[I]) -> Option<(usize, usize)> {
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
    fn every_processor_finds_the_same_marks() {
        let block: [i8; BLOCK] = std::array::from_fn(|place| i8::from(place * place % 7 == 2 || place == 63));
        let expected =
            (0..BLOCK).filter(|place| block[*place] != 0).fold(0, |bits, place| bits | 1u64 << place);
        assert_eq!(bits(&block, pulp::Arch::new()), expected);
        assert_eq!(bits(&block, pulp::Arch::Scalar), expected);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            assert_eq!(bits(&block, pulp::Arch::V3(simd)), expected);
        }
    }

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
