#include "runtime/parallel/scatter_gather.h"

namespace placecheck::runtime::nn {

void refuse(parallel::PythonError kind, const std::string& text) {
  switch (kind) {
    case parallel::PythonError::kKey:
      throw KeyError(text);
    case parallel::PythonError::kType:
      throw TypeError(text);
    case parallel::PythonError::kValue:
      break;
  }
  throw ValueError(text);
}

}  // namespace placecheck::runtime::nn
