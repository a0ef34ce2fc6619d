#include "tests/runtime/testing/witness_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "rules/catalog.h"

namespace placecheck::testing_support {
namespace {

constexpr const char* kFile = "rules/witnesses.md";
constexpr std::array<std::string_view, 3> kColumns = {"runtime", "torch", "cuda"};

// The rules of each column, and what stands above the table.
struct Table {
  std::string head;
  std::map<std::string, std::set<std::string>, std::less<>> columns;
};

// "| `rule` | yes |  | yes |" as its cells.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    std::erase(cell, ' ');
    std::erase(cell, '`');
    cells.push_back(cell);
  }
  return cells;
}

Table read_table() {
  Table table;
  std::ifstream in(kFile);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('|')) {
      table.head += line + "\n";
    } else if (const auto cells = cells_of(line); cells.size() > kColumns.size()) {
      for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (cells[i + 1] == "yes") table.columns[std::string(kColumns[i])].insert(cells[0]);
      }
    }
  }
  return table;
}

std::string text_of(const Table& table) {
  std::ostringstream text;
  text << table.head << "| rule | runtime | torch | cuda |\n|---|---|---|---|\n";
  for (const rules::Rule& rule : rules::catalog()) {
    text << "| `" << rule.id << "` |";
    for (const std::string_view column : kColumns) {
      const auto found = table.columns.find(column);
      const bool is_seen =
          found != table.columns.end() && found->second.contains(std::string(rule.id));
      text << (is_seen ? " yes |" : " |");
    }
    text << "\n";
  }
  return text.str();
}

}  // namespace

void expect_column(std::string_view column, const Witnesses& witnesses) {
  std::set<std::string> seen;
  for (const auto& [id, witness] : witnesses) {
    const std::string reported = witness();
    EXPECT_EQ(reported, id);
    if (reported == id) seen.insert(reported);
  }
  Table table = read_table();
  EXPECT_EQ(table.columns[std::string(column)], seen)
      << "the column '" << column << "' of " << kFile;
  table.columns[std::string(column)] = seen;
  if (const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR")) {
    std::ofstream(std::string(folder) + "/witnesses.md") << text_of(table);
  }
}

void expect_catalogue() {
  const Table table = read_table();
  for (const rules::Rule& rule : rules::catalog()) {
    const bool is_seen = std::ranges::any_of(table.columns, [&](const auto& column) {
      return column.second.contains(std::string(rule.id));
    });
    EXPECT_EQ(rule.witnesses.runtime, is_seen) << rule.id;
  }
  std::ifstream in(kFile);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), text_of(table)) << "a line for each rule, in their order";
}

}  // namespace placecheck::testing_support
