// Edits of CUDA sources: streams of launches, statements beside them, the headers they need.
//
// As in edits.h, an edit is made only where the text is what it is expected to be.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/dataflow/events.h"
#include "analyzer/findings/finding.h"

namespace placecheck::checks {

// `#include <header>` behind the includes at the top of the file, unless the file names the header.
void add_include(findings::Finding& finding, const dataflow::Site& site, std::string_view header,
                 Reporter& reporter);

// The stream of the kernel launch that is written at `site`.
FixIts set_launch_stream(const dataflow::Site& site, const std::string& stream, Reporter& reporter);

// A line of its own behind the statement of which `site` is all but the semicolon.
FixIts add_statement_behind(const dataflow::Site& site, const std::string& statement,
                            Reporter& reporter);

// `to` in place of the one occurrence of the name `from` within `site`.
FixIts rename_at(const dataflow::Site& site, std::string_view from, const std::string& to,
                 Reporter& reporter);

// `statement` in place of the one that holds the call at `site`, or has it as the one argument of a
// macro, directly in the body of the function that begins at `function`.
FixIts replace_statement_of_body(const dataflow::Site& site, const dataflow::Site& function,
                                 const std::string& statement, Reporter& reporter);

}  // namespace placecheck::checks
