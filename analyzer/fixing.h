// Carries out a plan of fixes: in the files, or as a diff.
//
// Ownership: values. Threads: one. Errors: sentences, lower case and without a full stop.
#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/fixes.h"
#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"

namespace placecheck {

// Replaces each file of the plan as a whole, and takes what was mended out of the report, which the
// plan was made from and points into. A file that changed since it was read is left alone.
std::vector<std::string> write_fixes(const findings::FixPlan& plan, findings::Report& report,
                                     findings::SourceCache& sources);

// The plan as a unified diff; paths are relative to `root`.
std::string diff_of(const findings::FixPlan& plan, const std::string& root,
                    findings::SourceCache& sources);

// "src/a.cc:12"
std::string place_of(const findings::Finding& finding, const std::string& root);

}  // namespace placecheck
