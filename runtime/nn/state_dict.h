// The state of a module by name: what state_dict() gives and load_state_dict() takes.
// Values alias the module's tensors; nothing is copied until a dictionary is loaded or saved.
#ifndef PLACECHECK_RUNTIME_NN_STATE_DICT_H_
#define PLACECHECK_RUNTIME_NN_STATE_DICT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/core/ordered_dict.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

class StateDict : public OrderedDict<Tensor> {
 public:
  using OrderedDict<Tensor>::OrderedDict;

  // Versions of module classes, by the module's path ("" is the root): what tells an old checkpoint
  // from a new one. A dictionary put together by hand has none.
  std::map<std::string, std::int64_t> versions;
};

// What a load that is not strict passed over.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys;
  std::vector<std::string> unexpected_keys;
};

// Takes `prefix` off every key, and off every version's path, that begins with it; once. Keys that
// had it move to the end.
void consume_prefix_in_state_dict_if_present(StateDict& state_dict, const std::string& prefix);

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_STATE_DICT_H_
