// The predicates of rules/ on live pointers, streams and handles, and what is said where one is
// broken: the mistake goes to standard error, and the call fails with the code that CUDA returns;
// or, where the library's variable names a file, it is added to that (see core/report.h) and the
// program goes on as if its pointers had been where they are needed, so that one run shows all
// mistakes. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_WITNESS_H_
#define PLACECHECK_RUNTIME_CUDA_WITNESS_H_

#include <string>
#include <string_view>

#include "rules/cuda_memcpy_kind.h"
#include "rules/cuda_pointer_placement.h"
#include "rules/rule.h"
#include "runtime/cuda/memory.h"

namespace placecheck::cuda {

bool is_reporting();

// The facts of rules/; unknown for what everybody reaches, and for nowhere.
rules::cuda_pointer_placement::Memory fact_of(const Memory& memory);

// Whether the program goes on. `operation` is the call: "cudaMemcpy".
bool fail(const rules::Rule& rule, std::string_view operation, const std::string& message);
// The same for what shows later than it was done.
bool fail_at(const std::string& stack, const rules::Rule& rule, std::string_view operation,
             const std::string& message);

// Each of these is false where the call is to fail: the rule is broken and the program stops there.
//
// Memory that code on `device` uses.
bool judge_use(const void* pointer, int device, std::string_view operation);
// Memory that the program, or a library on its side, uses.
bool judge_use_by_host(const void* pointer, std::string_view operation);
bool judge_copy(const void* to, const void* from, rules::cuda_memcpy_kind::Direction direction,
                std::string_view operation);
// A copy that says of which devices its ends are.
bool judge_copy_between(const void* to, int to_device, const void* from, int from_device,
                        std::string_view operation);
bool judge_release(const void* pointer, rules::cuda_pointer_placement::User user,
                   std::string_view operation);
// A "stream", an "event" or a "handle" of `made`, used for `needed`.
bool judge_handle(std::string_view what, int made, int needed, std::string_view operation);
bool judge_index(int device, std::string_view operation);
// The program itself reads or writes memory of a device; what is said of it.
bool is_broken_by_host_access(int device);
std::string host_access_message(int device);

// Leaves a frame out of the stacks that this thread reports while it lives: what compilers put
// between a launch and the runtime has the line of the kernel, not that of the launch.
class HiddenFrame {
 public:
  explicit HiddenFrame(const void* return_address);
  ~HiddenFrame();
  HiddenFrame(const HiddenFrame&) = delete;
  HiddenFrame& operator=(const HiddenFrame&) = delete;
};

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_WITNESS_H_
