// Printing: the values row by row, then type and sizes, as libtorch does.
#include <ostream>

#include "runtime/tensor/functions.h"

namespace placecheck::runtime {
namespace {

void print_numbers(std::ostream& out, const std::vector<double>& values, std::size_t columns) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    out << ' ' << values[i] << ((i + 1) % columns == 0 ? "\n" : " ");
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "[ Tensor (undefined) ]";
  std::vector<double> values = tensor.to_vector<double>();
  bool has_rows = tensor.dim() > 0 && tensor.size(-1) > 0;
  print_numbers(out, values, has_rows ? static_cast<std::size_t>(tensor.size(-1)) : 1);
  out << "[ " << tensor.type_name() << '{';
  for (std::size_t d = 0; d < tensor.sizes().size(); ++d) {
    out << (d == 0 ? "" : ",") << tensor.sizes()[d];
  }
  return out << "} ]";
}

}  // namespace placecheck::runtime
