#include "analyzer/build_commit.h"

namespace placecheck {

const char* const kBuildCommit = "";

}  // namespace placecheck
