/* Times a product on the processes of MPI with PETSc, as the program of comet of that name does.

       petsc spmv|spmm|spgemm STEM OPERAND.npy BLOCKS REPETITIONS

   STEM.dims, .pos1, .crd1 and .val are a square matrix in CSR. Prints the seconds of a repetition for each
   block, and the sum of squares of the result. Rows are divided by entries, as comet's are: with as many rows on
   each process, PETSc's default, some would wait for others. */

#include <petscmat.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32, NPY_HEADER = 128 };

typedef struct {
    int64_t rows, first, last;
    int32_t *pos, *crd;
    double *values;
} Part;

static int rank, processes;
static const char *operand;
static int blocks, repetitions;

static void fail(const char *what) {
    fprintf(stderr, "petsc: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Reads elements from a place of a file. */
static void *elements(const char *path, int64_t header, int64_t first, int64_t count, size_t size) {
    FILE *file = fopen(path, "rb");
    void *read = malloc(count * size + 1);
    if (!file || !read || fseeko(file, header + first * size, SEEK_SET))
        fail(path);
    if (fread(read, size, count, file) != (size_t)count)
        fail(path);
    fclose(file);
    return read;
}

static void *array(const char *stem, const char *name, int64_t first, int64_t count, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", stem, name);
    return elements(path, 0, first, count, size);
}

static int64_t rows_of(const char *stem) {
    char path[4096];
    long long rows = 0, columns = 0;
    snprintf(path, sizeof path, "%s.dims", stem);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%lld %lld", &rows, &columns) != 2 || rows != columns)
        fail(path);
    fclose(file);
    return rows;
}

/* The first row of a process: that in front of which there are so many shares of the entries. */
static int64_t bound(const int32_t *pos, int64_t rows, int process) {
    int64_t row = 0;
    while (row < rows && (int64_t)pos[row] * processes < (int64_t)process * pos[rows])
        row++;
    return row;
}

static Part part_of(const char *stem) {
    Part part = {.rows = rows_of(stem)};
    int32_t *pos = array(stem, "pos1", 0, part.rows + 1, sizeof *pos);
    part.first = bound(pos, part.rows, rank);
    part.last = rank + 1 == processes ? part.rows : bound(pos, part.rows, rank + 1);
    int64_t begin = pos[part.first], count = pos[part.last] - begin;
    part.crd = array(stem, "crd1", begin, count, sizeof *part.crd);
    part.values = array(stem, "val", begin, count, sizeof *part.values);
    part.pos = pos + part.first;
    for (int64_t row = 0; row <= part.last - part.first; row++)
        part.pos[row] -= begin;
    return part;
}

static Mat matrix(const Part *part) {
    Mat made;
    PetscInt own = part->last - part->first, all = part->rows;
    if (MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, own, own, all, all, part->pos, part->crd, part->values, &made))
        fail("no matrix");
    return made;
}

/* The time of the first process, on all of them, as `getTime` of comet has it. */
static double now(void) {
    double time = MPI_Wtime();
    MPI_Bcast(&time, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return time;
}

/* Calls `step`, which computes the product, and before it `change`, which changes an operand. */
static PetscErrorCode timed(PetscErrorCode (*change)(void), PetscErrorCode (*step)(void)) {
    for (int block = 0; block < blocks; block++) {
        double total = 0;
        for (int repetition = 0; repetition < repetitions; repetition++) {
            PetscCall(change());
            double start = now();
            PetscCall(step());
            total += now() - start;
        }
        if (!rank)
            printf("%.17g\n", total / repetitions);
    }
    return 0;
}

static Mat A, B, C;
static Vec x, y;
static MatReuse reuse = MAT_INITIAL_MATRIX;

static PetscErrorCode change_x(void) { return VecShift(x, 0.001); }
static PetscErrorCode multiply_x(void) { return MatMult(A, x, y); }

static PetscErrorCode spmv(const Part *part, double *sum) {
    PetscCall(MatCreateVecs(A, &x, &y));
    double *own = elements(operand, NPY_HEADER, part->first, part->last - part->first, sizeof *own), *stored;
    PetscCall(VecGetArray(x, &stored));
    memcpy(stored, own, (part->last - part->first) * sizeof *own);
    PetscCall(VecRestoreArray(x, &stored));
    PetscCall(change_x());
    PetscCall(multiply_x());
    PetscCall(timed(change_x, multiply_x));
    PetscReal norm;
    PetscCall(VecNorm(y, NORM_2, &norm));
    *sum = norm * norm;
    return 0;
}

static PetscErrorCode change_B(void) {
    PetscInt rows;
    double *stored;
    PetscCall(MatGetLocalSize(B, &rows, NULL));
    PetscCall(MatDenseGetArray(B, &stored));
    for (int64_t element = 0; element < (int64_t)rows * COLUMNS; element++)
        stored[element] += 0.001;
    return MatDenseRestoreArray(B, &stored);
}

static PetscErrorCode multiply_B(void) {
    PetscCall(MatMatMult(A, B, reuse, PETSC_DEFAULT, &C));
    reuse = MAT_REUSE_MATRIX;
    return 0;
}

static PetscErrorCode sum_of_squares(double *sum) {
    PetscReal norm;
    PetscCall(MatNorm(C, NORM_FROBENIUS, &norm));
    *sum = norm * norm;
    return 0;
}

/* PETSc stores dense matrices by columns. */
static PetscErrorCode spmm(const Part *part, double *sum) {
    int64_t own = part->last - part->first;
    double *by_rows = elements(operand, NPY_HEADER, part->first * COLUMNS, own * COLUMNS, sizeof *by_rows);
    double *stored;
    PetscCall(MatCreateDense(PETSC_COMM_WORLD, own, PETSC_DECIDE, part->rows, COLUMNS, NULL, &B));
    PetscCall(MatDenseGetArray(B, &stored));
    for (int64_t row = 0; row < own; row++)
        for (int column = 0; column < COLUMNS; column++)
            stored[column * own + row] = by_rows[row * COLUMNS + column];
    PetscCall(MatDenseRestoreArray(B, &stored));
    free(by_rows);
    PetscCall(change_B());
    PetscCall(multiply_B());
    PetscCall(timed(change_B, multiply_B));
    return sum_of_squares(sum);
}

static PetscErrorCode change_A(void) { return MatScale(A, 1.001); }

/* The result is made from nothing each time, as comet's is, and the one before released. */
static PetscErrorCode square_A(void) {
    PetscCall(MatDestroy(&C));
    return MatMatMult(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C);
}

static PetscErrorCode spgemm(double *sum) {
    PetscCall(square_A());
    PetscCall(timed(change_A, square_A));
    return sum_of_squares(sum);
}

int main(int count, char **arguments) {
    PetscCall(PetscInitialize(&count, &arguments, NULL, NULL));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (count != 6)
        fail("expected OPERATION STEM OPERAND BLOCKS REPETITIONS");
    Part part = part_of(arguments[2]);
    operand = arguments[3];
    blocks = atoi(arguments[4]);
    repetitions = atoi(arguments[5]);
    A = matrix(&part);
    double sum = 0;
    if (!strcmp(arguments[1], "spmv"))
        PetscCall(spmv(&part, &sum));
    else if (!strcmp(arguments[1], "spmm"))
        PetscCall(spmm(&part, &sum));
    else if (!strcmp(arguments[1], "spgemm"))
        PetscCall(spgemm(&sum));
    else
        fail("unknown operation");
    if (!rank)
        printf("%.17g\n", sum);
    return PetscFinalize();
}
