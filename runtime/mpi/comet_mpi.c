/* The functions of MPI that comet's run time calls, behind one table, so that comet itself depends on no MPI. The MPI of the user
   compiles this file: `mpicc -shared -fPIC comet_mpi.c` for programs that run in memory, or beside an executable or a library
   (`comet build --distributed`). `runtime/src/distributed/functions.rs` has the same table. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
/* As in malloc.h, which cannot be included where macros of SimGrid have the names of what it declares. */
extern int mallopt(int parameter, int value);
#define ARENA_MAX (-8)
#endif

/* Messages are cut into pieces, since the counts of MPI 3 are of 32 bits. */
#define PIECE ((int64_t)1 << 30)
/* Tags of messages: data, and what processes announce when they fail. */
enum { DATA = 1, FAILURE = 2 };

/* The processes of a communicator of ours, on which no message of the user's program is: its number in Fortran, the rank of this
   one, how many there are, and how many of them run on this machine. */
struct processes {
  int32_t comm, rank, size, here;
};
/* What `join` returns besides codes of MPI. */
enum { NOT_STARTED = -1, NO_COMMUNICATOR = -2 };

/* Whether MPI was started here, and not by a program that calls kernels. */
static int started;
/* Where communicators of the user's keep ours. */
static int key = MPI_KEYVAL_INVALID;

static int describe(MPI_Comm own, struct processes *found) {
  int rank, size, here;
  MPI_Comm node;
  int code = MPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return code;
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &size);
  MPI_Comm_size(node, &here);
  MPI_Comm_free(&node);
  found->comm = (int32_t)MPI_Comm_c2f(own), found->rank = rank, found->size = size, found->here = here;
  return MPI_SUCCESS;
}

/* Starts MPI for a program. */
static int start(struct processes *found) {
  int is_started, provided;
  MPI_Comm own;
#ifdef __GLIBC__
  /* Each thread of MPI and of programs would reserve 64 MiB of addresses, of which a process may have few. */
  mallopt(ARENA_MAX, 2);
#endif
  MPI_Initialized(&is_started);
  if (!is_started) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
    started = 1;
  }
  if (MPI_Comm_dup(MPI_COMM_WORLD, &own) != MPI_SUCCESS) return 1;
  return describe(own, found);
}

/* Frees our communicator with the user's. MPI frees what is left when it ends. */
static int forget(MPI_Comm comm, int used, void *value, void *extra) {
  struct processes *found = value;
  int is_over = 0;
  (void)used, (void)extra;
  MPI_Finalized(&is_over);
  if (!is_over && comm != MPI_COMM_WORLD) {
    MPI_Comm own = MPI_Comm_f2c(found->comm);
    MPI_Comm_free(&own);
  }
  free(found);
  return MPI_SUCCESS;
}

/* The processes of a communicator of a program that has started MPI. Ours is made in the first call. */
static int join(int32_t given, struct processes *found) {
  int is_started, is_over = 0, is_there, is_inter, code;
  struct processes *kept;
  MPI_Comm comm, own;
  MPI_Initialized(&is_started);
  if (is_started) MPI_Finalized(&is_over);
  if (!is_started || is_over) return NOT_STARTED;
  comm = MPI_Comm_f2c((MPI_Fint)given);
  if (comm == MPI_COMM_NULL) return NO_COMMUNICATOR;
  if (MPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter) return NO_COMMUNICATOR;
  if (key == MPI_KEYVAL_INVALID) {
    code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    if (code != MPI_SUCCESS) return code;
  }
  code = MPI_Comm_get_attr(comm, key, &kept, &is_there);
  if (code != MPI_SUCCESS) return code;
  if (is_there) {
    *found = *kept;
    return 0;
  }
  code = MPI_Comm_dup(comm, &own);
  if (code == MPI_SUCCESS) code = describe(own, found);
  if (code != MPI_SUCCESS) return code;
  kept = malloc(sizeof *kept);
  if (!kept) return 1;
  *kept = *found;
  return MPI_Comm_set_attr(comm, key, kept);
}

static void stop(int32_t comm) {
  MPI_Comm own = MPI_Comm_f2c(comm);
  MPI_Comm_free(&own);
  if (started) MPI_Finalize();
}

static void end(int32_t code) { MPI_Abort(MPI_COMM_WORLD, code); }

static int barrier(int32_t comm) { return MPI_Barrier(MPI_Comm_f2c(comm)); }

/* The lowest of the numbers of all processes. */
static int lowest(int32_t comm, int32_t number, int32_t *of_all) {
  return MPI_Allreduce(&number, of_all, 1, MPI_INT32_T, MPI_MIN, MPI_Comm_f2c(comm));
}

/* Seconds: those of the simulation, where processes are simulated. */
static double seconds(void) { return MPI_Wtime(); }

static int broadcast(int32_t comm, void *bytes, int64_t count, int32_t from) {
  for (int64_t done = 0; done < count; done += PIECE) {
    int64_t piece = count - done < PIECE ? count - done : PIECE;
    int code = MPI_Bcast((char *)bytes + done, (int)piece, MPI_BYTE, from, MPI_Comm_f2c(comm));
    if (code != MPI_SUCCESS) return code;
  }
  return 0;
}

/* `count` bytes of every process, by rank. They are few: counts, partial sums. */
static int gather_all(int32_t comm, const void *bytes, int64_t count, void *all) {
  if (count >= PIECE) return 1;
  return MPI_Allgather(bytes, (int)count, MPI_BYTE, all, (int)count, MPI_BYTE, MPI_Comm_f2c(comm));
}

/* Sends `out_bytes[p]` bytes to each process p and receives `in_bytes[p]` of it; nothing is sent where that is 0. What a process
   has for itself is copied. */
static int exchange(int32_t comm, const void *const *out, const int64_t *out_bytes, void *const *in, const int64_t *in_bytes) {
  const MPI_Comm own = MPI_Comm_f2c(comm);
  int rank, size, code = MPI_SUCCESS;
  int64_t count = 0, used = 0;
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &size);
  for (int p = 0; p < size; ++p)
    if (p != rank) count += (out_bytes[p] + PIECE - 1) / PIECE + (in_bytes[p] + PIECE - 1) / PIECE;
  MPI_Request *requests = malloc(sizeof(MPI_Request) * (size_t)(count > 0 ? count : 1));
  if (!requests) return 1;
  for (int step = 1; step < size && code == MPI_SUCCESS; ++step) {
    int p = (rank + size - step) % size;
    for (int64_t done = 0; done < in_bytes[p] && code == MPI_SUCCESS; done += PIECE) {
      int64_t piece = in_bytes[p] - done < PIECE ? in_bytes[p] - done : PIECE;
      code = MPI_Irecv((char *)in[p] + done, (int)piece, MPI_BYTE, p, DATA, own, &requests[used++]);
    }
  }
  for (int step = 1; step < size && code == MPI_SUCCESS; ++step) {
    int p = (rank + step) % size;
    for (int64_t done = 0; done < out_bytes[p] && code == MPI_SUCCESS; done += PIECE) {
      int64_t piece = out_bytes[p] - done < PIECE ? out_bytes[p] - done : PIECE;
      code = MPI_Isend((const char *)out[p] + done, (int)piece, MPI_BYTE, p, DATA, own, &requests[used++]);
    }
  }
  if (in_bytes[rank] > 0) memcpy(in[rank], out[rank], (size_t)in_bytes[rank]);
  if (code == MPI_SUCCESS) code = MPI_Waitall((int)used, requests, MPI_STATUSES_IGNORE);
  free(requests);
  return code;
}

/* Announces something about a failure to all others, 0 or 1, without waiting for them. */
static void announce_failure(int32_t comm, int32_t what) {
  const MPI_Comm own = MPI_Comm_f2c(comm);
  static int32_t words[2] = {0, 1}; /* They may be sent later. */
  const int32_t *word = &words[what != 0];
  int rank, size;
  MPI_Request request;
  MPI_Comm_rank(own, &rank);
  MPI_Comm_size(own, &size);
  for (int p = 0; p < size; ++p)
    if (p != rank && MPI_Isend(word, 1, MPI_INT32_T, p, FAILURE, own, &request) == MPI_SUCCESS) MPI_Request_free(&request);
}

/* Takes what another process has announced of a failure: returns its rank, or -1 where there is nothing. */
static int32_t poll_failure(int32_t comm, int32_t *what) {
  const MPI_Comm own = MPI_Comm_f2c(comm);
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, FAILURE, own, &there, &status) != MPI_SUCCESS || !there) return -1;
  if (MPI_Recv(what, 1, MPI_INT32_T, status.MPI_SOURCE, FAILURE, own, &status) != MPI_SUCCESS) return -1;
  return status.MPI_SOURCE;
}

const struct {
  int32_t version;
  int (*start)(struct processes *);
  int (*join)(int32_t, struct processes *);
  void (*stop)(int32_t);
  void (*end)(int32_t);
  double (*seconds)(void);
  int (*barrier)(int32_t);
  int (*lowest)(int32_t, int32_t, int32_t *);
  int (*broadcast)(int32_t, void *, int64_t, int32_t);
  int (*gather_all)(int32_t, const void *, int64_t, void *);
  int (*exchange)(int32_t, const void *const *, const int64_t *, void *const *, const int64_t *);
  void (*announce_failure)(int32_t, int32_t);
  int32_t (*poll_failure)(int32_t, int32_t *);
} comet_mpi = {3, start, join, stop, end, seconds, barrier, lowest, broadcast, gather_all, exchange, announce_failure, poll_failure};
