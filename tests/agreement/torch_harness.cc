#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "runtime/torch/virtual_cuda/release.h"
#include "runtime/torch/virtual_cuda/report.h"
#include "runtime/torch/virtual_cuda/rule_error.h"
#include "tests/agreement/harness.h"

namespace placecheck::agreement {
namespace {

// Errors that libtorch raises by itself, by their words.
std::string_view rule_of(std::string_view text) {
  constexpr struct {
    std::string_view words;
    std::string_view rule;
  } kWords[] = {
      {"same device", "device-mismatch"},
      {"only dense CPU tensors can be pinned", "device-mismatch"},
      {"Invalid device string", "invalid-device"},
      {"Expected one of cpu", "invalid-device"},
      {"Device string must not be empty", "invalid-device"},
      {"Could not parse device index", "invalid-device"},
      {"No such serialized", "state-dict-prefix"},
      {"' is not defined", "state-dict-prefix"},
      {"can't optimize a non-leaf Tensor", "non-leaf-parameter"},
      {"clone() has not been implemented for", "module-clone"},
      {"as the original module after calling reset()", "module-clone"},
      {"map::at", "state-dict-prefix"},
      {"Argument passed to at() was not in the map", "state-dict-prefix"},
      {"device type for generator", "generator-device"},
      {"No CUDA GPUs are available", "visible-devices"},
  };
  for (const auto& [words, rule] : kWords) {
    if (text.find(words) != std::string_view::npos) return rule;
  }
  return "error";
}

// Called before the stack is unwound, so that the report shows where the error was raised.
[[noreturn]] void report_and_leave() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const virtual_cuda::RuleError& error) {
    virtual_cuda::report(error.rule(), error.what_without_backtrace());
  } catch (const c10::Error& error) {
    virtual_cuda::report(rule_of(error.what_without_backtrace()), error.what_without_backtrace());
  } catch (const std::exception& error) {
    virtual_cuda::report(rule_of(error.what()), error.what());
  } catch (...) {
    virtual_cuda::report("error", "an exception of an unknown type");
  }
  std::_Exit(3);
}

// A program that ends itself, by abort() or a failed assertion.
void report_abort(int /*signal*/) {
  virtual_cuda::report("error", "the program ended itself");
  std::_Exit(3);
}

// What a program warns of may be the effect of a mistake (comparison.h).
class ReportedWarnings : public c10::WarningHandler {
 public:
#if PLACECHECK_TORCH_AT_LEAST(2, 0)
  void process(const c10::Warning& warning) override {
    virtual_cuda::report("warning", warning.msg());
  }
#else
  void process(const c10::SourceLocation& /*place*/, const std::string& text,
               const bool /*is_verbatim*/) override {
    virtual_cuda::report("warning", text);
  }
#endif
};

void set_warning_handler(c10::WarningHandler* handler) {
#if PLACECHECK_TORCH_AT_LEAST(2, 0)
  c10::WarningUtils::set_warning_handler(handler);
#else
  c10::Warning::set_warning_handler(handler);
#endif
}

}  // namespace

void prepare() {
  std::set_terminate(&report_and_leave);
  std::signal(SIGABRT, &report_abort);
  static ReportedWarnings warnings;
  set_warning_handler(&warnings);
}

// In place of c10::Device(const std::string&) in the fixtures of this executable: a text that does
// not parse is reported, and the program goes on with the first device.
extern "C" void device_from_text(c10::Device* self, const std::string& text) __asm__(
    "_ZN3c106DeviceC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
extern "C" void device_from_text(c10::Device* self, const std::string& text) {
  using Constructor = void (*)(c10::Device*, const std::string&);
  static const auto kOriginal = reinterpret_cast<Constructor>(
      dlsym(RTLD_NEXT, "_ZN3c106DeviceC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"));
  try {
    kOriginal(self, text);
  } catch (const c10::Error& error) {
    virtual_cuda::report("invalid-device", error.what_without_backtrace());
    *self = c10::Device(c10::kCUDA, 0);
  }
}

}  // namespace placecheck::agreement
