// The sources that belong to the programs of those that the user named: they implement the headers
// that the named ones include, or call what the named ones implement; in Python, they import them.
// A function is judged by what its program does with it, and a part of a project is seldom a
// program.
//
// Told from names, #include lines and Python's import lines alone; what is ambiguous belongs to
// nothing. Ownership: values. Threads: no shared state. Errors: none; an unreadable file includes
// nothing.
#pragma once

#include <string>
#include <vector>

#include "analyzer/discovery/discovery.h"

namespace placecheck::discovery {

// `project` is every file of the project, the named ones among them. What is returned is none of
// the named, in the order of paths, and bounded: some 50 files, the nearest first.
std::vector<SourceFile> companions(const std::vector<SourceFile>& named,
                                   const std::vector<SourceFile>& project);

}  // namespace placecheck::discovery
