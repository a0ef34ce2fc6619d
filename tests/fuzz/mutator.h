// Small random changes to a text, the same ones in every run.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace placecheck::fuzz {

class Mutator {
 public:
  // `words` are put where they need not belong; they outlive this.
  Mutator(unsigned seed, std::span<const std::string_view> words) : random_(seed), words_(words) {}

  // One to four changes: something is left out, put in, repeated, or overwritten.
  std::string mutant(std::string_view seed);
  // Up to `most` words in a row.
  std::string noise(size_t most);

 private:
  size_t below(size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  std::string_view word() { return words_[below(words_.size())]; }
  void change(std::string& text);

  std::mt19937 random_;
  std::span<const std::string_view> words_;
};

}  // namespace placecheck::fuzz
