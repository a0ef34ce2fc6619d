// These functions of libtorch's stand before its own, which they call.
#include "runtime/torch/virtual_cuda/archive_loads.h"

#include <torch/serialize/input-archive.h>

#include <functional>
#include <istream>
#include <optional>
#include <string>

#include "rules/facts.h"
#include "rules/missing_map_location.h"
#include "runtime/core/stack.h"
#include "runtime/torch/virtual_cuda/bounded_map.h"
#include "runtime/torch/virtual_cuda/next_definition.h"

namespace placecheck::virtual_cuda {
namespace {

namespace rule = rules::missing_map_location;
using rules::DeviceFact;
using rules::Trait;

// Whether this thread's last archive was read onto a device that the program names: what is read
// from it follows at once.
thread_local Trait is_mapped = Trait::kUnknown;

DeviceFact fact_of(c10::Device device) {
  if (device.is_cpu()) return DeviceFact::cpu();
  const bool is_known = device.is_cuda() && device.has_index();
  return is_known ? DeviceFact::cuda(static_cast<std::uint32_t>(device.index()))
                  : DeviceFact::unknown();
}

// A tensor that a load has moved, by its memory.
struct Move {
  std::string key;
  c10::Device before = c10::kCPU;
  c10::Device after = c10::kCPU;
  core::StackAddresses stack;
};

// Never destroyed: static objects of the program may use tensors when it ends.
BoundedMap<Move>& the_moves() {
  static auto* moves = new BoundedMap<Move>;
  return *moves;
}

void note_place(const std::string& key, c10::Device before, const at::Tensor& after) {
  if (is_mapped != Trait::kNo || before == after.device() || !after.has_storage()) return;
  Move move{.key = key, .before = before, .after = after.device(), .stack = {}};
  move.stack.capture();
  the_moves().set(after.storage().data(), std::move(move));
}

bool is_broken(const Move& move) {
  const rule::LoadFact load{.mapped = Trait::kNo,
                            .file = fact_of(move.after),
                            .moved_to = fact_of(move.before),
                            .used = fact_of(move.before)};
  return rule::judge(load) == rules::Verdict::kBroken;
}

}  // namespace

std::vector<EarlierCause> loads_that_moved(const std::vector<MistakenOperand>& operands) {
  std::vector<EarlierCause> loads;
  for (const MistakenOperand& operand : operands) {
    if (!operand.tensor->defined() || !operand.tensor->has_storage()) continue;
    const auto move = the_moves().find(operand.tensor->storage().data());
    // Memory that has been given back may be another tensor's.
    if (!move || operand.tensor->device() != move->after || !is_broken(*move)) continue;
    loads.push_back({&rule::kRule,
                     "'" + move->key + "' was on " + move->before.str() + " and is on " +
                         move->after.str() +
                         " since it was loaded: the load names no device, and " +
                         "the file's tensor was saved there",
                     move->stack.text()});
  }
  return loads;
}

}  // namespace placecheck::virtual_cuda

namespace torch::serialize {

using placecheck::rules::Trait;
using placecheck::virtual_cuda::is_mapped;
using placecheck::virtual_cuda::next_definition;

__attribute__((visibility("default"))) bool InputArchive::try_read(const std::string& key,
                                                                   Tensor& tensor, bool is_buffer) {
  using Next = bool(InputArchive*, const std::string&, Tensor&, bool);
  static Next* const kNext = next_definition<Next>();
  const c10::optional<c10::Device> before =
      tensor.defined() ? c10::make_optional(tensor.device()) : c10::nullopt;
  const bool is_read = kNext(this, key, tensor, is_buffer);
  if (is_read && before) placecheck::virtual_cuda::note_place(key, *before, tensor);
  return is_read;
}

__attribute__((visibility("default"))) void InputArchive::load_from(
    const std::string& filename, c10::optional<torch::Device> device) {
  using Next = void(InputArchive*, const std::string&, c10::optional<torch::Device>);
  static Next* const kNext = next_definition<Next>();
  kNext(this, filename, device);
  is_mapped = device ? Trait::kYes : Trait::kNo;
}

__attribute__((visibility("default"))) void InputArchive::load_from(
    std::istream& stream, c10::optional<torch::Device> device) {
  using Next = void(InputArchive*, std::istream&, c10::optional<torch::Device>);
  static Next* const kNext = next_definition<Next>();
  kNext(this, stream, device);
  is_mapped = device ? Trait::kYes : Trait::kNo;
}

__attribute__((visibility("default"))) void InputArchive::load_from(
    const char* data, std::size_t size, c10::optional<torch::Device> device) {
  using Next = void(InputArchive*, const char*, std::size_t, c10::optional<torch::Device>);
  static Next* const kNext = next_definition<Next>();
  kNext(this, data, size, device);
  is_mapped = device ? Trait::kYes : Trait::kNo;
}

__attribute__((visibility("default"))) void InputArchive::load_from(
    const std::function<std::size_t(std::uint64_t, void*, std::size_t)>& read,
    const std::function<std::size_t()>& size, c10::optional<torch::Device> device) {
  using Next =
      void(InputArchive*, const std::function<std::size_t(std::uint64_t, void*, std::size_t)>&,
           const std::function<std::size_t()>&, c10::optional<torch::Device>);
  static Next* const kNext = next_definition<Next>();
  kNext(this, read, size, device);
  is_mapped = device ? Trait::kYes : Trait::kNo;
}

}  // namespace torch::serialize
