// HeaderInfo as text, for the store. Reading text that is not one yields nothing.
#pragma once

#include <optional>
#include <string>

#include "analyzer/frontend/clang/header_cache.h"

namespace placecheck::frontend {

std::string print_header_info(const HeaderInfo& info);
std::optional<HeaderInfo> parse_header_info(llvm::StringRef text);

}  // namespace placecheck::frontend
