// The IR as a person reads it: operands stand where they are used, library calls lose their
// namespaces, and `@` says on which line a call is.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"

namespace placecheck::oracle {

std::string readable(const ir::Function& function);

}  // namespace placecheck::oracle
