// Which pointers inside a record that it is given a kernel follows. A record that is passed by
// value may hold pointers of both sides; those that the kernel never follows may lead anywhere.
//
// Stateless; reads the AST.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/Decl.h"

namespace placecheck::frontend {

// The way from the record to a pointer: the names of fields; an empty name is an element.
using FieldPath = std::vector<std::string>;

// The pointers of parameter `position` that the function's body follows, or a function's that it
// calls. Empty where the body is not known.
std::vector<FieldPath> followed_pointers(const clang::FunctionDecl& function, unsigned position);

}  // namespace placecheck::frontend
