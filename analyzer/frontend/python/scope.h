// The names of one function, class body or module, and where each is found.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/frontend/python/syntax.h"

namespace placecheck::frontend::python {

// What a block binds by itself: assignments, loops, imports, definitions, and what it declares to
// be global or of an enclosing function.
struct BoundNames {
  std::set<std::string> bound;
  std::set<std::string> global;
  std::set<std::string> nonlocal;
  bool yields = false;
};

BoundNames names_bound_in(const Node& body);
// Every name that is written below `node`.
std::set<std::string> names_used_in(const Node& node);
// The names of a function's parameters.
std::vector<std::string> names_of_parameters(const Node& parameters);

struct Scope {
  enum class Kind : uint8_t { kModule, kClass, kFunction };
  Kind kind = Kind::kFunction;
  const Scope* outer = nullptr;              // the nearest function around; null if there is none
  std::map<std::string, std::string> slots;  // of the function's own variables and captures
  std::set<std::string> global;              // declared so
  std::string class_key;                     // of the class around, if any
  int depth = 0;                             // of the definition within others

  bool has(const std::string& name) const { return slots.count(name) != 0; }
  // Whether a function around has a variable of that name.
  bool is_free(const std::string& name) const {
    for (const Scope* each = outer; each; each = each->outer) {
      if (each->has(name)) return true;
    }
    return false;
  }
};

}  // namespace placecheck::frontend::python
