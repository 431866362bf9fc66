//! Rounds of two programs that take turns.
//!
//! Whatever else runs on the machine only ever adds to a time. So the time of a process is the shortest of
//! its repetitions, the time that is told is the median of its processes, and a ratio is the median of the
//! ratios of neighbours in time.

/// The times of a program and of a peer, one a round, in seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    ours: Vec<f64>,
    peers: Vec<f64>,
}

impl Pairs {
    /// Adds the times of a round.
    pub(crate) fn push(&mut self, ours: f64, peer: f64) {
        self.ours.push(ours);
        self.peers.push(peer);
    }

    /// Our median.
    pub(crate) fn ours(&self) -> f64 {
        median(self.ours.clone())
    }

    /// The peer's median.
    pub(crate) fn peer(&self) -> f64 {
        median(self.peers.clone())
    }

    /// The median of our time as a multiple of the peer's.
    pub(crate) fn ratio(&self) -> f64 {
        median(self.ours.iter().zip(&self.peers).map(|(ours, peer)| ours / peer).collect())
    }
}

/// The middle of some numbers; of an even count the mean of the two in the middle.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    assert!(!numbers.is_empty(), "a benchmark has at least one round");
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { (numbers[middle - 1] + numbers[middle]) / 2.0 }
}

/// The smallest of some times.
pub(crate) fn shortest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratio pairs neighbours: a slow phase of the machine that covers both leaves it alone.
    #[test]
    fn ratios_are_those_of_pairs() {
        let mut pairs = Pairs::default();
        for (ours, peer) in [(1.0, 2.0), (10.0, 20.0), (3.0, 3.0)] {
            pairs.push(ours, peer);
        }
        assert_eq!((pairs.ours(), pairs.peer(), pairs.ratio()), (3.0, 3.0, 0.5));
    }

    #[test]
    fn the_median_of_an_even_count_lies_between() {
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(shortest(&[2.0, 1.0, 3.0]), 1.0);
    }
}
