// The small world in which predicates are exhausted: every fact about a device, and the concrete
// devices that it may stand for.
#ifndef PLACECHECK_TESTS_RULES_WORLD_H_
#define PLACECHECK_TESTS_RULES_WORLD_H_

#include <vector>

#include "rules/facts.h"

namespace placecheck::rules {

// -1 is the CPU, k is cuda:k.
inline constexpr int kConcreteDevices[] = {-1, 0, 1, 2};
inline constexpr int kSymbols = 2;

inline std::vector<DeviceFact> all_device_facts() {
  return {
      DeviceFact::unknown(),   DeviceFact::cpu(),       DeviceFact::cuda(0),
      DeviceFact::cuda(1),     DeviceFact::cuda(2),     DeviceFact::cuda_any_index(),
      DeviceFact::symbolic(0), DeviceFact::symbolic(1), DeviceFact::last_cuda(),
  };
}

inline DeviceFact fact_of(int device) {
  return device < 0 ? DeviceFact::cpu() : DeviceFact::cuda(static_cast<std::uint32_t>(device));
}

// May `fact` stand for `device`, when symbol s was chosen to be choice[s], and `last` is the last
// device?
inline bool allows(DeviceFact fact, int device, const int (&choice)[kSymbols], int last) {
  switch (fact.kind()) {
    case DeviceFact::Kind::kUnknown:
      return true;
    case DeviceFact::Kind::kCpu:
      return device < 0;
    case DeviceFact::Kind::kCuda:
      return device == static_cast<int>(fact.value());
    case DeviceFact::Kind::kCudaLast:
      return device == last;
    case DeviceFact::Kind::kCudaAnyIndex:
      return device >= 0;
    case DeviceFact::Kind::kSymbolic:
      return device == choice[fact.value()];
  }
  return false;
}

// Calls `visit(first, second)` with every pair of devices that two facts may stand for together.
template <typename Visit>
void for_each_meaning(DeviceFact a, DeviceFact b, Visit visit) {
  for (int first_choice : {0, 1, 2}) {  // a chosen device is a CUDA device
    for (int second_choice : {0, 1, 2}) {
      const int choice[kSymbols] = {first_choice, second_choice};
      for (int x : kConcreteDevices) {
        for (int y : kConcreteDevices) {
          for (int last : {1, 2}) {  // of two devices, or of three
            if (allows(a, x, choice, last) && allows(b, y, choice, last)) visit(x, y);
          }
        }
      }
    }
  }
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_TESTS_RULES_WORLD_H_
