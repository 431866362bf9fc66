//! Runs of two programs that take turns.
//!
//! Whatever else runs on the machine only ever adds to a time. So the time of a process is the shortest of
//! its repetitions, the time that is reported is the median of its processes, and a ratio is the median of
//! the ratios of neighbours in time.

use crate::setting::Outcome;

/// The times of a program and of a peer, one a run, in seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    ours: Vec<f64>,
    peers: Vec<f64>,
}

impl Pairs {
    /// Adds the times of a run.
    pub(crate) fn push(&mut self, ours: f64, peer: f64) {
        self.ours.push(ours);
        self.peers.push(peer);
    }

    /// The peer's shortest time.
    pub(crate) fn shortest_of_peer(&self) -> f64 {
        shortest(&self.peers)
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
        median(self.ratios())
    }

    /// Our time as a multiple of the peer's, run by run.
    pub(crate) fn ratios(&self) -> Vec<f64> {
        self.ours.iter().zip(&self.peers).map(|(ours, peer)| ours / peer).collect()
    }
}

/// The numbers below which a quarter, half and three quarters of some lie, between neighbours by proportion.
pub(crate) fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    assert!(!numbers.is_empty(), "a benchmark has at least one run");
    numbers.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|part| {
        let place = part * (numbers.len() - 1) as f64;
        let (low, high) = (numbers[place.floor() as usize], numbers[place.ceil() as usize]);
        low + (high - low) * place.fract()
    })
}

/// The middle of some numbers; of an even count the mean of the two in the middle.
pub(crate) fn median(numbers: Vec<f64>) -> f64 {
    quartiles(numbers)[1]
}

/// The smallest of some times.
pub(crate) fn shortest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The smallest of the times that a program has printed, a line each.
///
/// # Errors
/// Another number of them than was asked for.
pub(crate) fn shortest_printed(printed: &str, repetitions: u32) -> Outcome<f64> {
    let lines = printed.lines().filter_map(|line| line.trim_end_matches(',').parse().ok());
    let times: Vec<f64> = lines.collect();
    if times.len() == repetitions as usize {
        return Ok(shortest(&times));
    }
    Err(format!("expected {repetitions} times, found {printed:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers stand in arrays of one element perhaps.
    #[test]
    fn printed_times_are_counted() {
        let printed = "data = \n2.5,\ndata = \n0.5,\n";
        assert_eq!(shortest_printed(printed, 2), Ok(0.5));
        assert!(shortest_printed(printed, 3).is_err());
    }

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
        assert_eq!(quartiles(vec![4.0, 1.0, 3.0, 2.0, 5.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(vec![1.0, 2.0]), [1.25, 1.5, 1.75]);
        assert_eq!(shortest(&[2.0, 1.0, 3.0]), 1.0);
    }
}
