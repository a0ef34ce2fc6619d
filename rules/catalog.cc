#include "rules/catalog.h"

#include <algorithm>
#include <array>

#include "rules/async_copy_read.h"
#include "rules/collective_in_branch.h"
#include "rules/cuda_current_device.h"
#include "rules/cuda_memcpy_kind.h"
#include "rules/cuda_pointer_placement.h"
#include "rules/data_parallel_attribute.h"
#include "rules/data_parallel_loss.h"
#include "rules/data_parallel_lost_state.h"
#include "rules/data_parallel_placement.h"
#include "rules/ddp_setup.h"
#include "rules/default_stream_launch.h"
#include "rules/device_mismatch.h"
#include "rules/discarded_transfer.h"
#include "rules/failed_placement_check.h"
#include "rules/generator_device.h"
#include "rules/hardcoded_device.h"
#include "rules/invalid_device.h"
#include "rules/leaked_current_device.h"
#include "rules/missing_device_guard.h"
#include "rules/missing_key.h"
#include "rules/missing_map_location.h"
#include "rules/module_clone.h"
#include "rules/nccl_usage.h"
#include "rules/non_leaf_parameter.h"
#include "rules/numpy_on_device.h"
#include "rules/optimizer_state_device.h"
#include "rules/pageable_copy.h"
#include "rules/prefix_strip_anywhere.h"
#include "rules/rank_device.h"
#include "rules/slow_data_loader.h"
#include "rules/stale_optimizer.h"
#include "rules/state_dict_prefix.h"
#include "rules/state_dict_silent_miss.h"
#include "rules/step_synchronization.h"
#include "rules/unchecked_launch.h"
#include "rules/unchecked_operand_device.h"
#include "rules/unregistered_state.h"
#include "rules/visible_devices.h"
#include "rules/wrong_device_guard.h"

namespace placecheck::rules {
namespace {

// clang-format off: one a line
constexpr std::array kCatalog{
    async_copy_read::kRule,
    collective_in_branch::kRule,
    cuda_current_device::kRule,
    cuda_memcpy_kind::kRule,
    cuda_pointer_placement::kRule,
    data_parallel_attribute::kRule,
    data_parallel_loss::kRule,
    data_parallel_lost_state::kRule,
    data_parallel_placement::kRule,
    ddp_setup::kRule,
    default_stream_launch::kRule,
    device_mismatch::kRule,
    discarded_transfer::kRule,
    failed_placement_check::kRule,
    generator_device::kRule,
    hardcoded_device::kRule,
    invalid_device::kRule,
    leaked_current_device::kRule,
    missing_device_guard::kRule,
    missing_key::kRule,
    missing_map_location::kRule,
    module_clone::kRule,
    nccl_usage::kRule,
    non_leaf_parameter::kRule,
    numpy_on_device::kRule,
    optimizer_state_device::kRule,
    pageable_copy::kRule,
    prefix_strip_anywhere::kRule,
    rank_device::kRule,
    slow_data_loader::kRule,
    stale_optimizer::kRule,
    state_dict_prefix::kRule,
    state_dict_silent_miss::kRule,
    step_synchronization::kRule,
    unchecked_launch::kRule,
    unchecked_operand_device::kRule,
    unregistered_state::kRule,
    visible_devices::kRule,
    wrong_device_guard::kRule,
};
// clang-format on

constexpr bool strictly_ascending() {
  return std::ranges::adjacent_find(kCatalog, std::ranges::greater_equal{}, &Rule::id) ==
         kCatalog.end();
}
static_assert(strictly_ascending(), "rules are listed once each, sorted by id");

}  // namespace

std::span<const Rule> catalog() { return kCatalog; }

const Rule* find_rule(std::string_view id) {
  const auto* rule = std::ranges::lower_bound(kCatalog, id, {}, &Rule::id);
  return rule != kCatalog.end() && rule->id == id ? rule : nullptr;
}

}  // namespace placecheck::rules
