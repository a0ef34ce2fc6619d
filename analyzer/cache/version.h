// What decides the meaning of cached entries besides their keys.
#pragma once

#include <string>

namespace placecheck::cache {

// Of this very build of the program: its file's size and times. Threads: any.
std::string build_identity();

}  // namespace placecheck::cache
