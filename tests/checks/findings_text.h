// Findings as golden files hold them. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/finding.h"

namespace placecheck::checks {

// What `--format=text` prints, without the source lines, with the severity of the rule and with the
// edits of the fix behind its words, each as in Clang's -fdiagnostics-parseable-fixits. Paths are
// relative to `folder`.
std::string findings_text(const std::vector<findings::Finding>& findings,
                          const std::string& folder);

}  // namespace placecheck::checks
