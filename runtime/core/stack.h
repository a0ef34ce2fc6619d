// The C++ stack of the caller, as text, with names and lines where they are known.
//
// Lines come from debug information (-g), read by GCC's libbacktrace where the compiler has it;
// without it there are the names that libraries export. The first call takes some tenths of a
// second in a process with large libraries, more where they have debug information;
// PLACECHECK_SYMBOLS=0 leaves names and lines out. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CORE_STACK_H_
#define PLACECHECK_RUNTIME_CORE_STACK_H_

#include <array>
#include <cstddef>
#include <string>

namespace placecheck::core {

// A line for each call, innermost first, without the frame that returns to `hidden`:
//
//   in train(Net&) at train.cc:41 (./program+0x1c3a9)
//   in main (./program+0x1c9f0)
//   ./stripped+0x1c3a9            (for addr2line -e ./stripped 0x1c3a9)
//
// In a process that runs Python it ends where the interpreter evaluates the calling line.
std::string stack_text(const void* hidden = nullptr);

// The addresses of a stack, for a text that is written later. Async-signal-safe after the first
// call in a process, which loads what unwinds: call it once before signals may come.
class StackAddresses {
 public:
  void capture();
  // As stack_text(), without the frame of who captured it.
  std::string text(const void* hidden = nullptr) const;
  // Equal stacks have equal ones.
  std::size_t hash() const;
  // The line at which this stack and `other` are in the function where they part: "train.cc:41";
  // empty where they are at different lines, or none is known. Also with PLACECHECK_SYMBOLS=0.
  std::string common_line(const StackAddresses& other) const;

 private:
  std::array<void*, 96> frames_{};
  std::size_t count_ = 0;
};

}  // namespace placecheck::core

#endif  // PLACECHECK_RUNTIME_CORE_STACK_H_
