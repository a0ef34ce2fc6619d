// The text form of the placement IR: complete, deterministic, and read back by parse.h.
//
// A unit without stray data (see verify.h) is the same after parse(print(unit)). Nothing is kept
// between calls; any thread may print what nobody is changing. There are no errors: what the
// verifier would refuse is printed as it is.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"

namespace llvm {
class raw_ostream;
}

namespace placecheck::ir {

struct PrintOptions {
  bool ranges = true;  // the `!file:line:column-line:column` after what was written there
};

void print(llvm::raw_ostream& out, const Unit& unit, PrintOptions options = {});
void print(llvm::raw_ostream& out, const Function& function, PrintOptions options = {});
void print(llvm::raw_ostream& out, const Class& class_, PrintOptions options = {});
void print(llvm::raw_ostream& out, const Instruction& instruction, PrintOptions options = {});

std::string to_string(const Unit& unit, PrintOptions options = {});
std::string to_string(const Function& function, PrintOptions options = {});
std::string to_string(const Instruction& instruction, PrintOptions options = {});
std::string to_string(const Type& type);
std::string to_string(const Literal& literal);

}  // namespace placecheck::ir
