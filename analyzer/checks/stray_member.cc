#include "analyzer/checks/stray_member.h"

#include <algorithm>

#include "analyzer/checks/member_writes.h"

namespace placecheck::checks {
namespace {

bool is_within(const ir::Range& inner, const ir::Range& outer) {
  return inner.file == outer.file && inner.line >= outer.line && inner.line <= outer.end_line;
}

bool is_made_by_constructor(const ir::Class& type, dataflow::OriginId origin,
                            const dataflow::View& view) {
  const dataflow::Origin& made = view.origins[origin];
  for (const ir::Method& method : type.methods) {
    if (!method.is_constructor && method.name != "reset") continue;
    const ir::Function* constructor = view.program.find_function(method.key, made.site.unit);
    if (!constructor) continue;
    MemberUse use = find_member_writes(*constructor, view.program);
    bool is_there = std::any_of(use.functions.begin(), use.functions.end(), [&](const auto* each) {
      return view.program.unit_of(*each) == made.site.unit &&
             is_within(made.site.range, each->range);
    });
    if (is_there) return true;
  }
  return false;
}

}  // namespace

std::optional<StrayMember> find_stray_member(const Conflict& conflict, const dataflow::View& view) {
  for (const dataflow::Operand* operand : {conflict.first, conflict.second}) {
    if (!operand->stray) continue;
    const std::string& text = view.names.text(operand->member);
    size_t split = text.find('\n');
    if (split == std::string::npos) continue;
    const ir::Class* type = view.program.find_class(text.substr(0, split), nullptr);
    const ir::Field* field =
        type ? view.program.find_field(*type, text.substr(split + 1)) : nullptr;
    if (field && is_made_by_constructor(*type, operand->origin, view))
      return StrayMember{type, field, operand};
  }
  return std::nullopt;
}

}  // namespace placecheck::checks
