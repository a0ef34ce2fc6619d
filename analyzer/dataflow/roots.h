// Where a program is entered: its main functions, then whatever they did not reach.
#pragma once

#include "analyzer/dataflow/engine.h"

namespace placecheck::dataflow {

void run_program(Engine& engine, const ir::Program& program);

}  // namespace placecheck::dataflow
