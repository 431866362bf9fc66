//! The Pareto front: the runs that no other one beats.

use super::counts::{ColumnCost, SimulationCounts};

/// A run of the front, or beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dot {
    pub(crate) point: Vec<String>,
    pub(crate) cycles: u64,
    pub(crate) cost: u64,
}

impl Dot {
    /// Of a run that has both counts.
    pub(crate) fn new(point: &[String], counts: &SimulationCounts, cost: ColumnCost) -> Option<Self> {
        Some(Self { point: point.to_vec(), cycles: counts.cycles?, cost: cost.of(counts)? })
    }
}

/// The dots that cost less than every other one which takes no more cycles, by rising cost. Of those that
/// are alike in both, it has the first.
pub(crate) fn front(dots: &[Dot]) -> Vec<Dot> {
    let mut sorted: Vec<&Dot> = dots.iter().collect();
    sorted.sort_by_key(|dot| (dot.cost, dot.cycles));
    let mut front: Vec<Dot> = Vec::new();
    for dot in sorted {
        if front.last().is_none_or(|last| dot.cycles < last.cycles) {
            front.push(dot.clone());
        }
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_one_beats_is_left_out() {
        let dot = |cost, cycles| Dot { point: vec![format!("{cost}-{cycles}")], cycles, cost };
        let dots = [dot(9, 10), dot(5, 80), dot(5, 90), dot(7, 80), dot(7, 30), dot(8, 40), dot(9, 10)];
        let costs: Vec<(u64, u64)> = front(&dots).iter().map(|dot| (dot.cost, dot.cycles)).collect();
        assert_eq!(costs, [(5, 80), (7, 30), (9, 10)]);
        assert_eq!(front(&[]), []);
    }
}
