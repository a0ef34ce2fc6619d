#include "runtime/torch/python/caller_place.h"

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace placecheck::process_group {
namespace {

std::atomic<PlacecheckCallerPlace> caller_place_provider{nullptr};

}  // namespace

std::string caller_place() {
  const PlacecheckCallerPlace provider = caller_place_provider.load();
  if (provider == nullptr) return {};
  std::array<char, 256> text{};
  const int written = provider(text.data(), static_cast<int>(text.size()));
  return {text.data(), static_cast<std::size_t>(std::clamp(written, 0, int{text.size()}))};
}

}  // namespace placecheck::process_group

void placecheck_set_caller_place(PlacecheckCallerPlace provider) {
  placecheck::process_group::caller_place_provider = provider;
}

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
