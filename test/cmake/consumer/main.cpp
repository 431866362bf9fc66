// A x, x A, A A and the sums of rows of a tridiagonal matrix, compared with loops.
#include "spgemm.hpp"
#include "spmv.hpp"
#include "spmv.v2.hpp"
#include "sums.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

static void expect(bool holds, const char *what) {
  if (!holds) {
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
  }
}

int main() {
  const int n = 100;
  std::vector<std::int32_t> pos{0}, crd;
  std::vector<double> values, x;
  std::vector<std::vector<double>> dense(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i) {
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) {
      crd.push_back(j);
      values.push_back(dense[i][j] = 1 + (7 * i + 3 * j) % 5);
    }
    pos.push_back(static_cast<std::int32_t>(crd.size()));
    x.push_back(1 + i % 3);
  }
  auto A = comet::csr<double>::borrow(n, n, pos, crd, values);
  auto y = kernels::spmv(A, comet::dense<double>::borrow(x));
  auto t = kernels::spmv_transposed(A, comet::dense<double>::borrow(x));
  auto s = sums::row_sums(A);
  auto C = kernels::spgemm(A, A);
  for (int i = 0; i < n; ++i) {
    double product = 0, transposed = 0, sum = 0;
    for (int j = 0; j < n; ++j)
      product += dense[i][j] * x[j], transposed += dense[j][i] * x[j], sum += dense[i][j];
    expect(y.values()[i] == product, "A x");
    expect(t.values()[i] == transposed, "x A");
    expect(s.values()[i] == sum, "the sums of rows");
    for (auto p = C.pos()[i]; p < C.pos()[i + 1]; ++p) {
      double expected = 0;
      for (int k = 0; k < n; ++k)
        expected += dense[i][k] * dense[k][C.crd()[p]];
      expect(C.values()[p] == expected, "A A");
    }
  }
  try {
    std::vector<double> few(3);
    kernels::spmv(A, comet::dense<double>::borrow(few));
    expect(false, "an error");
  } catch (const comet::error &error) {
    std::printf("%s\n", error.what());
  }
}
