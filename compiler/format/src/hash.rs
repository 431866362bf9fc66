//! The hash tables of `H` levels: generated code and the run time look for coordinates in the same way.
//!
//! The children of a parent are in `count` slots, a power of two that is at least twice the number of
//! children, or no slot where there are no children. Coordinate c is in the first slot from [`slot`] on,
//! cyclically, that is not taken by another one; the coordinate of an empty slot is −1.

/// The odd number that coordinates are multiplied by: 2⁶⁴ over the golden ratio (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4).
pub const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bits of the product below those that say where a coordinate is looked for first.
pub const SHIFT: u32 = 32;

/// Returns the number of slots for some children of one parent.
pub fn slots(children: u64) -> u64 {
    if children == 0 { 0 } else { (2 * children).next_power_of_two() }
}

/// Returns the slot in which a coordinate is looked for first, among `count`.
pub fn slot(coordinate: u64, count: u64) -> u64 {
    (coordinate.wrapping_mul(FACTOR) >> SHIFT) & (count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_empty_slots_and_spread_neighbours() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(slots), [0, 2, 4, 8, 8, 16]);
        let taken: std::collections::BTreeSet<u64> =
            (0..64).map(|coordinate| slot(coordinate, 128)).collect();
        assert!(taken.len() > 48, "{taken:?}");
    }
}
