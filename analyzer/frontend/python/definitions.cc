// Functions, classes and their parameters.
#include <algorithm>
#include <ranges>

#include "analyzer/frontend/python/lowering.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::frontend::python {
namespace {

// Decorators that leave alone what a function does with tensors.
constexpr std::string_view kTransparent[] = {
    "abc.abstractmethod",
    "beartype.beartype",
    "contextlib.contextmanager",
    "functools.cache",
    "functools.lru_cache",
    "functools.wraps",
    "torch.amp.autocast",
    "torch.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.autocast",
    "torch.compile",
    "torch.cuda.amp.autocast",
    "torch.cuda.amp.custom_bwd",
    "torch.cuda.amp.custom_fwd",
    "torch.distributed.elastic.multiprocessing.errors.record",
    "torch.enable_grad",
    "torch.inference_mode",
    "torch.jit.export",
    "torch.jit.ignore",
    "torch.jit.script_method",
    "torch.jit.unused",
    "torch.no_grad",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.override",
    "typing_extensions.override",
    "numba.jit",
    "numba.njit",
};
static_assert(std::size(kTransparent) > 0);

bool is_transparent(std::string_view decorator) {
  return std::ranges::find(kTransparent, decorator) != std::end(kTransparent);
}

// `a.b` of the decorator `@a.b(c)`; nothing where the parser was lost.
Node name_of_decorator(const Node& decorator) {
  const std::vector<Node> parts = decorator.children();
  if (parts.empty()) return Node();
  return parts[0].is("call") ? parts[0].field("function") : parts[0];
}

// A field for each attribute that some method gives the object.
void add_fields(ir::Class& type, const Node& body, const std::string& self) {
  std::vector<Node> work{body};
  while (!work.empty()) {
    Node node = work.back();
    work.pop_back();
    if (node.is("assignment") || node.is("augmented_assignment")) {
      std::vector<Node> targets{node.field("left")};
      if (targets[0].is("pattern_list") || targets[0].is("tuple_pattern"))
        targets = targets[0].children();
      for (const Node& target : targets) {
        if (!target.is("attribute") || target.field("object").text() != self) continue;
        std::string name(target.field("attribute").text());
        bool known = std::any_of(type.fields.begin(), type.fields.end(),
                                 [&](const ir::Field& each) { return each.name == name; });
        if (!known) type.fields.push_back({name, {}, target.range()});
      }
    }
    // In the order of the source, as the first assignment is the declaration.
    std::vector<Node> children = node.children();
    work.insert(work.end(), children.rbegin(), children.rend());
  }
}

constexpr uint32_t kAnyNumber = 64;

}  // namespace

Decoration FunctionLowering::decoration_of(const std::vector<Node>& decorators) {
  Decoration found = Decoration::kNone;
  for (const Node& decorator : decorators) {
    const Node named = name_of_decorator(decorator);
    if (!named) return Decoration::kUnknown;
    std::string_view spelled = named.text();
    if (spelled == "property" || spelled == "functools.cached_property" ||
        spelled == "cached_property") {
      found = Decoration::kProperty;
    } else if (spelled == "staticmethod") {
      found = Decoration::kStatic;
    } else if (spelled == "classmethod") {
      found = Decoration::kClass;
    } else if (spelled.ends_with(".setter") || spelled.ends_with(".deleter")) {
      found = Decoration::kSetter;
    } else {
      Target target = resolve(named);
      if (!target.is(Target::Kind::kLibrary) || !is_transparent(target.name))
        return Decoration::kUnknown;
    }
  }
  return found;
}

void FunctionLowering::add_parameter(const std::string& name, ir::Type type, const ir::Range& range,
                                     std::string default_function) {
  std::string slot = builder_.new_slot(name, type, range);
  ir::Parameter parameter;
  parameter.name = slot;
  parameter.type = std::move(type);
  parameter.range = range;
  parameter.default_function = std::move(default_function);
  function_.parameters.push_back(std::move(parameter));
}

// A parameter that takes the rest is called `*name` or `**name`, one by keyword alone stands
// behind one called `*`.
void FunctionLowering::declare_parameters(const Node& parameters, bool has_receiver) {
  bool is_first = true;
  for (const Node& each : parameters.children()) {
    Node pattern = each;
    Node given = each.field("value");
    if (each.is("default_parameter") || each.is("typed_default_parameter"))
      pattern = each.field("name");
    if (each.is("typed_parameter") && !each.children().empty()) pattern = each.children().front();
    bool takes_list = pattern.is("list_splat_pattern");
    bool takes_names = pattern.is("dictionary_splat_pattern");
    if (takes_list || takes_names)
      pattern = pattern.children().empty() ? Node() : pattern.children().front();
    bool only_separates = each.is("keyword_separator");
    if (each.is("positional_separator") || (!pattern.is("identifier") && !only_separates)) continue;
    std::string name(only_separates ? "" : pattern.text());
    if (is_first && has_receiver && !takes_list) {
      is_first = false;
      ir::Type type;
      if (!function_.class_key.empty()) type = {ir::TypeKind::kRecord, function_.class_key, {}};
      if (unit_.project().class_info(function_.class_key).is_module)
        type.kind = ir::TypeKind::kModule;
      add_parameter("this", type, pattern.range(), {});
      scope_.slots[name] = "this";
      continue;
    }
    is_first = false;
    std::string default_function;
    if (given)
      default_function = unit_.add_default(given, scope_.outer, function_.name + "(" + name + ")");
    std::string slot = (takes_names ? "**" : takes_list || only_separates ? "*" : "") + name;
    add_parameter(slot, {}, each.range(), std::move(default_function));
    if (!only_separates) scope_.slots[name] = function_.parameters.back().name;
  }
}

// A name that imports bind to different things is a variable, as one that is assigned to is.
void FunctionLowering::declare_imports(BoundNames& names) {
  std::map<std::string, Target> meant;
  for (const Node& statement : names.imports) {
    for (const ImportedName& each : imported_names(statement)) {
      const auto [at, is_new] = meant.try_emplace(each.bound, each.target);
      if (!is_new && at->second != each.target) names.bound.insert(each.bound);
    }
  }
  for (const auto& [name, target] : meant) {
    // A variable has the value that it had when it was imported.
    const bool is_fixed = !target.is(Target::Kind::kUnknown) && !target.is(Target::Kind::kVariable);
    const bool is_declared = names.global.count(name) != 0 || names.nonlocal.count(name) != 0;
    if (is_fixed && !is_declared && !scope_.has(name) && names.bound.count(name) == 0) {
      scope_.imported.emplace(name, target);
    } else {
      names.bound.insert(name);
    }
  }
}

void FunctionLowering::declare_locals(const Node& body, const std::vector<std::string>& captured) {
  BoundNames names = names_bound_in(body);
  scope_.global = names.global;
  declare_imports(names);
  for (const std::string& name : names.bound) {
    bool is_own = !scope_.has(name) && !names.global.count(name) && !names.nonlocal.count(name) &&
                  std::find(captured.begin(), captured.end(), name) == captured.end();
    // Nothing declares it: its range is the block that binds it.
    if (is_own) scope_.slots[name] = builder_.new_slot(name, {}, body.range());
  }
  if (names.yields && function_.kind != ir::FunctionKind::kInitializer) {
    yields_ = builder_.new_slot("<yields>", {}, {});
    builder_.store(yields_, built_in("object.collection", {}));
  }
}

namespace {

// Whether a generator moves something once its block is left: it yields outside of a loop, as those
// do that make context managers, and transfers after that.
bool moves_after_yield(const Node& body) {
  constexpr std::string_view kTransfers[] = {"to", "cuda", "cpu"};
  bool has_yielded = false;
  std::vector<std::pair<Node, bool>> work{{body, false}};
  while (!work.empty()) {
    const auto [node, in_loop] = work.back();
    work.pop_back();
    has_yielded |= node.is("yield") && !in_loop;
    const std::string_view method = node.field("function").field("attribute").text();
    if (has_yielded && node.is("call") &&
        std::ranges::find(kTransfers, method) != std::end(kTransfers))
      return true;
    const bool is_loop = node.is("for_statement") || node.is("while_statement");
    const std::vector<Node> children = node.children();
    for (size_t i = children.size(); i-- > 0;) work.emplace_back(children[i], in_loop || is_loop);
  }
  return false;
}

}  // namespace

void FunctionLowering::capture(const std::vector<std::string>& names, const ir::Range& range) {
  for (const std::string& name : names) {
    add_parameter(name, {}, {}, {});
    function_.parameters.back().by_reference = true;
    function_.slots.back().range = range;
    scope_.slots[name] = function_.parameters.back().name;
  }
  function_.captures = static_cast<uint32_t>(names.size());
}

void FunctionLowering::run_function(const Node& definition,
                                    const std::vector<std::string>& captured, bool is_method,
                                    Decoration decoration, bool is_context_manager) {
  Node body = definition.field("body");
  capture(captured, body.range());
  bool has_receiver =
      is_method && decoration != Decoration::kStatic && decoration != Decoration::kClass;
  declare_parameters(definition.field("parameters"), has_receiver);
  if (has_receiver && (function_.parameters.empty() || function_.parameters[0].name != "this")) {
    // A method without a receiver of its own: `def f(*args)`.
    function_.kind = ir::FunctionKind::kFunction;
  }
  builder_.set_range(body.range());
  if (definition.is("lambda")) {
    builder_.ret(value(body));
  } else {
    declare_locals(body, captured);
    const bool is_split = is_context_manager && context_manager(body);
    if (!is_split) block(body);
    if (!builder_.unreachable()) {
      leave_guards(0);
      // It has run to its end when its block begins: where things are in the block is not known.
      if (!yields_.empty() && moves_after_yield(body)) forget_variables();
      bool may_return = body.has_error();  // in what the parser has lost
      ir::Register nothing = may_return ? builder_.unknown() : builder_.none();
      builder_.ret(yields_.empty() ? nothing : builder_.load(yields_));
    }
  }
  builder_.finish();
}

void FunctionLowering::run_default(const Node& given) {
  builder_.set_range(given.range());
  builder_.ret(value(given));
  builder_.finish();
}

void FunctionLowering::run_module(const Node& root) {
  for (auto& [name, slot] : scope_.slots) slot = builder_.new_slot(name, {}, root.range());
  add_parameter("__name__", {ir::TypeKind::kString, {}, {}}, {}, {});
  scope_.slots["__name__"] = function_.parameters.back().name;
  block(root);
  builder_.ret();
  builder_.finish();
}

// Whether an expression is the same wherever it is evaluated.
static bool is_literal(const Node& expression) {
  constexpr std::string_view kKinds[] = {
      "concatenated_string", "false", "float", "integer", "none", "string", "true",
      "unary_operator"};
  return std::ranges::any_of(kKinds, [&](std::string_view kind) { return expression.is(kind); });
}

// A function value, with the variables of the functions around that it uses.
ir::Register FunctionLowering::closure_of(const Node& definition, const std::string& name,
                                          bool is_context_manager) {
  std::vector<std::string> captured;
  for (const std::string& used : names_used_in(definition)) {
    bool is_around = !is_module() && (scope_.has(used) || scope_.is_free(used));
    std::vector<std::string> own = names_of_parameters(definition.field("parameters"));
    bool is_own = std::find(own.begin(), own.end(), used) != own.end();
    if (is_around && scope_.has(used) && !is_own) captured.push_back(used);
  }
  const ir::Register made =
      nested_function(name, definition.range(), captured, [&](FunctionLowering& inner) {
        inner.run_function(definition, captured, false, Decoration::kNone, is_context_manager);
      });
  return with_defaults(made, definition.field("parameters"));
}

// The defaults of parameters are what they are where the function is made: `lambda x, net=net:`.
ir::Register FunctionLowering::with_defaults(ir::Register function, const Node& parameters) {
  if (!parameters) return function;
  for (const Node& each : parameters.children()) {
    const Node given = each.field("value");
    const bool has_default = each.is("default_parameter") || each.is("typed_default_parameter");
    if (!has_default || !given || is_literal(given)) continue;
    const std::string name(each.field("name").text());
    function = built_in("object.default", {function, builder_.constant(name), value(given)});
  }
  return function;
}

// What decorators of the project, the innermost first, make of a function. Those of libraries that
// are not known leave nothing known.
ir::Register FunctionLowering::decorated(ir::Register function,
                                         const std::vector<Node>& decorators) {
  for (const Node& decorator : std::views::reverse(decorators)) {
    const Node named = name_of_decorator(decorator);
    if (!named) return builder_.unknown();
    const Target target = resolve(named);
    const bool is_of_library = target.is(Target::Kind::kLibrary);
    if (is_of_library && is_transparent(target.name)) continue;
    if (is_of_library || target.is(Target::Kind::kUnknown)) return builder_.unknown();
    ir::Call call;
    call.kind = ir::CallKind::kIndirect;
    call.name = "object.call";
    const Node written = decorator.children().front();
    call.arguments.push_back({value(written), {}, written.range()});
    call.arguments.push_back({function, {}, decorator.range()});
    builder_.set_range(decorator.range());
    function = builder_.call(std::move(call));
  }
  return function;
}

void FunctionLowering::function_definition(const Node& node, const std::vector<Node>& decorators) {
  std::string name(node.field("name").text());
  Decoration decoration = decoration_of(decorators);
  const bool is_context_manager = makes_context_manager(decorators);
  if (!is_module()) {
    ir::Register made = closure_of(node, name, is_context_manager);
    assign_name(name, decoration == Decoration::kNone ? made : decorated(made, decorators));
    return;
  }
  ir::Function function;
  function.name = name;
  function.range = node.range();
  function.key = unit_.new_key(name, function.range);
  FunctionLowering(unit_, function, Scope())
      .run_function(node, {}, false, decoration, is_context_manager);
  std::string key = function.key;
  unit_.add(std::move(function));
  Target target = unit_.project().resolve(unit_.path(), name);
  bool is_fixed = target.is(Target::Kind::kFunction) && target.name == key;
  if (is_fixed && decoration == Decoration::kNone) return;
  builder_.set_range(node.range());
  const ir::Register made = builder_.closure(key, {});
  builder_.store(slot_of(unit_.path(), name),
                 decoration == Decoration::kNone ? made : decorated(made, decorators));
}

void FunctionLowering::method_definition(ir::Class& type, const Node& node,
                                         const std::vector<Node>& decorators) {
  std::string name(node.field("name").text());
  Decoration decoration = decoration_of(decorators);
  ir::Function function;
  bool is_free = decoration == Decoration::kStatic || decoration == Decoration::kClass;
  bool is_constructor = name == "__init__";
  function.kind = is_free          ? ir::FunctionKind::kFunction
                  : is_constructor ? ir::FunctionKind::kConstructor
                                   : ir::FunctionKind::kMethod;
  function.name = type.name + "::" + name;
  function.class_key = type.key;
  function.range = node.range();
  function.key =
      unit_.new_key(type.key.substr(path_of(type.key).size() + 1) + "." + name, function.range);
  Scope scope;
  scope.outer = is_module() ? nullptr : &scope_;
  scope.depth = depth_;
  scope.class_key = type.key;
  FunctionLowering(unit_, function, std::move(scope))
      .run_function(node, {}, true, decoration, makes_context_manager(decorators));
  std::vector<std::string> parameters = names_of_parameters(node.field("parameters"));
  if (!is_free && !parameters.empty()) add_fields(type, node.field("body"), parameters[0]);
  ir::Method method;
  method.key = function.key;
  method.is_constructor = is_constructor;
  size_t first = function.parameters.empty() ||
                         (function.parameters[0].name != "this" && decoration != Decoration::kClass)
                     ? 0
                     : 1;
  for (size_t i = first; i < function.parameters.size(); ++i) {
    const ir::Parameter& each = function.parameters[i];
    bool takes_rest = each.name.starts_with("*");
    method.arity += takes_rest ? kAnyNumber : 1;
    if (!takes_rest && each.default_function.empty()) ++method.required;
  }
  const char* how = "";
  if (decoration == Decoration::kProperty) how = "property:";
  if (decoration == Decoration::kStatic) how = "static:";
  if (decoration == Decoration::kClass) how = "class:";
  if (decoration == Decoration::kUnknown) how = "decorated:";
  if (decoration == Decoration::kSetter) how = "setter:";
  method.name = how + name;
  const std::string key = function.key;
  unit_.add(std::move(function));
  if (decoration == Decoration::kUnknown) {
    builder_.set_range(node.range());
    builder_.store("@" + type.key + "." + name, decorated(builder_.closure(key, {}), decorators));
  }
  type.methods.push_back(std::move(method));
}

void FunctionLowering::class_member(ir::Class& type, const Node& statement) {
  Node definition = statement;
  std::vector<Node> decorators;
  if (statement.is("decorated_definition")) {
    definition = statement.field("definition");
    for (const Node& each : statement.children())
      if (each.is("decorator")) decorators.push_back(each);
  }
  if (definition.is("function_definition")) return method_definition(type, definition, decorators);
  if (!statement.is("expression_statement")) return;
  for (const Node& each : statement.children()) {
    if (!each.is("assignment") || !each.field("left").is("identifier")) continue;
    std::string name(each.field("left").text());
    if (each.field("type")) type.fields.push_back({name, {}, each.range()});
    if (!each.field("right")) continue;
    builder_.set_range(each.range());
    builder_.store("@" + type.key + "." + name, value(each.field("right")));
  }
}

void FunctionLowering::class_definition(const Node& node, const std::vector<Node>& decorators) {
  std::string name(node.field("name").text());
  ir::Class type;
  type.name = name;
  type.range = node.field("name").range();
  Target target = is_module() ? unit_.project().resolve(unit_.path(), name) : Target();
  bool is_fixed = target.is(Target::Kind::kClass);
  type.key =
      is_fixed ? target.name : key_of(unit_.path(), name + "@" + std::to_string(type.range.line));
  ClassInfo info;
  if (is_fixed) {
    info = unit_.project().class_info(type.key);
  } else {
    for (const Node& base : node.field("superclasses").children()) {
      if (base.is("keyword_argument")) continue;
      Target above = resolve(base);
      info.bases.push_back(above);
      ClassInfo of_base;
      if (above.is(Target::Kind::kClass)) of_base = unit_.project().class_info(above.name);
      info.is_module |= of_base.is_module ||
                        (above.is(Target::Kind::kLibrary) && above.name.starts_with("torch.nn."));
      info.has_unknown_base |= of_base.has_unknown_base;
    }
  }
  type.is_module = info.is_module;
  for (const Target& base : info.bases) {
    ir::Type above{info.is_module ? ir::TypeKind::kModule : ir::TypeKind::kRecord, "?", {}};
    if (base.is(Target::Kind::kClass)) above.name = base.name;
    if (base.is(Target::Kind::kLibrary)) above.name = models::python_class_name(base.name);
    type.bases.push_back(std::move(above));
  }
  if (info.has_unknown_base) type.bases.push_back({ir::TypeKind::kRecord, "?", {}});
  for (const Node& statement : node.field("body").children()) class_member(type, statement);
  std::string key = type.key;
  unit_.add(std::move(type));
  std::vector<ir::Register> decorating;
  for (const Node& each : decorators)
    if (is_of_program(each)) decorating.push_back(value(each.children()[0]));
  builder_.set_range(node.range());
  ir::Register made = ir::kNoRegister;
  if (!is_fixed || !decorating.empty()) made = built_in("object.class", {text(key)});
  // What a decorator returns is taken for the class: most do but enter it in a table.
  for (auto each = decorating.rbegin(); each != decorating.rend(); ++each) {
    ir::Call call;
    call.kind = ir::CallKind::kIndirect;
    call.name = "object.call";
    call.arguments = {{*each, {}, {}}, {made, {}, {}}};
    builder_.call(std::move(call));
  }
  if (!is_fixed) assign_name(name, made);
}

// Whether a decorator is a function, or an object, of the program.
bool FunctionLowering::is_of_program(const Node& decorator) {
  const std::vector<Node> parts = decorator.children();
  if (parts.empty()) return false;
  Node root = parts[0].is("call") ? parts[0].field("function") : parts[0];
  if (resolve(root).is(Target::Kind::kLibrary)) return false;
  while (root.is("attribute")) root = root.field("object");
  if (!root.is("identifier")) return false;
  const std::string name(root.text());
  return scope_.has(name) || !resolve_name(name).is(Target::Kind::kUnknown);
}

}  // namespace placecheck::frontend::python
