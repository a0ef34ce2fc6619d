// How a file's functions become IR: one UnitLowering a file, one FunctionLowering a function.
// Internal to this folder.
//
// Variables are slots that hold references; no value is ever copied. What the language decides at
// run time is left to the analysis, under names with dots: a method is `.name`, a library's
// function its dotted name, and access to objects goes through `object.get`, `object.set`,
// `object.item`, ... (README.md lists them).
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/frontend/python/project.h"
#include "analyzer/frontend/python/scope.h"
#include "analyzer/frontend/python/syntax.h"
#include "analyzer/ir/builder.h"
#include "analyzer/ir/ir.h"

namespace placecheck::frontend::python {

inline constexpr int kMaxDepth = 120;  // of expressions and statements within each other

// What one name of an import statement brings.
struct ImportedName {
  std::string bound;
  Target target;
  std::vector<Target> modules;  // that run, in order
};

// A decorator that leaves the function what it is, one that says how it is called, or another.
enum class Decoration : uint8_t { kNone, kProperty, kSetter, kStatic, kClass, kUnknown };

class UnitLowering {
 public:
  UnitLowering(std::string path, Project& project) : path_(std::move(path)), project_(project) {
    unit_.files.push_back(path_);
  }

  void lower(const Node& root);
  ir::Unit take() { return std::move(unit_); }

  const std::string& path() const { return path_; }
  Project& project() { return project_; }
  bool is_partial() const { return is_partial_; }
  void set_partial() { is_partial_ = true; }

  void add(ir::Function function) { unit_.functions.push_back(std::move(function)); }
  void add(ir::Class type) { unit_.classes.push_back(std::move(type)); }
  // A key that no other function of the file has.
  std::string new_key(const std::string& name, const ir::Range& range);
  // A function without parameters that yields the value of an expression: a default.
  std::string add_default(const Node& value, const Scope* outer, const std::string& name);
  // Key of the function that runs a module once.
  static std::string module_key(const std::string& path) { return key_of(path, "<module>"); }
  static std::string imported_slot(const std::string& path) { return slot_of(path, "<imported>"); }

 private:
  void add_module_flag();
  void add_entry(const ir::Range& range);

  std::string path_;
  Project& project_;
  ir::Unit unit_;
  std::set<std::string> keys_;
  bool is_partial_ = false;
};

class FunctionLowering {
 public:
  FunctionLowering(UnitLowering& unit, ir::Function& function, Scope scope);

  void run_module(const Node& root);
  // A def or lambda; `captured` are names of the functions around.
  void run_function(const Node& definition, const std::vector<std::string>& captured,
                    bool is_method, Decoration decoration, bool is_context_manager = false);
  void run_default(const Node& value);

 private:
  struct Loop {
    uint32_t on_break, on_continue;
    size_t guards;
  };
  struct Region {
    uint32_t on_failure;
    size_t guards;
    bool is_foreseen = false;  // what fails is retried by a handler that moves it, or is to fail
  };

  // --- statements.cc ---
  void block(const Node& node);
  void statement(const Node& node);
  void forget_variables();
  void if_statement(const Node& node);
  void while_statement(const Node& node);
  void for_statement(const Node& node);
  void with_statement(const Node& node);
  void expected_failure(const Node& body);
  void try_statement(const Node& node);
  void match_statement(const Node& node);
  void match_pattern(const Node& pattern, const std::string& subject, uint32_t then, uint32_t next);
  void return_statement(const Node& node);
  void assert_statement(const Node& node);
  void delete_target(const Node& node);
  void import_statement(const Node& node);
  std::vector<ImportedName> imported_names(const Node& statement);
  ImportedName imported_module(const Node& name);
  ImportedName imported_member(const Node& name, const std::string& from, size_t level);
  void run_import(const Target& target);
  void leave_guards(size_t kept);
  void fail();
  // `for pattern in range`, which is written at `where`: calls `body` for what happens each time.
  template <typename Body>
  void loop(const Node& pattern, ir::Register range, const ir::Range& where, const Node& otherwise,
            bool in_comprehension, Body&& body);
  void condition(const Node& node, uint32_t then, uint32_t otherwise, bool is_loop = false);

  // --- definitions.cc ---
  void function_definition(const Node& node, const std::vector<Node>& decorators);
  void class_definition(const Node& node, const std::vector<Node>& decorators);
  bool is_of_program(const Node& decorator);
  void class_member(ir::Class& type, const Node& statement);
  void method_definition(ir::Class& type, const Node& node, const std::vector<Node>& decorators);
  Decoration decoration_of(const std::vector<Node>& decorators);
  ir::Register decorated(ir::Register function, const std::vector<Node>& decorators);
  ir::Register closure_of(const Node& definition, const std::string& name,
                          bool is_context_manager = false);
  ir::Register with_defaults(ir::Register function, const Node& parameters);
  // The value of a function that `run` lowers, with the variables that it captures.
  template <typename Run>
  ir::Register nested_function(const std::string& name, const ir::Range& range,
                               const std::vector<std::string>& captured, Run&& run) {
    ir::Function function;
    function.kind = ir::FunctionKind::kLambda;
    function.name = name;
    function.range = range;
    function.key = unit_.new_key(name, range);
    Scope scope;
    scope.outer = is_module() ? nullptr : &scope_;
    scope.depth = depth_;
    scope.class_key = scope_.class_key;
    FunctionLowering inner(unit_, function, std::move(scope));
    run(inner);
    std::string key = function.key;
    unit_.add(std::move(function));
    std::vector<ir::Register> captures;
    for (const std::string& each : captured)
      captures.push_back(builder_.ref(scope_.slots.at(each)));
    return builder_.closure(key, std::move(captures));
  }
  void capture(const std::vector<std::string>& names, const ir::Range& range);
  void declare_parameters(const Node& parameters, bool has_receiver);
  void add_parameter(const std::string& name, ir::Type type, const ir::Range& range,
                     std::string default_function);
  void declare_imports(BoundNames& names);
  void declare_locals(const Node& body, const std::vector<std::string>& captured);

  // --- context_managers.cc ---
  bool makes_context_manager(const std::vector<Node>& decorators);
  // The body of one: false, and nothing is lowered, where it cannot be split at its `yield`.
  bool context_manager(const Node& body);
  // The function that runs what stands behind the `yield`.
  ir::Register end_of_block(const std::vector<Node>& statements);
  void run_statements(const std::vector<Node>& statements,
                      const std::vector<std::string>& captured);

  // --- expressions.cc ---
  ir::Register value(const Node& node);
  ir::Register expression(const Node& node);
  ir::Register identifier(const Node& node);
  std::vector<ir::Register> members_of(const std::string& file,
                                       std::initializer_list<Target::Kind> kinds);
  ir::Register namespace_of(const std::string& file);
  std::optional<ir::Register> member_of_module(const Node& call, const Target& callee);
  ir::Register attribute(const Node& node);
  ir::Register subscript(const Node& node);
  ir::Register index_of(const Node& node);
  ir::Register string(const Node& node);
  ir::Register number(const Node& node);
  ir::Register binary(const Node& node);
  ir::Register unary(const Node& node);
  ir::Register comparison(const Node& node);
  ir::Register boolean(const Node& node);
  ir::Register conditional(const Node& node);
  ir::Register sequence(const Node& node, const char* operation);
  ir::Register dictionary(const Node& node);
  ir::Register comprehension(const Node& node);
  void comprehend(const Node& node, const std::vector<Node>& clauses, size_t next,
                  const std::string& slot);
  ir::Register lambda(const Node& node);
  ir::Register yielded(const Node& node);
  ir::Register assignment(const Node& node);
  ir::Register augmented(const Node& node);
  void assign(const Node& pattern, ir::Register value);
  bool assign_spread(const Node& left, const Node& right);
  void assign_name(const std::string& name, ir::Register value);
  ir::Register read_name(const std::string& name, const Node& node);
  ir::Register value_of(const Target& target);
  // What a name or a chain of attributes means, as far as that is fixed.
  Target resolve(const Node& node);
  Target resolve_name(const std::string& name, const Node& at = {});

  // --- calls.cc ---
  ir::Register call(const Node& node);
  void add_arguments(ir::Call& call, const Node& arguments);
  // In a try, the call says whether its exception is foreseen.
  void note_tried(ir::Call& call);
  ir::Register super_call(const Node& node, const Node& callee);
  ir::Register emit(ir::Call call);
  // A call of the analysis' own or of a library, by name.
  ir::Register built_in(std::string name, std::vector<ir::Register> arguments);
  ir::Register text(std::string_view text) { return builder_.constant(std::string(text)); }

  bool is_module() const { return scope_.kind == Scope::Kind::kModule; }
  // The slot of a variable that can be written.
  std::string variable(const std::string& name);
  ir::Register part_of(const std::string& whole, size_t i, size_t count, bool is_rest,
                       bool has_rest);

  UnitLowering& unit_;
  ir::Function& function_;
  ir::Builder builder_;
  Scope scope_;
  std::vector<Loop> loops_;
  std::vector<Region> regions_;      // tries around
  std::vector<std::string> guards_;  // slots of the withs around
  std::string yields_;               // the slot that collects what a generator yields
  int depth_;                        // of the node at hand, functions around it included
};

// The quotes off, escapes resolved as far as they matter.
std::string content_of(const Node& string);

}  // namespace placecheck::frontend::python
