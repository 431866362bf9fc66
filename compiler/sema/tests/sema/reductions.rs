//! Where a label is reduced, and with which operator.

use insta::assert_snapshot;

use crate::statements;

/// Guards the examples of LANGUAGE.md.
#[test]
fn language_examples() {
    assert_snapshot!(reduced(
        r"
  y[i] = b[i] - A[i,j]*x[j];
  y[i] = b[i]/A[i,j];
  y[i] = (x[j]+b[i])*d[i];
  y[i] = (A[i,j]+b[i])*x[j];
"
    ), @r"
    y[i] = (b[i] - Σ{j} (A[i,j] * x[j]))
    y[i] = Σ{j} (b[i] / A[i,j])
    y[i] = ((Σ{j} x[j] + b[i]) * d[i])
    y[i] = Σ{j} ((A[i,j] + b[i]) * x[j])
    ");
}

/// Guards that parentheses, and nothing else, make a sum a term of another.
#[test]
fn sums_in_parentheses() {
    assert_snapshot!(reduced(
        r"
  y[i] = (x[j]+z[j]+b[i])*d[i];
  y[i] = ((x[j]+z[j])+b[i])*d[i];
  y[i] = (b[i]+(x[j]+z[j]))*d[i];
  y[i] = ((x[j]+z[j])*b[i]+d[i])*b[i];
  y[i] = b[i] - (x[j] - (z[j] + A[i,j]));
  y[i] = (x[j] + z[j]);
"
    ), @r"
    y[i] = Σ{j} (((x[j] + z[j]) + b[i]) * d[i])
    y[i] = ((Σ{j} (x[j] + z[j]) + b[i]) * d[i])
    y[i] = ((b[i] + Σ{j} (x[j] + z[j])) * d[i])
    y[i] = ((Σ{j} ((x[j] + z[j]) * b[i]) + d[i]) * b[i])
    y[i] = (b[i] - Σ{j} (x[j] - (z[j] + A[i,j])))
    y[i] = (Σ{j} x[j] + Σ{j} z[j])
    ");
}

/// Guards that a minus belongs to its term.
#[test]
fn minus() {
    assert_snapshot!(reduced(
        r"
  y[i] = -x[j];
  y[i] = -A[i,j]*x[j] - -b[i];
  y[i] = -(x[j] + b[i]);
  y[i] = -(x[j] + z[j]);
"
    ), @r"
    y[i] = Σ{j} -x[j]
    y[i] = (Σ{j} (-A[i,j] * x[j]) - -b[i])
    y[i] = -(Σ{j} x[j] + b[i])
    y[i] = Σ{j} -(x[j] + z[j])
    ");
}

/// Guards the operator and the place of semiring reductions.
#[test]
fn semirings() {
    assert_snapshot!(reduced(
        r"
  A[i,j] = B[i,k] @(min,+) C[k,j];
  A[i,l] = B[i,k] @(min,+) C[k,j] @(min,+) E[j,l];
  A[i,l] = B[i,k] @(min,+) C[k,j] @(max,*) E[j,l];
  A[i,j] = B[i,k] @(min,+) C[k,j] + B[i,k] * C[k,j] - A[i,j];
  A[i,j] = -B[i,k] @(min,+) C[k,j];
  A[i,j] = (B[i,k] + b[i]) @(min,+) E[i,j];
  A[i,j] = (B[i,k] + b[i]) @(min,+) C[k,j];
  y[i] = B[i,k] @(min,+) C[k,j] * x[j];
  y[i] = (B[i,k] * b[k]) @(max,first) C[i,j];
  y[i] = B[i,j] @(min) C[i,j];
"
    ), @r"
    A[i,j] = min{k} (B[i,k] @(+) C[k,j])
    A[i,l] = min{k,j} ((B[i,k] @(+) C[k,j]) @(+) E[j,l])
    A[i,l] = max{j} min{k} ((B[i,k] @(+) C[k,j]) @(*) E[j,l])
    A[i,j] = ((min{k} (B[i,k] @(+) C[k,j]) + Σ{k} (B[i,k] * C[k,j])) - A[i,j])
    A[i,j] = min{k} (-B[i,k] @(+) C[k,j])
    A[i,j] = ((min{k} B[i,k] + b[i]) @(+) E[i,j])
    A[i,j] = min{k} ((B[i,k] + b[i]) @(+) C[k,j])
    y[i] = Σ{j} min{k} ((B[i,k] @(+) C[k,j]) * x[j])
    y[i] = max{k,j} ((B[i,k] * b[k]) @(first) C[i,j])
    y[i] = Σ{j} (B[i,j] @(min) C[i,j])
    ");
}

/// Guards that SUM reduces every label, term by term.
#[test]
fn sums() {
    assert_snapshot!(reduced(
        r"
  var s = SUM(A[i,j]);
  s = SUM(A[i,j]*B[i,j] - x[i]);
  s = SUM(A[i,k] @(min,+) B[k,j]) + SUM(2);
"
    ), @r"
    s = reduction(Σ{i,j} A[i,j])
    s = reduction((Σ{i,j} (A[i,j] * B[i,j]) - Σ{i} x[i]))
    s = (reduction(min{i,k,j} (A[i,k] @(+) B[k,j])) + reduction(2))
    ");
}

/// Guards that MAX and MIN reduce the whole, the terms of a sum together.
#[test]
fn extremes() {
    assert_snapshot!(reduced(
        r"
  var s = MAX(A[i,j]);
  s = MIN(A[i,j]*B[i,j] - x[i]) + MAX(2);
  s = MAX(A[i,k] @(max,+) B[k,j]);
  s = MAX(abs(A[i,j]) + b[i]);
"
    ), @r"
    s = reduction(max{i,j} A[i,j])
    s = (reduction(min{i,j} ((A[i,j] * B[i,j]) - x[i])) + reduction(2))
    s = reduction(max{i,k,j} (A[i,k] @(+) B[k,j]))
    s = reduction(max{i,j} (abs(A[i,j]) + b[i]))
    ");
}

/// Guards that a label on the left is never reduced.
#[test]
fn batches() {
    assert_snapshot!(reduced(
        r"
  A[i,k] = B[i,j] * C[j,k] * E[i,k];
  A[i,j] = b[i];
  y[i] += A[j,j];
"
    ), @r"
    A[i,k] = Σ{j} ((B[i,j] * C[j,k]) * E[i,k])
    A[i,j] = b[i]
    y[i] += Σ{j} A[j,j]
    ");
}

/// The statements after tensors of many shapes.
fn reduced(text: &str) -> String {
    let vectors = ["b", "d", "x", "y", "z"].map(|name| format!("Tensor<double> {name}([i], Dense);"));
    let matrices = ["A", "B", "C", "E"].map(|name| format!("Tensor<double> {name}([i, j], CSR);"));
    statements(&format!("IndexLabel [i, j, k, l] = [4];{}{}{text}", vectors.concat(), matrices.concat()))
}
