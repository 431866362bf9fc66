// The functions that TACO has generated for one expression: TACO_SOURCE is the file of `-write-source`, with the structures that it takes. A
// dense result is computed into the memory that is there; a sparse one is assembled and computed.

#include TACO_SOURCE

#include "peer.h"
#include <stdlib.h>

static taco_tensor_t in[MOST_OPERANDS], out;
static struct {
  int32_t dimensions[MOST_MODES];
  uint8_t *arrays[MOST_MODES][2], **indices[MOST_MODES];
} storage[MOST_OPERANDS + 1];

// TACO's structure around the arrays. It does not read what kinds its modes have, which the code knows.
static taco_tensor_t tensor_of(const struct tensor *t, int place) {
  for (int64_t mode = 0; mode < MOST_MODES; mode++) {
    storage[place].dimensions[mode] = t->dims[mode];
    storage[place].arrays[mode][0] = (uint8_t *)t->levels[mode].pos;
    storage[place].arrays[mode][1] = (uint8_t *)t->levels[mode].crd;
    storage[place].indices[mode] = storage[place].arrays[mode];
  }
  taco_tensor_t tensor = {0};
  tensor.order = t->rank;
  tensor.dimensions = storage[place].dimensions;
  tensor.indices = storage[place].indices;
  tensor.vals = (uint8_t *)t->values;
  return tensor;
}

// A result has the extents of the first operand, and behind them, as TTM's last mode, that of the second one.
static struct tensor result_of(void) {
  if (dense.values) return dense;
  struct tensor result = {.rank = operand[0].rank};
  for (int64_t mode = 0; mode < result.rank; mode++) result.dims[mode] = operand[0].dims[mode];
  if (result.rank == 3 && operand[1].rank == 2) result.dims[2] = operand[1].dims[1];
  if (PRODUCT) result.dims[1] = operand[1].dims[1];
  return result;
}

static void prepare(void) {
  struct tensor result = result_of();
  out = tensor_of(&result, MOST_OPERANDS);
  for (int i = 0; i < OPERANDS; i++) in[i] = tensor_of(&operand[i], i);
}

#if OPERANDS == 2
#define PASSED &out, &in[0], &in[1]
#else
#define PASSED &out, &in[0], &in[1], &in[2]
#endif

static void run(void) {
  if (dense.values)
    compute(PASSED);
  else
    evaluate(PASSED);
}

static struct result show(void) {
  if (dense.values) return (struct result){.values = dense.values};
  int32_t *outer_pos = (int32_t *)out.indices[0][0], *pos = (int32_t *)out.indices[1][0];
  int64_t lines = outer_pos ? outer_pos[1] : operand[0].dims[0], width = operand[0].rank == 3 && operand[1].rank == 2 ? operand[1].dims[1] : 1;
  return (struct result){lines, width, (int32_t *)out.indices[0][1], pos, (int32_t *)out.indices[1][1], (double *)out.vals};
}

static void release(void) {
  if (dense.values) return;
  for (int mode = 0; mode < 2; mode++)
    for (int part = 0; part < 2; part++) {
      free(out.indices[mode][part]);
      out.indices[mode][part] = NULL;
    }
  free(out.vals);
}

const struct operation operations[] = {{OPERATION, prepare, run, show, release}, {NULL}};
