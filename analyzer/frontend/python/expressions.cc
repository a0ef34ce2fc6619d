// Expressions: names, attributes, literals, operators and comprehensions.
#include <algorithm>
#include <charconv>

#include "analyzer/frontend/python/lowering.h"

namespace placecheck::frontend::python {
namespace {

struct Operation {
  std::string_view token;
  const char* name;
};

constexpr Operation kBinary[] = {
    {"+", "op.add"},       {"-", "op.sub"},  {"*", "op.mul"},    {"/", "op.div"}, {"%", "op.mod"},
    {"//", "op.floordiv"}, {"**", "op.pow"}, {"@", "op.matmul"}, {"&", "op.and"}, {"|", "op.or"},
    {"^", "op.xor"},       {"<<", "op.shl"}, {">>", "op.shr"},   {"==", "op.eq"}, {"!=", "op.ne"},
    {"<", "op.lt"},        {"<=", "op.le"},  {">", "op.gt"},     {">=", "op.ge"}, {"<>", "op.ne"},
};

const char* operation_of(std::string_view token) {
  for (const Operation& each : kBinary) {
    if (each.token == token) return each.name;
  }
  return "op.unknown";
}

constexpr std::string_view kBuiltins[] = {
    "abs",        "all",        "any",       "bool",    "bytes",   "callable", "chr",    "dict",
    "dir",        "divmod",     "enumerate", "eval",    "exec",    "filter",   "float",  "format",
    "frozenset",  "getattr",    "globals",   "hasattr", "hash",    "id",       "input",  "int",
    "isinstance", "issubclass", "iter",      "len",     "list",    "locals",   "map",    "max",
    "min",        "next",       "object",    "open",    "ord",     "pow",      "print",  "range",
    "repr",       "reversed",   "round",     "set",     "setattr", "slice",    "sorted", "str",
    "sum",        "super",      "tuple",     "type",    "vars",    "zip",      "exit",   "quit",
    "delattr",
};

// `*x`, which on the right of `=` may be parsed as a pattern, and `*x.shape` as `(*x).shape`.
bool is_star(Node node) {
  while (node.is("attribute") || node.is("subscript") || node.is("call"))
    node = node.field(node.is("attribute") ? "object" : node.is("call") ? "function" : "value");
  return node.is("list_splat") || node.is("list_splat_pattern");
}

}  // namespace

std::string content_of(const Node& string) {
  std::string content;
  for (const Node& part : string.children()) {
    if (part.is("string_content")) {
      std::string_view raw = part.text();
      for (size_t i = 0; i < raw.size(); ++i) {
        bool escapes = raw[i] == '\\' && i + 1 < raw.size();
        if (!escapes) {
          content += raw[i];
          continue;
        }
        char next = raw[++i];
        if (next == '\n') continue;
        content += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      }
    }
  }
  return content;
}

ir::Register FunctionLowering::value(const Node& node) {
  if (!node) return builder_.unknown();
  if (++depth_ > kMaxDepth) {
    --depth_;
    function_.is_partial = true;
    return builder_.unknown();
  }
  ir::Register made = expression(node);
  --depth_;
  return made;
}

ir::Register FunctionLowering::expression(const Node& node) {
  builder_.set_range(node.range());
  std::string_view kind = node.kind();
  if (kind == "identifier") return identifier(node);
  if (kind == "attribute") return attribute(node);
  if (kind == "call") return call(node);
  if (kind == "subscript") return subscript(node);
  if (kind == "string" || kind == "concatenated_string") return string(node);
  if (kind == "integer" || kind == "float") return number(node);
  if (kind == "true" || kind == "false") return builder_.constant(kind == "true");
  if (kind == "none") return builder_.none();
  if (kind == "binary_operator") return binary(node);
  if (kind == "unary_operator") return unary(node);
  if (kind == "comparison_operator") return comparison(node);
  if (kind == "boolean_operator" || kind == "not_operator") return boolean(node);
  if (kind == "conditional_expression") return conditional(node);
  if (kind == "list" || kind == "list_pattern") return sequence(node, "object.list");
  if (kind == "set") return sequence(node, "object.collection");
  if (kind == "tuple" || kind == "expression_list" || kind == "pattern_list")
    return sequence(node, "object.tuple");
  if (kind == "dictionary") return dictionary(node);
  if (kind == "list_comprehension" || kind == "set_comprehension" ||
      kind == "generator_expression" || kind == "dictionary_comprehension")
    return comprehension(node);
  if (kind == "lambda") return lambda(node);
  if (kind == "assignment") return assignment(node);
  if (kind == "augmented_assignment") return augmented(node);
  if (kind == "yield") return yielded(node);
  if (kind == "named_expression") {
    ir::Register made = value(node.field("value"));
    assign(node.field("name"), made);
    return made;
  }
  if (kind == "parenthesized_expression" || kind == "await" || kind == "list_splat" ||
      kind == "list_splat_pattern") {
    std::vector<Node> parts = node.children();
    return parts.size() == 1 ? value(parts[0]) : builder_.unknown();
  }
  if (kind == "slice") return index_of(node);
  return builder_.unknown();
}

Target FunctionLowering::resolve_name(const std::string& name, const Node& at) {
  if (is_module() && at) {
    if (const auto imported = unit_.project().meant_by_import(unit_.path(), name, at.range().line))
      return *imported;
  }
  if (const Scope* binder = scope_.binder_of(name))
    return binder->has(name) ? Target() : binder->imported.at(name);
  Target target = unit_.project().resolve(unit_.path(), name);
  if (!target.is(Target::Kind::kUnknown)) return target;
  bool is_builtin = std::ranges::find(kBuiltins, name) != std::end(kBuiltins);
  return is_builtin ? Target{Target::Kind::kLibrary, "builtins." + name} : Target{};
}

Target FunctionLowering::resolve(const Node& node) {
  std::vector<std::string> path;
  Node current = node;
  while (current.is("attribute")) {
    path.emplace_back(current.field("attribute").text());
    current = current.field("object");
  }
  if (!current.is("identifier")) return {};
  Target target = resolve_name(std::string(current.text()), current);
  for (auto name = path.rbegin(); name != path.rend(); ++name) {
    // The members of a class or a variable are the analysis' affair.
    bool is_open = target.is(Target::Kind::kLibrary) || target.is(Target::Kind::kModule);
    if (!is_open) return {};
    target = unit_.project().member(target, *name);
  }
  return target;
}

ir::Register FunctionLowering::value_of(const Target& target) {
  switch (target.kind) {
    case Target::Kind::kLibrary:
      return built_in("object.library", {text(target.name)});
    case Target::Kind::kFunction:
      return builder_.closure(target.name, {});
    case Target::Kind::kClass:
      return built_in("object.class", {text(target.name)});
    case Target::Kind::kVariable:
      return builder_.load(target.name);
    case Target::Kind::kModule:
      // Its variables may change while something holds the module.
      return built_in("object.module",
                      members_of(target.name, {Target::Kind::kFunction, Target::Kind::kClass}));
    default:
      return builder_.unknown();
  }
}

ir::Register FunctionLowering::read_name(const std::string& name, const Node& node) {
  Target target = resolve_name(name, node);
  if (scope_.has(name) && target.is(Target::Kind::kUnknown))
    return builder_.load(scope_.slots[name]);
  if (target.is(Target::Kind::kUnknown) && !scope_.is_free(name))
    target = unit_.project().unbound(unit_.path(), name);
  return value_of(target);
}

ir::Register FunctionLowering::identifier(const Node& node) {
  return read_name(std::string(node.text()), node);
}

// The members of a module that are of one of the kinds, each behind its name.
std::vector<ir::Register> FunctionLowering::members_of(const std::string& file,
                                                       std::initializer_list<Target::Kind> kinds) {
  constexpr size_t kMost = 256;
  std::vector<ir::Register> members;
  for (const std::string& name : unit_.project().all_names_of(file)) {
    const Target target = unit_.project().resolve(file, name);
    if (std::ranges::find(kinds, target.kind) == kinds.end() || members.size() >= 2 * kMost)
      continue;
    members.push_back(text(name));
    members.push_back(value_of(target));
  }
  return members;
}

// The functions, classes and variables of a module, by name, as `module.__dict__` has them.
ir::Register FunctionLowering::namespace_of(const std::string& file) {
  using Kind = Target::Kind;
  return built_in("object.namespace",
                  members_of(file, {Kind::kFunction, Kind::kClass, Kind::kVariable}));
}

// `getattr(module, name)` and `vars(module)`; nothing for other calls.
std::optional<ir::Register> FunctionLowering::member_of_module(const Node& call,
                                                               const Target& callee) {
  const bool is_vars = callee.name == "builtins.vars";
  if (!callee.is(Target::Kind::kLibrary) || (!is_vars && callee.name != "builtins.getattr"))
    return std::nullopt;
  const std::vector<Node> arguments = call.field("arguments").children();
  if (arguments.size() != (is_vars ? 1 : 2)) return std::nullopt;
  const Target module = resolve(arguments[0]);
  if (!module.is(Target::Kind::kModule)) return std::nullopt;
  builder_.set_range(call.range());
  const ir::Register members = namespace_of(module.name);
  if (is_vars) return members;
  const ir::Register name = value(arguments[1]);
  builder_.set_range(call.range());
  return built_in("object.item", {members, name});
}

ir::Register FunctionLowering::attribute(const Node& node) {
  Target target = resolve(node);
  if (node.field("attribute").text() == "__dict__") {
    const Target of = resolve(node.field("object"));
    builder_.set_range(node.range());
    if (of.is(Target::Kind::kModule)) return namespace_of(of.name);
  }
  if (!target.is(Target::Kind::kUnknown)) return value_of(target);
  ir::Register object = value(node.field("object"));
  builder_.set_range(node.range());
  ir::Call call;
  call.name = "object.get";
  call.arguments = {{object, {}, node.field("object").range()},
                    {text(node.field("attribute").text()), {}, {}}};
  note_tried(call);
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::index_of(const Node& node) {
  if (node.is("slice")) {
    // The parts by the colons between them.
    std::vector<ir::Register> parts{builder_.none(), builder_.none()};
    size_t at = 0;
    const char* end = node.text().data();
    for (const Node& each : node.children()) {
      at += static_cast<size_t>(std::count(end, each.text().data(), ':'));
      end = each.text().data() + each.text().size();
      while (parts.size() <= at) parts.push_back(builder_.none());
      parts[at] = value(each);
    }
    builder_.set_range(node.range());
    return built_in("object.slice", std::move(parts));
  }
  std::vector<Node> indices = node.children("subscript");
  if (indices.size() == 1) return indices[0].is("slice") ? index_of(indices[0]) : value(indices[0]);
  std::vector<ir::Register> parts;
  for (const Node& each : indices) parts.push_back(each.is("slice") ? index_of(each) : value(each));
  builder_.set_range(node.range());
  return built_in("object.tuple", std::move(parts));
}

ir::Register FunctionLowering::subscript(const Node& node) {
  Node of = node.field("value");
  ir::Register object = value(of);
  ir::Register index = index_of(node);
  builder_.set_range(node.range());
  ir::Call call;
  call.name = "object.item";
  call.arguments = {{object, {}, of.range()}, {index, {}, {}}};
  note_tried(call);
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::string(const Node& node) {
  if (node.is("concatenated_string")) {
    ir::Register whole = ir::kNoRegister;
    for (const Node& each : node.children()) {
      ir::Register part = string(each);
      whole = whole == ir::kNoRegister ? part : built_in("op.add", {whole, part});
    }
    return whole == ir::kNoRegister ? builder_.unknown() : whole;
  }
  ir::Register whole = ir::kNoRegister;
  auto append = [&](ir::Register part) {
    whole = whole == ir::kNoRegister ? part : built_in("op.add", {whole, part});
  };
  bool interpolates = static_cast<bool>(node.child("interpolation"));
  if (!interpolates) return text(content_of(node));
  for (const Node& part : node.children()) {
    if (part.is("string_content")) append(text(part.text()));
    if (!part.is("interpolation")) continue;
    ir::Register content = value(part.field("expression"));
    builder_.set_range(node.range());
    append(built_in("object.text", {content}));
  }
  return whole;
}

ir::Register FunctionLowering::number(const Node& node) {
  std::string digits(node.text());
  std::erase(digits, '_');
  if (node.is("float")) {
    // Of the others no value is followed, only that they are not zero.
    bool is_zero =
        digits.substr(0, digits.find_first_of("eEjJ")).find_first_not_of("0.") == std::string::npos;
    return builder_.constant(is_zero ? 0.0 : 0.5);
  }
  int64_t number = 0;
  int base = 10;
  const char* begin = digits.data();
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16, begin += 2;
  auto [end, error] = std::from_chars(begin, digits.data() + digits.size(), number, base);
  bool is_whole = error == std::errc() && end == digits.data() + digits.size();
  return is_whole ? builder_.constant(number) : builder_.constant(0.5);
}

ir::Register FunctionLowering::binary(const Node& node) {
  // Long sums lean to the left: as a loop, they need no stack.
  std::vector<Node> rights;
  Node left = node;
  while (left.is("binary_operator") && rights.size() < 4096) {
    rights.push_back(left);
    left = left.field("left");
  }
  ir::Register result = value(left);
  ir::Range first = left.range();
  for (auto each = rights.rbegin(); each != rights.rend(); ++each) {
    ir::Register right = value(each->field("right"));
    std::string_view token = each->field("operator").kind();
    for (std::string_view other : each->tokens()) token = other;
    builder_.set_range(each->range());
    ir::Call call;
    call.name = operation_of(token);
    call.arguments = {{result, {}, first}, {right, {}, each->field("right").range()}};
    result = builder_.call(std::move(call));
    first = each->range();
  }
  return result;
}

ir::Register FunctionLowering::unary(const Node& node) {
  ir::Register operand = value(node.field("argument"));
  std::string_view token = node.text().substr(0, 1);
  builder_.set_range(node.range());
  if (token == "+") return operand;
  return built_in(token == "-" ? "op.neg" : "op.invert", {operand});
}

ir::Register FunctionLowering::comparison(const Node& node) {
  std::vector<Node> operands = node.children();
  std::vector<std::string> operators;
  for (std::string_view token : node.tokens()) {
    if (token == "(" || token == ")") continue;
    operators.emplace_back(token);
  }
  if (operands.size() < 2 || operators.size() + 1 != operands.size()) {
    for (const Node& each : operands) value(each);
    return builder_.unknown();
  }
  ir::Register result = ir::kNoRegister;
  ir::Register left = value(operands[0]);
  for (size_t i = 0; i < operators.size(); ++i) {
    ir::Register right = value(operands[i + 1]);
    builder_.set_range(node.range());
    std::string_view token = operators[i];
    const char* name = token == "in" || token == "not in"   ? "object.in"
                       : token == "is" || token == "is not" ? "object.is"
                                                            : operation_of(token);
    ir::Call call;
    call.name = name;
    call.arguments = {{left, {}, operands[i].range()}, {right, {}, operands[i + 1].range()}};
    ir::Register answer = builder_.call(std::move(call));
    if (token == "not in" || token == "is not") answer = built_in("op.not", {answer});
    // Of `a < b < c` all have to hold; with one unknown, so is the whole.
    result = result == ir::kNoRegister ? answer : built_in("op.both", {result, answer});
    left = right;
  }
  return result;
}

ir::Register FunctionLowering::boolean(const Node& node) {
  if (node.is("not_operator")) {
    ir::Register operand = value(node.field("argument"));
    builder_.set_range(node.range());
    return built_in("op.not", {operand});
  }
  bool is_and = false;
  for (std::string_view token : node.tokens()) is_and |= token == "and";
  std::string slot = builder_.new_slot("either", {}, node.range());
  uint32_t right = builder_.new_block(), after = builder_.new_block();
  builder_.store(slot, value(node.field("left")));
  builder_.set_range(node.range());
  is_and ? builder_.branch(builder_.load(slot), right, after)
         : builder_.branch(builder_.load(slot), after, right);
  builder_.enter(right);
  builder_.store(slot, value(node.field("right")));
  builder_.jump(after);
  builder_.enter(after);
  return builder_.load(slot);
}

ir::Register FunctionLowering::conditional(const Node& node) {
  std::vector<Node> parts = node.children();
  if (parts.size() != 3) return builder_.unknown();
  std::string slot = builder_.new_slot("either", {}, node.range());
  uint32_t then = builder_.new_block(), otherwise = builder_.new_block();
  uint32_t after = builder_.new_block();
  condition(parts[1], then, otherwise);
  builder_.enter(then);
  builder_.store(slot, value(parts[0]));
  builder_.jump(after);
  builder_.enter(otherwise);
  builder_.store(slot, value(parts[2]));
  builder_.jump(after);
  builder_.enter(after);
  return builder_.load(slot);
}

ir::Register FunctionLowering::sequence(const Node& node, const char* operation) {
  ir::Call call;
  call.name = operation;
  for (const Node& each : node.children()) {
    call.arguments.push_back({value(each), is_star(each) ? "*" : "", each.range()});
  }
  builder_.set_range(node.range());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::dictionary(const Node& node) {
  ir::Call call;
  call.name = "object.dict";
  for (const Node& each : node.children()) {
    if (each.is("pair")) {
      ir::Register key = value(each.field("key"));
      ir::Register content = value(each.field("value"));
      call.arguments.push_back({key, {}, each.field("key").range()});
      call.arguments.push_back({content, {}, each.field("value").range()});
    } else if (each.is("dictionary_splat") && !each.children().empty()) {
      call.arguments.push_back({value(each.children()[0]), "**", each.range()});
    }
  }
  builder_.set_range(node.range());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::lambda(const Node& node) { return closure_of(node, "<lambda>"); }

ir::Register FunctionLowering::yielded(const Node& node) {
  std::vector<Node> parts = node.children();
  ir::Register content = parts.empty() ? builder_.none() : value(parts[0]);
  if (!yields_.empty()) {
    bool is_from = false;
    for (std::string_view token : node.tokens()) is_from |= token == "from";
    built_in(is_from ? "object.extend" : "object.yield", {builder_.load(yields_), content});
  }
  return builder_.unknown();
}

std::string FunctionLowering::variable(const std::string& name) {
  if (scope_.has(name)) return scope_.slots[name];
  return slot_of(unit_.path(), name);
}

void FunctionLowering::assign_name(const std::string& name, ir::Register made) {
  builder_.store(variable(name), made);
}

// The `i`-th of `count` names that a list is taken apart into; behind one with a star, positions
// count from the end.
ir::Register FunctionLowering::part_of(const std::string& whole, size_t i, size_t count,
                                       bool is_rest, bool has_rest) {
  const auto first = static_cast<int64_t>(i), from_end = first - static_cast<int64_t>(count);
  ir::Register list = builder_.load(whole);
  if (is_rest) {
    ir::Register end = from_end == -1 ? builder_.none() : builder_.constant(from_end + 1);
    return built_in("object.item",
                    {list, built_in("object.slice", {builder_.constant(first), end})});
  }
  if (has_rest) return built_in("object.item", {list, builder_.constant(from_end)});
  return built_in("object.part",
                  {list, builder_.constant(first), builder_.constant(static_cast<int64_t>(count))});
}

void FunctionLowering::assign(const Node& pattern, ir::Register made) {
  builder_.set_range(pattern.range());
  if (pattern.is("identifier")) return assign_name(std::string(pattern.text()), made);
  if (pattern.is("attribute")) {
    Node of = pattern.field("object");
    Target target = resolve(pattern);
    if (target.is(Target::Kind::kVariable)) return builder_.store(target.name, made);
    ir::Register object = value(of);
    builder_.set_range(pattern.range());
    ir::Call call;
    call.name = "object.set";
    call.arguments = {{object, {}, of.range()},
                      {text(pattern.field("attribute").text()), {}, {}},
                      {made, {}, {}}};
    builder_.call(std::move(call));
    return;
  }
  if (pattern.is("subscript")) {
    Node of = pattern.field("value");
    ir::Register object = value(of);
    ir::Register index = index_of(pattern);
    builder_.set_range(pattern.range());
    ir::Call call;
    call.name = "object.set_item";
    call.arguments = {{object, {}, of.range()}, {index, {}, {}}, {made, {}, {}}};
    builder_.call(std::move(call));
    return;
  }
  bool is_list = pattern.is("pattern_list") || pattern.is("tuple_pattern") ||
                 pattern.is("list_pattern") || pattern.is("tuple") || pattern.is("list");
  if (!is_list) {
    for (const Node& each : pattern.children())
      if (pattern.is("as_pattern_target") || pattern.is("list_splat_pattern") ||
          pattern.is("parenthesized_expression"))
        assign(each, made);
    return;
  }
  std::vector<Node> parts = pattern.children();
  bool has_rest = false;
  std::string whole = builder_.new_slot("parts", {}, pattern.range());
  builder_.store(whole, made);
  for (size_t i = 0; i < parts.size(); ++i) {
    bool is_rest = parts[i].is("list_splat_pattern");
    has_rest |= is_rest;
    builder_.set_range(pattern.range());
    ir::Register part = part_of(whole, i, parts.size(), is_rest, has_rest);
    assign(parts[i], part);
  }
}

// `h, w, device = *x.shape, x.device`: how many values the starred operand has is known by the
// names on the left. False where the statement is no such.
bool FunctionLowering::assign_spread(const Node& left, const Node& right) {
  const bool is_list = left.is("pattern_list") || left.is("tuple_pattern");
  const bool is_tuple =
      right.is("expression_list") || right.is("pattern_list") || right.is("tuple");
  if (!is_list || !is_tuple) return false;
  const std::vector<Node> targets = left.children();
  const std::vector<Node> values = right.children();
  const auto stars = std::ranges::count_if(values, is_star);
  const bool has_rest = std::ranges::any_of(targets, is_star);
  if (stars != 1 || has_rest || targets.size() + 1 < values.size()) return false;
  std::vector<ir::Register> made;
  for (const Node& each : values) {
    const ir::Register content = value(each);
    if (!is_star(each)) {
      made.push_back(content);
      continue;
    }
    builder_.set_range(each.range());
    const std::string whole = builder_.new_slot("parts", {}, each.range());
    builder_.store(whole, content);
    const size_t count = targets.size() + 1 - values.size();
    for (size_t i = 0; i < count; ++i)
      made.push_back(part_of(whole, i, count, /*is_rest=*/false, /*has_rest=*/false));
  }
  for (size_t i = 0; i < targets.size(); ++i) assign(targets[i], made[i]);
  return true;
}

ir::Register FunctionLowering::assignment(const Node& node) {
  Node right = node.field("right");
  if (!right) return builder_.none();  // only a type is declared
  if (assign_spread(node.field("left"), right)) return builder_.unknown();
  ir::Register made = value(right);
  assign(node.field("left"), made);
  return made;
}

// `x += y` changes a tensor or a list in place, and makes a new number.
ir::Register FunctionLowering::augmented(const Node& node) {
  Node left = node.field("left");
  ir::Register before = value(left);
  ir::Register right = value(node.field("right"));
  std::string_view token;
  for (std::string_view each : node.tokens()) token = each;
  token.remove_suffix(token.empty() ? 0 : 1);
  builder_.set_range(node.range());
  ir::Call call;
  call.name = "object.update";
  call.arguments = {{before, {}, left.range()},
                    {right, {}, node.field("right").range()},
                    {text(operation_of(token)), {}, {}}};
  ir::Register made = builder_.call(std::move(call));
  assign(left, made);
  return made;
}

}  // namespace placecheck::frontend::python
