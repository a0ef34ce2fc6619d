// CUDA_VISIBLE_DEVICES, read as PyTorch and the driver read it: which physical devices a program
// sees, and in which order. Pure functions.
#ifndef PLACECHECK_RUNTIME_CORE_VISIBLE_DEVICES_H_
#define PLACECHECK_RUNTIME_CORE_VISIBLE_DEVICES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::runtime {

// A physical device as the driver lists it.
struct PhysicalDevice {
  std::string uuid;          // "GPU-9e8d35e3-…"
  std::int64_t speed = 0;    // what "fastest first" sorts by, descending
  std::int64_t pci_bus = 0;  // what "PCI_BUS_ID" sorts by
};

// The numbers that a list names: a leading integer of each element counts, a negative or unreadable
// one ends the list, and a number that is named twice empties it.
std::vector<std::int64_t> parse_visible_numbers(std::string_view text);

// The positions in `devices` in the order that CUDA_DEVICE_ORDER asks for; none means fastest
// first.
std::vector<std::size_t> device_order(const std::vector<PhysicalDevice>& devices,
                                      const char* order_variable);

// The positions in `devices` that are visible: logical device i is devices[result[i]]. Without the
// variable all are. UUIDs may be shortened as far as they stay unique.
std::vector<std::size_t> visible_devices(const std::vector<PhysicalDevice>& devices,
                                         const char* visible_variable, const char* order_variable);

// The value of CUDA_VISIBLE_DEVICES that puts the device with the most free memory first; of equal
// ones the later: a sort in ascending order, reversed.
std::string order_by_free_memory(const std::vector<std::int64_t>& free_memory);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_VISIBLE_DEVICES_H_
