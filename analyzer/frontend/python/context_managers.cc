// Generators that contextlib makes context managers: what stands before `yield` runs where their
// block begins, the rest where it ends.
#include <algorithm>

#include "analyzer/frontend/python/lowering.h"

namespace placecheck::frontend::python {
namespace {

struct SplitBody {
  std::vector<Node> before;
  Node yielded;
  std::vector<Node> after;
};

size_t count_yields(const Node& node) {
  size_t count = 0;
  std::vector<Node> work{node};
  while (!work.empty()) {
    const Node next = work.back();
    work.pop_back();
    count += next.is("yield");
    for (const Node& each : next.children()) work.push_back(each);
  }
  return count;
}

// The `yield` that is a statement of its own; an empty node for other statements.
Node yield_of(const Node& statement) {
  if (!statement.is("expression_statement")) return {};
  const std::vector<Node> parts = statement.children();
  const bool is_yield = parts.size() == 1 && parts[0].is("yield");
  if (!is_yield) return {};
  for (const std::string_view token : parts[0].tokens())
    if (token == "from") return {};
  return parts[0];
}

void split(const Node& block, SplitBody& body);

// The handlers run only where the block fails.
void split_try(const Node& statement, SplitBody& body) {
  split(statement.field("body"), body);
  for (const Node& clause : statement.children()) {
    if (clause.is("else_clause") || clause.is("finally_clause"))
      for (const Node& each : clause.children())
        if (each.is("block")) body.after.push_back(each);
  }
}

void split(const Node& block, SplitBody& body) {
  for (const Node& each : block.children()) {
    if (body.yielded) {
      body.after.push_back(each);
    } else if (const Node yielded = yield_of(each)) {
      body.yielded = yielded;
    } else if (each.is("try_statement") && count_yields(each) != 0) {
      split_try(each, body);
    } else {
      body.before.push_back(each);
    }
  }
}

}  // namespace

bool FunctionLowering::makes_context_manager(const std::vector<Node>& decorators) {
  return std::ranges::any_of(decorators, [&](const Node& decorator) {
    const std::vector<Node> parts = decorator.children();
    if (parts.empty()) return false;
    const Target target = resolve(parts[0]);
    return target.is(Target::Kind::kLibrary) && target.name == "contextlib.contextmanager";
  });
}

bool FunctionLowering::context_manager(const Node& body) {
  if (count_yields(body) != 1) return false;
  SplitBody parts;
  split(body, parts);
  // In a with-block, a branch or a loop of its own it is a generator as others are.
  if (!parts.yielded) return false;
  yields_.clear();
  for (const Node& each : parts.before) statement(each);
  if (builder_.unreachable()) return true;
  const std::vector<Node> given = parts.yielded.children();
  const ir::Register entered = given.empty() ? builder_.none() : value(given[0]);
  builder_.set_range(parts.yielded.range());
  builder_.ret(built_in("object.context", {entered, end_of_block(parts.after)}));
  return true;
}

ir::Register FunctionLowering::end_of_block(const std::vector<Node>& statements) {
  if (statements.empty()) return builder_.none();
  std::set<std::string> names;
  for (const Node& each : statements) {
    names.merge(names_used_in(each));
    names.merge(names_bound_in(each).bound);
  }
  std::vector<std::string> captured;
  std::ranges::copy_if(names, std::back_inserter(captured),
                       [&](const std::string& name) { return scope_.has(name); });
  return nested_function(
      "<end of block>", statements.front().range(), captured,
      [&](FunctionLowering& inner) { inner.run_statements(statements, captured); });
}

void FunctionLowering::run_statements(const std::vector<Node>& statements,
                                      const std::vector<std::string>& captured) {
  builder_.set_range(statements.front().range());
  capture(captured, statements.front().range());
  for (const Node& each : statements) statement(each);
  if (!builder_.unreachable()) {
    leave_guards(0);
    builder_.ret(builder_.none());
  }
  builder_.finish();
}

}  // namespace placecheck::frontend::python
