#include "analyzer/ir/ir.h"

#include "analyzer/ir/opcode_table.h"

namespace placecheck::ir {

bool is_terminator(Opcode opcode) { return row_of(opcode).terminates; }

}  // namespace placecheck::ir
