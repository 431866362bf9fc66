//! Plans, decided before anything is written.

use comet_format::LevelKind;
use comet_notation::{Operator, Patterns};
use comet_spatial::app::{Scalar, whole};
use comet_spatial::lower::{self, Access, Assign, Home, Nest, Parallelism, Stmt, Tensor, Value};

const CSR: [LevelKind; 2] = [LevelKind::Dense, LevelKind::CompressedUnique];

fn tensor(name: &str, kinds: &[LevelKind]) -> Tensor {
    Tensor {
        name: name.to_owned(),
        element: Scalar::Double,
        levels: kinds.iter().enumerate().map(|(mode, kind)| whole(mode, *kind)).collect(),
        modes: (0..kinds.len()).collect(),
        home: Home::OffChip,
        is_resident: false,
        is_temporary: false,
    }
}

fn element(tensor: usize, indices: &[usize]) -> Value {
    Value::Access(Access { tensor, indices: indices.to_vec() })
}

/// The plan of an assignment to tensor 0, in loops over `i`, `j`, … in this order.
fn plan(tensors: Vec<Tensor>, target: &[usize], reduction: Option<Operator>, value: Value) -> String {
    let vars = ["i", "j", "k"].map(str::to_owned).to_vec();
    let assign = Assign { target: Access { tensor: 0, indices: target.to_vec() }, reduction, value };
    let used = 1 + assign.target.indices.iter().copied().max().unwrap_or(0);
    let used = if reduction.is_some() { vars.len() } else { used };
    let body = (0..used).rev().fold(Stmt::Assign(assign), |body, var| Stmt::Forall {
        var,
        par: Parallelism::Usual,
        body: vec![body],
    });
    let nest = Nest {
        name: "kernel".to_owned(),
        tensors,
        extents: (0..vars.len()).collect(),
        sizes: vec![None; vars.len()],
        vars,
        tiles: Vec::new(),
        numbers: Vec::new(),
        body: vec![body],
        is_cleared: true,
        communicated: Vec::new(),
        environment: Vec::new(),
    };
    lower::explain(&nest).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// A union of rows is scanned, and appends a segment that is reserved before its loop.
#[test]
fn unions_are_scanned_and_appended() {
    let tensors = ["A", "B", "C"].map(|name| tensor(name, &CSR)).to_vec();
    let (b, c) = (element(1, &[0, 1]), element(2, &[0, 1]));
    let sum = Value::Combine(Patterns::Union, Operator::Add, Box::new(b), Box::new(c));
    insta::assert_snapshot!(plan(tensors, &[0, 1], None, sum), @r"
    result A: [dense; appended]
    for i in all
      for j in (B[i, j] ∪ C[i, j]), reserve level 2
        A[i, j] = B[i, j] + C[i, j]
    ");
}

/// A product of sparse matrices is accumulated in a row on chip.
#[test]
fn products_are_accumulated() {
    let tensors = ["A", "B", "C"].map(|name| tensor(name, &CSR)).to_vec();
    let (b, c) = (element(1, &[0, 1]), element(2, &[1, 2]));
    let product = Value::Combine(Patterns::Intersection, Operator::Mul, Box::new(b), Box::new(c));
    insta::assert_snapshot!(plan(tensors, &[0, 2], Some(Operator::Add), product), @r"
    result A: [dense; appended, counted]
    for i in all
      temporary A_w: sparse SRAM, marked
        for j in B[i, j]
          for k in C[j, k]
            A_w[k] += B[i, j] * C[j, k]
      for k in all
        A[i, k] = A_w[k]
    ");
}

/// Values of one operand have its positions, and dense factors are brought on chip.
#[test]
fn levels_are_shared_with_an_operand() {
    let dense = [LevelKind::Dense; 2];
    let tensors = vec![tensor("A", &CSR), tensor("B", &CSR), tensor("D", &dense)];
    let (b, d) = (element(1, &[0, 1]), element(2, &[0, 1]));
    let product = Value::Combine(Patterns::Intersection, Operator::Mul, Box::new(b), Box::new(d));
    insta::assert_snapshot!(plan(tensors, &[0, 1], None, product), @r"
    result A: [dense; same as B[i, j]]
    for i in all
      load D[i, j] from level 2: sparse SRAM
      for j in B[i, j]
        A[i, j] = B[i, j] * D[i, j]
    ");
}
