// The kernels of operations.ta, as a library that comet has built.

#include "operations.h"
#include "peer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static comet_tensor in[MOST_OPERANDS], out;
static comet_pool pool;
static comet_call call;

// The caller's arrays in a tensor of the kernel's format.
static comet_tensor with_arrays(comet_tensor tensor, const struct tensor *t) {
  for (int64_t mode = 0; mode < t->rank; mode++) {
    const struct level *level = &t->levels[mode];
    tensor.dims[mode] = t->dims[mode];
    tensor.levels[mode].pos = level->pos, tensor.levels[mode].pos_count = level->pos_count;
    tensor.levels[mode].crd = level->crd, tensor.levels[mode].crd_count = level->crd_count;
  }
  tensor.values = t->values, tensor.value_count = t->count;
  return tensor;
}

static void get_ready(comet_tensor result) {
  call = comet_new_pool_call(&pool);
  out = dense.values ? with_arrays(result, &dense) : result;
}

static void done(comet_status status) {
  if (status == COMET_OK) return;
  fprintf(stderr, "comet: %s\n", call.message);
  exit(1);
}

static struct result show(void) {
  const comet_level *outer = &out.levels[0], *inner = &out.levels[1];
  return (struct result){inner->pos_count - 1, out.value_count / inner->crd_count, outer->crd, inner->pos, inner->crd, out.values};
}

static void release(void) { comet_release(&out, &call); }

#define OF_ONE(KERNEL)                                                                                                                     \
  static void prepare_##KERNEL(void) {                                                                                                     \
    get_ready(comet_##KERNEL##_C());                                                                                                       \
    in[0] = with_arrays(comet_##KERNEL##_A(), &operand[0]);                                                                                \
  }                                                                                                                                        \
  static void compute_##KERNEL(void) { done(KERNEL(&in[0], &out, &call)); }
#define OF_TWO(KERNEL)                                                                                                                     \
  static void prepare_##KERNEL(void) {                                                                                                     \
    get_ready(comet_##KERNEL##_C());                                                                                                       \
    in[0] = with_arrays(comet_##KERNEL##_A(), &operand[0]);                                                                                \
    in[1] = with_arrays(comet_##KERNEL##_B(), &operand[1]);                                                                                \
  }                                                                                                                                        \
  static void compute_##KERNEL(void) { done(KERNEL(&in[0], &in[1], &out, &call)); }
#define OF_THREE(KERNEL)                                                                                                                   \
  static void prepare_##KERNEL(void) {                                                                                                     \
    get_ready(comet_##KERNEL##_C());                                                                                                       \
    in[0] = with_arrays(comet_##KERNEL##_A(), &operand[0]);                                                                                \
    in[1] = with_arrays(comet_##KERNEL##_B(), &operand[1]);                                                                                \
    in[2] = with_arrays(comet_##KERNEL##_D(), &operand[2]);                                                                                \
  }                                                                                                                                        \
  static void compute_##KERNEL(void) { done(KERNEL(&in[0], &in[1], &in[2], &out, &call)); }

OF_TWO(spmv)
OF_TWO(spmm32)
OF_TWO(spmm64)
OF_THREE(sddmm)
OF_TWO(spgemm)
OF_TWO(spgemm_to_csc)
OF_TWO(add2)
OF_THREE(add3)
OF_TWO(multiply)
OF_ONE(coo_to_csr)
OF_ONE(csr_to_csc)
OF_TWO(ttv)
OF_TWO(ttv_sparse)
OF_TWO(ttm)
OF_TWO(ttm_sparse)
OF_THREE(mttkrp)
OF_TWO(dense4)

#define DENSE(KERNEL) {#KERNEL, prepare_##KERNEL, compute_##KERNEL, NULL, NULL}
#define SPARSE(KERNEL) {#KERNEL, prepare_##KERNEL, compute_##KERNEL, show, release}
const struct operation operations[] = {
    DENSE(spmv),     DENSE(spmm32),      DENSE(spmm64), SPARSE(sddmm),      SPARSE(spgemm), SPARSE(spgemm_to_csc),
    SPARSE(add2),    SPARSE(add3),       SPARSE(multiply), SPARSE(coo_to_csr), SPARSE(csr_to_csc), DENSE(ttv),
    SPARSE(ttv_sparse), DENSE(ttm),      SPARSE(ttm_sparse), DENSE(mttkrp),    DENSE(dense4),   {NULL},
};
