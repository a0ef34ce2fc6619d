// Calls: of functions and classes of the project, of libraries, of methods, and of values.
#include "analyzer/frontend/python/lowering.h"

namespace placecheck::frontend::python {

ir::Register FunctionLowering::built_in(std::string name, std::vector<ir::Register> arguments) {
  ir::Call call;
  call.name = std::move(name);
  for (ir::Register each : arguments) call.arguments.push_back({each, {}, builder_.range()});
  return builder_.call(std::move(call));
}

void FunctionLowering::add_arguments(ir::Call& call, const Node& arguments) {
  if (arguments.is("generator_expression")) {
    call.arguments.push_back({value(arguments), {}, arguments.range()});
    return;
  }
  for (const Node& each : arguments.children()) {
    ir::Argument argument;
    argument.range = each.range();
    Node given = each;
    if (each.is("keyword_argument")) {
      argument.name = each.field("name").text();
      given = each.field("value");
      argument.range = given.range();
    } else if (each.is("list_splat") || each.is("dictionary_splat")) {
      argument.name = each.is("list_splat") ? "*" : "**";
      std::vector<Node> parts = each.children();
      given = parts.empty() ? Node() : parts[0];
    }
    argument.value = value(given);
    call.arguments.push_back(std::move(argument));
  }
}

// `super().method(...)`: the method that stands behind this class in the order of its bases.
ir::Register FunctionLowering::super_call(const Node& node, const Node& callee) {
  ir::Call call;
  call.kind = ir::CallKind::kMethod;
  call.name = "." + std::string(callee.field("attribute").text());
  bool has_this = !function_.parameters.empty() && function_.parameters[0].name == "this";
  ir::Register self = has_this ? builder_.load("this") : builder_.unknown();
  call.arguments.push_back({self, {}, callee.field("object").range()});
  call.arguments.push_back({text(scope_.class_key), "<super>", {}});
  add_arguments(call, node.field("arguments"));
  builder_.set_range(node.range());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::call(const Node& node) {
  Node callee = node.field("function");
  ir::Call call;
  Target target = resolve(callee);
  if (std::optional<ir::Register> member = member_of_module(node, target)) return *member;
  switch (target.kind) {
    case Target::Kind::kFunction:
      call.key = target.name;
      call.name = callee.text();
      break;
    case Target::Kind::kClass:
      call.kind = ir::CallKind::kConstruct;
      call.key = target.name;
      call.name = callee.text();
      break;
    case Target::Kind::kLibrary:
      call.name = target.name;
      break;
    default:
      if (callee.is("attribute")) {
        Node of = callee.field("object");
        bool is_super = of.is("call") && of.field("function").text() == "super";
        if (is_super) return super_call(node, callee);
        call.kind = ir::CallKind::kMethod;
        call.name = "." + std::string(callee.field("attribute").text());
        call.arguments.push_back({value(of), {}, of.range()});
      } else {
        call.kind = ir::CallKind::kIndirect;
        call.name = "object.call";
        // A function that nothing seen defines may be the program's own.
        bool is_unseen = target.is(Target::Kind::kUnknown) && callee.is("identifier") &&
                         !scope_.has(std::string(callee.text()));
        call.arguments.push_back(
            {is_unseen ? builder_.unknown() : value(callee), {}, callee.range()});
      }
  }
  if (call.name.find("::") != std::string::npos) call.name = "object.call";
  add_arguments(call, node.field("arguments"));
  note_tried(call);
  builder_.set_range(node.range());
  return builder_.call(std::move(call));
}

void FunctionLowering::note_tried(ir::Call& call) {
  if (!regions_.empty())
    call.arguments.push_back({builder_.constant(regions_.back().is_foreseen), "<tried>", {}});
}

}  // namespace placecheck::frontend::python
