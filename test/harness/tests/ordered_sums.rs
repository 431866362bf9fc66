//! `--ordered-sums`: what a program prints is what plain loops of Rust add up, to the last bit, at each level
//! of optimization and on any number of threads. The data are such that each other order shows.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use comet_harness::compiler::{self, End};

/// Rows, and the columns of dense operands: no multiple of a vector's lanes.
const SIZE: usize = 61;

/// Numbers of very different magnitudes and signs, so that nearly every sum rounds.
struct Numbers(u64);

impl Numbers {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn value(&mut self) -> f64 {
        let mantissa = 1.0 + self.draw() as f64 / 2f64.powi(31);
        let exponent = (self.draw() % 40) as i32 - 20;
        let sign = if self.draw().is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * mantissa * 2f64.powi(exponent)
    }

    /// Row by row; absent where a draw says so.
    fn matrix(&mut self, is_dense: bool) -> Matrix {
        let entry = |numbers: &mut Self| {
            let value = numbers.value();
            (is_dense || !numbers.draw().is_multiple_of(3)).then_some(value)
        };
        Matrix((0..SIZE).map(|_| (0..SIZE).map(|_| entry(self)).collect()).collect())
    }
}

struct Matrix(Vec<Vec<Option<f64>>>);

impl Matrix {
    fn write(&self, path: &Path) {
        let entries: usize = self.0.iter().flatten().flatten().count();
        let mut text = format!("%%MatrixMarket matrix coordinate real general\n{SIZE} {SIZE} {entries}\n");
        for (row, values) in self.0.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    let _ = writeln!(text, "{} {} {value:?}", row + 1, column + 1);
                }
            }
        }
        fs::write(path, text).expect("a file can be written");
    }

    fn at(&self, row: usize, column: usize) -> Option<f64> {
        self.0[row][column]
    }
}

/// What a loop over `k` adds up; `None` where nothing comes to it.
fn sum(terms: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    terms.flatten().fold(None, |sum, term| Some(sum.unwrap_or(0.0) + term))
}

fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let term = |i: usize, j: usize, k: usize| Some(left.at(i, k)? * right.at(k, j)?);
    let element = |i, j| sum((0..SIZE).map(|k| term(i, j, k)));
    Matrix((0..SIZE).map(|i| (0..SIZE).map(|j| element(i, j)).collect()).collect())
}

/// The values that a program prints last, as bits, with these flags.
fn printed(program: &str, folder: &Path, flags: &[&str]) -> Vec<u64> {
    let comet = compiler::locate().expect("the program is built");
    fs::write(folder.join("program.ta"), program).expect("a file can be written");
    let fixed =
        ["run", "program.ta", "--print=exact", "--input=S=s.mtx", "--input=R=r.mtx", "--input=D=d.mtx"];
    let finished = compiler::run(&comet, &[&fixed, flags].concat(), &[], folder).expect("the compiler runs");
    assert_eq!(finished.end, End::Exit(0), "{}", finished.stderr);
    let text = finished.stdout.trim();
    let last = text.rsplit("data = ").next().unwrap_or(text);
    let numbers = last.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse::<f64>().expect("a number").to_bits()).collect()
}

/// Compares as `check` does, and sees to it that the data are worth it: without the flag the result differs.
fn check_that_shows(declarations: &str, statements: &str, expected: impl Fn(&Data) -> Vec<f64>) {
    assert!(check(declarations, statements, expected), "no order shows in the data of `{statements}`");
}

/// Compares a program with the order of loops; says whether the result differs without the flag in some run.
fn check(declarations: &str, statements: &str, expected: impl Fn(&Data) -> Vec<f64>) -> bool {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let data = Data::new();
    data.write(folder.path());
    let program = format!(
        "def main() {{\n  IndexLabel [i, j, k, l] = [{SIZE}];\n  {declarations}\n  S[i, k] = comet_read(0);\n  \
         R[k, j] = comet_read(1);\n  D[k, j] = comet_read(2);\n  {statements}\n}}\n"
    );
    let expected: Vec<u64> = expected(&data).into_iter().map(f64::to_bits).collect();
    let mut differs = false;
    for flags in [["-O0", "--threads=1"], ["-O3", "--threads=1"], ["-O3", "--threads=2"]] {
        let ordered = printed(&program, folder.path(), &[&flags[..], &["--ordered-sums"]].concat());
        assert!(ordered == expected, "{program}{flags:?}");
        differs |= printed(&program, folder.path(), &flags) != expected;
    }
    differs
}

/// Two sparse matrices and a dense one.
struct Data {
    sparse: Matrix,
    other: Matrix,
    dense: Matrix,
}

impl Data {
    fn new() -> Self {
        let mut numbers = Numbers(5);
        let mut sparse = numbers.matrix(false);
        // The famous ones.
        sparse.0[0] = [1e16, 1.0, -1e16, 1.0].into_iter().cycle().take(SIZE).map(Some).collect();
        Self { sparse, other: numbers.matrix(false), dense: numbers.matrix(true) }
    }

    fn write(&self, folder: &Path) {
        let files = [("s.mtx", &self.sparse), ("r.mtx", &self.other), ("d.mtx", &self.dense)];
        files.iter().for_each(|(name, matrix)| matrix.write(&folder.join(name)));
    }
}

/// With that format of the first sparse operand and of the second.
fn tensors(first: &str, second: &str, result: &str) -> String {
    format!(
        "Tensor<double> S([i, k], {first}); Tensor<double> R([k, j], {second}); Tensor<double> D([k, j], Dense); \
         {result}"
    )
}

/// All elements, 0 where nothing came.
fn dense(matrix: &Matrix) -> Vec<f64> {
    matrix.0.iter().flatten().map(|value| value.unwrap_or(0.0)).collect()
}

#[test]
fn sparse_matrix_times_vector() {
    let result = "Tensor<double> x([k], Dense); Tensor<double> y([i], Dense);";
    let statements = "x[k] = 0.1; y[i] = S[i, k] * x[k]; print(y);";
    let rows = |data: &Data| {
        let row = |row: &Vec<Option<f64>>| sum(row.iter().map(|value| Some((*value)? * 0.1)));
        data.sparse.0.iter().map(|values| row(values).unwrap_or(0.0)).collect()
    };
    check_that_shows(&tensors("CSR", "CSR", result), statements, rows);
    check_that_shows(&tensors("CSC", "CSR", result), statements, rows);
    check(&tensors("COO", "CSR", result), statements, rows);
}

#[test]
fn dense_dot_products() {
    check_that_shows(&tensors("CSR", "CSR", ""), "var s = SUM(D[k, j] * D[k, j]); print(s);", |data| {
        vec![data.dense.0.iter().flatten().flatten().fold(0.0, |sum, value| sum + value * value)]
    });
    // One for each row: lanes of a vector without the flag.
    check_that_shows(
        &tensors("CSR", "CSR", "Tensor<double> y([k], Dense);"),
        "y[k] = D[k, j] * D[k, j]; print(y);",
        |data| {
            let row =
                |row: &Vec<Option<f64>>| row.iter().flatten().fold(0.0, |sum, value| sum + value * value);
            data.dense.0.iter().map(row).collect()
        },
    );
}

#[test]
fn sparse_matrix_times_dense_matrix() {
    let result = "Tensor<double> C([i, j], Dense);";
    let statements = "C[i, j] = S[i, k] * D[k, j]; print(C);";
    for format in ["CSR", "CSC"] {
        check_that_shows(&tensors(format, "CSR", result), statements, |data| {
            dense(&product(&data.sparse, &data.dense))
        });
    }
}

/// Without the flag it is a product of matrices of the run time.
#[test]
fn dense_matrices() {
    let result = "Tensor<double> C([k, l], Dense);";
    let statements = "C[k, l] = D[k, j] * D[j, l]; print(C);";
    check_that_shows(&tensors("CSR", "CSR", result), statements, |data| {
        dense(&product(&data.dense, &data.dense))
    });
}

/// Row by row in a workspace, and, with the loop of the sums outside, as points in any order.
#[test]
fn sparse_matrices() {
    let values = |data: &Data| product(&data.sparse, &data.other).0.into_iter().flatten().flatten().collect();
    let result = "Tensor<double> C([i, j], CSR);";
    let mut shows = check(&tensors("CSR", "CSR", result), "C[i, j] = S[i, k] * R[k, j]; print(C);", values);
    let orders = [
        "",
        "workspace(C, hash, 50);",
        "workspace(C, list, 5000);",
        "workspace(C, hash, 5000); parallelize(k, cpu);",
    ];
    for command in orders {
        let schedule = format!("schedule {{ order(k, i, j); {command} }}");
        let statements = format!("C[i, j] = S[i, k] * R[k, j] {schedule}; print(C);");
        shows |= check(&tensors("CSC", "CSR", result), &statements, values);
    }
    assert!(shows, "no order shows in the data");
}

/// Without the flag two of the factors are multiplied first.
#[test]
fn several_factors() {
    let result = "Tensor<double> C([i, l], Dense);";
    check_that_shows(
        &tensors("CSR", "CSR", result),
        "C[i, l] = S[i, k] * D[k, j] * D[j, l]; print(C);",
        |data| {
            let element = |i: usize, l: usize| {
                let terms = (0..SIZE).flat_map(|k| (0..SIZE).map(move |j| (k, j)));
                sum(terms
                    .map(|(k, j)| Some(data.sparse.at(i, k)? * data.dense.at(k, j)? * data.dense.at(j, l)?)))
            };
            (0..SIZE).flat_map(|i| (0..SIZE).map(move |l| element(i, l).unwrap_or(0.0))).collect()
        },
    );
}

/// A loop that reduces around one that does not: what the innermost ones add up comes to the result one by
/// one.
#[test]
fn sums_outside_of_others() {
    let result = "Tensor<double> y([j], Dense);";
    let statements = "y[j] = S[i, k] * D[k, j] schedule { order(i, j, k); }; print(y);";
    check_that_shows(&tensors("CSR", "CSR", result), statements, |data| {
        let element = |j: usize| {
            let terms = (0..SIZE).flat_map(|i| (0..SIZE).map(move |k| (i, k)));
            sum(terms.map(|(i, k)| Some(data.sparse.at(i, k)? * data.dense.at(k, j)?))).unwrap_or(0.0)
        };
        (0..SIZE).map(element).collect()
    });
}
