// The shape of every opcode, as one table that the printer, the parser and the verifier share.
//
// Constant data; any thread may read it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

enum class ResultRule : uint8_t { kNone, kRequired, kOptional };

// What Instruction::symbol names.
enum class SymbolRule : uint8_t { kNone, kSlot, kField, kFunction };

inline constexpr uint32_t kAnyNumber = std::numeric_limits<uint32_t>::max();

// Types nested deeper than this are refused by the readers and the verifier: they walk recursively.
inline constexpr uint32_t kMaxTypeDepth = 64;

struct OpcodeRow {
  Opcode opcode;
  std::string_view word;
  ResultRule result;
  SymbolRule symbol;
  uint32_t min_operands;
  uint32_t max_operands;
  uint32_t targets;
  bool terminates;
};

inline constexpr std::array<OpcodeRow, 16> kOpcodeTable = {{
    {Opcode::kConst, "const", ResultRule::kRequired, SymbolRule::kNone, 0, 0, 0, false},
    {Opcode::kLoad, "load", ResultRule::kRequired, SymbolRule::kSlot, 0, 0, 0, false},
    {Opcode::kStore, "store", ResultRule::kNone, SymbolRule::kSlot, 1, 1, 0, false},
    {Opcode::kBind, "bind", ResultRule::kNone, SymbolRule::kSlot, 1, 1, 0, false},
    {Opcode::kRef, "ref", ResultRule::kRequired, SymbolRule::kSlot, 0, 0, 0, false},
    {Opcode::kField, "field", ResultRule::kRequired, SymbolRule::kField, 1, 1, 0, false},
    {Opcode::kIndex, "index", ResultRule::kRequired, SymbolRule::kNone, 2, 2, 0, false},
    {Opcode::kAssign, "assign", ResultRule::kNone, SymbolRule::kNone, 2, 2, 0, false},
    {Opcode::kCopy, "copy", ResultRule::kRequired, SymbolRule::kNone, 1, 1, 0, false},
    {Opcode::kCall, "call", ResultRule::kOptional, SymbolRule::kNone, 0, 0, 0, false},
    {Opcode::kClosure, "closure", ResultRule::kRequired, SymbolRule::kFunction, 0, kAnyNumber, 0,
     false},
    {Opcode::kExit, "exit", ResultRule::kNone, SymbolRule::kSlot, 0, 0, 0, false},
    {Opcode::kJump, "jump", ResultRule::kNone, SymbolRule::kNone, 0, 0, 1, true},
    {Opcode::kBranch, "branch", ResultRule::kNone, SymbolRule::kNone, 1, 1, 2, true},
    {Opcode::kReturn, "return", ResultRule::kNone, SymbolRule::kNone, 0, 1, 0, true},
    {Opcode::kRaise, "raise", ResultRule::kNone, SymbolRule::kNone, 0, 0, 0, true},
}};

constexpr const OpcodeRow& row_of(Opcode opcode) {
  return kOpcodeTable[static_cast<size_t>(opcode)];
}

// The words of the text form, in the order of the enumerators.
inline constexpr std::array<std::string_view, 15> kTypeWords = {
    "unknown", "void",   "bool",   "int",     "float",     "string", "device",  "options",
    "tensor",  "module", "record", "pointer", "container", "tuple",  "function"};
inline constexpr std::array<std::string_view, 4> kCallWords = {"direct", "method", "construct",
                                                               "indirect"};
inline constexpr std::array<std::string_view, 5> kFunctionWords = {
    "function", "method", "constructor", "lambda", "initializer"};

}  // namespace placecheck::ir
