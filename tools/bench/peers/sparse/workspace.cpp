// The product of CSR matrices with a dense workspace of a row, a list of what was touched, and sorted rows: the kernel of Kjolstad 2019,
// written by hand.

#include "sparse.h"
#include <algorithm>
#include <cstdlib>
#include <vector>

static const matrix *a;
static std::vector<int32_t> pos, touched;
static std::vector<char> marks;
static std::vector<double> row;
static int32_t *crd;
static double *values;
static int64_t entries;

int prepare(operation operation, const problem *problem) {
  a = &problem->a;
  return operation == SPGEMM;
}

void compute(void) {
  int64_t room = 2 * a->entries + 1;
  crd = static_cast<int32_t *>(std::malloc(room * sizeof(int32_t)));
  values = static_cast<double *>(std::malloc(room * sizeof(double)));
  pos.assign(a->rows + 1, 0);
  touched.resize(a->columns);
  marks.assign(a->columns, 0);
  row.resize(a->columns);
  entries = 0;
  for (int64_t i = 0; i < a->rows; i++) {
    int64_t count = 0;
    for (int32_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
      double factor = a->values[p];
      for (int32_t q = a->pos[a->crd[p]]; q < a->pos[a->crd[p] + 1]; q++) {
        int32_t j = a->crd[q];
        if (marks[j]) {
          row[j] += factor * a->values[q];
        } else {
          marks[j] = 1;
          row[j] = factor * a->values[q];
          touched[count++] = j;
        }
      }
    }
    std::sort(touched.begin(), touched.begin() + count);
    if (entries + count > room) {
      room = std::max(2 * room, entries + count);
      crd = static_cast<int32_t *>(std::realloc(crd, room * sizeof(int32_t)));
      values = static_cast<double *>(std::realloc(values, room * sizeof(double)));
    }
    for (int64_t n = 0; n < count; n++) {
      int32_t j = touched[n];
      marks[j] = 0;
      crd[entries] = j;
      values[entries++] = row[j];
    }
    pos[i + 1] = entries;
  }
}

result show(void) { return {a->rows, entries, pos.data(), crd, values}; }

void release(void) {
  std::free(crd);
  std::free(values);
}
