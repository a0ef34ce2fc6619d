#include "analyzer/checks/memory.h"

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

}  // namespace placecheck::checks
