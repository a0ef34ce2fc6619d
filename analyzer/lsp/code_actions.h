// What an editor offers to do about findings: mend them, or silence them with a comment.
//
// Pure functions over a SourceCache, which has the texts of open documents.
#pragma once

#include "analyzer/findings/source_cache.h"
#include "analyzer/lsp/analysis.h"
#include "analyzer/lsp/diagnostics.h"
#include "analyzer/lsp/documents.h"
#include "analyzer/lsp/protocol.h"
#include "llvm/Support/JSON.h"

namespace placecheck::lsp {

inline constexpr char kQuickFix[] = "quickfix";
inline constexpr char kFixAll[] = "source.fixAll.placecheck";

// `analysis` is of the document's present text.
llvm::json::Array code_actions(const CodeActionParams& params, const Document& document,
                               const Analysis& analysis, findings::SourceCache& sources,
                               const View& view);

}  // namespace placecheck::lsp
