//! The examples of LANGUAGE.md and its rules, on data small enough to follow by hand.

// The functions around the tests unwrap, too.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use comet_diag::Source;
use comet_oracle::{Digits, Evaluation, Inputs, OracleError, run};

/// Runs the statements of a `main` with files of those texts.
fn outcome(body: &str, files: &[(&str, &str, &str)]) -> Result<Evaluation, OracleError> {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = Inputs::default();
    for (key, extension, text) in files {
        let path = folder.path().join(format!("file{key}.{extension}"));
        std::fs::write(&path, text).unwrap();
        inputs.files.insert((*key).to_string(), path);
    }
    let text = if body.contains("def ") { body.to_string() } else { format!("def main() {{ {body} }}") };
    let module = comet_syntax::parse(&Source::new("test.ta", text)).unwrap();
    run(&module, &inputs)
}

/// What the statements print: the arrays of numbers only, one to a line.
fn printed(body: &str, files: &[(&str, &str, &str)]) -> String {
    let text = outcome(body, files).unwrap().text(Digits::Six);
    let lines = text.lines().filter(|line| *line != "data = ").collect::<Vec<_>>();
    lines.join("\n")
}

/// Declares A (2 by 3, values 1 to 6), b and y over its rows, and x over its columns.
const SMALL: &str = "IndexLabel [i] = [2]; IndexLabel [j] = [3];
    Tensor<double> A([i, j], Dense); Tensor<double> b([i], Dense); Tensor<double> c([i], Dense);
    Tensor<double> x([j], Dense); Tensor<double> y([i], Dense);
    A[i, j] = [[1, 2, 3], [4, 5, 6]]; b[i] = [10, 20]; c[i] = [2, 3]; x[j] = [1, 0.5, 2];";

fn small(statements: &str) -> String {
    printed(&format!("{SMALL} {statements}"), &[])
}

const MATRIX: &str =
    "%%MatrixMarket matrix coordinate real general\n3 4 5\n1 2 12\n1 4 14\n3 1 31\n3 3 33\n3 4 34\n";

#[test]
fn a_label_is_reduced_around_the_smallest_additive_term() {
    assert_eq!(small("y[i] = b[i] - A[i, j] * x[j]; print(y);"), "2,1.5,");
    assert_eq!(small("y[i] = b[i] / A[i, j]; print(y);"), "18.3333,12.3333,");
    assert_eq!(small("y[i] = (x[j] + c[i]) * b[i]; print(y);"), "55,130,");
    assert_eq!(small("y[i] = (A[i, j] + b[i]) * x[j]; print(y);"), "43,88.5,");
    assert_eq!(small("y[i] = b[i] - (x[j] + c[i]); print(y);"), "4.5,13.5,");
    // The two uses of j are in one term of the product, then in two.
    assert_eq!(small("y[i] = (x[j] * x[j] + c[i]) * b[i]; print(y);"), "72.5,165,");
    assert_eq!(small("y[i] = (x[j] + c[i] + x[j]) * b[i]; print(y);"), "130,320,");
    assert_eq!(small("y[i] = (x[j] + c[i] + x[j]) - b[i]; print(y);"), "3,-4,");
    assert_eq!(small("y[i] = x[j] + c[i] + x[j] - b[i]; print(y);"), "-1,-10,");
}

#[test]
fn the_right_hand_side_reads_old_values() {
    assert_eq!(small("b[i] = b[i] + c[i] * b[i]; print(b);"), "30,80,");
    assert_eq!(small("b[i] += A[i, j]; b[i] -= c[i]; print(b);"), "14,32,");
}

#[test]
fn absent_labels_broadcast() {
    assert_eq!(small("A[i, j] = b[i]; print(A);"), "10,10,10,20,20,20,");
    assert_eq!(small("A[i, j] = A[i, j] * 2 - x[j]; print(A);"), "1,3.5,4,7,9.5,10,");
}

#[test]
fn semirings_reduce_with_their_operator() {
    assert_eq!(small("y[i] = A[i, j] @(min, +) x[j]; print(y);"), "2,5,");
    assert_eq!(small("y[i] = A[i, j] @(max, *) x[j]; print(y);"), "6,12,");
    assert_eq!(small("y[i] = b[i] @(min) c[i]; print(y);"), "2,3,");
    assert_eq!(small("y[i] = b[i] + A[i, j] @(|, pair) x[j]; print(y);"), "11,21,");
}

#[test]
fn what_is_not_reached_is_the_identity() {
    let body = "IndexLabel [i, j] = [?]; Tensor<double> A([i, j], CSR); Tensor<double> x([j], Dense);
        Tensor<double> y([i], Dense); A[i, j] = comet_read(0); x[j] = 1.0;
        y[i] = A[i, j] @(min, +) x[j]; print(y); y[i] = A[i, j] * x[j]; print(y);";
    assert_eq!(printed(body, &[("0", "mtx", MATRIX)]), "13,inf,32,\n26,0,98,");
}

/// Reads the matrix in a format and prints it.
fn stored(format: &str) -> String {
    let body = format!(
        "IndexLabel [i, j] = [?]; Tensor<double> A([i, j], {format}); A[i, j] = comet_read(0); print(A);"
    );
    printed(&body, &[("0", "mtx", MATRIX)])
}

#[test]
fn formats_print_their_levels() {
    assert_eq!(stored("CSR"), "3,\n-1,\n0,2,2,5,\n1,3,0,2,3,\n12,14,31,33,34,");
    assert_eq!(stored("CSC"), "4,\n-1,\n0,1,2,3,5,\n2,0,2,0,2,\n31,12,33,14,34,");
    assert_eq!(stored("DCSR"), "0,2,\n0,2,\n0,2,5,\n1,3,0,2,3,\n12,14,31,33,34,");
    assert_eq!(stored("COO"), "0,5,\n0,0,2,2,2,\n-1,\n1,3,0,2,3,\n12,14,31,33,34,");
    assert_eq!(stored("{CN, CU}"), "0,2,\n0,2,\n0,2,5,\n1,3,0,2,3,\n12,14,31,33,34,");
    assert_eq!(stored("ELL"), "3,\n-1,\n3,\n-1,\n-1,\n1,3,-1,-1,-1,-1,0,2,3,\n12,14,0,0,0,0,31,33,34,");
    assert_eq!(
        stored("BCSR<2, 3>"),
        "2,\n-1,\n0,2,4,\n0,1,0,1,\n2,\n-1,\n3,\n-1,\n0,12,0,0,0,0,14,0,0,0,0,0,31,0,33,0,0,0,34,0,0,0,0,0,"
    );
    assert_eq!(
        stored("CSB<2, 2>"),
        "2,\n-1,\n2,\n-1,\n0,1,2,3,5,\n0,0,0,0,0,\n-1,\n1,1,0,0,1,\n12,14,31,33,34,"
    );
    assert_eq!(stored("{D, BV<8>}"), "3,\n-1,\n0,2,2,5,\n10,0,13,\n12,14,31,33,34,");
    assert_eq!(stored("{CU, D}"), "0,2,\n0,2,\n4,\n-1,\n0,12,0,14,31,0,33,34,");
}

#[test]
fn a_singleton_level_holds_one_coordinate() {
    let body = "Tensor<double> A([?, ?], {D, S}); A[i, j] = comet_read(0); print(A);";
    let one = "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 12\n3 1 31\n";
    assert_eq!(printed(body, &[("0", "mtx", one)]), "3,\n-1,\n-1,\n1,-1,0,\n12,0,31,");
    assert!(outcome(body, &[("0", "mtx", MATRIX)]).is_err());
}

#[test]
fn mode_generic_holds_blocks() {
    let body = "Tensor<double> A([2, 2, 3], ModeGeneric); A[i, j, k] = comet_read(0); print(A);";
    let file = "1 2 3 5\n2 1 1 7\n2 1 2 8\n";
    assert_eq!(printed(body, &[("0", "tns", file)]), "0,2,\n0,1,\n-1,\n1,0,\n3,\n-1,\n0,0,5,7,8,0,");
}

#[test]
fn patterns_are_those_of_the_expression() {
    let body = |statement: &str| {
        format!(
            "IndexLabel [i] = [4]; Tensor<double> a([i], SparseVector); Tensor<double> b([i], SparseVector);
             Tensor<double> c([i], SparseVector); a[i] = comet_read(0); b[i] = comet_read(1); {statement} print(c);"
        )
    };
    let files = [("0", "tns", "1 1.5\n2 2\n"), ("1", "tns", "2 0\n4 4\n")];
    assert_eq!(printed(&body("c[i] = a[i] + b[i];"), &files), "0,3,\n0,1,3,\n1.5,2,4,");
    assert_eq!(printed(&body("c[i] = a[i] * b[i];"), &files), "0,1,\n1,\n0,");
    assert_eq!(printed(&body("c[i] = a[i]; c[i] -= b[i];"), &files), "0,3,\n0,1,3,\n1.5,2,-4,");
    assert_eq!(printed(&body("c[i]<b> = a[i];"), &files), "0,1,\n1,\n2,");
    assert_eq!(printed(&body("c[i] = b[i]; c[i]<!b> += a[i];"), &files), "0,3,\n0,1,3,\n1.5,0,4,");
}

#[test]
fn comet_files_have_a_header() {
    let body = "Tensor<int> a([?], COO); a[i] = comet_read(); print(a);";
    assert_eq!(printed(body, &[("", "tns", "7 2\n0 5\n6 6\n")]), "0,2,\n0,6,\n5,6,");
    assert_eq!(printed(body, &[("", "tns", "7 2\n1 5\n7 6\n")]), "0,2,\n0,6,\n5,8,");
}

#[test]
fn symmetric_files_are_mirrored_and_read_in_part() {
    let body = |mode: usize| {
        format!(
            "Tensor<double> A([?, ?], CSR); A[i, j] = comet_read(0, {mode}); Tensor<double> D([3, 3], Dense);
            IndexLabel [i, j]; D[i, j] = A[i, j]; print(D);"
        )
    };
    let file = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 1 2\n3 2 3\n";
    assert_eq!(printed(&body(1), &[("0", "mtx", file)]), "1,2,0,2,0,3,0,3,0,");
    assert_eq!(printed(&body(2), &[("0", "mtx", file)]), "0,0,0,2,0,0,0,3,0,");
    assert_eq!(printed(&body(5), &[("0", "mtx", file)]), "1,2,0,0,0,3,0,0,0,");
}

#[test]
fn functions_share_tensors() {
    let program = "def scale(Tensor<double> a([i], Dense), double s) { a[i] = a[i] * s; }
        def dot(Tensor<double> a([i], Dense), Tensor<double> b([i], Dense)) -> double s { s = SUM(a[i] * b[i]); }
        def twice(Tensor<double> a([i], Dense)) -> Tensor<double> r([i], Dense) { r[i] = 2 * a[i]; }
        def main() {
            IndexLabel [i] = [3]; Tensor<double> v([i], Dense); Tensor<double> w([?], Dense);
            v[i] = [1, 2, 3]; scale(v, 10); print(v); w[i] = twice(v); print(w);
            var s = dot(v, w); print(s);
        }";
    assert_eq!(printed(program, &[]), "10,20,30,\n20,40,60,\n2800,");
}

#[test]
fn scalars_steer() {
    let body =
        "IndexLabel [i] = [3]; Tensor<double> v([i], Dense); v[i] = [1, 2, 3]; var s = SUM(v[i]); print(s);
        var n = 0; for k in range(1, 8, 3): n = n + k; end if n == 12: print(n + 1); else: print(0); end
        while n > 5: n = n - 4; end print(n); v[i] = v[i] * s; print(v);";
    assert_eq!(printed(body, &[]), "6\n13,\n4,\n6,12,18,");
}

#[test]
fn sizes_come_from_anywhere() {
    let body = "IndexLabel [i, j, k] = [?]; Tensor<double> y([i], Dense); y[q] = 1.0; Tensor<double> x([k], Dense);
        x[k] = 2.0; Tensor<double> A([i, j], CSR); A[a, b] = comet_read(0); y[i] += A[i, k] * x[k]; print(y);";
    assert_eq!(printed(body, &[("0", "mtx", MATRIX)]), "53,1,197,");
    assert!(outcome("Tensor<double> y([?], Dense); y[i] = 1.0;", &[]).is_err());
}

#[test]
fn literal_paths_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.mtx");
    std::fs::write(&path, MATRIX).unwrap();
    let body = format!(
        "Tensor<int> A([?, ?], Dense); A[i, j] = comet_read({:?}); print(A);",
        path.to_str().unwrap()
    );
    assert_eq!(printed(&body, &[]), "0,12,0,14,0,0,0,0,31,0,33,34,");
}
