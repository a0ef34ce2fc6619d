// The report of a check: what was found, in order, without what comments and settings silence.
//
// No state; one thread at a time for a SourceCache. Errors: none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/options.h"
#include "analyzer/program_analysis.h"
#include "rules/rule.h"

namespace placecheck {

// `files` is what is said of each; `root` is what paths are shown relative to.
findings::Report report_of(std::vector<findings::FileReport> files, ProgramFindings result,
                           std::string root);

// Applies suppressions, chooses severities, and drops what the settings turn off.
void settle(findings::Report& report, const Options& options, findings::SourceCache& sources);

// What is wrong with the globs of chosen severities.
std::vector<std::string> severity_problems(const Options& options);

// Nothing for "off".
std::optional<rules::Severity> severity_named(std::string_view name);

}  // namespace placecheck
