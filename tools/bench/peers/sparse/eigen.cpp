// Eigen's sparse matrices. It has no SDDMM.

#include "sparse.h"
#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <vector>

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;
using Operand = Eigen::Map<const Rows>;

static operation wanted;
static std::optional<Operand> a, b;
static std::vector<Eigen::Triplet<double, int32_t>> triplets;
static std::unique_ptr<Rows> rows;
static std::unique_ptr<Columns> columns;

static Operand operand(const matrix &m) { return Operand(m.rows, m.columns, m.entries, m.pos, m.crd, m.values); }

int prepare(operation operation, const problem *problem) {
  wanted = operation;
  a.emplace(operand(problem->a));
  b.emplace(operand(problem->b));
  if (wanted == COO_TO_CSR)
    for (int64_t e = 0; e < problem->a.entries; e++)
      triplets.emplace_back(problem->a.row[e], problem->a.crd[e], problem->a.values[e]);
  return wanted != SDDMM;
}

void compute(void) {
  switch (wanted) {
  case ADD: rows = std::make_unique<Rows>(*a + *b); break;
  case MULTIPLY: rows = std::make_unique<Rows>(a->cwiseProduct(*b)); break;
  case SPGEMM: rows = std::make_unique<Rows>(*a * *a); break;
  case SPGEMM_TO_CSC: columns = std::make_unique<Columns>(Rows(*a * *a)); break;
  case COO_TO_CSR:
    rows = std::make_unique<Rows>(a->rows(), a->cols());
    rows->setFromTriplets(triplets.begin(), triplets.end());
    break;
  case CSR_TO_CSC: columns = std::make_unique<Columns>(*a); break;
  default: break;
  }
}

template <class Matrix> static result shown(Matrix &matrix) {
  matrix.makeCompressed();
  return {matrix.outerSize(), matrix.nonZeros(), matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr()};
}

result show(void) { return columns ? shown(*columns) : shown(*rows); }

void release(void) {
  rows.reset();
  columns.reset();
}
