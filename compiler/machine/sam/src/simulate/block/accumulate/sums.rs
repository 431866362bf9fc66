//! What has been made of points with equal coordinates.

use crate::arithmetic::Combine;
use crate::graph::Accumulate;

/// Points, each with one value. They are found by a hash of their coordinates, and sorted when they are
/// given away; memory is that of the points.
pub(super) struct Sums {
    combine: Combine,
    points: SummedPoints,
    /// For each hash the number of a point with it or with one before, counted from 1 on; 0 where there is
    /// none. A power of two, of which at most half are points.
    table: Vec<u32>,
}

/// Points in the order of their arrival, or sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct SummedPoints {
    width: usize,
    coordinates: Vec<u64>,
    values: Vec<u64>,
}

const SMALLEST: usize = 64;

impl Sums {
    pub(super) fn new(accumulate: &Accumulate) -> Self {
        Self {
            combine: Combine::new(accumulate.reduction, accumulate.element),
            points: SummedPoints { width: accumulate.indices.len(), ..SummedPoints::default() },
            table: vec![0; SMALLEST],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.points.values.is_empty()
    }

    pub(super) fn any(&self) -> Option<&[u64]> {
        self.points.get(0).map(|(coordinates, _)| coordinates)
    }

    pub(super) fn add(&mut self, coordinates: &[u64], value: u64) {
        let point = self.point(coordinates);
        let sum = &mut self.points.values[point];
        *sum = self.combine.add(*sum, value);
    }

    /// The number of a point, which is made if it is not there.
    fn point(&mut self, coordinates: &[u64]) -> usize {
        let mut slot = self.slot(coordinates);
        loop {
            match self.table[slot] as usize {
                0 => break,
                found if self.points.coordinates(found - 1) == coordinates => return found - 1,
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
        self.points.coordinates.extend_from_slice(coordinates);
        self.points.values.push(self.combine.identity());
        let count = self.points.values.len();
        self.table[slot] = u32::try_from(count).expect("memory holds fewer points than 2^32");
        if 2 * count > self.table.len() {
            self.grow();
        }
        count - 1
    }

    fn slot(&self, coordinates: &[u64]) -> usize {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let hash = coordinates
            .iter()
            .fold(0, |hash: u64, coordinate| (hash.rotate_left(32) ^ coordinate).wrapping_mul(ODD));
        // The high bits depend on all others.
        (hash >> (u64::BITS - self.table.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        self.table = vec![0; 2 * self.table.len()];
        for point in 0..self.points.values.len() {
            let mut slot = self.slot(self.points.coordinates(point));
            while self.table[slot] != 0 {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = point as u32 + 1;
        }
    }

    /// Takes all points of another one, whose values come behind those at the same coordinates.
    pub(super) fn absorb(&mut self, other: &mut Self) {
        for point in 0..other.points.len() {
            self.add(other.points.coordinates(point), other.points.values[point]);
        }
        other.clear();
    }

    /// All points, sorted; none are left.
    pub(super) fn take(&mut self) -> SummedPoints {
        let points = self.points.sorted();
        self.clear();
        points
    }

    fn clear(&mut self) {
        // A large table would take longer to clear than the few points of later fibers to come.
        self.table.truncate((4 * self.points.len()).next_power_of_two().max(SMALLEST));
        self.table.fill(0);
        self.points.coordinates.clear();
        self.points.values.clear();
    }
}

impl SummedPoints {
    fn coordinates(&self, point: usize) -> &[u64] {
        &self.coordinates[point * self.width..(point + 1) * self.width]
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, point: usize) -> Option<(&[u64], u64)> {
        self.values.get(point).map(|&value| (self.coordinates(point), value))
    }

    fn sorted(&self) -> Self {
        if self.width == 1 {
            let mut points: Vec<(u64, u64)> =
                self.coordinates.iter().copied().zip(self.values.iter().copied()).collect();
            points.sort_unstable_by_key(|point| point.0);
            let (coordinates, values) = points.into_iter().unzip();
            return Self { width: 1, coordinates, values };
        }
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_unstable_by_key(|&point| self.coordinates(point));
        Self {
            width: self.width,
            coordinates: order.iter().flat_map(|&point| self.coordinates(point)).copied().collect(),
            values: order.iter().map(|&point| self.values[point]).collect(),
        }
    }
}
