// The syntax tree of one Python file, by tree-sitter: the only place that sees it.
//
// A Tree owns what its Nodes point into, and keeps a copy of the source. Nodes are values. Nothing
// here fails: what cannot be parsed is a node that is an error. One thread at a time.
#pragma once

#include <tree_sitter/api.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace placecheck::frontend::python {

class Node {
 public:
  Node() = default;
  Node(TSNode node, std::string_view source) : node_(node), source_(source) {}

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
  bool is_error() const { return *this && (ts_node_is_error(node_) || ts_node_is_missing(node_)); }
  bool has_error() const { return *this && ts_node_has_error(node_); }

 private:
  TSNode node_ = {};
  std::string_view source_;
};

class Tree {
 public:
  explicit Tree(std::string source);

  Node root() const;
  // Where the file breaks the grammar, in order; at most `limit`.
  std::vector<ir::Range> errors(size_t limit) const;

 private:
  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::string source_;
  std::unique_ptr<TSTree, Delete> tree_;
};

}  // namespace placecheck::frontend::python
