// A concrete interpreter of the placement IR: what a program does for one choice of its inputs.
//
// Slow and plain on purpose: it shares no code with the analysis that it is to judge. It knows few
// library calls (see `kLibrary` in interpreter.cc); any other call is a call of unknown code. What
// comes from outside is chosen by `Choices`: the parameters of the entry, globals without an
// initializer, and what unknown code returns and does to its arguments.
//
// Errors: a program that does what C++ leaves undefined, calls what it has no value for, or does
// not end, is abandoned: Run::is_whole says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analyzer/ir/link.h"

namespace placecheck::oracle {

// A device by number; the CPU is the first.
enum class Device : uint8_t { kCpu, kCuda0, kCuda1 };
inline constexpr uint32_t kDevices = 3;
// "cpu", "cuda:0", "cuda:1".
const char* name_of(Device device);

// The choices of one run, which are made again in the next one up to where it is to differ.
class Choices {
 public:
  // One of 0 ... `alternatives` - 1.
  uint32_t choose(uint32_t alternatives);
  // Goes on to the next run; false where all have been.
  bool advance();

 private:
  struct Choice {
    uint32_t taken = 0;
    uint32_t alternatives = 1;
  };
  std::vector<Choice> choices_;
  size_t next_ = 0;
};

// Where instructions stand is their line, which no two of a program share.
using Line = uint32_t;

struct Run {
  // The program came to its end, or failed.
  bool is_whole = true;
  // What fails for the devices of its operands. The first one ends the program; the interpreter
  // goes on with a result on the device of one operand, since later operations may fail as well.
  // What fails in a module of the program fails in the call of it, too.
  std::set<Line> failures;
  // No loop was left before its first iteration: the analysis assumes so much.
  bool is_as_assumed = true;
  // The devices of tensors that calls, and loads of variables, have yielded before the first
  // failure, and while the run was as assumed.
  std::map<Line, std::set<Device>> places;
  std::set<const ir::Function*> entered;
};

// Runs the first entry of the program.
Run run(const ir::Program& program, Choices& choices);

}  // namespace placecheck::oracle
