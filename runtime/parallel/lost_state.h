// State that a forward loses: a member for a registered buffer which a replica gives another
// tensor. The replica is dropped, and the module keeps the tensor that it had.
#ifndef PLACECHECK_RUNTIME_PARALLEL_LOST_STATE_H_
#define PLACECHECK_RUNTIME_PARALLEL_LOST_STATE_H_

#include <vector>

#include "runtime/nn/module.h"

namespace placecheck::runtime::nn {

// Looks at a replica before and after its forward; borrows it. Buffers that something else has come
// to hold meanwhile are not judged.
class LostStateCheck {
 public:
  explicit LostStateCheck(const Module& replica);

  // Warns of the first buffer that was replaced; whether there was one.
  bool warn_of_lost_state() const;

 private:
  const Module& replica_;
  std::vector<long> owners_;  // of each buffer
};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_LOST_STATE_H_
