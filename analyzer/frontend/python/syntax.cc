#include "analyzer/frontend/python/syntax.h"

#include <algorithm>

#include "tree_sitter_python.h"

namespace placecheck::frontend::python {
namespace {

// A walk over direct children in linear time: asking for the i-th child takes i steps.
class Cursor {
 public:
  explicit Cursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }

  bool enter() { return ts_tree_cursor_goto_first_child(&cursor_); }
  bool next() { return ts_tree_cursor_goto_next_sibling(&cursor_); }
  bool leave() { return ts_tree_cursor_goto_parent(&cursor_); }
  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  std::string_view field() const {
    const char* name = ts_tree_cursor_current_field_name(&cursor_);
    return name ? name : "";
  }

 private:
  TSTreeCursor cursor_;
};

bool is_comment(TSNode node) {
  std::string_view kind = ts_node_type(node);
  return kind == "comment" || kind == "line_continuation";
}

}  // namespace

std::string_view Node::text() const {
  if (ts_node_is_null(node_)) return {};
  uint32_t begin = ts_node_start_byte(node_);
  return std::string_view(source_->text).substr(begin, ts_node_end_byte(node_) - begin);
}

ir::Range Node::range() const {
  if (ts_node_is_null(node_)) return {};
  if (const auto& positions = source_->positions; !positions.empty()) {
    const auto& begin = positions[ts_node_start_byte(node_)];
    const auto& end = positions[ts_node_end_byte(node_)];
    return {0, begin.line, begin.column, end.line, end.column};
  }
  TSPoint begin = ts_node_start_point(node_), end = ts_node_end_point(node_);
  return {0, begin.row + 1, begin.column + 1, end.row + 1, end.column + 1};
}

bool Node::is_displayed() const {
  if (ts_node_is_null(node_) || source_->ends_of_cells.empty()) return false;
  const auto end = std::ranges::lower_bound(source_->ends_of_cells, ts_node_end_byte(node_));
  TSNode next = ts_node_next_named_sibling(node_);
  while (!ts_node_is_null(next) && is_comment(next)) next = ts_node_next_named_sibling(next);
  const bool is_last = ts_node_is_null(next) || ts_node_start_byte(next) >= *end;
  const size_t behind = source_->text.find_first_not_of(" \t", ts_node_end_byte(node_));
  const bool is_silenced = behind != std::string::npos && source_->text[behind] == ';';
  const TSNode parent = ts_node_parent(node_);
  const bool is_top_level = !ts_node_is_null(parent) && ts_node_is_null(ts_node_parent(parent));
  return is_last && is_top_level && !is_silenced;
}

Node Node::field(std::string_view name) const {
  if (ts_node_is_null(node_)) return {};
  return {ts_node_child_by_field_name(node_, name.data(), static_cast<uint32_t>(name.size())),
          *source_};
}

std::vector<Node> Node::children() const {
  std::vector<Node> found;
  if (ts_node_is_null(node_)) return found;
  Cursor cursor(node_);
  for (bool more = cursor.enter(); more; more = cursor.next()) {
    TSNode child = cursor.node();
    if (ts_node_is_named(child) && !is_comment(child)) found.emplace_back(child, *source_);
  }
  return found;
}

std::vector<Node> Node::children(std::string_view field) const {
  std::vector<Node> found;
  if (ts_node_is_null(node_)) return found;
  Cursor cursor(node_);
  for (bool more = cursor.enter(); more; more = cursor.next()) {
    TSNode child = cursor.node();
    if (ts_node_is_named(child) && !is_comment(child) && cursor.field() == field)
      found.emplace_back(child, *source_);
  }
  return found;
}

Node Node::child(std::string_view kind) const {
  for (const Node& each : children()) {
    if (each.is(kind)) return each;
  }
  return {};
}

std::vector<std::string_view> Node::tokens() const {
  std::vector<std::string_view> found;
  if (ts_node_is_null(node_)) return found;
  Cursor cursor(node_);
  for (bool more = cursor.enter(); more; more = cursor.next()) {
    TSNode child = cursor.node();
    if (!ts_node_is_named(child)) found.push_back(Node(child, *source_).kind());
  }
  return found;
}

Tree::Tree(Source source) : source_(std::move(source)) {
  std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), tree_sitter_python())) return;
  tree_.reset(ts_parser_parse_string(parser.get(), nullptr, source_.text.data(),
                                     static_cast<uint32_t>(source_.text.size())));
}

Node Tree::root() const { return tree_ ? Node(ts_tree_root_node(tree_.get()), source_) : Node(); }

std::vector<ir::Range> Tree::errors(size_t limit) const {
  std::vector<ir::Range> found;
  if (!tree_ || !ts_node_has_error(ts_tree_root_node(tree_.get()))) return found;
  Cursor cursor(ts_tree_root_node(tree_.get()));
  size_t depth = 0;
  bool descends = true;
  while (found.size() < limit) {
    TSNode node = cursor.node();
    bool is_error = ts_node_is_error(node) || ts_node_is_missing(node);
    if (descends && is_error) found.push_back(Node(node, source_).range());
    if (descends && !is_error && ts_node_has_error(node) && cursor.enter()) {
      ++depth;
      continue;
    }
    if (cursor.next()) {
      descends = true;
      continue;
    }
    if (depth == 0 || !cursor.leave()) break;
    --depth;
    descends = false;
  }
  return found;
}

}  // namespace placecheck::frontend::python
