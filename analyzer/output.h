// Where a report goes: a file that is replaced as a whole or not at all, or standard output.
//
// No state; any thread. Errors: a sentence, lower case and without a full stop; empty is good.
#pragma once

#include <string>
#include <string_view>

namespace placecheck {

// Writes beside `path` first, then renames, so that a reader never sees half a report. What exists
// and is no ordinary file (a pipe, a device) is written to as it is.
std::string write_file(const std::string& path, std::string_view text);

}  // namespace placecheck
