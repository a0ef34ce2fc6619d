#include "analyzer/models/libraries/user_models.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

struct Row {
  std::string_view name;
  Effect effect;
};

// Sorted by name.
constexpr Row kRows[] = {
    {"append", Effect::kAppend},
    {"apply-module", Effect::kApplyModule},
    {"call-function", Effect::kCallFunction},
    {"clone-module", Effect::kCloneModule},
    {"cuda-is-available", Effect::kCudaIsAvailable},
    {"current-device", Effect::kCurrentDevice},
    {"data-parallel", Effect::kDataParallelCall},
    {"device-count", Effect::kDeviceCount},
    {"device-guard", Effect::kDeviceGuard},
    {"element", Effect::kElement},
    {"exchange-device", Effect::kExchangeDevice},
    {"from-blob", Effect::kFromBlob},
    {"load", Effect::kLoad},
    {"load-program", Effect::kLoadProgram},
    {"make-device", Effect::kMakeDevice},
    {"move-module", Effect::kModuleMove},
    {"nothing", Effect::kNothing},
    {"parameters", Effect::kParameters},
    {"register-buffer", Effect::kRegisterBuffer},
    {"register-module", Effect::kRegisterModule},
    {"register-parameter", Effect::kRegisterParameter},
    {"same", Effect::kSame},
    {"save", Effect::kSave},
    {"set-device", Effect::kSetDevice},
    {"switch-mode", Effect::kSwitchMode},
    {"to-cpu", Effect::kToCpu},
    {"to-cuda", Effect::kToCuda},
    {"transfer", Effect::kTransfer},
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::name), "look-up is by binary search");

}  // namespace

const UserModel* UserModels::find(std::string_view name) const {
  auto at = by_name.find(name);
  return at == by_name.end() ? nullptr : &at->second;
}

std::vector<std::string_view> effect_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kRows) names.push_back(row.name);
  return names;
}

std::optional<Effect> effect_named(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kRows, name, {}, &Row::name);
  if (row == std::end(kRows) || row->name != name) return std::nullopt;
  return row->effect;
}

}  // namespace placecheck::models
