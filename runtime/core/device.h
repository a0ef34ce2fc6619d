// A device: its type and index, parsed and printed as PyTorch does. Plain values.
// A CUDA device without an index means the current one, and is resolved when it is used.
#ifndef PLACECHECK_RUNTIME_CORE_DEVICE_H_
#define PLACECHECK_RUNTIME_CORE_DEVICE_H_

#include <cstdint>
#include <iosfwd>
#include <string>

#include "rules/facts.h"

namespace placecheck::runtime {

enum class DeviceType : std::int8_t { kCpu = 0, kCuda = 1 };

inline constexpr DeviceType kCPU = DeviceType::kCpu;
inline constexpr DeviceType kCUDA = DeviceType::kCuda;

// PyTorch keeps eight bits, so that its "cuda:256" means cuda:0; here it is a device that is not
// there.
using DeviceIndex = std::int32_t;

class Device {
 public:
  constexpr Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  // "cpu", "cuda", "cuda:1". Throws RuleError (invalid-device) for what does not parse, Error for
  // types that this runtime has not.
  Device(const std::string& text);
  Device(const char* text) : Device(std::string(text)) {}

  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr bool has_index() const { return index_ >= 0; }
  constexpr bool is_cpu() const { return type_ == kCPU; }
  constexpr bool is_cuda() const { return type_ == kCUDA; }

  std::string str() const;
  friend constexpr bool operator==(const Device&, const Device&) = default;

 private:
  DeviceType type_;
  DeviceIndex index_;
};

std::ostream& operator<<(std::ostream& out, const Device& device);

// A live device as a fact that rules judge.
rules::DeviceFact to_fact(const Device& device);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_DEVICE_H_
