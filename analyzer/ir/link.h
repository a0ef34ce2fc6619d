// Joins units into programs: what is linked together is judged together, and nothing else is.
//
// A unit with an entry is a program, with the units that define what it calls, transitively. Units
// that no program reaches form one library for each group of units connected by what they call,
// define and share. Nothing is merged: a key with several definitions stands for the one that the
// caller would see, or for none.
//
// Ownership: a Program points into the units, which must outlive it and stay where they are.
// Threads: everything is read-only once linked; several threads may look up at once.
// Errors: none; what cannot be resolved is null, which means unknown.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

class LinkIndex;

class Program {
 public:
  std::string name;                // the file of its entry; of its first unit for a library
  std::vector<const Unit*> units;  // the roots first
  size_t roots = 0;                // how many of the units are roots: one, or a library's own ones
  bool is_library = false;         // without an entry: whatever is exported may be called

  // What `key` means to `caller` (null: to nobody in particular): the caller's own definition, else
  // the only one in the program, else the only one in the caller's folder, else null. Equal keys
  // with the same place of definition, as from a header, are one definition.
  const Function* find_function(std::string_view key, const Unit* caller) const;
  const Class* find_class(std::string_view key, const Unit* user) const;
  // The global with an initializer goes before a mere declaration.
  const Global* find_global(std::string_view slot, const Unit* user) const;

  // The unit that holds it; null if it is none of this program's.
  const Unit* unit_of(const Function& function) const;
  const Unit* unit_of(const Class& class_) const;

  // Where execution may begin: the entries of the roots, or a library's exported functions.
  std::vector<const Function*> entries() const;

 private:
  friend class Linker;

  std::shared_ptr<const LinkIndex> index_;
  std::vector<bool> members_;  // by the number of the unit in the index
};

// Programs in the order of their first unit, entries before libraries. Takes time linear in the
// size of the units, and in what the programs share.
std::vector<Program> link(std::span<const Unit* const> units);

}  // namespace placecheck::ir
