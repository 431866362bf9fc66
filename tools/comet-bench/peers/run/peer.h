// What driver.c asks of a peer: operations on the caller's arrays.
#ifndef PEER_H
#define PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_OPERANDS = 3, MOST_MODES = 4 };

// Levels as comet stores them: a dense one has no arrays, that of a singleton no `pos`.
struct level {
  int64_t pos_count, crd_count;
  int32_t *pos, *crd;
};

struct tensor {
  int64_t rank, dims[MOST_MODES];
  struct level levels[MOST_MODES];
  int64_t count;
  double *values;
};

// The operands, which the driver has loaded.
extern struct tensor operand[MOST_OPERANDS];
// Where a dense result goes, each time the same.
extern struct tensor dense;

// A sparse result: lines, each with entries, each with so many values. The coordinates of the lines are those of `outer`, or where that is
// null, all.
struct result {
  int64_t lines, width;
  const int32_t *outer, *pos, *crd;
  const double *values;
};

// An operation of a peer.
struct operation {
  const char *name;
  // Gets ready; may be null.
  void (*prepare)(void);
  // Makes the result. This is timed.
  void (*compute)(void);
  // Shows the result; null where it is dense and in its place. A dense one has values only.
  struct result (*show)(void);
  // Frees the result's memory. This is timed. May be null.
  void (*release)(void);
};

// All that the peer has, up to one without a name.
extern const struct operation operations[];

#ifdef __cplusplus
}
#endif
#endif
