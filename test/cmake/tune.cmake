# TUNE: a target that measures schedules and writes them into the source tree, where the build finds them.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
file(REMOVE_RECURSE "${FOLDER}")
set(source "${FOLDER}/source")
set(build "${FOLDER}/build")
file(WRITE "${source}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.20)
project(tuned LANGUAGES C)
find_package(comet 0.2 CONFIG REQUIRED)
comet_add_library(kernels STATIC SOURCES spmm.ta other.ta spmv.ta SCHEDULE spmm.sched TARGET_CPUS native OPTIONS -g
  TUNE INPUT A=a.mtx EXTENT j=64 CANDIDATES 4 ROUNDS 3 THREADS 1)
comet_add_library(sums STATIC SOURCES rows.ta columns.ta TARGET_CPUS native
  TUNE INPUT A=a.mtx B=missing.mtx CANDIDATES 1 ROUNDS 1)
]])
# The loops of this order are slower by far than those of any other.
file(WRITE "${source}/spmm.sched" "order(j, k, i)\n")
file(WRITE "${source}/spmm.ta" "\
def spmm(Tensor<double> A([i, k], CSR), Tensor<double> B([k, j], Dense)) -> Tensor<double> C([i, j], Dense) {
  C[i,j] = A[i,k] * B[k,j];
}
")
file(WRITE "${source}/spmv.ta" "\
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
  y[i] = A[i,j] * x[j];
}
")
# None of the inputs is for this one.
file(WRITE "${source}/other.ta" "\
def twice(Tensor<double> M([i, j], CSR)) -> Tensor<double> N([i, j], CSR) {
  N[i,j] = 2 * M[i,j];
}
")
file(WRITE "${source}/rows.ta" "\
def rows(Tensor<double> A([i, j], CSR)) -> Tensor<double> s([i], Dense) {
  s[i] = A[i,j];
}
")
file(WRITE "${source}/columns.ta" "\
def columns(Tensor<double> B([i, j], CSR)) -> Tensor<double> s([j], Dense) {
  s[j] = B[i,j];
}
")
run(${COMET_PREFIX}/bin/comet gen uniform --dims 2000,2000 --density 0.005 --seed 7 -o "${source}/a.mtx")

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${source}" -B "${build}" -Dcomet_ROOT=${COMET_PREFIX})
run(${CMAKE_COMMAND} --build "${build}")
if(EXISTS "${source}/spmv.sched")
  message(FATAL_ERROR "the build has written a schedule")
endif()
run(${CMAKE_COMMAND} --build "${build}" --target kernels-tune)
expect("schedules of `C.i,j.`")
expect("schedules of `y.i.`")
expect("`twice` is not measured: no file for `M`")
file(READ "${source}/spmm.sched" schedule)
if(NOT EXISTS "${source}/spmv.sched")
  message(FATAL_ERROR "no schedule was written beside the source")
endif()

# Both schedules are used from now on, also the one that was not there before.
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
run(${CMAKE_COMMAND} --build "${build}")
expect("Compiling the kernels of spmm.ta")
run(${CMAKE_COMMAND} --build "${build}")
refuse("Compiling")
file(WRITE "${source}/spmv.sched" "order(q)\n")
execute_process(COMMAND ${CMAKE_COMMAND} --build "${build}"
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect("spmv.sched:1:7: error: ")

# What was measured before an error is used, too.
file(REMOVE "${source}/spmv.sched")
run(${CMAKE_COMMAND} --build "${build}" --target sums)
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
execute_process(COMMAND ${CMAKE_COMMAND} --build "${build}" --target sums-tune
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(code EQUAL 0)
  message(FATAL_ERROR "an input that is missing is no error")
endif()
expect("cannot read `[^`]*missing.mtx`")
run(${CMAKE_COMMAND} --build "${build}" --target sums)
expect("Compiling the kernels of rows.ta")
refuse("Compiling the kernels of columns.ta")
