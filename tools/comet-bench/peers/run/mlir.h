// What functions that MLIR has compiled are given: descriptors of memref<?x…>, and of memref<?x?x…> and memref<?x?x?x…>.
#ifndef MLIR_H
#define MLIR_H

#include "peer.h"
#include <stdlib.h>
#include <string.h>

struct array { void *base, *start; int64_t offset, size, stride; };
struct table { void *base, *start; int64_t offset, sizes[2], strides[2]; };
struct cube { void *base, *start; int64_t offset, sizes[3], strides[3]; };

// What functions add to; a `linalg.fill` would become a constant that is copied into memory of its own.
static inline void clear(void) { memset(dense.values, 0, dense.count * sizeof *dense.values); }

static inline struct array array_of(void *start, int64_t size) { return (struct array){start, start, 0, size, 1}; }

static inline struct table table_of(const struct tensor *t) {
  return (struct table){t->values, t->values, 0, {t->dims[0], t->dims[1]}, {t->dims[1], 1}};
}

static inline struct cube cube_of(const struct tensor *t) {
  int64_t row = t->dims[2], slab = row * t->dims[1];
  return (struct cube){t->values, t->values, 0, {t->dims[0], t->dims[1], t->dims[2]}, {slab, row, 1}};
}

#endif
