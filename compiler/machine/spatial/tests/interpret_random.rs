//! Applications on random data against loops in Rust, and texts with other numbers and lines in them than
//! they were written with.

use comet_spatial::app::App;
use comet_spatial::capstan::{HBM2E, estimate};
use comet_spatial::interpret::{Column, Inputs, Outcome, run};
use comet_spatial::read::read;
use proptest::prelude::*;
use std::collections::BTreeMap;

const SPMV: &str = include_str!("interpret/spmv.scala");
const SDDMM: &str = include_str!("interpret/sddmm.scala");
const UNION: &str = include_str!("interpret/scan_or.scala");
const REDUCED: &str = include_str!("interpret/mem_reduce.scala");
const MODIFIED: &str = include_str!("interpret/rmw.scala");
const COUNTED: &str = include_str!("interpret/counters.scala");

const TEXTS: &[&str] = &[SPMV, SDDMM, UNION, REDUCED, MODIFIED, COUNTED];

/// A sparse matrix, as rows of columns and values.
type Matrix = Vec<BTreeMap<i64, i64>>;

fn matrix(columns: i64) -> impl Strategy<Value = Matrix> {
    prop::collection::vec(prop::collection::btree_map(0..columns, -9..10i64, 0..columns as usize), 0..6)
}

fn integers(numbers: impl IntoIterator<Item = i64>) -> Column {
    Column::Integers(numbers.into_iter().collect())
}

/// The arrays of a matrix, as the texts name them.
fn arrays(name: &str, rows: &Matrix) -> [(String, Column); 3] {
    let ends = rows.iter().scan(0, |end, row| {
        *end += row.len() as i64;
        Some(*end)
    });
    [
        (format!("{name}2_pos.csv"), integers(std::iter::once(0).chain(ends))),
        (format!("{name}2_crd.csv"), integers(rows.iter().flat_map(BTreeMap::keys).copied())),
        (format!("{name}_vals.csv"), integers(rows.iter().flat_map(BTreeMap::values).copied())),
    ]
}

fn outcome(text: &str, files: impl IntoIterator<Item = (String, Column)>) -> Outcome {
    let app = read(text).expect("the text can be read");
    run(&app, &Inputs { files: files.into_iter().collect(), ..Inputs::default() }).expect("it runs")
}

/// What replaces a number of a text.
fn number() -> impl Strategy<Value = i64> {
    prop_oneof![-3..40i64, Just(i64::MIN), Just(i64::MAX), Just(1 << 31), Just(1 << 40)]
}

/// The text with its number of that place replaced, if it has so many.
fn with_number(text: &str, place: usize, number: i64) -> Option<String> {
    let digits = |at: &usize| text.as_bytes()[*at].is_ascii_digit();
    let begins = (text.find("Accel")?..text.len()).filter(|at| digits(at) && !is_of_word(text, *at));
    let begin = begins.clone().nth(place % begins.count().max(1))?;
    let end = (begin..text.len()).find(|at| !digits(at))?;
    Some(format!("{}{number}{}", &text[..begin], &text[end..]))
}

/// The text without that line, or with that line once more in front of another.
fn with_line(text: &str, place: usize, other: Option<usize>) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let line = lines.remove(place % lines.len());
    if let Some(other) = other {
        lines.insert(place % lines.len(), line);
        lines.insert(other % lines.len(), line);
    }
    lines.join("\n")
}

/// The files that the texts load, with some numbers.
fn some_files() -> impl Iterator<Item = (String, Column)> {
    let rows: Matrix = vec![BTreeMap::from([(0, 2), (3, 1)]), BTreeMap::new(), BTreeMap::from([(1, 5)])];
    let vectors = ["x_crd", "z_crd", "x_vals", "z_vals", "C_vals", "D_vals", "x"];
    let vectors = vectors.map(|name| (format!("{name}.csv"), integers([1, 2, 3, 4, 5, 6])));
    let dims = ["A_dims", "B_dims"].map(|name| (format!("{name}.csv"), integers([3, 4, 2])));
    arrays("A", &rows).into_iter().chain(arrays("B", &rows)).chain(vectors).chain(dims)
}

/// Runs an application, if it can be, and has the model look at it.
fn run_and_estimate(app: &App) {
    if let Ok(outcome) = run(app, &Inputs { files: some_files().collect(), ..Inputs::default() }) {
        let found = estimate(app, &outcome);
        assert!(found.cycles_with(&HBM2E).is_finite() && !found.summary().is_empty());
    }
}

/// Whether a digit continues a word or a number.
fn is_of_word(text: &str, at: usize) -> bool {
    text.as_bytes()[at - 1].is_ascii_alphanumeric() || text.as_bytes()[at - 1] == b'_'
}

proptest! {
    #[test]
    fn products_with_a_vector(rows in matrix(7), vector in prop::collection::vec(-9..10i64, 7)) {
        let dims = ("A_dims.csv".to_owned(), integers([rows.len() as i64, 7]));
        let given = [dims, ("x_vals.csv".to_owned(), integers(vector.clone()))];
        let found = outcome(SPMV, arrays("A", &rows).into_iter().chain(given));
        let product = |row: &BTreeMap<i64, i64>| row.iter().map(|(j, a)| a * vector[*j as usize]).sum::<i64>();
        let expected = rows.iter().map(|row| product(row) as f32).collect();
        prop_assert_eq!(&found.files["y_vals.csv"], &Column::Singles(expected));
        let entries: usize = rows.iter().map(BTreeMap::len).sum();
        prop_assert_eq!(found.iterations(), (rows.len() + entries) as u64);
        prop_assert_eq!(found.launches(), 1 + rows.len() as u64);
        prop_assert_eq!(found.traffic().read_bytes as usize, 4 * (rows.len() + 1) + 8 * entries + 4 * 7);
    }

    #[test]
    fn sampled_products(rows in matrix(5), left in prop::collection::vec(-9..10i64, 18), right in prop::collection::vec(-9..10i64, 15)) {
        let given = [
            ("B_dims.csv".to_owned(), integers([rows.len() as i64, 5, 3])),
            ("C_vals.csv".to_owned(), integers(left.clone())),
            ("D_vals.csv".to_owned(), integers(right.clone())),
        ];
        let found = outcome(SDDMM, arrays("B", &rows).into_iter().chain(given));
        let dot = |i: usize, j: usize| (0..3).map(|k| left[3 * i + k] * right[3 * j + k]).sum::<i64>();
        let entries = rows.iter().enumerate();
        let expected = entries.flat_map(|(i, row)| row.iter().map(move |(j, b)| b * dot(i, *j as usize)));
        prop_assert_eq!(&found.files["A_vals.csv"], &integers(expected));
        prop_assert_eq!(&found.files["A2_pos.csv"], &arrays("A", &rows)[0].1);
    }

    #[test]
    fn unions_of_vectors(
        x in prop::collection::btree_map(0..600i64, -9..10i64, 3),
        z in prop::collection::btree_map(0..600i64, -9..10i64, 4),
    ) {
        let files = [("x", &x), ("z", &z)].into_iter().flat_map(|(name, vector)| [
            (format!("{name}_crd.csv"), integers(vector.keys().copied())),
            (format!("{name}_vals.csv"), integers(vector.values().copied())),
        ]);
        let found = outcome(UNION, files);
        let mut sum = x.clone();
        z.iter().for_each(|(i, value)| *sum.entry(*i).or_default() += value);
        prop_assert_eq!(&found.files["y_crd.csv"], &integers(sum.keys().copied()));
        prop_assert_eq!(&found.files["y_vals.csv"], &integers(sum.values().copied()));
    }

    /// Whatever numbers a text has, it runs or is refused.
    #[test]
    fn any_number_in_a_text(
        text in prop::sample::select(TEXTS),
        numbers in prop::collection::vec((0..100usize, number()), 1..3),
    ) {
        let changed = numbers.iter().try_fold(text.to_owned(), |text, (place, number)| {
            with_number(&text, *place, *number)
        });
        let Some(app) = changed.and_then(|text| read(&text).ok()) else { return Ok(()) };
        run_and_estimate(&app);
    }

    /// Whatever lines of a text are missing or in other places, it runs or is refused.
    #[test]
    fn any_lines_of_a_text(
        text in prop::sample::select(TEXTS),
        lines in prop::collection::vec((0..100usize, prop::option::of(0..100usize)), 1..4),
    ) {
        let changed = lines.iter().fold(text.to_owned(), |text, (place, other)| {
            with_line(&text, *place, *other)
        });
        let Ok(app) = read(&changed) else { return Ok(()) };
        run_and_estimate(&app);
    }
}
