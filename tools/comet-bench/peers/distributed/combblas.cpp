// Times a sparse matrix times itself on a square grid of processes with CombBLAS, as the program of comet of that
// name does.
//
//     combblas spgemm MATRIX.mtx BLOCKS REPETITIONS
//
// Prints the seconds of a repetition for each block, and the sum of squares of the result.

#include <CombBLAS.h>
#include <cstdio>
#include <cstdlib>
#include <functional>

using Index = int64_t;
using Local = combblas::SpDCCols<Index, double>;
using Matrix = combblas::SpParMat<Index, double, Local>;

// The time of the first process, on all of them, as `getTime` of comet has it.
static double now() {
    double time = MPI_Wtime();
    MPI_Bcast(&time, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return time;
}

static void square(Matrix &A, Matrix &B, Matrix &C) {
    C = combblas::Mult_AnXBn_Synch<combblas::PlusTimesSRing<double, double>, double, Local>(A, B);
}

static double sum_of_squares(Matrix &C) {
    C.Apply([](double value) { return value * value; });
    auto sums = C.Reduce(combblas::Column, std::plus<double>(), 0.0);
    return sums.Reduce(std::plus<double>(), 0.0);
}

static void run(const char *path, int blocks, int repetitions) {
    Matrix A(MPI_COMM_WORLD), C(MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    A.ParallelReadMM(path, true, combblas::maximum<double>());
    Matrix B = A;
    square(A, B, C);
    for (int block = 0; block < blocks; block++) {
        double total = 0;
        for (int repetition = 0; repetition < repetitions; repetition++) {
            A.Apply([](double value) { return value * 1.001; });
            B.Apply([](double value) { return value * 1.001; });
            double start = now();
            square(A, B, C);
            total += now() - start;
        }
        if (rank == 0)
            printf("%.17g\n", total / repetitions);
    }
    double sum = sum_of_squares(C);
    if (rank == 0)
        printf("%.17g\n", sum);
}

int main(int count, char **arguments) {
    int provided;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_SERIALIZED, &provided);
    if (count != 5) {
        fprintf(stderr, "combblas: expected spgemm MATRIX BLOCKS REPETITIONS\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    run(arguments[2], atoi(arguments[3]), atoi(arguments[4]));
    MPI_Finalize();
    return 0;
}
