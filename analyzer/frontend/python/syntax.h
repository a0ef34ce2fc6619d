// The syntax tree of one Python file, by tree-sitter: the only place that sees it.
//
// A Tree owns what its Nodes point into, and keeps the source; it is not moved. Nodes are values.
// Nothing here fails: what cannot be parsed is a node that is an error. One thread at a time.
#pragma once

#include <tree_sitter/api.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/files/notebook.h"
#include "analyzer/ir/ir.h"

namespace placecheck::frontend::python {

// The text of a file; of a notebook, the code in its cells.
struct Source {
  std::string text;
  // Of a notebook: where each byte stands in its file, and where its cells end in `text`.
  std::vector<files::TextPosition> positions;
  std::vector<size_t> ends_of_cells;
};

class Node {
 public:
  Node() = default;
  Node(TSNode node, const Source& source) : node_(node), source_(&source) {}

  explicit operator bool() const { return !ts_node_is_null(node_); }
  std::string_view kind() const { return ts_node_is_null(node_) ? "" : ts_node_type(node_); }
  bool is(std::string_view kind) const { return this->kind() == kind; }
  std::string_view text() const;
  ir::Range range() const;
  Node field(std::string_view name) const;
  // The named children, comments left out.
  std::vector<Node> children() const;
  std::vector<Node> children(std::string_view field) const;
  // The first of that kind among the named children.
  Node child(std::string_view kind) const;
  // What stands between the named children: operators and keywords.
  std::vector<std::string_view> tokens() const;
  // A statement whose value a notebook shows: the last one of a cell.
  bool is_displayed() const;
  bool is_error() const { return *this && (ts_node_is_error(node_) || ts_node_is_missing(node_)); }
  bool has_error() const { return *this && ts_node_has_error(node_); }

 private:
  TSNode node_ = {};
  const Source* source_ = nullptr;
};

class Tree {
 public:
  explicit Tree(Source source);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  Node root() const;
  // Where the file breaks the grammar, in order; at most `limit`.
  std::vector<ir::Range> errors(size_t limit) const;

 private:
  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  Source source_;
  std::unique_ptr<TSTree, Delete> tree_;
};

}  // namespace placecheck::frontend::python
