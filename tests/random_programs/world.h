// What the generator knows of the program that it writes: where each value is in each run.
//
// It is there to steer: a program in which every operand is anywhere fails at once, and says little
// about the checker. It need not be right: only a run says what a program does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace placecheck::random_programs {

// A device by its index, or one of these.
inline constexpr int kCpu = -1;
inline constexpr int kCurrent = -2;  // "cuda" without an index, which is settled when it is used
inline constexpr int kUnknown = -3;
// In a function: where its arguments of one group are, whatever that is.
inline constexpr int kFirstGroup = 10;
inline constexpr int kSecondGroup = 11;

// By the number of the run.
using Places = std::vector<int>;

struct Condition {
  std::string text;
  std::vector<bool> holds;
};

// A number that is not the same in every run.
struct Number {
  std::string text;
  std::vector<int> values;
};

// The runs of a program; or, in a function, one for each choice of its flags.
struct World {
  std::size_t runs = 1;
  std::vector<Condition> conditions = {};
  std::vector<Number> counts = {};   // of iterations
  std::vector<Number> indices = {};  // of devices
  bool is_function = false;
  bool has_gradients = false;
  int care = 100;  // how many of a hundred decisions are the right ones
};

inline Places everywhere(const World& world, int place) { return Places(world.runs, place); }

}  // namespace placecheck::random_programs
