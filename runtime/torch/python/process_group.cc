// What Python's half (placecheck/distributed.py) and c10d ask for: backends for device tensors, as
// operators that take and give process groups, and DDP's timer.
#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <c10/util/Exception.h>
#include <torch/library.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/reducer_timer.hpp>
#include <utility>
#include <vector>

#include "runtime/torch/python/gloo_devices.h"
#include "runtime/torch/python/nccl_group.h"

namespace placecheck::process_group {
namespace {

using c10d::ProcessGroup;
using GroupPtr = c10::intrusive_ptr<ProcessGroup>;

std::chrono::milliseconds deadline_of(double seconds) {
  TORCH_CHECK(seconds > 0, "PLACECHECK_COLLECTIVE_TIMEOUT must be positive, but is ", seconds);
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS

// Releases before 2.8 keep the store to themselves.
struct GroupStore : ProcessGroup {
  static StorePtr of(const ProcessGroup& group) { return group.*(&GroupStore::store_); }
};

// Gives `group`, which has gloo for the CPU, an "nccl" for CUDA that works over it.
GroupPtr add_nccl(const GroupPtr& group, const std::vector<std::int64_t>& global_ranks,
                  double deadline_in_seconds) {
  RankLinks::Options links;
  links.host = group->getBackend(c10::DeviceType::CPU);
  links.store = GroupStore::of(*group);
  links.global_ranks = global_ranks;
  links.deadline = deadline_of(deadline_in_seconds);
  group->setBackend(c10::DeviceType::CUDA, ProcessGroup::BackendType::NCCL,
                    c10::make_intrusive<NcclGroup>(std::move(links)));
  return group;
}

// Gives `group`, which has gloo for the CPU, the same gloo for CUDA. Not under gloo's type: c10d
// takes what has that for its own class.
GroupPtr add_gloo(const GroupPtr& group) {
  group->setBackend(c10::DeviceType::CUDA, ProcessGroup::BackendType::CUSTOM,
                    make_gloo_for_devices(group->getBackend(c10::DeviceType::CPU)));
  return group;
}

#else

// c10d::ProcessGroupWrapper, whose header needs gloo's. Python asks it for `wrapped`: the only way
// in which 1.13 gives Python a group that Python has not made.
struct GroupWrapper : ProcessGroup {
  GroupPtr wrapped;
  GroupPtr gloo;
};

// `address` is that of an object which Python owns: 1.13 does not hand groups to operators.
template <class Object>
c10::intrusive_ptr<Object> owned_at(std::int64_t address) {
  auto* object = reinterpret_cast<Object*>(address);  // NOLINT(performance-no-int-to-ptr)
  return c10::intrusive_ptr<Object>::unsafe_reclaim_from_nonowning(object);
}

// Of `wrapper`, which wraps the gloo group at `host`: makes it wrap an "nccl" that works over that.
void wrap_nccl(std::int64_t wrapper, std::int64_t host, std::int64_t store,
               std::vector<std::int64_t> global_ranks, double deadline_in_seconds) {
  RankLinks::Options links;
  links.host = owned_at<ProcessGroup>(host);
  links.store = owned_at<c10d::Store>(store);
  links.global_ranks = std::move(global_ranks);
  links.deadline = deadline_of(deadline_in_seconds);
  const auto group = owned_at<GroupWrapper>(wrapper);
  TORCH_CHECK(group->wrapped == links.host && group->gloo == links.host,
              "placecheck: this build of PyTorch 1.13 has another ProcessGroupWrapper");
  group->wrapped = c10::make_intrusive<NcclGroup>(std::move(links));
}

#endif

// Devices do at once what they are asked for, so the host's clock is theirs.
class DeviceTimer final : public c10d::Timer {
 public:
  // An optional number; whose optional depends on the release.
  using Duration = decltype(std::declval<c10d::Timer&>().measureDifference({}, {}));

  Duration measureDifference(Event start, Event end) override {
    const std::int64_t from = getTimeRef(start);
    const std::int64_t to = getTimeRef(end);
    if (from == c10d::kUnsetTime || to == c10d::kUnsetTime) return {};
    return to - from;
  }
};

const bool kTimerIsRegistered = [] {
  if (c10d::TimerRegistry()->Has(c10::kCUDA)) return false;
  c10d::TimerRegistry()->Register(c10::kCUDA, [](c10::Device) -> std::unique_ptr<c10d::Timer> {
    return std::make_unique<DeviceTimer>();
  });
  return true;
}();

}  // namespace

TORCH_LIBRARY_FRAGMENT(placecheck, library) {
#ifdef PLACECHECK_GROUPS_HAVE_BACKENDS
  library.def("add_nccl", &add_nccl);
  library.def("add_gloo", &add_gloo);
#else
  library.def("wrap_nccl", &wrap_nccl);
#endif
}

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
