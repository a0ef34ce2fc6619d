// Parses external headers once, bodies skipped, into a precompiled header.
//
// Ownership: values. Threads: any; nothing is shared. Errors: a header without bytes, where what
// it consists of does not parse cleanly, reaches into the project, or Clang gave up; its info then
// still says what was read.
#pragma once

#include "analyzer/frontend/clang/header_cache.h"

namespace placecheck::frontend {

// `like`: arguments, file system and notion of "external" of a file that wants the header;
// `info` comes with its key and text.
SharedHeader build_header(const LowerInput& like, HeaderInfo info);

// What a word is called in SharedHeader::identifiers, and what a macro that the header defines.
uint64_t identifier_hash(llvm::StringRef word);
uint64_t macro_hash(llvm::StringRef name);

}  // namespace placecheck::frontend
