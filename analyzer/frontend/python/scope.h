// The names of one function, class body or module, and where each is found.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/frontend/python/project.h"
#include "analyzer/frontend/python/syntax.h"

namespace placecheck::frontend::python {

// What a block binds by itself: assignments, loops, imports, definitions, and what it declares to
// be global or of an enclosing function.
struct BoundNames {
  std::set<std::string> bound;     // by anything but imports
  std::set<std::string> imported;  // by imports
  std::vector<Node> imports;       // those statements
  std::set<std::string> global;
  std::set<std::string> nonlocal;
  bool yields = false;
};

BoundNames names_bound_in(const Node& body);
// Every name that is written below `node`.
std::set<std::string> names_used_in(const Node& node);
// The names that a pattern of a match statement binds where it fits.
std::set<std::string> names_captured_by(const Node& pattern);
// The names of a function's parameters.
std::vector<std::string> names_of_parameters(const Node& parameters);

struct Scope {
  enum class Kind : uint8_t { kModule, kClass, kFunction };
  Kind kind = Kind::kFunction;
  const Scope* outer = nullptr;              // the nearest function around; null if there is none
  std::map<std::string, std::string> slots;  // of the function's own variables and captures
  // Of a function: the names that only imports bind, each of them to the same.
  std::map<std::string, Target> imported;
  std::set<std::string> global;  // declared so
  std::string class_key;         // of the class around, if any
  int depth = 0;                 // of the definition within others

  bool has(const std::string& name) const { return slots.count(name) != 0; }
  // The innermost function, from this one outwards, that binds the name; null if none does.
  const Scope* binder_of(const std::string& name) const {
    const Scope* each = this;
    while (each && !each->has(name) && each->imported.count(name) == 0) each = each->outer;
    return each;
  }
  // Whether a function around has a variable of that name.
  bool is_free(const std::string& name) const {
    const Scope* binder = outer ? outer->binder_of(name) : nullptr;
    return binder && binder->has(name);
  }
};

}  // namespace placecheck::frontend::python
