#include "runtime/tensor/kernels/strided.h"

#include "runtime/core/check.h"

namespace placecheck::runtime::kernels {

Strided strided(const Shape& sizes, const Shape& strides) {
  Strided result;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    int last = result.dims - 1;
    if (last >= 0 && result.strides[last] == sizes[d] * strides[d]) {
      result.sizes[last] *= sizes[d];
      result.strides[last] = strides[d];
      continue;
    }
    check(result.dims < kStridedDims, "views of more than ", kStridedDims,
          " scattered dimensions are not supported");
    result.sizes[result.dims] = sizes[d];
    result.strides[result.dims] = strides[d];
    ++result.dims;
  }
  return result;
}

}  // namespace placecheck::runtime::kernels
