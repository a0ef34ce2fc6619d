// Which functions of extensions Python code calls with a device selected:
// `with torch.cuda.device(x.device): extension.nms(x)`.
//
// Pure functions of units, which the result points into.
#pragma once

#include <map>
#include <span>
#include <string>

#include "analyzer/dataflow/events.h"
#include "analyzer/ir/ir.h"

namespace placecheck::dataflow {

// One such call by the last component of the callee's name, where every call by that name is one,
// or stands in a function of which that holds.
using PythonCallers = std::map<std::string, Site>;

PythonCallers callers_with_device(std::span<const ir::Unit* const> units);

}  // namespace placecheck::dataflow
