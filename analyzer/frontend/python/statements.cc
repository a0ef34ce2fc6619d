// Statements: blocks with branches and loops, imports, and what is left on the way out.
#include "analyzer/frontend/python/lowering.h"

namespace placecheck::frontend::python {
namespace {

constexpr std::string_view kEndOfIteration = "StopIteration";

// `with self.assertRaises(...)`, `with pytest.raises(...)`.
bool expects_failure(const Node& context) {
  const std::string_view called = context.field("function").text();
  const std::string_view last = called.substr(called.rfind('.') + 1);
  return context.is("call") &&
         (last == "raises" || last == "assertRaises" || last == "assertRaisesRegex");
}

}  // namespace

FunctionLowering::FunctionLowering(UnitLowering& unit, ir::Function& function, Scope scope)
    : unit_(unit),
      function_(function),
      builder_(function),
      scope_(std::move(scope)),
      depth_(scope_.depth) {}

void FunctionLowering::block(const Node& node) {
  for (const Node& each : node.children()) {
    if (builder_.unreachable()) return;
    statement(each);
  }
}

void FunctionLowering::statement(const Node& node) {
  if (++depth_ > kMaxDepth) {
    --depth_;
    function_.is_partial = true;
    builder_.unknown();
    return;
  }
  builder_.set_range(node.range());
  std::string_view kind = node.kind();
  // A statement that the grammar does not have may do anything to what it names.
  if (kind == "expression_statement" && node.has_error()) kind = "ERROR";
  if (kind == "expression_statement") {
    for (const Node& each : node.children()) {
      ir::Register made = expression(each);
      ir::Instruction* definition = each.is("call") ? builder_.definition(made) : nullptr;
      if (definition && definition->opcode == ir::Opcode::kCall)
        definition->call.discarded = !node.is_displayed();
    }
  } else if (kind == "if_statement") {
    if_statement(node);
  } else if (kind == "for_statement") {
    for_statement(node);
  } else if (kind == "while_statement") {
    while_statement(node);
  } else if (kind == "with_statement") {
    with_statement(node);
  } else if (kind == "try_statement") {
    try_statement(node);
  } else if (kind == "match_statement") {
    match_statement(node);
  } else if (kind == "return_statement") {
    return_statement(node);
  } else if (kind == "assert_statement") {
    assert_statement(node);
  } else if (kind == "raise_statement") {
    fail();
  } else if (kind == "break_statement" || kind == "continue_statement") {
    if (loops_.empty()) {
      --depth_;
      return;
    }
    leave_guards(loops_.back().guards);
    builder_.jump(kind == "break_statement" ? loops_.back().on_break : loops_.back().on_continue);
  } else if (kind == "delete_statement") {
    for (const Node& each : node.children()) delete_target(each);
  } else if (kind == "import_statement" || kind == "import_from_statement") {
    import_statement(node);
  } else if (kind == "function_definition") {
    function_definition(node, {});
  } else if (kind == "class_definition") {
    class_definition(node, {});
  } else if (kind == "decorated_definition") {
    Node definition = node.field("definition");
    std::vector<Node> decorators;
    for (const Node& each : node.children())
      if (each.is("decorator")) decorators.push_back(each);
    if (definition.is("function_definition"))
      function_definition(definition, decorators);
    else
      class_definition(definition, decorators);
  } else if (kind == "block") {
    block(node);
  }
  bool has_own_variables = kind.ends_with("_definition");
  // Where the parser was lost, statements may be missing.
  if (node.has_error() && !has_own_variables && !builder_.unreachable()) {
    function_.is_partial = true;
    forget_variables();
  }
  --depth_;
}

// All that the function knows may have been changed.
void FunctionLowering::forget_variables() {
  ir::Call unseen;
  unseen.kind = ir::CallKind::kIndirect;
  unseen.arguments.push_back({builder_.unknown(), {}, {}});
  for (const auto& [name, slot] : scope_.slots) {
    const bool is_receiver = slot.starts_with("this");
    unseen.arguments.push_back({is_receiver ? builder_.load(slot) : builder_.ref(slot), {}, {}});
  }
  builder_.call(std::move(unseen));
}

void FunctionLowering::leave_guards(size_t kept) {
  for (size_t i = guards_.size(); i-- > kept;) builder_.exit(guards_[i]);
}

// An exception: to the handler in this function, or out of it.
void FunctionLowering::fail() {
  if (regions_.empty()) return builder_.raise();
  leave_guards(regions_.back().guards);
  builder_.jump(regions_.back().on_failure);
}

void FunctionLowering::condition(const Node& node, uint32_t then, uint32_t otherwise,
                                 bool is_loop) {
  if (depth_ < kMaxDepth && node.is("parenthesized_expression") && node.children().size() == 1)
    return condition(node.children()[0], then, otherwise, is_loop);
  if (depth_ < kMaxDepth && node.is("not_operator") && !is_loop) {
    ++depth_;
    condition(node.field("argument"), otherwise, then);
    --depth_;
    return;
  }
  if (depth_ < kMaxDepth && node.is("boolean_operator") && !is_loop) {
    ++depth_;
    uint32_t right = builder_.new_block();
    bool is_and = node.field("operator").text() == "and";
    std::vector<std::string_view> tokens = node.tokens();
    for (std::string_view token : tokens) is_and |= token == "and";
    is_and ? condition(node.field("left"), right, otherwise)
           : condition(node.field("left"), then, right);
    builder_.enter(right);
    condition(node.field("right"), then, otherwise);
    --depth_;
    return;
  }
  ir::Register decided = value(node);
  builder_.set_range(node.range());
  builder_.branch(decided, then, otherwise, is_loop);
}

void FunctionLowering::if_statement(const Node& node) {
  uint32_t after = builder_.new_block();
  Node current = node;
  std::vector<Node> alternatives = node.children("alternative");
  size_t next = 0;
  while (true) {
    uint32_t then = builder_.new_block(), otherwise = builder_.new_block();
    condition(current.field("condition"), then, otherwise);
    builder_.enter(then);
    block(current.field("consequence"));
    builder_.jump(after);
    builder_.enter(otherwise);
    if (next == alternatives.size()) break;
    current = alternatives[next++];
    if (current.is("else_clause")) {
      block(current.field("body"));
      break;
    }
  }
  builder_.jump(after);
  builder_.enter(after);
}

void FunctionLowering::while_statement(const Node& node) {
  uint32_t head = builder_.new_block(), body = builder_.new_block(), after = builder_.new_block();
  builder_.jump(head);
  builder_.enter(head);
  condition(node.field("condition"), body, after, true);
  builder_.enter(body);
  loops_.push_back({after, head, guards_.size()});
  block(node.field("body"));
  loops_.pop_back();
  // Who asks a generator for elements may stop after each: `while True` does not keep it from
  // having results.
  const bool is_endless =
      node.field("condition").is("true") || node.field("condition").text() == "1";
  if (!yields_.empty() && is_endless && !builder_.unreachable())
    builder_.branch(builder_.unknown(), head, after, true);
  else
    builder_.jump(head);
  builder_.enter(after);
  if (Node otherwise = node.field("alternative")) block(otherwise.field("body"));
}

template <typename Body>
void FunctionLowering::loop(const Node& pattern, ir::Register range, const ir::Range& where,
                            const Node& otherwise, bool in_comprehension, Body&& body) {
  std::string all = builder_.new_slot("range", {}, where);
  builder_.set_range(where);
  builder_.store(all, range);
  std::string turn = builder_.new_slot("turn", {ir::TypeKind::kInt, {}, {}}, where);
  std::vector<ir::Register> begun = {builder_.load(all)};
  if (in_comprehension) begun.push_back(builder_.constant(true));
  builder_.store(turn, built_in("loop.begin", begun));
  uint32_t head = builder_.new_block(), inside = builder_.new_block();
  uint32_t next = builder_.new_block(), after = builder_.new_block();
  builder_.jump(head);
  builder_.enter(head);
  builder_.set_range(where);
  ir::Register more = built_in("loop.more", {builder_.load(all), builder_.load(turn)});
  builder_.branch(more, inside, after, true);
  builder_.enter(inside);
  ir::Register each = built_in("loop.element", {builder_.load(all), builder_.load(turn)});
  each = built_in("object.value", {each});
  builder_.set_range(pattern.range());
  assign(pattern, each);
  loops_.push_back({after, next, guards_.size()});
  body();
  loops_.pop_back();
  builder_.jump(next);
  builder_.enter(next);
  builder_.set_range(where);
  builder_.store(turn, built_in("loop.next", {builder_.load(turn)}));
  builder_.jump(head);
  builder_.enter(after);
  if (otherwise) block(otherwise);
}

void FunctionLowering::for_statement(const Node& node) {
  Node otherwise = node.field("alternative");
  Node iterable = node.field("right");
  ir::Register range = value(iterable);
  loop(node.field("left"), range, iterable.range(), otherwise ? otherwise.field("body") : Node(),
       /*in_comprehension=*/false, [&] { block(node.field("body")); });
}

void FunctionLowering::comprehend(const Node& node, const std::vector<Node>& clauses, size_t next,
                                  const std::string& slot) {
  if (next == clauses.size()) {
    Node body = node.field("body");
    builder_.set_range(body.range());
    if (body.is("pair")) {
      ir::Register key = value(body.field("key")), content = value(body.field("value"));
      built_in("object.set_item", {builder_.load(slot), key, content});
    } else {
      ir::Register content = value(body);
      built_in("object.add", {builder_.load(slot), content});
    }
    return;
  }
  const Node& clause = clauses[next];
  if (clause.is("for_in_clause")) {
    Node left = clause.field("left");
    // The variables of a comprehension are its own.
    std::map<std::string, std::string> kept = scope_.slots;
    BoundNames names = names_bound_in(clause);
    Node iterable = clause.field("right");
    ir::Register range = value(iterable);
    for (const std::string& name : names.bound) {
      if (name != "this") scope_.slots[name] = builder_.new_slot(name, {}, left.range());
    }
    loop(left, range, iterable.range(), {}, /*in_comprehension=*/true,
         [&] { comprehend(node, clauses, next + 1, slot); });
    scope_.slots = std::move(kept);
    return;
  }
  uint32_t then = builder_.new_block(), after = builder_.new_block();
  std::vector<Node> parts = clause.children();
  if (parts.empty()) return;
  condition(parts[0], then, after);
  builder_.enter(then);
  comprehend(node, clauses, next + 1, slot);
  builder_.jump(after);
  builder_.enter(after);
}

ir::Register FunctionLowering::comprehension(const Node& node) {
  std::string slot = builder_.new_slot("comprehension", {}, node.range());
  bool is_dictionary = node.is("dictionary_comprehension");
  const bool is_list = node.is("list_comprehension");
  const char* made = is_dictionary ? "object.dict" : is_list ? "object.list" : "object.collection";
  builder_.store(slot, built_in(made, {}));
  std::vector<Node> clauses;
  for (const Node& each : node.children()) {
    if (each.is("for_in_clause") || each.is("if_clause")) clauses.push_back(each);
  }
  comprehend(node, clauses, 0, slot);
  builder_.set_range(node.range());
  return builder_.load(slot);
}

void FunctionLowering::with_statement(const Node& node) {
  size_t outside = guards_.size();
  bool fails = false;
  for (const Node& item : node.child("with_clause").children()) {
    Node content = item.field("value");
    Node named;
    if (content.is("as_pattern")) {
      std::vector<Node> parts = content.children();
      if (parts.size() > 1) named = parts[1];
      if (!parts.empty()) content = parts[0];
    }
    if (!content) continue;
    fails |= expects_failure(content);
    ir::Register context = value(content);
    std::string slot = builder_.new_slot("context", {}, content.range());
    builder_.set_range(content.range());
    builder_.store(slot, context);
    guards_.push_back(slot);
    ir::Register entered = built_in("object.enter", {builder_.load(slot)});
    if (named)
      for (const Node& target : named.children()) assign(target, entered);
  }
  if (fails)
    expected_failure(node.field("body"));
  else
    block(node.field("body"));
  if (!builder_.unreachable()) leave_guards(outside);
  guards_.resize(outside);
}

// A test says that what it does there fails.
void FunctionLowering::expected_failure(const Node& body) {
  const uint32_t tried = builder_.new_block(), after = builder_.new_block();
  builder_.branch(built_in("object.raised", {}), tried, after);
  builder_.enter(tried);
  regions_.push_back({after, guards_.size(), true});
  block(body);
  regions_.pop_back();
  if (!builder_.unreachable()) builder_.jump(after);
  builder_.enter(after);
}

namespace {

// Whether it calls to(), cuda() or cpu() of something.
bool moves_something(const Node& node) {
  if (node.is("call")) {
    const Node callee = node.field("function");
    const std::string_view method = callee.is("attribute") ? callee.field("attribute").text() : "";
    if (method == "to" || method == "cuda" || method == "cpu") return true;
  }
  return std::ranges::any_of(node.children(), moves_something);
}

// Whether the last thing that it does is to fail: `raise AssertionError`, `assert False`,
// `self.fail(...)`.
bool ends_in_failure(const Node& block) {
  const std::vector<Node> statements = block.children();
  if (statements.empty()) return false;
  const Node& last = statements.back();
  if (last.is("raise_statement"))
    return last.text().find("AssertionError") != std::string_view::npos;
  const std::vector<Node> parts = last.children();
  if (last.is("assert_statement")) return !parts.empty() && parts[0].is("false");
  return last.is("expression_statement") && !parts.empty() && parts[0].is("call") &&
         parts[0].field("function").text().ends_with(".fail");
}

// `except StopIteration:`, which whoever takes one element after the other comes to.
bool awaits_end(const Node& handler) {
  const std::vector<Node> parts = handler.children();
  return !parts.empty() && parts[0].text() == kEndOfIteration;
}

}  // namespace

void FunctionLowering::try_statement(const Node& node) {
  std::vector<Node> handlers;
  Node otherwise, at_last;
  for (const Node& each : node.children()) {
    if (each.is("except_clause") || each.is("except_group_clause")) handlers.push_back(each);
    if (each.is("else_clause")) otherwise = each.field("body");
    if (each.is("finally_clause")) at_last = each.child("block");
  }
  uint32_t start = builder_.new_block(), first = builder_.new_block();
  uint32_t after = builder_.new_block();
  builder_.jump(start);
  builder_.enter(start);
  if (handlers.empty()) {
    builder_.jump(first);
    builder_.enter(first);
    block(node.field("body"));
    builder_.jump(after);
    builder_.enter(after);
    if (at_last) block(at_last);
    return;
  }
  uint32_t on_failure = builder_.new_block();
  // What is tried may have failed before it did anything.
  const std::vector<ir::Register> awaited =
      std::ranges::all_of(handlers, awaits_end)
          ? std::vector{builder_.constant(std::string(kEndOfIteration))}
          : std::vector<ir::Register>();
  builder_.branch(built_in("object.raised", awaited), on_failure, first);
  builder_.enter(first);
  const bool is_expected = ends_in_failure(node.field("body")) || ends_in_failure(otherwise);
  regions_.push_back(
      {on_failure, guards_.size(), is_expected || std::ranges::any_of(handlers, moves_something)});
  block(node.field("body"));
  regions_.pop_back();
  if (!builder_.unreachable() && otherwise) block(otherwise);
  builder_.jump(after);
  builder_.enter(on_failure);
  for (size_t i = 0; i < handlers.size(); ++i) {
    uint32_t next = after;
    if (i + 1 < handlers.size()) {
      uint32_t handler = builder_.new_block();
      next = builder_.new_block();
      builder_.branch(builder_.unknown(), handler, next);
      builder_.enter(handler);
    }
    for (const Node& part : handlers[i].children()) {
      if (!part.is("as_pattern")) continue;
      std::vector<Node> parts = part.children();
      if (parts.size() > 1)
        for (const Node& target : parts[1].children()) assign(target, builder_.unknown());
    }
    block(handlers[i].child("block"));
    builder_.jump(after);
    builder_.enter(next);
  }
  builder_.enter(after);
  if (at_last && !builder_.unreachable()) block(at_last);
}

// A value, one of several, or whatever there is; what other patterns fit is not known.
void FunctionLowering::match_pattern(const Node& pattern, const std::string& subject, uint32_t then,
                                     uint32_t next) {
  const std::vector<Node> parts = pattern.children();
  const auto branch_on = [&](const char* operation, ir::Register wanted) {
    builder_.branch(built_in(operation, {builder_.load(subject), wanted}), then, next);
  };
  const bool is_wrapper = pattern.is("case_pattern") && parts.size() == 1;
  const bool is_negative = pattern.text().starts_with("-");
  if (is_wrapper && !is_negative) return match_pattern(parts[0], subject, then, next);
  if (pattern.text() == "_" || (pattern.is("dotted_name") && parts.size() == 1))
    return builder_.jump(then);
  if (pattern.is("string") || pattern.is("integer")) return branch_on("op.eq", value(pattern));
  if (pattern.is("none") || pattern.is("true") || pattern.is("false"))
    return branch_on("object.is", value(pattern));
  if (pattern.is("union_pattern") && !is_negative) {
    for (const Node& part : parts) {
      const uint32_t other = builder_.new_block();
      match_pattern(part, subject, then, other);
      builder_.enter(other);
    }
    return builder_.jump(next);
  }
  if (pattern.is("dotted_name")) {
    ir::Register wanted = value(parts[0]);
    for (size_t i = 1; i < parts.size(); ++i)
      wanted = built_in("object.get", {wanted, builder_.constant(std::string(parts[i].text()))});
    return branch_on("op.eq", wanted);
  }
  builder_.branch(builder_.unknown(), then, next);
}

void FunctionLowering::match_statement(const Node& node) {
  std::vector<Node> subjects = node.children("subject");
  ir::Register subject = subjects.size() == 1 ? value(subjects[0]) : builder_.unknown();
  std::string slot = builder_.new_slot("subject", {}, node.range());
  builder_.store(slot, subject);
  uint32_t after = builder_.new_block();
  for (const Node& clause : node.field("body").children()) {
    if (!clause.is("case_clause")) continue;
    uint32_t then = builder_.new_block(), next = builder_.new_block();
    std::vector<Node> patterns;
    for (const Node& each : clause.children())
      if (each.is("case_pattern")) patterns.push_back(each);
    builder_.set_range(clause.range());
    if (patterns.size() == 1)
      match_pattern(patterns[0], slot, then, next);
    else
      builder_.branch(builder_.unknown(), then, next);
    builder_.enter(then);
    for (const Node& pattern : patterns) {
      for (const std::string& name : names_captured_by(pattern)) {
        const bool is_whole = patterns.size() == 1 && pattern.text() == name;
        if (scope_.has(name))
          builder_.store(scope_.slots[name], is_whole ? builder_.load(slot) : builder_.unknown());
      }
    }
    if (Node guard = clause.field("guard")) {
      uint32_t holds = builder_.new_block();
      std::vector<Node> parts = guard.children();
      if (parts.size() == 1) {
        condition(parts[0], holds, next);
        builder_.enter(holds);
      }
    }
    block(clause.field("consequence"));
    builder_.jump(after);
    builder_.enter(next);
  }
  builder_.jump(after);
  builder_.enter(after);
}

void FunctionLowering::return_statement(const Node& node) {
  std::vector<Node> parts = node.children();
  ir::Register result = parts.empty() ? builder_.none() : value(parts[0]);
  if (!yields_.empty()) result = builder_.load(yields_);
  leave_guards(0);
  builder_.ret(result);
}

void FunctionLowering::assert_statement(const Node& node) {
  std::vector<Node> parts = node.children();
  if (parts.empty()) return;
  uint32_t holds = builder_.new_block(), fails = builder_.new_block();
  condition(parts[0], holds, fails);
  builder_.enter(fails);
  fail();
  builder_.enter(holds);
}

void FunctionLowering::delete_target(const Node& node) {
  if (node.is("identifier")) return assign_name(std::string(node.text()), builder_.unknown());
  if (node.is("subscript")) {
    ir::Register object = value(node.field("value"));
    built_in("object.delete_item", {object, index_of(node)});
    return;
  }
  for (const Node& each : node.children()) {
    if (node.is("expression_list") || node.is("tuple")) delete_target(each);
  }
}

// Runs a module of the project, unless it has run.
void FunctionLowering::run_import(const Target& target) {
  if (!target.is(Target::Kind::kModule) || target.name == unit_.path()) return;
  uint32_t run = builder_.new_block(), after = builder_.new_block();
  std::string flag = UnitLowering::imported_slot(target.name);
  builder_.branch(builder_.load(flag), after, run);
  builder_.enter(run);
  builder_.store(flag, builder_.constant(true));
  ir::Call call;
  call.name = "<module>";
  call.key = UnitLowering::module_key(target.name);
  call.arguments.push_back({text("a module"), {}, {}});
  builder_.call(std::move(call));
  builder_.jump(after);
  builder_.enter(after);
}

// `import a.b as c`, and `import a.b`, which binds `a`.
ImportedName FunctionLowering::imported_module(const Node& name) {
  const bool has_alias = name.is("aliased_import");
  const std::string dotted(has_alias ? name.field("name").text() : name.text());
  const Target whole = unit_.project().imported(unit_.path(), 0, dotted);
  if (has_alias) return {std::string(name.field("alias").text()), whole, {whole}};
  const std::string first = dotted.substr(0, dotted.find('.'));
  const Target package = unit_.project().imported(unit_.path(), 0, first);
  return {first, package, {whole, package}};
}

ImportedName FunctionLowering::imported_member(const Node& name, const std::string& from,
                                               size_t level) {
  const bool has_alias = name.is("aliased_import");
  const std::string own(has_alias ? name.field("name").text() : name.text());
  const Target source = unit_.project().imported(unit_.path(), level, from);
  Target target = unit_.project().member(source, own);
  if (!source.is(Target::Kind::kModule) || target.is(Target::Kind::kUnknown)) {
    const std::string inner = from.empty() ? own : from + "." + own;
    const Target module = unit_.project().imported(unit_.path(), level, inner);
    if (module.is(Target::Kind::kModule)) target = module;
  }
  return {has_alias ? std::string(name.field("alias").text()) : own, target, {source, target}};
}

std::vector<ImportedName> FunctionLowering::imported_names(const Node& statement) {
  std::vector<ImportedName> names;
  const bool takes_members = statement.is("import_from_statement");
  const auto [from, level] =
      takes_members ? origin_of(statement) : std::pair<std::string, size_t>();
  for (const Node& name : statement.children("name"))
    names.push_back(takes_members ? imported_member(name, from, level) : imported_module(name));
  return names;
}

void FunctionLowering::import_statement(const Node& node) {
  if (node.child("wildcard_import")) {
    const auto [from, level] = origin_of(node);
    run_import(unit_.project().imported(unit_.path(), level, from));
  }
  for (const ImportedName& each : imported_names(node)) {
    for (const Target& module : each.modules) run_import(module);
    const bool is_fixed =
        is_module() ? !unit_.project().resolve(unit_.path(), each.bound).is(Target::Kind::kVariable)
                    : scope_.imported.count(each.bound) != 0;
    if (!is_fixed) assign_name(each.bound, value_of(each.target));
  }
}

}  // namespace placecheck::frontend::python
