// Solves A x = b by the conjugate gradient method, A an Eigen::SparseMatrix, and compares with Eigen's own.
#include "cg.hpp"
#include <Eigen/Sparse>
#include <cstdio>

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

int solve(const Matrix &matrix, const Eigen::VectorXd &b, Eigen::VectorXd &solution, double tolerance) {
  auto A = comet::borrow(matrix);
  auto x = comet::borrow(solution);
  auto r = comet::borrow(b).copy(), p = r.copy(), q = r.copy();
  double rr = cg::dot(r, r), end = tolerance * tolerance * rr;
  int steps = 0;
  for (; rr > end; ++steps) {
    cg::spmv(A, p, q);
    double before = rr;
    rr = cg::descend(rr / cg::dot(p, q), p, q, x, r);
    cg::turn(rr / before, r, p);
  }
  return steps;
}

int main() {
  const int n = 1000;
  Matrix A(n, n);
  for (int i = 0; i < n; ++i) {
    A.insert(i, i) = 2 + 1e-3 * i;
    if (i > 0) A.insert(i, i - 1) = -1;
    if (i < n - 1) A.insert(i, i + 1) = -1;
  }
  A.makeCompressed();
  Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 1), x = Eigen::VectorXd::Zero(n);
  int steps = solve(A, b, x, 1e-10);
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> own;
  own.setTolerance(1e-10);
  Eigen::VectorXd y = own.compute(A).solve(b);
  std::printf("comet %d steps, residual %.0e\n", steps, (b - A * x).norm() / b.norm());
  std::printf("Eigen %d steps, residual %.0e\n", int(own.iterations()), (b - A * y).norm() / b.norm());
}
