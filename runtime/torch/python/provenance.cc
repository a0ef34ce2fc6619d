#include "runtime/torch/python/provenance.h"

#include <c10/core/TensorImpl.h>
#include <torch/csrc/autograd/function.h>
#include <torch/version.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/torch/python/idle_threads.h"
#include "runtime/torch/python/python_frames.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::python {
namespace {

// What made a block of memory: a line, or a step of a backward pass that another thread runs.
struct Origin {
  std::optional<Frame> frame;
  std::string backward_node;
};

// Origins by address, in shards so that threads seldom meet. Memory that is freed is not told of:
// an address that comes again is new memory, and overwrites what was known of it.
class Origins {
 public:
  void set(const void* address, Origin origin) {
    Shard& shard = shard_of(address);
    std::lock_guard<std::mutex> lock(shard.mutex);
    if (shard.origins.size() >= kMostPerShard) shard.origins.clear();
    shard.origins.insert_or_assign(address, std::move(origin));
  }

  void forget(const void* address) {
    Shard& shard = shard_of(address);
    std::lock_guard<std::mutex> lock(shard.mutex);
    shard.origins.erase(address);
  }

  std::optional<Origin> find(const void* address) {
    Shard& shard = shard_of(address);
    std::lock_guard<std::mutex> lock(shard.mutex);
    const auto found = shard.origins.find(address);
    if (found == shard.origins.end()) return std::nullopt;
    return found->second;
  }

 private:
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kMostPerShard = 1 << 16;

  struct Shard {
    std::mutex mutex;
    std::unordered_map<const void*, Origin> origins;
  };

  Shard& shard_of(const void* address) {
    return shards_[(reinterpret_cast<std::uintptr_t>(address) >> 6) % kShards];
  }

  std::array<Shard, kShards> shards_;
};

Origins& origins() {
  static auto* all = new Origins;
  return *all;
}

// The step of a backward pass that this thread runs, if any.
std::string current_backward_node() {
#if TORCH_VERSION_MAJOR >= 2
  if (const auto node = torch::autograd::get_current_node()) return node->name();
#endif
  return "";
}

void record(const void* address, std::size_t /*bytes*/, c10::Device /*device*/) {
  if (address == nullptr) return;
  Origin origin;
  origin.frame = innermost_user_frame();
  if (!origin.frame) {
    origin.backward_node = current_backward_node();
    if (origin.backward_node.empty()) return origins().forget(address);
  }
  origins().set(address, std::move(origin));
}

std::string origin_text(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return "";
  const auto origin = origins().find(tensor.storage().data());
  if (!origin) return "";
  if (origin->frame) return " since " + text_of(*origin->frame);
  return " since " + origin->backward_node + " of the backward pass";
}

// A traceback says the rest where the error is raised; a report has to say it here.
void add_meeting_place(std::ostream& text, bool has_operands) {
  const char* how = has_operands ? "they meet at " : "called from ";
  std::vector<Frame> frames = user_frames();
  if (frames.empty()) {
    const std::string node = current_backward_node();
    if (node.empty()) return;
    text << "placecheck: they meet in " << node << " of the backward pass\n";
    frames = user_frames_of_backward_pass();
    how = "called from ";
  }
  for (const Frame& frame : frames) {
    text << "placecheck: " << how << text_of(frame) << "\n";
    if (!virtual_cuda::is_reporting()) return;
    how = "called from ";
  }
}

std::string explain(const virtual_cuda::Mistake& mistake) {
  std::ostringstream text;
  for (const virtual_cuda::MistakenOperand& operand : mistake.operands) {
    if (!operand.tensor->defined()) continue;
    text << "placecheck: ";
    if (operand.name.empty()) {
      text << "an operand ";
    } else {
      text << "'" << operand.name << "' ";
    }
    text << operand.tensor->sizes() << " is on " << operand.tensor->device()
         << origin_text(*operand.tensor) << "\n";
  }
  add_meeting_place(text, !mistake.operands.empty());
  text << "placecheck: more of this: placecheck --explain=" << mistake.rule;
  return text.str();
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace
}  // namespace placecheck::python

void placecheck_set_library_folders(const char* folders) {
  placecheck::python::set_library_folders(placecheck::python::split(folders, ':'));
}

void placecheck_start_provenance() {
  using namespace placecheck;
  virtual_cuda::set_mistake_explainer(&python::explain);
  virtual_cuda::set_allocation_observer(&python::record);
  virtual_cuda::observe_host_allocations();
}

void placecheck_receive_tensor(const void* tensor) {
  const auto& received = *static_cast<const c10::TensorImpl*>(tensor);
  if (!received.has_storage()) return;
  placecheck::virtual_cuda::observe_allocation(received.storage().data(),
                                               received.storage().nbytes(), received.device());
}

void placecheck_stop_provenance() {
  placecheck::virtual_cuda::set_allocation_observer(nullptr);
  placecheck::python::stop();
  // Threads of backward passes, which have just been started or still clean up, want the
  // interpreter's lock: it is free now. Python would end one that comes later in the middle of C++
  // code, and so the process: "terminate called without an active exception".
  constexpr std::chrono::milliseconds kLongest(200);
  placecheck::python::wait_until_threads_sleep(kLongest);
}
