//! The marks of a dense workspace: one for each element, which is set where something has come to it, and one
//! for each stretch of elements, set where one of them is. Whatever comes sets both without looking; the
//! elements are then found in order below the stretches that are marked, without a list or a sort.

use crate::error::Error;
use crate::tensor::Index;

/// Lists the elements that are marked, of `size`, in order, and clears the marks; returns how many there are.
/// There are 2 to the `shift` elements in a stretch.
///
/// # Errors
/// Arrays that are shorter than marks and elements are.
pub(crate) fn collect<I: Index>(
    marks: &mut [i8],
    size: usize,
    shift: u32,
    list: &mut [I],
) -> Result<usize, Error> {
    let stretch = 1_usize.checked_shl(shift).filter(|stretch| stretch.is_multiple_of(BLOCK));
    let stretch = stretch.ok_or_else(|| Error::Internal(format!("stretches of 2^{shift} elements")))?;
    let (elements, rest) = blocks_for(size, marks)?;
    let (stretches, _) = blocks_for(size.div_ceil(stretch), rest)?;
    let arch = pulp::Arch::new();
    arch.dispatch(Collection { elements, stretches, blocks_each: stretch / BLOCK, list, arch })
        .ok_or_else(|| Error::Internal("more elements are marked than a list has room for".to_owned()))
}

/// Returns the marks in blocks, and the rest after them.
fn blocks_for(count: usize, marks: &mut [i8]) -> Result<(&mut [Block], &mut [i8]), Error> {
    let len = count.next_multiple_of(BLOCK);
    if len > marks.len() {
        return Err(Error::Internal(format!("{} marks for {count}", marks.len())));
    }
    let (own, rest) = marks.split_at_mut(len);
    Ok((own.as_chunks_mut().0, rest))
}

/// What is collected from and into.
struct Collection<'a, I> {
    elements: &'a mut [Block],
    stretches: &'a mut [Block],
    /// The blocks of elements in a stretch.
    blocks_each: usize,
    list: &'a mut [I],
    arch: pulp::Arch,
}

impl<I: Index> pulp::NullaryFnOnce for Collection<'_, I> {
    type Output = Option<usize>;

    // Always, as all that it calls: elsewhere the compiler must not use the processor's instructions.
    #[inline(always)]
    fn call(self) -> Option<usize> {
        let Self { elements, stretches, blocks_each, list, arch } = self;
        let mut count = 0;
        for (number, stretches) in stretches.iter_mut().enumerate() {
            let mut stretches = taken(stretches, arch);
            while let Some(stretch) = next(&mut stretches, number) {
                let first = stretch * blocks_each;
                let blocks = elements.get_mut(first..)?.iter_mut().take(blocks_each);
                for (block, number) in blocks.zip(first..) {
                    let elements = taken(block, arch);
                    count += listed(elements, number, list.get_mut(count..)?, arch)?;
                }
            }
        }
        Some(count)
    }
}

/// Lists the elements of the block with this number whose bits are set, in order; returns how many there are,
/// or `None` where the list has no room for them. What is behind them in the list may change.
#[inline(always)]
fn listed<I: Index>(mut bits: u64, number: usize, list: &mut [I], arch: pulp::Arch) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if bits.count_ones() > FEW
        && let (pulp::Arch::V4(simd), Some(list)) = (arch, list.first_chunk_mut())
    {
        return Some(compressed(bits, number, list, simd));
    }
    let mut count = 0;
    while let Some(element) = next(&mut bits, number) {
        *list.get_mut(count)? = I::truncate(element as u64);
        count += 1;
    }
    Some(count)
}

/// So many elements of a block are listed one by one. Squares on Zen 5, time of the whole product with all
/// blocks compressed over that with none: R-MAT 14, 12 elements in a block, 0.85; Laplacian 58³, five, 1.01.
const FEW: u32 = 8;

/// The same by instructions that bring the chosen lanes of a vector together, without a branch for each
/// element, which are hard to foresee.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn compressed<I: Index>(bits: u64, number: usize, list: &mut [I; BLOCK], simd: pulp::x86::V4) -> usize {
    const LANES: usize = 16;
    for group in 0..BLOCK / LANES {
        // At most as many elements are in front of a group as have places there: a whole vector fits.
        let before = bits & ((1 << (LANES * group)) - 1);
        let chosen = (bits >> (LANES * group)) as u16;
        let places: [i32; LANES] = std::array::from_fn(|lane| (LANES * group + lane) as i32);
        let places = simd.avx512f._mm512_maskz_compress_epi32(chosen, pulp::cast(places));
        let places: [i32; LANES] = pulp::cast(places);
        for (element, place) in list[before.count_ones() as usize..].iter_mut().zip(places) {
            *element = I::truncate((BLOCK * number) as u64 + place as u64);
        }
    }
    bits.count_ones() as usize
}

/// One bit for each mark of a block that is set; none is afterwards.
#[inline(always)]
fn taken(block: &mut Block, arch: pulp::Arch) -> u64 {
    let bits = bits(block, arch);
    if bits != 0 {
        *block = [0; BLOCK];
    }
    bits
}

/// The number of the next mark of the block with this number, which is left out from now on.
#[inline(always)]
fn next(bits: &mut u64, block: usize) -> Option<usize> {
    if *bits == 0 {
        return None;
    }
    let place = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(BLOCK * block + place)
}

/// Marks that are looked at together.
const BLOCK: usize = 64;

type Block = [i8; BLOCK];

/// One bit for each mark that is set.
#[inline(always)]
fn bits(block: &Block, arch: pulp::Arch) -> u64 {
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

fn bits_of_words(block: &Block) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks as generated code sets them.
    fn marked(size: usize, shift: u32, elements: &[usize]) -> Vec<i8> {
        let up = |count: usize| count.next_multiple_of(BLOCK);
        let mut marks = vec![0; up(size) + up(size.div_ceil(1 << shift))];
        for element in elements {
            marks[*element] = 1;
            marks[up(size) + (element >> shift)] = 1;
        }
        marks
    }

    #[test]
    fn marked_elements_are_listed_in_order_and_are_marked_no_more() {
        let many = |from: usize, to: usize| (from..to).rev().step_by(3).collect();
        for (size, shift) in [(1, 6), (64, 6), (65, 7), (1000, 6), (5000, 8), (300_000, 7)] {
            let sets: [Vec<usize>; 4] =
                [vec![], vec![size - 1], many(0, size), many(size / 2, size / 2 + size.min(31) / 2)];
            for elements in sets {
                let mut marks = marked(size, shift, &elements);
                let mut list = vec![-1i32; size];
                let count = collect(&mut marks, size, shift, &mut list).unwrap();
                let mut expected: Vec<i32> = elements.iter().map(|element| *element as i32).collect();
                expected.sort_unstable();
                assert_eq!(list[..count], expected);
                assert!(marks.iter().all(|mark| *mark == 0));
            }
        }
    }

    #[test]
    fn arrays_that_are_too_short_are_refused() {
        let message = |marks: &mut [i8], shift: u32, list: &mut [i64]| {
            collect(marks, 200, shift, list).unwrap_err().to_string()
        };
        assert!(message(&mut [0; 256], 6, &mut [0; 200]).contains("0 marks for 4"));
        assert!(message(&mut marked(200, 6, &[3, 7]), 6, &mut [0; 1]).contains("more elements are marked"));
        assert!(message(&mut [0; 512], 5, &mut [0; 200]).contains("2^5 elements"));
    }

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
}
