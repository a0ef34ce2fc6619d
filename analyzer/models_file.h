// A user's table of what the calls of a house library mean (--models, described in
// analyzer/models/README.md).
//
// No state; any thread. Errors: a sentence that begins with the file; empty is good.
#pragma once

#include <string>

#include "analyzer/models/libraries/user_models.h"

namespace placecheck {

// Adds the rows of one file; a name that is there already is replaced.
std::string add_models(const std::string& text, const std::string& path,
                       models::UserModels& models);
std::string load_models(const std::string& path, models::UserModels& models);

}  // namespace placecheck
