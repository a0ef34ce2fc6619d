// Positions of the protocol (lines from 0, characters in the units that were agreed upon) and bytes
// of texts.
//
// Pure functions. A position behind the end of its line stands for that end, as the protocol wants;
// one behind the last line for the end of the text. Bytes that are no UTF-8 count as nothing or as
// one character; none of it fails.
#pragma once

#include <cstddef>
#include <string>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/source_cache.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

namespace placecheck::lsp {

enum class PositionEncoding { kUtf16, kUtf8 };

// How the protocol calls it.
llvm::StringRef name_of(PositionEncoding encoding);

// How many units a text has, and how many of its bytes come before a unit.
size_t units_in(llvm::StringRef text, PositionEncoding encoding);
size_t bytes_before(llvm::StringRef line, size_t units, PositionEncoding encoding);

// Where a position is in a text whose lines end in "\n", "\r\n" or "\r".
size_t offset_of(const llvm::lsp::Position& position, llvm::StringRef text,
                 PositionEncoding encoding);

// A finding's range. One without an end reaches to the end of the word that it begins.
llvm::lsp::Range range_of(const findings::SourceRange& range, findings::SourceCache& sources,
                          PositionEncoding encoding);

}  // namespace placecheck::lsp
