// The small facts that predicates are evaluated on. The analyzer fills them from abstract values,
// the runtime from live ones. Plain values without ownership, usable in constant expressions.
#ifndef PLACECHECK_RULES_FACTS_H_
#define PLACECHECK_RULES_FACTS_H_

#include <cstdint>
#include <string>

#include "rules/verdict.h"

namespace placecheck::rules {

// Where a value lives, as far as it is known.
class DeviceFact {
 public:
  enum class Kind : std::uint8_t {
    kUnknown,
    kCpu,
    kCuda,          // cuda:k
    kCudaLast,      // the last CUDA device; two are assumed, so that it is not cuda:0
    kCudaAnyIndex,  // some CUDA device, index not known
    kSymbolic,      // a device chosen elsewhere (a parameter, an option); equal ids, equal places
  };

  constexpr DeviceFact() = default;
  static constexpr DeviceFact unknown() { return {}; }
  static constexpr DeviceFact cpu() { return {Kind::kCpu, 0}; }
  static constexpr DeviceFact cuda(std::uint32_t index) { return {Kind::kCuda, index}; }
  static constexpr DeviceFact last_cuda() { return {Kind::kCudaLast, 0}; }
  static constexpr DeviceFact cuda_any_index() { return {Kind::kCudaAnyIndex, 0}; }
  static constexpr DeviceFact symbolic(std::uint32_t id) { return {Kind::kSymbolic, id}; }

  constexpr Kind kind() const { return kind_; }
  // The index of a kCuda fact, the identity of a kSymbolic one, 0 otherwise.
  constexpr std::uint32_t value() const { return value_; }
  constexpr bool is_known() const { return kind_ != Kind::kUnknown; }
  constexpr bool is_cpu() const { return kind_ == Kind::kCpu; }
  // True for CUDA devices and for chosen ones, which are assumed to be CUDA devices: a program that
  // asks for a device is judged as it runs where there is one.
  constexpr bool is_accelerator() const {
    return kind_ == Kind::kCuda || kind_ == Kind::kCudaLast || kind_ == Kind::kCudaAnyIndex ||
           kind_ == Kind::kSymbolic;
  }

  friend constexpr bool operator==(const DeviceFact&, const DeviceFact&) = default;

 private:
  constexpr DeviceFact(Kind kind, std::uint32_t value) : kind_(kind), value_(value) {}

  Kind kind_ = Kind::kUnknown;
  std::uint32_t value_ = 0;
};

// Are two values in the same place? CPU against any accelerator is broken; two accelerators are
// compared only where both indices, or both symbols, are known, or one is the first and one the
// last.
constexpr Verdict same_place(DeviceFact a, DeviceFact b) {
  using Kind = DeviceFact::Kind;
  if (!a.is_known() || !b.is_known()) return Verdict::kUnknown;
  if (a.is_cpu() || b.is_cpu()) return a == b ? Verdict::kHolds : Verdict::kBroken;
  const DeviceFact first = DeviceFact::cuda(0), last = DeviceFact::last_cuda();
  if ((a == first && b == last) || (a == last && b == first)) return Verdict::kBroken;
  if (a.kind() != b.kind() || a.kind() == Kind::kCudaAnyIndex) return Verdict::kUnknown;
  if (a == b) return Verdict::kHolds;
  return a.kind() == Kind::kCuda ? Verdict::kBroken : Verdict::kUnknown;
}

// A property that may not be known.
enum class Trait : std::uint8_t { kNo, kYes, kUnknown };

// What an operand is to its operation.
enum class Role : std::uint8_t {
  kInput,
  kOutput,  // written in place, or an `out` argument
  kIndex,   // says where in another operand to look; may stay on the CPU
};

struct OperandFact {
  DeviceFact device;
  Trait zero_dim = Trait::kNo;
  Role role = Role::kInput;
};

// How the keys of a state dict, or of a module's own state, begin: how many "module." stand before
// them. A wrapper adds one.
struct PrefixFact {
  Trait known = Trait::kNo;  // kYes or kNo
  std::uint32_t depth = 0;

  static constexpr PrefixFact unknown() { return {}; }
  static constexpr PrefixFact bare() { return {Trait::kYes, 0}; }
  static constexpr PrefixFact wrapped(std::uint32_t times = 1) { return {Trait::kYes, times}; }
  friend constexpr bool operator==(const PrefixFact&, const PrefixFact&) = default;
};

constexpr Verdict same_prefix(PrefixFact a, PrefixFact b) {
  if (a.known != Trait::kYes || b.known != Trait::kYes) return Verdict::kUnknown;
  return a.depth == b.depth ? Verdict::kHolds : Verdict::kBroken;
}

// The device as PyTorch prints it in an error: "cpu", "cuda:1". The last device prints as "cuda:1",
// the last of two; a chosen device, or a CUDA device of unknown index, as "cuda:0", the usual one;
// an unknown device as "unknown".
inline std::string run_time_text(DeviceFact device) {
  switch (device.kind()) {
    case DeviceFact::Kind::kUnknown:
      return "unknown";
    case DeviceFact::Kind::kCpu:
      return "cpu";
    case DeviceFact::Kind::kCuda:
      return "cuda:" + std::to_string(device.value());
    case DeviceFact::Kind::kCudaLast:
      return "cuda:1";
    case DeviceFact::Kind::kCudaAnyIndex:
    case DeviceFact::Kind::kSymbolic:
      return "cuda:0";
  }
  return "unknown";
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_FACTS_H_
