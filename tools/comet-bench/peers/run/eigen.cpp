// Eigen's sparse matrices. It has no SDDMM.

#include "peer.h"
#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <vector>

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;
using Operand = Eigen::Map<const Rows>;
using Vector = Eigen::Map<Eigen::VectorXd>;
template <int columns> using Table = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, columns, Eigen::RowMajor>>;

static std::optional<Operand> a, b, d;
static std::vector<Eigen::Triplet<double, int32_t>> triplets;
static std::unique_ptr<Rows> rows;
static std::unique_ptr<Columns> columns;

static std::optional<Operand> csr(const tensor &t) {
  if (!t.levels[1].pos) return std::nullopt;
  return std::optional<Operand>(std::in_place, t.dims[0], t.dims[1], t.count, t.levels[1].pos, t.levels[1].crd, t.values);
}

static void prepare() { a = csr(operand[0]), b = csr(operand[1]), d = csr(operand[2]); }

static void prepare_coo() {
  const tensor &t = operand[0];
  for (int64_t e = 0; e < t.count; e++) triplets.emplace_back(t.levels[0].crd[e], t.levels[1].crd[e], t.values[e]);
}

static void spmv() { Vector(dense.values, dense.count).noalias() = *a * Vector(operand[1].values, operand[1].count); }

template <int columns> static void spmm() {
  Table<columns>(dense.values, dense.dims[0], columns).noalias() = *a * Table<columns>(operand[1].values, operand[1].dims[0], columns);
}

static void make(Rows &&matrix) { rows = std::make_unique<Rows>(std::move(matrix)); }
static void make(Columns &&matrix) { columns = std::make_unique<Columns>(std::move(matrix)); }

static void coo_to_csr() {
  rows = std::make_unique<Rows>(operand[0].dims[0], operand[0].dims[1]);
  rows->setFromTriplets(triplets.begin(), triplets.end());
}

template <class Matrix> static result shown(Matrix &matrix) {
  matrix.makeCompressed();
  return {matrix.outerSize(), 1, nullptr, matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr()};
}

static result show() { return columns ? shown(*columns) : shown(*rows); }

static void release() {
  rows.reset();
  columns.reset();
}

extern const operation operations[] = {
    {"spmv", prepare, spmv, nullptr, nullptr},
    {"spmm32", prepare, spmm<32>, nullptr, nullptr},
    {"spmm64", prepare, spmm<64>, nullptr, nullptr},
    {"add2", prepare, [] { make(Rows(*a + *b)); }, show, release},
    {"add3", prepare, [] { make(Rows(*a + *b + *d)); }, show, release},
    {"multiply", prepare, [] { make(Rows(a->cwiseProduct(*b))); }, show, release},
    {"spgemm", prepare, [] { make(Rows(*a * *b)); }, show, release},
    {"spgemm_to_csc", prepare, [] { make(Columns(Rows(*a * *b))); }, show, release},
    {"coo_to_csr", prepare_coo, coo_to_csr, show, release},
    {"csr_to_csc", prepare, [] { make(Columns(*a)); }, show, release},
    {},
};
