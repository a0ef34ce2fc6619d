// Text replacements that mend what a finding is about, from the IR and the source beside it.
//
// An edit is made only where the text is what the IR says of it; in doubt there is none. Ownership:
// values. Threads: as a Reporter. Errors: an empty list, or none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/dataflow/events.h"
#include "analyzer/ir/ir.h"

namespace placecheck::checks {

using FixIts = std::vector<findings::FixIt>;

// What is called, without what it belongs to: "rand" of "torch::rand" and "torch.rand".
std::string_view bare_name(const ir::Call& call);

// A call as it is written.
struct WrittenCall {
  const ir::Unit* unit;
  const ir::Function* function;  // in which it stands
  const ir::Block* block;
  const ir::Instruction* instruction;

  const ir::Call& call() const { return instruction->call; }
  std::string_view name() const { return bare_name(call()); }
  dataflow::Site site() const { return {unit, instruction->range}; }
  dataflow::Site site_of(const ir::Argument& argument) const { return {unit, argument.range}; }
};

// The call that is written exactly there; of several that a language makes of one text, the last.
std::optional<WrittenCall> call_at(const dataflow::Site& site);
// The argument called `name`, or else the positional one at `index`; null if there is none.
const ir::Argument* find_argument(const ir::Call& call, std::string_view name, size_t index);

// The innermost function around; null if there is none. A lambda stands within the function that
// makes it.
const ir::Function* function_at(const dataflow::Site& site);
bool contains(const ir::Range& outer, const ir::Range& inner);
// Whether `a` ends before `b` begins, in the same file.
bool is_before(const ir::Range& a, const ir::Range& b);

findings::FixIt replace(const dataflow::Site& site, std::string text);
findings::FixIt insert_before(const dataflow::Site& site, std::string text);
findings::FixIt insert_behind(const dataflow::Site& site, std::string text);

// `text` as one more argument, behind those that are written.
FixIts add_argument(const WrittenCall& call, const std::string& text, Reporter& reporter);
// Whether `text`, which stands there, is `*list` or `**dictionary`: several arguments, and no
// expression.
bool is_spread(const dataflow::Site& site, std::string_view text);
// `suffix`, such as ".cpu()", behind an expression, which is put in parentheses where it needs
// them; nothing behind several arguments that are written as one.
FixIts add_suffix(const dataflow::Site& site, const std::string& suffix, Reporter& reporter);
// Whether a statement begins on the line of `site`, and one of its own may stand before it.
bool begins_statement(const dataflow::Site& site, Reporter& reporter);
// A line of its own before the statement that begins on the line of `site`; empty if none does.
FixIts add_statement_before(const dataflow::Site& site, const std::string& statement,
                            Reporter& reporter);

// What is written there, without the `->` or `.` behind it.
std::string receiver_text(const dataflow::Site& site, Reporter& reporter);

// Names and members alone: what may stand before a `.`, and be written twice.
bool is_name(std::string_view text);

// An expression for a device that is known, in the language of the file; empty for others.
std::string device_expression(const dataflow::Place& place, const dataflow::Site& site);

}  // namespace placecheck::checks
