// Where a report goes: a file that is replaced as a whole or not at all, or standard output.
//
// No state; any thread. Errors: a sentence, lower case and without a full stop; empty is good.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/options.h"
#include "llvm/Support/FileSystem.h"

namespace placecheck {

// A line for each rule: its id, severity and summary.
std::string rule_list();

// The report in the format that the options ask for.
std::string render(const findings::Report& report, const Options& options, bool use_color,
                   findings::SourceCache& sources);

// Writes beside `path` first, then renames, so that a reader never sees half a report. What exists
// and is no ordinary file (a pipe, a device) is written to as it is. The file has `permissions`,
// if given, from its first moment on.
std::string write_file(const std::string& path, std::string_view text,
                       std::optional<llvm::sys::fs::perms> permissions = std::nullopt);

}  // namespace placecheck
