//! The cases: loops in orders that are not those of the operands, results that are stored in others again.

use super::case::{Case, CaseOperand, operand, result};

/// Extents and operands that several cases have.
const MATRIX: &[(char, usize)] = &[('i', 100_000), ('j', 100_000)];
const WIDE: &[(char, usize)] = &[('i', 20_000), ('k', 20_000), ('j', 256)];
const SQUARES: &[(char, usize)] = &[('i', 3000), ('k', 3000), ('j', 3000)];
const FACTORS: &[CaseOperand] = &[operand("A", "ik", "CSR", 30_000), operand("B", "kj", "CSR", 30_000)];
const MASKED: &[CaseOperand] = &[
    operand("A", "ik", "CSR", 30_000),
    operand("B", "kj", "CSR", 30_000),
    operand("M", "ij", "CSR", 300_000),
];
const TENSOR: &[(char, usize)] = &[('i', 300), ('j', 200), ('k', 400), ('r', 64)];
const T: CaseOperand = operand("T", "ijk", "CSF", 100_000);
/// Its factors.
const X: CaseOperand = operand("X", "ir", "CSR", 4000);
const Y: CaseOperand = operand("Y", "jr", "CSR", 3000);
const Z: CaseOperand = operand("Z", "kr", "CSR", 5000);
/// A table and a list that are merged into the result a few times.
const HASH: &str = "workspace(R, hash, 65536);";
const LIST: &str = "workspace(R, list, 65536);";
const DENSE: &str = "workspace(R, dense);";
const KINDS: &[&str] = &[DENSE, HASH, LIST];
/// Tiles that the data asks for, in shares of a cache of tens of megabytes, and tiles whatever the data says.
const TILES: &[&str] =
    &["tile(auto, buffer = 1MiB);", "tile(auto, buffer = 8MiB);", "tile(i: 8192, k: 6144);"];
/// For results whose dense copies would be many times as large.
const SPARSE: &[&str] = &[HASH, LIST];

pub(super) const CASES: &[Case] = &[
    Case {
        name: "transpose-csr",
        extents: MATRIX,
        operands: &[operand("A", "ij", "CSR", 1_000_000)],
        result: result("ji", "CSR"),
        expression: "A[i, j]",
        schedules: &["order(i, j);", HASH, LIST],
    },
    Case {
        name: "transpose-coo",
        extents: MATRIX,
        operands: &[operand("A", "ij", "COO", 1_000_000)],
        result: result("ji", "COO"),
        expression: "A[i, j]",
        schedules: &["order(i, j);", HASH, LIST],
    },
    Case {
        name: "permuted-copy-coo",
        extents: TENSOR,
        operands: &[operand("T", "ijk", "COO", 500_000)],
        result: result("kij", "COO"),
        expression: "T[i, j, k]",
        schedules: &["order(i, j, k);", "order(j, k, i);", HASH, LIST],
    },
    Case {
        name: "permuted-copy-csf",
        extents: TENSOR,
        operands: &[operand("T", "ijk", "CSF", 500_000)],
        result: result("kij", "CSF"),
        expression: "T[i, j, k]",
        schedules: &["order(i, j, k);", "order(j, k, i);", HASH, LIST],
    },
    Case {
        name: "sum-with-transpose",
        extents: MATRIX,
        operands: &[operand("A", "ij", "CSR", 1_000_000), operand("B", "ji", "CSR", 1_000_000)],
        result: result("ij", "CSR"),
        expression: "A[i, j] + B[j, i]",
        schedules: &["order(j, i);", HASH, LIST],
    },
    Case {
        name: "sum-with-transpose-hypersparse",
        extents: &[('i', 100_000_000), ('j', 100_000_000)],
        operands: &[operand("A", "ij", "DCSR", 1_000_000), operand("B", "ji", "COO", 1_000_000)],
        result: result("ij", "DCSR"),
        expression: "A[i, j] + B[j, i]",
        schedules: &["order(j, i);", HASH, LIST],
    },
    Case {
        name: "spgemm",
        extents: SQUARES,
        operands: FACTORS,
        result: result("ij", "CSR"),
        expression: "A[i, k] * B[k, j]",
        schedules: &[
            DENSE,
            HASH,
            LIST,
            "order(i, j, k);",
            "order(k, i, j);",
            "order(k, j, i);",
            "order(j, k, i);",
            "order(j, i, k);",
        ],
    },
    Case {
        name: "spgemm-coo",
        extents: SQUARES,
        operands: FACTORS,
        result: result("ij", "COO"),
        expression: "A[i, k] * B[k, j]",
        schedules: &[DENSE, HASH, LIST, "order(k, i, j);", "order(j, k, i);"],
    },
    Case {
        name: "spgemm-masked",
        extents: SQUARES,
        operands: MASKED,
        result: result("ij", "CSR"),
        expression: "<M> A[i, k] * B[k, j]",
        schedules: &[DENSE, HASH, LIST, "order(k, i, j);"],
    },
    Case {
        name: "spgemm-complement",
        extents: SQUARES,
        operands: MASKED,
        result: result("ij", "CSR"),
        expression: "<!M> A[i, k] * B[k, j]",
        schedules: &[DENSE, HASH, LIST, "order(k, i, j);"],
    },
    Case {
        name: "three-factors",
        extents: &[('i', 3000), ('k', 3000), ('l', 3000), ('j', 3000)],
        operands: &[
            operand("A", "ik", "CSR", 20_000),
            operand("B", "kl", "CSR", 20_000),
            operand("C", "lj", "CSR", 20_000),
        ],
        result: result("ij", "CSR"),
        expression: "A[i, k] * B[k, l] * C[l, j]",
        schedules: &[
            "order(i, k, l, j);",
            "order(i, k, l, j); workspace(R, hash, 65536);",
            "order(l, k, i, j);",
            "precompute(A[i, k] * B[k, l], {i, l}, {iw, lw}, W : CSR);",
            "precompute(A[i, k] * B[k, l], {i, l}, {iw, lw}, W : CSR); workspace(W, hash, 65536); workspace(R, dense);",
        ],
    },
    Case {
        name: "ttv-i",
        extents: TENSOR,
        operands: &[T, operand("x", "i", "SparseVector", 100)],
        result: result("jk", "CSR"),
        expression: "T[i, j, k] * x[i]",
        schedules: KINDS,
    },
    Case {
        name: "ttv-j",
        extents: TENSOR,
        operands: &[T, operand("x", "j", "SparseVector", 60)],
        result: result("ik", "CSR"),
        expression: "T[i, j, k] * x[j]",
        schedules: KINDS,
    },
    Case {
        name: "ttv-k",
        extents: TENSOR,
        operands: &[T, operand("x", "k", "SparseVector", 120)],
        result: result("ij", "CSR"),
        expression: "T[i, j, k] * x[k]",
        schedules: KINDS,
    },
    Case {
        name: "ttm-i",
        extents: TENSOR,
        operands: &[T, X],
        result: result("jkr", "CSF"),
        expression: "T[i, j, k] * X[i, r]",
        schedules: SPARSE,
    },
    Case {
        name: "ttm-j",
        extents: TENSOR,
        operands: &[T, operand("X", "jr", "CSR", 3000)],
        result: result("ikr", "CSF"),
        expression: "T[i, j, k] * X[j, r]",
        schedules: SPARSE,
    },
    Case {
        name: "ttm-k",
        extents: TENSOR,
        operands: &[T, operand("X", "kr", "CSR", 5000)],
        result: result("ijr", "CSF"),
        expression: "T[i, j, k] * X[k, r]",
        schedules: SPARSE,
    },
    Case {
        name: "mttkrp-i",
        extents: TENSOR,
        operands: &[T, Y, Z],
        result: result("ir", "CSR"),
        expression: "T[i, j, k] * Y[j, r] * Z[k, r]",
        schedules: KINDS,
    },
    Case {
        name: "mttkrp-j",
        extents: TENSOR,
        operands: &[T, X, Z],
        result: result("jr", "CSR"),
        expression: "T[i, j, k] * X[i, r] * Z[k, r]",
        schedules: KINDS,
    },
    Case {
        name: "mttkrp-k",
        extents: TENSOR,
        operands: &[T, X, Y],
        result: result("kr", "CSR"),
        expression: "T[i, j, k] * X[i, r] * Y[j, r]",
        schedules: KINDS,
    },
    Case {
        name: "kronecker",
        extents: &[('i', 200), ('j', 200), ('k', 200), ('l', 200)],
        operands: &[operand("A", "ij", "CSR", 1000), operand("B", "kl", "CSR", 1000)],
        result: result("ikjl", "{D, D, CU, CU}"),
        expression: "A[i, j] * B[k, l]",
        schedules: &["order(i, j, k, l);", HASH, LIST],
    },
    Case {
        name: "khatri-rao",
        extents: &[('i', 1000), ('j', 1000), ('r', 200)],
        operands: &[operand("A", "ir", "CSR", 10_000), operand("B", "jr", "CSR", 10_000)],
        result: result("ijr", "CSF"),
        expression: "A[i, r] * B[j, r]",
        schedules: &["order(r, i, j);", HASH, LIST],
    },
    Case {
        name: "spmm-long-rows",
        extents: WIDE,
        operands: &[operand("A", "ik", "CSR", 8_000_000), operand("B", "kj", "Dense", 5_120_000)],
        result: result("ij", "Dense"),
        expression: "A[i, k] * B[k, j]",
        schedules: TILES,
    },
    Case {
        name: "spmm-short-rows",
        extents: WIDE,
        operands: &[operand("A", "ik", "CSR", 500_000), operand("B", "kj", "Dense", 5_120_000)],
        result: result("ij", "Dense"),
        expression: "A[i, k] * B[k, j]",
        schedules: TILES,
    },
];
