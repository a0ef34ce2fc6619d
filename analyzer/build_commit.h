// Which sources the program was built from; what is packaged knows it.
#pragma once

namespace placecheck {

extern const char* const kBuildCommit;  // empty: unknown

}  // namespace placecheck
