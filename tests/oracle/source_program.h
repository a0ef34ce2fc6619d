// Small programs over tensors, modules, lists and records, as trees that can be made at random, cut
// down, and lowered to the placement IR in the forms that the C++ front end uses.
//
// A variable is named by its index in the function's list. Every variable is initialised before the
// body, so that a program stays one if any statement is left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/ir/ir.h"
#include "tests/oracle/interpreter.h"

namespace placecheck::oracle {

enum class Kind : uint8_t {
  kTensor,
  kLinear,  // a layer of the library
  kNet,     // a module of the program: two layers and a buffer
  kList,    // of tensors
  kPair,    // a record of two tensors
  kNumber,
  kTruth,
};

enum class Storage : uint8_t { kLocal, kByValue, kByReference, kGlobal };

struct Variable {
  Kind kind = Kind::kTensor;
  Storage storage = Storage::kLocal;
  // The initial value of a local or global variable: of a number or a truth; how many elements a
  // list has.
  int64_t number = 0;
  Device device = Device::kCpu;
  // A global that another file of the program defines.
  bool is_extern = false;
};

struct Condition {
  enum class Form : uint8_t {
    kVariable,    // truth
    kCompare,     // number `op` constant
    kCompareTwo,  // number `op` number
    kIsCuda,      // tensor
    kSameDevice,  // tensor, tensor
    kUnknown,     // what unknown code answers
    kNot,
    kAnd,
    kOr,
  };
  Form form = Form::kVariable;
  std::vector<uint32_t> operands;
  std::string operation;  // "op.lt"
  int64_t number = 0;
  std::vector<Condition> parts;
};

struct Statement {
  enum class Form : uint8_t {
    // Tensors.
    kMake,        // a = ones({2, 2}, device)
    kMove,        // a = b.to(device)
    kMoveLike,    // a = b.to(c.device())
    kSetTensor,   // a = b
    kAdd,         // a = b + c
    kAddInPlace,  // a.add_(b)
    // Modules.
    kMakeModule,  // m = Linear(2, 2), or Net()
    kSetModule,   // m = n: both are the same module
    kMoveModule,  // m->to(device)
    kTakePart,    // m = net->first or ->second
    kMovePart,    // net->first->to(device), or ->second
    kForward,     // a = m->forward(b)
    kTakeBuffer,  // a = net->shift
    // Lists and records.
    kPush,       // list.push_back(a)
    kClear,      // list.clear()
    kSetList,    // list = other
    kTake,       // a = list[number]
    kTakeAt,     // a = list[n]
    kSetAt,      // list[number] = a
    kSetField,   // pair.x = a
    kTakeField,  // a = pair.x
    kSetPair,    // pair = other
    // Numbers and truth.
    kSetNumber,  // n = number
    kAddNumber,  // n = n + number
    kAskNumber,  // n = unknown()
    kSetTruth,   // b = condition
    // Control.
    kIf,
    kRepeat,   // for (n = 0; n < number; ++n)
    kCount,    // for (n = 0; n < m; ++n)
    kForEach,  // for (a : list)
    kBreak,
    kReturn,  // a
    kRaise,
    // Calls.
    kCall,         // a = function(...)
    kCallLambda,   // [&](t) { body }(b)
    kCallUnknown,  // unknown(variables...)
    kRecur,        // if (n > 0) a = this function(..., n - 1)
  };
  Form form = Form::kMake;
  std::vector<uint32_t> operands;
  int64_t number = 0;
  Device device = Device::kCpu;
  bool is_project_code = false;  // kCallUnknown: declared by the program
  Condition condition;
  std::vector<Statement> body;
  std::vector<Statement> otherwise;  // kIf
};

struct SourceFunction {
  std::vector<Variable> variables;
  std::vector<Statement> body;
  uint32_t result = 0;  // a tensor, which it returns at its end
};

struct SourceProgram {
  std::vector<Variable> globals;
  std::vector<SourceFunction> functions;  // the first one is the entry; they call later ones
};

// With a line of its own for each instruction, and without variables and functions that nothing
// uses. The globals are the last variables of each function.
ir::Unit lower(const SourceProgram& program);

}  // namespace placecheck::oracle
