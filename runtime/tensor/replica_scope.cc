#include "runtime/tensor/replica_scope.h"

namespace placecheck::runtime::detail {

std::shared_ptr<TensorImpl> translated(const std::shared_ptr<TensorImpl>& impl) {
  return replica_scope->translated(impl);
}

}  // namespace placecheck::runtime::detail
