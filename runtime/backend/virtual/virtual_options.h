// What a machine with virtual GPUs has, and how hard it tries to make mistakes show.
#ifndef PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_OPTIONS_H_
#define PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/virtual_devices.h"
#include "runtime/devices/properties.h"

namespace placecheck::runtime {

struct VirtualGpu {
  std::int64_t memory = static_cast<std::int64_t>(kUsualVirtualMemory);
  int multi_processor_count = devices::kProperties.multiprocessors;
  std::string name = devices::kDeviceName;
};

struct VirtualOptions {
  // As the driver would list them; CUDA_VISIBLE_DEVICES chooses among them.
  std::vector<VirtualGpu> gpus = std::vector<VirtualGpu>(2);
  // Freed memory is filled with a pattern, and what is written past a block's ends is noticed.
  bool has_guards = false;
  // Not 0: work starts late, by times that this seed decides, so that a missing synchronization
  // shows, and shows again.
  std::uint64_t late_start_seed = 0;
  std::chrono::microseconds latest_start{200};
  // No wait is longer.
  std::chrono::milliseconds deadline{60000};
};

// From PLACECHECK_VIRTUAL_DEVICES (at most 64), PLACECHECK_VIRTUAL_MEMORY (a size,
// "16GiB"), PLACECHECK_VIRTUAL_GUARDS and PLACECHECK_STREAM_SEED. Throws ValueError for what is
// none.
VirtualOptions virtual_options_from_environment();

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_VIRTUAL_OPTIONS_H_
