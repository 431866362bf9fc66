//! Orders of shuffled matrices, and of random tensors of every rank.

use comet_gen::{Generator, Kind, Points, Stencil};
use comet_runtime::CoordinateTensor;
use comet_runtime::reorder::{Method, Modes, Permutation, apply, measure, reorder};
use comet_runtime::values::ValueColumn;
use proptest::prelude::*;

const LEXI: Method = Method::Lexi { iterations: Method::ITERATIONS };
const METHODS: [Method; 3] = [LEXI, Method::Rcm, Method::Degree];

/// The Laplacian of a grid, whose rows and columns are shuffled in the same way.
fn shuffled_laplacian(grid: &[u64], shuffle: impl Fn(i64) -> i64) -> CoordinateTensor {
    let points = if grid.len() == 2 { Points::Five } else { Points::Seven };
    let kind = Kind::Stencil(Stencil { points, grid: grid.to_vec() });
    let generated = Generator::new(kind).generate().unwrap();
    let signed = |numbers: Vec<u64>| numbers.into_iter().map(u64::cast_signed).collect::<Vec<_>>();
    let dims = signed(generated.dims);
    let mut coords: Vec<Vec<i64>> = generated.coords.into_iter().map(signed).collect();
    coords.iter_mut().flatten().for_each(|index| *index = shuffle(*index));
    CoordinateTensor { dims, coords, values: ValueColumn::F64(generated.values) }
}

fn reordered(entries: &CoordinateTensor, method: Method) -> CoordinateTensor {
    let mut entries = entries.clone();
    let permutations = reorder(&entries, method, &Modes::All).unwrap();
    apply(&mut entries, &permutations).unwrap();
    entries
}

/// A factor without a common divisor with the number of rows shuffles them.
#[test]
fn a_shuffled_band_becomes_a_band_again() {
    let shuffled = shuffled_laplacian(&[20, 60], |index| index * 1031 % 1200);
    let before = measure(&shuffled).unwrap();
    assert!(before.bandwidth.unwrap() > 800 && before.mean_gap > 100.0, "{before:?}");

    // Along its short side, the grid has a band of 20.
    let rcm = measure(&reordered(&shuffled, Method::Rcm)).unwrap();
    assert!(rcm.bandwidth.unwrap() <= 25, "{rcm:?}");
    assert!(rcm.mean_gap < 12.0, "{rcm:?}");

    let lexi = measure(&reordered(&shuffled, LEXI)).unwrap();
    assert!(lexi.mean_gap < before.mean_gap / 2.0, "{lexi:?}");
    assert!(lexi.bandwidth < before.bandwidth, "{lexi:?}");
}

/// A shuffled staircase becomes doubly lexical, as it was, which one more round finds nothing to change in.
#[test]
fn lexi_makes_a_staircase_doubly_lexical() {
    let steps: i64 = 7;
    let rows: Vec<i64> = (0..steps).flat_map(|step| [step, step]).collect();
    let columns: Vec<i64> = (0..steps).flat_map(|step| [step, step + 1]).collect();
    let values = ValueColumn::I64((0..2 * steps).collect());
    let staircase = CoordinateTensor { dims: vec![7, 8], coords: vec![rows, columns], values };
    let mut shuffled = staircase.clone();
    let shuffle = [
        Permutation::from_numbers(vec![4, 2, 6, 0, 3, 5, 1]).unwrap(),
        Permutation::from_numbers(vec![0, 5, 2, 7, 4, 1, 6, 3]).unwrap(),
    ];
    apply(&mut shuffled, &shuffle).unwrap();
    let sorted = reordered(&shuffled, Method::Lexi { iterations: 20 });
    assert!(reorder(&sorted, LEXI, &Modes::All).unwrap().iter().all(Permutation::is_identity));
    assert!(is_doubly_lexical(&sorted));
    assert_eq!(sorted.values, staircase.values);
}

/// Rows, and columns, never increase when read as numbers of zeros and ones.
fn is_doubly_lexical(matrix: &CoordinateTensor) -> bool {
    let lines = |mode: usize| -> Vec<Vec<bool>> {
        let (along, across) = (matrix.dims[mode] as usize, matrix.dims[1 - mode] as usize);
        let mut lines = vec![vec![false; across]; along];
        for (&line, &place) in matrix.coords[mode].iter().zip(&matrix.coords[1 - mode]) {
            lines[line as usize][place as usize] = true;
        }
        lines
    };
    [0, 1].iter().all(|&mode| lines(mode).is_sorted_by(|a, b| a >= b))
}

#[test]
fn some_modes_only() {
    let shuffled = shuffled_laplacian(&[6, 7], |index| index * 11 % 42);
    let rows = reorder(&shuffled, LEXI, &Modes::Only(vec![0])).unwrap();
    assert!(!rows[0].is_identity() && rows[1].is_identity());
    let columns = reorder(&shuffled, Method::Degree, &Modes::Only(vec![1])).unwrap();
    assert!(columns[0].is_identity() && !columns[1].is_identity());

    let refused =
        |modes: &[usize]| reorder(&shuffled, LEXI, &Modes::Only(modes.to_vec())).unwrap_err().to_string();
    assert_eq!(
        refused(&[2]),
        "mode 2 is to be reordered, but the tensor has rank 2: modes are counted from 0"
    );
    assert_eq!(refused(&[1, 1]), "mode 1 is to be reordered twice: name it once");
}

#[test]
fn components_and_empty_rows_are_kept_apart() {
    // Edges 0–4, 4–2 and 1–5; 3 and 6 have no entry.
    let coords = vec![vec![0, 4, 1], vec![4, 2, 5]];
    let graph = CoordinateTensor { dims: vec![7, 7], coords, values: ValueColumn::I64(vec![1, 2, 3]) };
    let permutations = reorder(&graph, Method::Rcm, &Modes::All).unwrap();
    assert_eq!(permutations[0].inverse().numbers(), [2, 4, 0, 5, 1, 3, 6]);
}

#[test]
fn permutations_that_do_not_fit_are_refused() {
    let mut vector =
        CoordinateTensor { dims: vec![3], coords: vec![vec![2]], values: ValueColumn::I64(vec![1]) };
    let message = |result: Result<(), comet_runtime::Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(apply(&mut vector, &[Permutation::identity(2).unwrap()])),
        "the permutation of mode 0 has 2 indices, expected 3"
    );
    assert_eq!(message(apply(&mut vector, &[])), "a tensor of rank 1 takes as many permutations, found 0");
}

/// Square matrices, which all methods take, and tensors of 1 to 4 modes, with empty ones among them.
fn tensor() -> impl Strategy<Value = CoordinateTensor> {
    let square = (1i64..9).prop_map(|extent| vec![extent, extent]);
    prop_oneof![square, prop::collection::vec(1i64..7, 1..=4)].prop_flat_map(|dims| {
        let entry = dims.iter().map(|&extent| 0..extent).collect::<Vec<_>>();
        prop::collection::vec(entry, 0..30).prop_map(move |entries| CoordinateTensor {
            coords: (0..dims.len()).map(|mode| entries.iter().map(|entry| entry[mode]).collect()).collect(),
            values: ValueColumn::I64((0..entries.len() as i64).collect()),
            dims: dims.clone(),
        })
    })
}

proptest! {
    /// Permutations are bijections of the extents, the same each time, and lead back.
    #[test]
    fn orders_are_applied_and_undone(tensor in tensor()) {
        let is_square = tensor.rank() == 2 && tensor.dims[0] == tensor.dims[1];
        for method in METHODS {
            let found = reorder(&tensor, method, &Modes::All);
            if method == Method::Rcm && !is_square {
                prop_assert!(found.is_err());
                continue;
            }
            let permutations = found.unwrap();
            prop_assert_eq!(&permutations, &reorder(&tensor, method, &Modes::All).unwrap());
            for (permutation, &extent) in permutations.iter().zip(&tensor.dims) {
                let mut numbers = permutation.numbers().to_vec();
                numbers.sort_unstable();
                prop_assert_eq!(numbers, (0..extent).collect::<Vec<_>>());
            }
            let mut there = tensor.clone();
            apply(&mut there, &permutations).unwrap();
            let back: Vec<_> = permutations.iter().map(Permutation::inverse).collect();
            apply(&mut there, &back).unwrap();
            prop_assert_eq!(&there, &tensor);
        }
    }

    /// Rows sorted by partition refinement are rows sorted by comparing them.
    #[test]
    fn one_mode_is_sorted_lexicographically(tensor in tensor()) {
        let permutation = &reorder(&tensor, Method::Lexi { iterations: 1 }, &Modes::Only(vec![0])).unwrap()[0];
        let mut rows = vec![Vec::new(); tensor.dims[0] as usize];
        for entry in 0..tensor.len() {
            let others: Vec<i64> = tensor.coords[1..].iter().map(|column| column[entry]).collect();
            rows[tensor.coords[0][entry] as usize].push(others);
        }
        let key = |row: usize| {
            let mut places = rows[row].clone();
            places.sort();
            places.dedup();
            // Where one row ends, the other has a one.
            places.push(vec![i64::MAX]);
            places
        };
        let mut expected: Vec<usize> = (0..rows.len()).collect();
        expected.sort_by_key(|&row| key(row));
        let found: Vec<usize> = permutation.inverse().numbers().iter().map(|&row| row as usize).collect();
        prop_assert_eq!(found, expected);
    }
}
