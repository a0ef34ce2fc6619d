// Which members of a class a method writes, itself or through other methods of the object.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/dataflow/program_index.h"

namespace placecheck::checks {

struct MemberWrite {
  std::string member;
  const ir::Unit* unit = nullptr;
  ir::Range range;
  bool reads_old = false;    // what is written depends on what was there, or that is read before
  bool is_in_place = false;  // `self.count += 1`: a tensor stays the same one
};

struct MemberUse {
  std::vector<MemberWrite> writes;          // the first of each member
  std::set<const ir::Function*> functions;  // that were looked at
};

MemberUse find_member_writes(const ir::Function& method, dataflow::ProgramIndex& program);

// Whether a function other than these, and than constructors, mentions the member of the class.
bool is_mentioned_elsewhere(const std::string& member, const ir::Class& type,
                            const std::set<const ir::Function*>& functions,
                            const ir::Program& program);

}  // namespace placecheck::checks
