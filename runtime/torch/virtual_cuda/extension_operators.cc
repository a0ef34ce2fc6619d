#include "runtime/torch/virtual_cuda/extension_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/torch/virtual_cuda/host_call.h"
#include "runtime/torch/virtual_cuda/release.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::DispatchKey;
using c10::OperatorHandle;
using c10::OperatorName;

// The dispatcher warns of kernels that are replaced; these are meant to be.
class NoWarnings : public c10::WarningHandler {
 public:
#if PLACECHECK_TORCH_AT_LEAST(2, 0)
  void process(const c10::Warning& /*warning*/) override {}
#else
  void process(const c10::SourceLocation& /*place*/, const std::string& /*text*/,
               bool /*verbatim*/) override {}
#endif
};

#if PLACECHECK_TORCH_AT_LEAST(2, 0)
using WarningHandlerGuard = c10::WarningUtils::WarningHandlerGuard;
#else
using WarningHandlerGuard = c10::Warning::WarningHandlerGuard;
#endif

class ExtensionOperators {
 public:
  void add(const OperatorName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_watching_) names_.insert(name);
  }
  void remove(const OperatorName& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    names_.erase(name);
  }
  void watch() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_watching_ = true;
  }
  // Those that have a kernel for CUDA.
  std::unordered_set<OperatorName> on_cuda() {
    std::unordered_set<OperatorName> result;
    for (const OperatorName& name : names()) {
      const auto op = c10::Dispatcher::singleton().findSchema(name);
      if (op && op->hasKernelForDispatchKey(DispatchKey::CUDA)) result.insert(name);
    }
    return result;
  }

 private:
  // The dispatcher has a lock of its own, which it holds where it tells of new operators.
  std::vector<OperatorName> names() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {names_.begin(), names_.end()};
  }

  std::mutex mutex_;
  bool is_watching_ = false;
  std::unordered_set<OperatorName> names_;
};

ExtensionOperators& extension_operators() {
  static auto* operators = new ExtensionOperators;
  return *operators;
}

class Listener : public c10::OpRegistrationListener {
 public:
  void onOperatorRegistered(const OperatorHandle& op) override {
    extension_operators().add(op.operator_name());
  }
  void onOperatorDeregistered(const OperatorHandle& op) override {
    extension_operators().remove(op.operator_name());
  }
};

// What was on CUDA before each library that is being loaded, the innermost last.
thread_local std::vector<std::unordered_set<OperatorName>> before_loading;

void leave_to_host(const OperatorHandle& op) {
  // Never given up: an extension stays loaded.
  static auto* libraries = new std::deque<torch::Library>;
  const std::string name = toString(op.operator_name());
  const std::string space = name.substr(0, name.find("::"));
  libraries->emplace_back(torch::Library::IMPL, space, DispatchKey::CUDA, __FILE__, __LINE__)
      .impl(name.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::make_unique<HostCall>(op)));
}

}  // namespace

void watch_extension_operators() {
  static auto* handle = new c10::RegistrationHandleRAII(
      c10::Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>()));
  static_cast<void>(handle);
  extension_operators().watch();
}

}  // namespace placecheck::virtual_cuda

using namespace placecheck::virtual_cuda;

void placecheck_before_extension() { before_loading.push_back(extension_operators().on_cuda()); }

void placecheck_after_extension() {
  const std::unordered_set<OperatorName> before = std::move(before_loading.back());
  before_loading.pop_back();
  NoWarnings no_warnings;
  const WarningHandlerGuard guard(&no_warnings);
  for (const OperatorName& name : extension_operators().on_cuda()) {
    if (before.count(name) != 0) continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (op && op->hasKernelForDispatchKey(DispatchKey::CPU)) leave_to_host(*op);
  }
}
