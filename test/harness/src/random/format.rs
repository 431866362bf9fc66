//! Formats of random operands, and which data an S level can hold.

use std::collections::BTreeMap;

use super::rng::Rng;

/// A format, as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// `Dense`.
    Dense,
    /// `{D, CU}` with an order; storage level l stores mode `order[l]`.
    Levels {
        /// The kinds, outermost first.
        kinds: Vec<&'static str>,
        /// Absent where it is 0, 1, ….
        order: Option<Vec<usize>>,
    },
    /// A shorthand or a map that holds any data of its rank.
    Other(String),
}

impl Format {
    /// What stands in the declaration after the dimensions.
    pub fn text(&self) -> String {
        match self {
            Self::Dense => "Dense".to_string(),
            Self::Levels { kinds, order: None } => format!("{{{}}}", kinds.join(", ")),
            Self::Levels { kinds, order: Some(order) } => {
                let order = order.iter().map(usize::to_string).collect::<Vec<_>>();
                format!("{{{}}}, order={{{}}}", kinds.join(", "), order.join(", "))
            }
            Self::Other(text) => text.clone(),
        }
    }

    /// Whether every position is stored.
    pub fn is_dense(&self) -> bool {
        match self {
            Self::Dense => true,
            Self::Levels { kinds, .. } => kinds.iter().all(|kind| *kind == "D"),
            Self::Other(_) => false,
        }
    }

    /// The nearest one of dense and compressed levels.
    #[must_use]
    pub fn of_patterns(&self, rank: usize) -> Self {
        let levels = |kinds: &[&'static str], order: Option<Vec<usize>>| {
            let kind = |kind: &&'static str| if *kind == "D" { "D" } else { "CU" };
            Self::Levels { kinds: kinds.iter().map(kind).collect(), order }
        };
        match self {
            Self::Dense => Self::Dense,
            Self::Levels { kinds, order } => levels(kinds, order.clone()),
            Self::Other(name) => match name.as_str() {
                "CSR" => levels(&["D", "CU"], None),
                "CSC" => levels(&["D", "CU"], Some(vec![1, 0])),
                "DCSC" => levels(&["CU", "CU"], Some(vec![1, 0])),
                _ => levels(&vec!["CU"; rank], None),
            },
        }
    }

    /// Without the level that stores a mode; none where that level is ambiguous.
    pub fn without_mode(&self, mode: usize) -> Option<Self> {
        let Self::Levels { kinds, order } = self else {
            return (*self == Self::Dense).then_some(Self::Dense);
        };
        let order = order.clone().unwrap_or((0..kinds.len()).collect());
        let kept = order.iter().zip(kinds).filter(|(stored, _)| **stored != mode);
        let (order, kinds): (Vec<_>, Vec<_>) =
            kept.map(|(at, kind)| (at - usize::from(*at > mode), *kind)).unzip();
        let order = (!order.is_sorted()).then_some(order);
        match kinds.first() {
            None => Some(Self::Dense),
            Some(&"S") => None,
            Some(_) => Some(Self::Levels { kinds, order }),
        }
    }

    /// Those positions, in their order, that the S levels can hold together.
    pub fn fitting(&self, positions: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let Self::Levels { kinds, order } = self else { return positions };
        let order = order.clone().unwrap_or((0..kinds.len()).collect());
        let alone = (0..kinds.len())
            .filter(|&level| kinds[level] == "S" && !in_tuple(kinds, level))
            .collect::<Vec<_>>();
        let mut held = BTreeMap::<(usize, Vec<usize>), usize>::new();
        let mut fits = |at: &Vec<usize>| {
            let stored = order.iter().map(|&mode| at[mode]).collect::<Vec<_>>();
            let slots = alone.iter().map(|&level| ((level, stored[..level].to_vec()), stored[level]));
            let slots = slots.collect::<Vec<_>>();
            let free = slots.iter().all(|(slot, only)| held.get(slot).is_none_or(|held| held == only));
            held.extend(slots.into_iter().filter(|_| free));
            free
        };
        positions.into_iter().filter(|at| fits(at)).collect()
    }
}

/// Whether an S level belongs to the tuples of a CN level, which hold anything.
fn in_tuple(kinds: &[&str], level: usize) -> bool {
    kinds[..level].iter().rev().find(|kind| **kind != "S") == Some(&"CN")
}

/// A sparse format for a tensor of that rank, which is at least 1.
pub fn random_sparse(rng: &mut Rng, rank: usize) -> Format {
    match rng.percent(35) {
        true => named(rng, rank),
        false => levels(rng, rank),
    }
}

fn levels(rng: &mut Rng, rank: usize) -> Format {
    let mut kinds = vec![rng.pick(&["D", "CU", "CU", "CN", "BV<8>", "R", "H"])];
    kinds.extend((1..rank).map(|_| rng.pick(&["D", "CU", "CU", "CN", "S", "BV<8>", "BV<64>", "R", "H"])));
    if kinds.iter().all(|kind| *kind == "D") {
        kinds[rank - 1] = "CU";
    }
    let order = rng.some(&(0..rank).collect::<Vec<_>>(), rank);
    Format::Levels { kinds, order: Some(order).filter(|order| !order.is_sorted()) }
}

fn named(rng: &mut Rng, rank: usize) -> Format {
    let any = ["COO", "CSF"];
    let (rows, columns) = (rng.between(1, 4), rng.between(1, 4));
    let text = match rank {
        1 => rng.pick(&["SparseVector", "COO"]).to_string(),
        2 => match rng.below(9) {
            0 => format!("BCSR<{rows},{columns}>"),
            1 => format!("CSB<{rows},{columns}>"),
            2 => format!("{{ (i, j) -> (i/{rows} : CU, j : D, i%{rows} : CU) }}"),
            3 => format!("{{ (i, j) -> (j/{columns} : D, i : CU, j%{columns} : CU) }}"),
            _ => rng.pick(&["CSR", "CSC", "DCSR", "DCSC", "COO", "CSF", "ELL"]).to_string(),
        },
        3 => rng.pick(&["COO", "CSF", "ModeGeneric"]).to_string(),
        _ => rng.pick(&any).to_string(),
    };
    Format::Other(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singletons_hold_one_coordinate() {
        let alone = Format::Levels { kinds: vec!["D", "S"], order: None };
        assert_eq!(alone.fitting(vec![vec![0, 2], vec![0, 1], vec![1, 1]]), [[0, 2], [1, 1]]);
        let tuples = Format::Levels { kinds: vec!["CN", "S"], order: None };
        assert_eq!(tuples.fitting(vec![vec![0, 2], vec![0, 1]]).len(), 2);
        let swapped = Format::Levels { kinds: vec!["CU", "S"], order: Some(vec![1, 0]) };
        assert_eq!(swapped.fitting(vec![vec![0, 2], vec![1, 2], vec![1, 1]]), [[0, 2], [1, 1]]);
    }

    #[test]
    fn dropping_a_mode_keeps_the_order_of_the_others() {
        let format = Format::Levels { kinds: vec!["D", "CU", "CN"], order: Some(vec![2, 0, 1]) };
        let left = Format::Levels { kinds: vec!["D", "CN"], order: Some(vec![1, 0]) };
        assert_eq!(format.without_mode(0), Some(left));
    }
}
