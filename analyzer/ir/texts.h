// Every text of a unit: files, keys, slots, the names of classes and functions, string literals.
//
// Ownership: edits in place. Threads: any, one for a unit.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace placecheck::ir {

void for_each_text(Unit& unit, llvm::function_ref<void(std::string&)> visit);

}  // namespace placecheck::ir
