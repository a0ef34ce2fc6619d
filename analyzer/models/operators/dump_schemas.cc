// Prints every schema of namespace aten that the installed libtorch has registered, one a line,
// sorted. It is the source from which operators.inc is derived; run it after an upgrade of
// libtorch.

#include <torch/csrc/jit/runtime/operator.h>

#include <iostream>
#include <set>
#include <sstream>
#include <string>

int main() {
  std::set<std::string> lines;
  for (const auto& op : torch::jit::getAllOperators()) {
    const auto& schema = op->schema();
    if (schema.name().rfind("aten::", 0) != 0) continue;
    std::ostringstream line;
    line << schema;
    lines.insert(line.str());
  }
  for (const auto& line : lines) std::cout << line << '\n';
}
