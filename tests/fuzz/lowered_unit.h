// What holds for whatever a front end makes of a text, in any language.
#pragma once

#include <string>

#include "analyzer/frontend/clang/lower.h"

namespace placecheck::fuzz {

// Whether the unit is sound, survives being printed and read, and can be linked, analysed and
// checked. Returns what was broken, or an empty text.
std::string check_lowered(const frontend::LowerResult& lowered);

}  // namespace placecheck::fuzz
