// These functions of libtorch's stand before its own, which they call.
#include "runtime/torch/virtual_cuda/module_moves.h"

#include <cxxabi.h>
#include <malloc.h>
#include <sys/uio.h>
#include <torch/nn/module.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "rules/facts.h"
#include "rules/unregistered_state.h"
#include "runtime/core/stack.h"
#include "runtime/torch/virtual_cuda/bounded_map.h"
#include "runtime/torch/virtual_cuda/next_definition.h"

namespace placecheck::virtual_cuda {
namespace {

namespace rule = rules::unregistered_state;
using rules::Trait;
using torch::nn::Module;

// The word at an address, which may be no address at all.
std::optional<std::uintptr_t> word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  const iovec to{&word, sizeof(word)};
  const iovec from{reinterpret_cast<void*>(address), sizeof(word)};
  const bool is_read = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(word);
  return is_read ? std::optional(word) : std::nullopt;
}

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// A description of a class, by the Itanium C++ ABI: its first word says how many bases the class
// has.
bool is_class_description(std::uintptr_t address) {
  static const std::array<std::optional<std::uintptr_t>, 3> kKinds = {
      word_at(address_of(&typeid(std::exception))),
      word_at(address_of(&typeid(std::runtime_error))),
      word_at(address_of(&typeid(std::iostream)))};
  const auto kind = word_at(address);
  return kind && std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

// The Target in the object at an address, which may be no object at all; null where there is none.
template <typename Target>
Target* find_object(std::uintptr_t address) {
  constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
  const auto vtable = address % kWord == 0 ? word_at(address) : std::nullopt;
  const auto description = vtable ? word_at(*vtable - kWord) : std::nullopt;
  const auto to_whole = vtable ? word_at(*vtable - 2 * kWord) : std::nullopt;
  if (!description || !to_whole || !is_class_description(*description)) return nullptr;
  const std::uintptr_t whole = address + *to_whole;
  const auto whole_vtable = word_at(whole);
  if (!whole_vtable || word_at(*whole_vtable - kWord) != description) return nullptr;
  const auto* type = reinterpret_cast<const std::type_info*>(*description);
  void* object = reinterpret_cast<void*>(whole);
  const auto* target = static_cast<const abi::__class_type_info*>(&typeid(Target));
  return type->__do_upcast(target, &object) ? static_cast<Target*>(object) : nullptr;
}

// The words of a module that std::make_shared made, behind the block that counts its references;
// empty for others, of which it is not known how long they are.
std::span<const std::uintptr_t> memory_of(const std::shared_ptr<Module>& module) {
  constexpr std::size_t kCounts = 2 * sizeof(std::uintptr_t);
  void* parts[2];  // the object, and its block
  static_assert(sizeof(parts) == sizeof(module));
  std::memcpy(static_cast<void*>(parts), &module, sizeof(parts));
  const std::uintptr_t block = address_of(parts[1]);
  const std::size_t bytes = malloc_usable_size(parts[1]);
  const bool is_inside =
      address_of(parts[0]) >= block + kCounts && address_of(parts[0]) < block + bytes;
  if (!is_inside) return {};
  return {reinterpret_cast<const std::uintptr_t*>(block + kCounts),
          (bytes - kCounts) / sizeof(std::uintptr_t)};
}

bool share_memory(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() && b.defined() && a.has_storage() && b.has_storage() &&
         a.storage().is_alias_of(b.storage());
}

bool is_state_of(const Module& module, const at::Tensor& tensor, bool recurse) {
  const auto is_it = [&](const at::Tensor& each) { return share_memory(each, tensor); };
  const std::vector<at::Tensor> parameters = module.parameters(recurse);
  const std::vector<at::Tensor> buffers = module.buffers(recurse);
  return std::any_of(parameters.begin(), parameters.end(), is_it) ||
         std::any_of(buffers.begin(), buffers.end(), is_it);
}

// What a word of a module's memory leads to that holds the tensor: a tensor or a module, in words;
// empty where it is neither, or is registered.
std::string unregistered_holder(const Module& owner, std::uintptr_t word,
                                const at::Tensor& tensor) {
  if (const auto* impl = find_object<c10::TensorImpl>(word)) {
    const bool is_it = impl->has_storage() && impl->storage().is_alias_of(tensor.storage());
    return is_it ? "tensor" : "";
  }
  const auto* member = find_object<Module>(word);
  const bool is_it = member && member != &owner && is_state_of(*member, tensor, /*recurse=*/true);
  return is_it ? "'" + member->name() + "'" : "";
}

struct Move {
  std::weak_ptr<Module> module;
  c10::Device device = c10::kCPU;
  core::StackAddresses stack;
};

// Never destroyed: static objects of the program may use tensors when it ends.
BoundedMap<Move>& the_moves() {
  static auto* moves = new BoundedMap<Move>;
  return *moves;
}

std::optional<EarlierCause> cause_in(const Move& move, const at::Tensor& tensor) {
  const std::shared_ptr<Module> module = move.module.lock();
  if (!module || tensor.device() == move.device) return std::nullopt;
  const bool is_registered = is_state_of(*module, tensor, /*recurse=*/true);
  const rule::MemberFact member{.stateful = Trait::kYes,
                                .registered = is_registered ? Trait::kYes : Trait::kNo,
                                .owner_used = Trait::kYes};
  if (rule::judge(member) != rules::Verdict::kBroken) return std::nullopt;
  for (const std::uintptr_t word : memory_of(module)) {
    const std::string holder = unregistered_holder(*module, word, tensor);
    if (holder.empty()) continue;
    return EarlierCause{&rule::kRule,
                        "'" + module->name() + "' was moved to " + move.device.str() +
                            " without the " + holder + " that it holds on " +
                            tensor.device().str() + ": the member is not registered",
                        move.stack.text()};
  }
  return std::nullopt;
}

void note_move(Module& module, c10::Device device) {
  Move move{.module = module.weak_from_this(), .device = device, .stack = {}};
  if (move.module.expired()) return;
  move.stack.capture();
  the_moves().set(&module, std::move(move));
}

}  // namespace

std::vector<EarlierCause> moves_that_left_behind(const std::vector<MistakenOperand>& operands) {
  std::vector<EarlierCause> causes;
  const std::vector<Move> moves = the_moves().all();
  for (const MistakenOperand& operand : operands) {
    if (!operand.tensor->defined() || !operand.tensor->has_storage()) continue;
    for (const Move& move : moves) {
      if (auto cause = cause_in(move, *operand.tensor)) causes.push_back(std::move(*cause));
    }
  }
  return causes;
}

}  // namespace placecheck::virtual_cuda

namespace torch::nn {

using placecheck::virtual_cuda::next_definition;
using placecheck::virtual_cuda::note_move;

__attribute__((visibility("default"))) void Module::to(torch::Device device, torch::Dtype dtype,
                                                       bool non_blocking) {
  using Next = void(Module*, torch::Device, torch::Dtype, bool);
  static Next* const kNext = next_definition<Next>();
  kNext(this, device, dtype, non_blocking);
  note_move(*this, device);
}

__attribute__((visibility("default"))) void Module::to(torch::Device device, bool non_blocking) {
  using Next = void(Module*, torch::Device, bool);
  static Next* const kNext = next_definition<Next>();
  kNext(this, device, non_blocking);
  note_move(*this, device);
}

}  // namespace torch::nn
