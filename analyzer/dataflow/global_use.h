// Which variables of the program, and which files, a function may use, itself or in what it calls:
// the part of a caller's globals that its outcome can depend on, and that it can change.
//
// Sets are upper bounds: a method of the program stands for all that override it, another one for
// all methods of its name, a container of modules for all modules' forward(), and what a library
// calls for all functions that it may be handed; without types, a name stands for all that is
// called so. Built once per analysis, in time linear in the program and in the sets; read-only
// then.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "analyzer/dataflow/names.h"
#include "analyzer/ir/ir.h"
#include "analyzer/ir/link.h"
#include "llvm/ADT/SparseBitVector.h"

namespace placecheck::dataflow {

class GlobalUse {
 public:
  // `has_user_models`: what a call does to files may stand elsewhere than in our models.
  GlobalUse(const ir::Program& program, Names& names, bool has_user_models);

  // False only for a variable of the program, or a file, that `function` certainly leaves alone.
  bool may_use(const ir::Function& function, Name global) const;
  // It, or what it calls, calls a function of the program of which there is no body.
  bool may_call_unseen(const ir::Function& function) const;

 private:
  const Names& names_;
  bool has_user_models_;
  Name unseen_ = 0;                             // as a variable
  Name files_ = 0;                              // the same: all that were written
  std::unordered_map<Name, unsigned> numbers_;  // of the program's globals
  std::unordered_map<const ir::Function*, llvm::SparseBitVector<>> used_;
};

}  // namespace placecheck::dataflow
