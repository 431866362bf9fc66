/* How a program and the kernels that comet has built pass tensors to each other. compiler/docs/guides/library.md explains it. */
#ifndef COMET_H
#define COMET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The version of the structures below; a kernel refuses others. */
#define COMET_VERSION 1
/* The most modes, and the most levels, of a tensor. */
#define COMET_MOST_MODES 16

/* What a kernel returns. */
typedef int32_t comet_status;
enum {
  COMET_OK = 0,       /* done */
  COMET_ARGUMENT = 1, /* a null pointer, another version, a result without values that holds other arrays, memory that is shared */
  COMET_FORMAT = 2,   /* a tensor in another format than the kernel's */
  COMET_SHAPE = 3,    /* extents or numbers of elements that contradict each other */
  COMET_MEMORY = 4,   /* the allocator has given nothing */
  COMET_FILE = 5,     /* a file cannot be read or written */
  COMET_DATA = 6,     /* data that a format has no room for, an integer divided by zero, arrays that fail the check */
  COMET_INTERNAL = 7  /* a mistake of comet */
};

/* Complex numbers, in memory what `float _Complex` and `double _Complex` are in C, `std::complex` in C++ and complex64 and
   complex128 in NumPy, whose addresses may be cast to these. */
typedef struct comet_complex64 {
  float re, im;
} comet_complex64;
typedef struct comet_complex128 {
  double re, im;
} comet_complex128;

/* The types of values: double, float, int64_t, a byte that is 0 or 1, int8_t, int16_t, int32_t, uint8_t, uint32_t, the bits of
   IEEE's binary16 and of bfloat16 in a uint16_t, and complex numbers. */
enum {
  COMET_F64 = 1, COMET_F32 = 2, COMET_I64 = 3, COMET_BOOL = 4, COMET_I8 = 5, COMET_I16 = 6, COMET_I32 = 7, COMET_U8 = 8,
  COMET_U32 = 9, COMET_F16 = 10, COMET_BF16 = 11, COMET_C64 = 12, COMET_C128 = 13
};

/* Level formats: D, CU, CN, S, BV<bits>, R and H. */
enum { COMET_DENSE = 1, COMET_COMPRESSED = 2, COMET_COMPRESSED_NON_UNIQUE = 3, COMET_SINGLETON = 4, COMET_BIT_VECTOR = 5, COMET_RANGE = 6, COMET_HASHED = 7 };

/* What a level's coordinate is: that of a mode, divided by the factor, its remainder, or the slot of ELL. */
enum { COMET_WHOLE = 0, COMET_DIVIDED = 1, COMET_REMAINDER = 2, COMET_SLOT = 3 };

/* A level of storage; pos and crd are arrays of int32_t or int64_t, by the tensor's index_bits, and those of BV's words of
   uint64_t. D has neither, S no pos. CU, CN, BV, R and H have a pos of one element more than there are parents; crd of R has the
   first coordinate under each parent, 0 where there is none;
   that of H has -1 in empty slots. */
typedef struct comet_level {
  uint32_t kind;
  uint32_t bits; /* of BV's words */
  uint32_t part;
  uint32_t mode;
  int64_t factor;
  int64_t size; /* the number of coordinates: read for slots only, written in results */
  void *pos;
  int64_t pos_count;
  void *crd;
  int64_t crd_count;
} comet_level;

/* A tensor: levels outermost first, one value for each position of the last one. Begin with the function that the header has
   for the parameter, `comet_KERNEL_PARAMETER()`, which states the format, and set extents, arrays and their lengths. */
typedef struct comet_tensor {
  uint32_t version; /* COMET_VERSION */
  uint32_t bytes;   /* sizeof(comet_tensor) */
  uint32_t element; /* COMET_F64, … */
  uint32_t index_bits;
  uint32_t rank;
  uint32_t level_count;
  int64_t dims[COMET_MOST_MODES];
  comet_level levels[COMET_MOST_MODES];
  void *values;
  int64_t value_count;
} comet_tensor;

/* What a process has of a tensor, where several call a kernel of a library for several processes together (COMET_DISTRIBUTED):
   the rows, of the mode that the outermost level stores, behind those of the processes of lower rank. Coordinates count from the
   first one. Begin with comet_rows_of(comet_KERNEL_PARAMETER()), set extents, arrays and lengths of `tensor`, and pass its
   address. A plain comet_tensor is the whole, the same on every process. */
typedef struct comet_rows {
  comet_tensor tensor;
  int64_t first;  /* the coordinate of the first row in the whole tensor, or COMET_BY_RANK; written in results */
  int64_t extent; /* the extent of the whole tensor, or COMET_BY_RANK; written in results */
} comet_rows;

/* What follows from the numbers of rows of all processes; what a caller states is compared with that. */
enum { COMET_BY_RANK = -1 };

/* The first looks at the content of pos and crd before the kernel runs. With the second one, all processes of `comm` call the
   kernel together. */
enum { COMET_CHECK_ARRAYS = 1, COMET_DISTRIBUTED = 2 };

/* How a kernel is called; one call at a time may use it. Without one, memory comes from aligned_alloc and messages are lost. */
typedef struct comet_call {
  uint32_t version; /* COMET_VERSION */
  uint32_t bytes;   /* sizeof(comet_call) */
  uint32_t flags;   /* COMET_CHECK_ARRAYS, COMET_DISTRIBUTED, both or 0 */
  int32_t comm;     /* with COMET_DISTRIBUTED, the communicator of MPI: MPI_Comm_c2f(…), an INTEGER of Fortran */
  /* Returns so many bytes aligned so, or null; takes back what it returned. Both or none. None is the C library's aligned_alloc and
     free. They are called on the thread that calls the kernel. */
  void *context;
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*release)(void *context, void *start);
  char message[1024]; /* what went wrong, or empty; UTF-8 */
} comet_call;

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(comet_level) == 64 && sizeof(comet_tensor) == 1192 && sizeof(comet_call) == 1064, "64-bit pointers");
_Static_assert(sizeof(comet_rows) == 1208, "64-bit pointers");
#endif

/* Compilers stay quiet where a program does not call one of these. */
#if defined(__GNUC__)
#define COMET_INLINE static inline __attribute__((unused))
#else
#define COMET_INLINE static inline
#endif

/* A call with that allocator, or with the C library's where both functions are null. */
COMET_INLINE comet_call comet_new_call(void *context, void *(*allocate)(void *, size_t, size_t),
                                       void (*release)(void *, void *)) {
  comet_call call = {COMET_VERSION, sizeof(comet_call), 0, 0, context, allocate, release, {0}};
  return call;
}

/* The rows of a tensor, by rank. */
COMET_INLINE comet_rows comet_rows_of(comet_tensor tensor) {
  comet_rows rows = {tensor, COMET_BY_RANK, COMET_BY_RANK};
  rows.tensor.bytes = sizeof(comet_rows);
  return rows;
}

/* Frees one array of a result. */
COMET_INLINE void comet_release_array(void *start, const comet_call *call) {
  if (start && call && call->release)
    call->release(call->context, start);
  else if (start)
    free(start);
}

/* Frees the arrays of a result, which a kernel has filled under such a call, and forgets them. */
COMET_INLINE void comet_release(comet_tensor *result, const comet_call *call) {
  uint32_t level;
  for (level = 0; level < result->level_count; ++level) {
    comet_release_array(result->levels[level].pos, call);
    comet_release_array(result->levels[level].crd, call);
    result->levels[level].pos = result->levels[level].crd = NULL;
    result->levels[level].pos_count = result->levels[level].crd_count = 0;
  }
  comet_release_array(result->values, call);
  result->values = NULL;
  result->value_count = 0;
}

/* What is in front of memory from a pool. */
typedef struct comet_block {
  struct comet_block *next; /* of those that are kept */
  void *start;              /* from malloc */
  size_t bytes;             /* behind this */
} comet_block;

/* Memory that has been released, for the arrays of the next results: the system clears each page that it hands out, which takes longer
   than writing a result there. For one thread at a time. In the beginning, all is 0. */
typedef struct comet_pool {
  comet_block *kept;
  size_t bytes; /* of the blocks that are kept */
} comet_pool;

enum { COMET_POOL_ALIGNMENT = 64, COMET_POOL_MOST = 1 << 30 /* bytes that a pool keeps */ };

/* The smallest block with room for so many bytes, unless it is more than twice as large; or a new one. */
COMET_INLINE void *comet_pool_allocate(void *context, size_t bytes, size_t alignment) {
  comet_pool *pool = (comet_pool *)context;
  comet_block **place, **best = NULL, *block;
  char *start;
  size_t all = bytes + sizeof(comet_block) + COMET_POOL_ALIGNMENT;
  if (alignment > COMET_POOL_ALIGNMENT || all < bytes)
    return NULL;
  for (place = &pool->kept; *place; place = &(*place)->next)
    if ((*place)->bytes >= bytes && (*place)->bytes / 2 <= bytes && (!best || (*place)->bytes < (*best)->bytes))
      best = place;
  if (best) {
    block = *best;
    *best = block->next;
    pool->bytes -= block->bytes;
    return block + 1;
  }
  start = (char *)malloc(all);
  if (!start)
    return NULL;
  block = (comet_block *)(start + sizeof(comet_block) + COMET_POOL_ALIGNMENT - 1 -
                          ((uintptr_t)start + sizeof(comet_block) + COMET_POOL_ALIGNMENT - 1) % COMET_POOL_ALIGNMENT) - 1;
  block->start = start;
  block->bytes = bytes;
  return block + 1;
}

COMET_INLINE void comet_pool_release(void *context, void *start) {
  comet_pool *pool = (comet_pool *)context;
  comet_block *block = (comet_block *)start - 1;
  if (block->bytes > COMET_POOL_MOST - pool->bytes) {
    free(block->start);
    return;
  }
  block->next = pool->kept;
  pool->kept = block;
  pool->bytes += block->bytes;
}

/* A call whose memory comes from a pool; for kernels that are called again and again. */
COMET_INLINE comet_call comet_new_pool_call(comet_pool *pool) {
  return comet_new_call(pool, comet_pool_allocate, comet_pool_release);
}

/* Returns everything that a pool keeps to the C library. */
COMET_INLINE void comet_pool_clear(comet_pool *pool) {
  while (pool->kept) {
    comet_block *block = pool->kept;
    pool->kept = block->next;
    free(block->start);
  }
  pool->bytes = 0;
}

#endif
