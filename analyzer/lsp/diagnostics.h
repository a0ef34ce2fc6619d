// Findings as the protocol's diagnostics.
//
// Pure functions over a SourceCache, which has the texts of open documents. What comes from the
// project is made valid UTF-8.
#pragma once

#include <string>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/lsp/documents.h"
#include "analyzer/lsp/positions.h"
#include "llvm/Support/JSON.h"
#include "rules/rule.h"

namespace placecheck::lsp {

// What is known of the client and of what it has open.
struct View {
  PositionEncoding encoding = PositionEncoding::kUtf16;
  bool shows_related = false;
  bool takes_markdown = false;
  const DocumentStore* documents = nullptr;
};

// As the client calls it, if it has it open.
std::string uri_of(const std::string& path, const View& view);

llvm::json::Object diagnostic_of(const findings::Finding& finding, rules::Severity severity,
                                 findings::SourceCache& sources, const View& view);

}  // namespace placecheck::lsp
