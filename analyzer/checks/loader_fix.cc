#include "analyzer/checks/loader_fix.h"

#include <algorithm>

namespace placecheck::checks {

FixIts pin_memory(const dataflow::Site& loader, Reporter& reporter) {
  const std::optional<WrittenCall> call = call_at(loader);
  if (!call || call->name() != "DataLoader") return {};
  const bool is_given = std::ranges::any_of(
      call->call().arguments, [](const ir::Argument& each) { return each.name == "pin_memory"; });
  return is_given ? FixIts{} : add_argument(*call, "pin_memory=True", reporter);
}

}  // namespace placecheck::checks
