#include "tests/fuzz/mutator.h"

namespace placecheck::fuzz {

std::string Mutator::mutant(std::string_view seed) {
  std::string text(seed);
  for (size_t changes = 1 + below(4); changes > 0; --changes) change(text);
  return text;
}

std::string Mutator::noise(size_t most) {
  std::string text;
  for (size_t words = below(most); words > 0; --words) {
    text += word();
    if (below(2)) text += ' ';
  }
  return text;
}

void Mutator::change(std::string& text) {
  size_t at = below(text.size());
  size_t length = below(40);
  switch (below(5)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, word());
      break;
    case 2:
      text.insert(below(text.size()), text.substr(at, length));
      break;
    case 3:
      text.replace(at, 1, 1, static_cast<char>(below(256)));
      break;
    default:
      text.replace(at, length, word());
  }
}

}  // namespace placecheck::fuzz
