// Kernels with a run time of their own, and kernels as objects.
#include "norm.hpp"
#include "scale.hpp"

#include <vector>

int main() {
  std::vector<double> values{3, 4};
  auto x = comet::dense<double>::borrow(values);
  objects::scale(x, 2.0);
  return !(kernels::norm(x) == 100 && values[0] == 6);
}
