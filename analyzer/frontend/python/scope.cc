#include "analyzer/frontend/python/scope.h"

namespace placecheck::frontend::python {
namespace {

// Explicit work lists: a tree may be deeper than the stack.
class Collector {
 public:
  explicit Collector(BoundNames& names) : names_(names) {}

  void run(const Node& body) {
    work_.push_back(body);
    while (!work_.empty()) {
      Node node = work_.back();
      work_.pop_back();
      visit(node);
    }
  }

 private:
  void bind(const Node& pattern) {
    if (pattern.is("identifier")) names_.bound.emplace(pattern.text());
    bool is_list = pattern.is("pattern_list") || pattern.is("tuple_pattern") ||
                   pattern.is("list_pattern") || pattern.is("list_splat_pattern") ||
                   pattern.is("as_pattern_target") || pattern.is("tuple") || pattern.is("list");
    if (!is_list) return;
    for (const Node& each : pattern.children()) bind(each);
  }

  void visit(const Node& node) {
    std::string_view kind = node.kind();
    if (kind == "function_definition" || kind == "class_definition") {
      bind(node.field("name"));
      return;
    }
    if (kind == "lambda") return;
    if (kind == "assignment" || kind == "augmented_assignment" || kind == "for_statement" ||
        kind == "for_in_clause")
      bind(node.field("left"));
    if (kind == "named_expression") bind(node.field("name"));
    if (kind == "as_pattern_target") bind(node);
    if (kind == "yield") names_.yields = true;
    if (kind == "import_statement" || kind == "import_from_statement") {
      for (const Node& name : node.children("name")) {
        std::string_view bound =
            name.is("aliased_import") ? name.field("alias").text() : name.text();
        names_.imported.emplace(bound.substr(0, bound.find('.')));
      }
      names_.imports.push_back(node);
      return;
    }
    if (kind == "global_statement" || kind == "nonlocal_statement") {
      auto& declared = kind == "global_statement" ? names_.global : names_.nonlocal;
      for (const Node& each : node.children()) declared.emplace(each.text());
      return;
    }
    if (kind == "case_pattern") {
      for (const std::string& name : names_captured_by(node)) names_.bound.insert(name);
      return;
    }
    for (const Node& each : node.children()) work_.push_back(each);
  }

  BoundNames& names_;
  std::vector<Node> work_;
};

}  // namespace

BoundNames names_bound_in(const Node& body) {
  BoundNames names;
  Collector(names).run(body);
  return names;
}

std::set<std::string> names_used_in(const Node& node) {
  std::set<std::string> names;
  std::vector<Node> work{node};
  while (!work.empty()) {
    Node next = work.back();
    work.pop_back();
    if (next.is("identifier")) names.emplace(next.text());
    for (const Node& each : next.children()) work.push_back(each);
  }
  return names;
}

std::set<std::string> names_captured_by(const Node& pattern) {
  std::set<std::string> names;
  std::vector<Node> work{pattern};
  while (!work.empty()) {
    const Node next = work.back();
    work.pop_back();
    const std::vector<Node> parts = next.children();
    // `case Mode.TRAIN`, `case Point(x=0)`: a value and a class.
    const bool binds = next.is("as_pattern") || next.is("splat_pattern") ||
                       (next.is("dotted_name") && parts.size() == 1);
    for (const Node& part : parts) {
      const bool is_class = next.is("class_pattern") && part.is("dotted_name");
      if (binds && part.is("identifier")) names.emplace(part.text());
      if (!part.is("identifier") && !is_class) work.push_back(part);
    }
  }
  names.erase("_");
  return names;
}

std::vector<std::string> names_of_parameters(const Node& parameters) {
  std::vector<std::string> names;
  for (const Node& each : parameters.children()) {
    Node name = each.field("name");
    if (each.is("identifier")) name = each;
    if (each.is("typed_parameter") || each.is("list_splat_pattern") ||
        each.is("dictionary_splat_pattern")) {
      name = each.children().empty() ? Node() : each.children().front();
      if (!name.is("identifier") && !name.children().empty()) name = name.children().front();
    }
    if (name.is("identifier")) names.emplace_back(name.text());
  }
  return names;
}

}  // namespace placecheck::frontend::python
