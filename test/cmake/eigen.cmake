# Calls that the guide of C++ shows in parts: what borrows dense matrices and COO, and a result as a matrix of Eigen.
include("${CMAKE_CURRENT_LIST_DIR}/steps.cmake")
find_path(eigen NAMES Eigen/Sparse PATHS /usr/include /usr/local/include PATH_SUFFIXES eigen3)
if(NOT eigen)
  message("SKIPPED: there is no Eigen: apt-get install libeigen3-dev")
  return()
endif()
file(REMOVE_RECURSE "${FOLDER}")
guide_block(cpp.md cpp borrow.inc "Dense tensors of rank 2 or more and those in COO")
guide_block(cpp.md cpp map.inc "In the other direction")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer/spgemm.ta" DESTINATION "${FOLDER}")
file(WRITE "${FOLDER}/sums.ta" "\
def sum(Tensor<double> X([i, j], Dense), Tensor<double> T([i, j], COO)) -> Tensor<double> y([i], Dense) {
  y[i] = X[i,j] * T[i,j];
}
")
file(WRITE "${FOLDER}/main.cpp" [[
#include "spgemm.hpp"
#include "sums.hpp"
#include <Eigen/Sparse>
#include <vector>

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

bool borrows() {
  int m = 2, n = 3;
  std::vector<double> elements{1, 2, 3, 4, 5, 6}, values{10, 100, 1000};
  std::vector<int> rows{0, 1, 1}, columns{2, 0, 1};
#include "borrow.inc"
  auto y = kernels::sum(X, T);
  return y[0] == 30 && y[1] == 5400;
}

bool maps() {
  Matrix matrix(3, 3);
  matrix.insert(0, 1) = 2;
  matrix.insert(1, 0) = 3;
  matrix.insert(1, 2) = 5;
  matrix.insert(2, 1) = 7;
  matrix.makeCompressed();
  auto A = comet::borrow(matrix);
#include "map.inc"
  Matrix square = matrix * matrix;
  return product.valuePtr() == C.values().data() && product.norm() > 0 && Matrix(product - square).norm() == 0;
}

int main() { return !borrows() + 2 * !maps(); }
]])
file(WRITE "${FOLDER}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.20)
project(eigen LANGUAGES CXX)
find_package(comet 0.2 CONFIG REQUIRED)
comet_add_library(kernels STATIC SOURCES spgemm.ta sums.ta TARGET_CPUS native)
add_executable(app main.cpp)
target_compile_features(app PRIVATE cxx_std_17)
target_compile_options(app PRIVATE -Wall -Wextra -Werror)
target_include_directories(app SYSTEM PRIVATE "${EIGEN}")
target_link_libraries(app PRIVATE kernels)
]])
run(${CMAKE_COMMAND} -G Ninja -S "${FOLDER}" -B "${FOLDER}/build" -Dcomet_ROOT=${COMET_PREFIX} -DEIGEN=${eigen})
run(${CMAKE_COMMAND} --build "${FOLDER}/build")
run("${FOLDER}/build/app")
