// Random numbers that are the same with every standard library: its distributions are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace placecheck::random_programs {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  template <typename T>
  const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }
  const char* word(std::initializer_list<const char*> words) {
    return *(words.begin() + below(words.size()));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace placecheck::random_programs
