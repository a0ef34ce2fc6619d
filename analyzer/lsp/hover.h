// Where the value under the cursor is, and where that was decided.
//
// Pure functions over a SourceCache, which has the texts of open documents.
#pragma once

#include "analyzer/dataflow/place_table.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/lsp/diagnostics.h"
#include "analyzer/lsp/documents.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"

namespace placecheck::lsp {

// `places` is of the document's present text. Null where nothing is known of a value there.
llvm::json::Value hover_at(const Document& document, const llvm::lsp::Position& position,
                           const dataflow::PlaceTable& places, findings::SourceCache& sources,
                           const View& view);

}  // namespace placecheck::lsp
