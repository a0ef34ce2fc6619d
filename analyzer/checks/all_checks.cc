// The one list of checks.
#include <algorithm>

#include "analyzer/checks/check.h"

namespace placecheck::checks {

extern const Check kAsyncCopyRead;
extern const Check kCollectiveInBranch;
extern const Check kCudaCurrentDevice;
extern const Check kCudaMemcpyKind;
extern const Check kCudaPointerPlacement;
extern const Check kDataParallelAttribute;
extern const Check kDataParallelLoss;
extern const Check kDataParallelLostState;
extern const Check kDataParallelPlacement;
extern const Check kDdpSetup;
extern const Check kDefaultStreamLaunch;
extern const Check kDeviceMismatch;
extern const Check kDiscardedTransfer;
extern const Check kFailedPlacementCheck;
extern const Check kGeneratorDevice;
extern const Check kHardcodedDevice;
extern const Check kInvalidDevice;
extern const Check kLeakedCurrentDevice;
extern const Check kMissingDeviceGuard;
extern const Check kMissingKey;
extern const Check kMissingMapLocation;
extern const Check kModuleClone;
extern const Check kNcclUsage;
extern const Check kNonLeafParameter;
extern const Check kNumpyOnDevice;
extern const Check kOptimizerStateDevice;
extern const Check kPageableCopy;
extern const Check kPrefixStripAnywhere;
extern const Check kRankDevice;
extern const Check kSlowDataLoader;
extern const Check kStaleOptimizer;
extern const Check kStateDictPrefix;
extern const Check kStateDictSilentMiss;
extern const Check kStepSynchronization;
extern const Check kUncheckedLaunch;
extern const Check kUncheckedOperandDevice;
extern const Check kUnregisteredState;
extern const Check kVisibleDevices;
extern const Check kWrongDeviceGuard;

std::span<const Check> all_checks() {
  // clang-format off: one a line
  static const Check kChecks[] = {
      kAsyncCopyRead,
      kCollectiveInBranch,
      kCudaCurrentDevice,
      kCudaMemcpyKind,
      kCudaPointerPlacement,
      kDataParallelAttribute,
      kDataParallelLoss,
      kDataParallelLostState,
      kDataParallelPlacement,
      kDdpSetup,
      kDefaultStreamLaunch,
      kDeviceMismatch,
      kDiscardedTransfer,
      kFailedPlacementCheck,
      kGeneratorDevice,
      kHardcodedDevice,
      kInvalidDevice,
      kLeakedCurrentDevice,
      kMissingDeviceGuard,
      kMissingKey,
      kMissingMapLocation,
      kModuleClone,
      kNcclUsage,
      kNonLeafParameter,
      kNumpyOnDevice,
      kOptimizerStateDevice,
      kPageableCopy,
      kPrefixStripAnywhere,
      kRankDevice,
      kSlowDataLoader,
      kStaleOptimizer,
      kStateDictPrefix,
      kStateDictSilentMiss,
      kStepSynchronization,
      kUncheckedLaunch,
      kUncheckedOperandDevice,
      kUnregisteredState,
      kVisibleDevices,
      kWrongDeviceGuard,
  };
  // clang-format on
  return kChecks;
}

const Check* find_check(std::string_view rule) {
  std::span<const Check> checks = all_checks();
  const auto at =
      std::ranges::find_if(checks, [&](const Check& check) { return check.rule->id == rule; });
  return at == checks.end() ? nullptr : &*at;
}

}  // namespace placecheck::checks
