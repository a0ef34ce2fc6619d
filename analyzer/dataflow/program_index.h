// Look-ups over a linked program that the interpreter makes all the time: a function's layout, a
// class's methods and bases. Built lazily; one per analysis, used by one thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/dataflow/device_choices.h"
#include "analyzer/dataflow/device_selection.h"
#include "analyzer/dataflow/function_layout.h"
#include "analyzer/ir/ir.h"
#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

class ProgramIndex {
 public:
  explicit ProgramIndex(const ir::Program& program)
      : program_(program), uses_of_numbers_(uses_of_numbers(program)) {}

  const ir::Program& program() const { return program_; }
  const FunctionLayout& layout(const ir::Function& function);
  const ir::Unit* unit_of(const ir::Function& function) const {
    auto at = made_.find(&function);
    return at == made_.end() ? program_.unit_of(function) : at->second;
  }
  // Keeps a function that no unit has, which names things as `unit` does.
  const ir::Function& keep(ir::Function function, const ir::Unit& unit);

  const ir::Function* find_function(const std::string& key, const ir::Unit* caller) const {
    return key.empty() ? nullptr : program_.find_function(key, caller);
  }
  const ir::Class* find_class(const std::string& key, const ir::Unit* user) const {
    return key.empty() ? nullptr : program_.find_class(key, user);
  }

  using Accepts = std::function<bool(const ir::Function&)>;
  // The method that a call of `key`, called `name`, with `arity` arguments runs on an object of the
  // class: the function of that key, what overrides it, or else the first one that is accepted. A
  // call without a key is content with what takes so many arguments. Null if none.
  const ir::Function* find_method(const ir::Class& type, const std::string& name, size_t arity,
                                  const Accepts& accepts = {}, std::string_view key = {});
  const ir::Function* find_constructor(const ir::Class& type, size_t arity,
                                       const Accepts& accepts = {});
  // Whether the class, or a base that the project defines, has a method of that name.
  bool overrides(const ir::Class& type, const std::string& name);
  // The destructor of a class, where it selects a device or moves something.
  const ir::Function* find_destructor(const ir::Class& type);
  const ir::Field* find_field(const ir::Class& type, const std::string& name);
  // Whether a method called `name`, of the class or a base, takes something of `library`.
  bool takes_library_type(const ir::Class& type, std::string_view name, std::string_view library);
  // The names of its bases, however far.
  std::vector<std::string> bases_of(const ir::Class& type);
  bool derives_from(const ir::Class& type, const std::string& name);
  // The class and its bases in the order in which Python looks up their attributes.
  std::vector<const ir::Class*> lookup_order(const ir::Class& type) const;
  // Whether some function of the program stores into a global or takes its address.
  bool is_set(const std::string& global);
  // Whether some function of the program assigns the result of arithmetic to a field of that name.
  bool is_counted(std::string_view field);
  // Whether a function may put something on a device: see DeviceChoices.
  bool may_choose_device(const ir::Function& function);

 private:
  const ir::Function* choose(const ir::Class& type, const Accepts& accepts, std::string_view key,
                             const std::function<bool(const ir::Method&)>& is_meant);
  const ir::Unit* unit_of_class(const ir::Class& type) const { return program_.unit_of(type); }

  const ir::Program& program_;
  NumberUses uses_of_numbers_;
  std::deque<ir::Function> kept_;
  std::unordered_map<const ir::Function*, const ir::Unit*> made_;
  std::unordered_map<const ir::Function*, std::unique_ptr<FunctionLayout>> layouts_;
  std::unordered_map<const ir::Class*, const ir::Function*> destructors_;
  std::optional<std::unordered_set<std::string_view>> set_globals_;
  std::optional<std::unordered_set<std::string_view>> counted_fields_;
  std::optional<DeviceChoices> device_choices_;
};

}  // namespace placecheck::dataflow
