// The front end as a test sees it: programs in memory, against as much of the library as they call.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "analyzer/frontend/clang/lower.h"
#include "analyzer/ir/ir.h"

namespace placecheck::frontend {

// By path; /project/main.cc is what is lowered, /library is not of the project.
LowerResult lower_files(std::map<std::string, std::string> files);

// A program of one file, behind its include of the library.
LowerResult lower(const std::string& text);

// Null if there is none.
const ir::Function* find(const ir::Unit& unit, const std::string& name);

// The body of the function `name` in a program without errors, without ranges.
std::string body(const std::string& text, const std::string& name);

// Each part stands behind the one before.
void expect_in_order(const std::string& text, std::initializer_list<std::string_view> parts);

}  // namespace placecheck::frontend
