// Lowered files as a build system hands them from one of its actions to another: written by
// --emit-unit, read by --units.
//
// Paths below one folder, `root`, are written without it, so that the bytes are the same on every
// machine and in every folder; they are put below another root when they are read. Ownership:
// values. Threads: any. Errors: a sentence, lower case and without a full stop, that names the
// file.
#pragma once

#include <string>
#include <vector>

#include "analyzer/lowering.h"
#include "llvm/Support/Error.h"

namespace placecheck {

// Counts up with every change of what is written around a unit. What is in a unit has a version of
// its own, ir::kSerialVersion; a file is read where both are this program's.
inline constexpr unsigned kUnitFileVersion = 1;

std::string unit_file_bytes(const std::vector<LoweredFile>& files, const std::string& root);

// `name` stands for the file in messages.
llvm::Expected<std::vector<LoweredFile>> lowered_from(llvm::StringRef bytes,
                                                      const std::string& name,
                                                      const std::string& root);

// The same of files, in the order of their paths. Each of `names` is such a file, or "@" and a file
// that has the name of one on each line; relative ones are looked for from `root` on. Of several
// that hold one source file the first counts.
llvm::Expected<std::vector<LoweredFile>> read_unit_files(const std::vector<std::string>& names,
                                                         const std::string& root);

}  // namespace placecheck
