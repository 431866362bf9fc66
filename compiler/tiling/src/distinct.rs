//! Which of many points are new.

/// Which of many points are new, each coordinate divided by a size. Points are distinguished by 63 bits that are
/// made of their coordinates.
pub(crate) struct Distinct {
    slots: Vec<u64>,
    shift: u32,
}

impl Distinct {
    pub(crate) fn new(count: usize) -> Self {
        let slots = (2 * count + 2).next_power_of_two();
        Self { slots: vec![0; slots], shift: 64 - slots.trailing_zeros() }
    }

    /// Whether a point is seen for the first time; `slice` is a coordinate of its own.
    pub(crate) fn insert(&mut self, slice: u64, point: impl Iterator<Item = (u32, u32)>) -> bool {
        let mix = |key: u64, (at, size): (u32, u32)| {
            let at = if size == 1 { at } else { at / size };
            (key ^ u64::from(at)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        };
        let key = point.fold(slice ^ 0x51_7cc1_b727_220a, mix) | 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[place] != 0 {
            if self.slots[place] == key {
                return false;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = key;
        true
    }
}
