// What mutants of a small reader's input are made from; each *_entry library of one defines it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace placecheck::fuzz {

struct Reader {
  std::string seed;                     // an input that the reader accepts
  std::vector<std::string_view> words;  // put where they need not belong
};

const Reader& reader();

}  // namespace placecheck::fuzz
