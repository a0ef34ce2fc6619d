#include "analyzer/checks/memory.h"

#include <algorithm>

namespace placecheck::checks {
namespace {

std::string name_of(const dataflow::MemoryFact& memory, const dataflow::Site& use,
                    std::string_view otherwise, Reporter& reporter) {
  std::string name = reporter.quoted({use.unit, memory.range}, otherwise);
  return memory.member.empty() ? name : "'" + memory.member + "' of " + name;
}

}  // namespace

std::string memory_text(const dataflow::MemoryFact& memory, const dataflow::Site& use,
                        std::string_view otherwise, const dataflow::View& view,
                        Reporter& reporter) {
  std::string name = name_of(memory, use, otherwise, reporter);
  if (!memory.place.is_cpu()) {
    bool is_numbered = memory.place.kind == dataflow::PlaceKind::kCuda && memory.place.index >= 0;
    return name + " points to memory of " +
           (is_numbered ? place_text(memory.place, view.names) : "a device");
  }
  return name + (memory.is_pinned ? " points to pinned host memory" : " points to host memory");
}

void add_memory_note(findings::Finding& finding, const dataflow::MemoryFact& memory,
                     const dataflow::Site& use, const dataflow::View& view, Reporter& reporter) {
  if (!memory.place.is_known()) return;
  add_origin_note(finding, name_of(memory, use, "it", reporter), memory.origin, memory.place, view);
}

bool is_of_other_compilation(const dataflow::MemoryFact& memory, const dataflow::Site& use,
                             const dataflow::View& view) {
  const dataflow::Site& made = view.origins[memory.origin].site;
  if (memory.origin == 0 || !made.valid() || !use.valid() || made.unit == use.unit) return false;
  const auto is_cuda = [](const ir::Unit* unit) { return unit->files.front().ends_with(".cu"); };
  const bool has_cuda = std::ranges::any_of(view.program.program().units, is_cuda);
  const bool is_made_in_header = made.range.file != 0, is_used_in_header = use.range.file != 0;
  return has_cuda &&
         (is_made_in_header || (is_used_in_header && is_cuda(made.unit) != is_cuda(use.unit)));
}

}  // namespace placecheck::checks
