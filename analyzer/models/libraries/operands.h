// What library calls use of what they are given: memory of a device or of the host, streams,
// events, handles. One row a name; the calls of cuBLAS have one row for all element types.
//
// Static and constant; call from anywhere. Empty: nothing is known.
#pragma once

#include <cstdint>
#include <string_view>

namespace placecheck::models {

enum class Use : uint8_t {
  kOther,
  kDeviceMemory,
  kAnyDevicesMemory,  // which is used on the device that it is on
  kHostMemory,
  kHandle,  // which belongs to one device, the current one at the call
  kScalar,  // memory of the host or of a device, as the handle's pointer mode says
};

// How the arguments of the call are used, a letter each: see use_of().
std::string_view operands_of(std::string_view name);

constexpr Use use_of(char letter) {
  switch (letter) {
    case 'd':
      return Use::kDeviceMemory;
    case 'a':
      return Use::kAnyDevicesMemory;
    case 'h':
      return Use::kHostMemory;
    case 'x':
      return Use::kHandle;
    case 'p':
      return Use::kScalar;
    default:
      return Use::kOther;
  }
}

}  // namespace placecheck::models
