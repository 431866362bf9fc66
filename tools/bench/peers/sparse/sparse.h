// What driver.c asks of a peer: operations on the caller's arrays, each made from nothing to a complete result and released again.
#ifndef SPARSE_H
#define SPARSE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COLUMNS = 32 }; // of the dense factors of SDDMM

enum operation { ADD, MULTIPLY, SDDMM, SPGEMM, SPGEMM_TO_CSC, COO_TO_CSR, CSR_TO_CSC, OPERATIONS };

// CSR, and with `row` COO; sorted and unique.
struct matrix {
  int64_t rows, columns, entries;
  int32_t *row, *pos, *crd;
  double *values;
};

struct problem {
  struct matrix a, b;   // of the same shape
  double *left, *right; // COLUMNS to a row of `a`, and to a column of it
};

// CSR, or the columns of CSC.
struct result {
  int64_t lines, entries;
  const int32_t *pos, *crd;
  const double *values;
};

// Gets ready for an operation; 0 where the peer has none of that kind.
int prepare(enum operation operation, const struct problem *problem);
// Makes the result. This is timed.
void compute(void);
// Shows the result.
struct result show(void);
// Gives the result's memory back. This is timed.
void release(void);

#ifdef __cplusplus
}
#endif
#endif
