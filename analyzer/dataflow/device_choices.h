// Which functions of a program without types may put something on a device.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// One for each program; not for several threads at once.
class DeviceChoices {
 public:
  explicit DeviceChoices(const ir::Program& program);

  // Whether the function, or one that it may call, names a device or reads tensors from a file.
  // Calls are followed by name alone, so that true may be wrong and false is not.
  bool may_choose_device(const ir::Function& function);

 private:
  using Functions = std::vector<const ir::Function*>;
  struct Body {
    bool chooses = false;  // a device, or a file of tensors, itself
    Functions called;
  };

  const Body& body_of(const ir::Function& function);

  std::unordered_map<std::string_view, Functions> functions_;  // by the last part of their names
  std::unordered_map<const ir::Function*, Body> bodies_;
  std::unordered_map<const ir::Function*, bool> answers_;
};

}  // namespace placecheck::dataflow
