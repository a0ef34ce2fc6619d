// What else of a project is read for the sake of the files that the user named.
#pragma once

#include <vector>

#include "analyzer/discovery/discovery.h"
#include "analyzer/frontend/clang/compile_flags.h"

namespace placecheck {

// The companions (discovery/companions.h) of `files` in their projects. None in a project that was
// named as a whole, or that has some thousands of files: of such a one a part stands for itself.
// `request` is the one that found `files`.
std::vector<discovery::SourceFile> context_of(const std::vector<discovery::SourceFile>& files,
                                              const discovery::Request& request,
                                              const frontend::CompileFlags& flags);

}  // namespace placecheck
