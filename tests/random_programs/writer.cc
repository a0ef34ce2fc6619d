#include "tests/random_programs/writer.h"

#include <algorithm>
#include <utility>

#include "tests/random_programs/class_text.h"
#include "tests/random_programs/function_text.h"

namespace placecheck::random_programs {
namespace {

constexpr std::size_t kMostClasses = 2;
constexpr std::size_t kMostFunctions = 3;

}  // namespace

Writer::Writer(std::uint64_t seed)
    : random_(seed),
      care_(random_.of(std::vector<int>{97, 90, 80, 65})),
      has_gradients_(random_.chance(45)) {
  linear_.name = "torch::nn::Linear";
  linear_.device = "weight.device()";
  linear_.result = {kFirstGroup};
  sequential_.name = "torch::nn::Sequential";
  sequential_.device = "parameters()[0].device()";
  sequential_.result = {kFirstGroup};
}

std::string Writer::fresh(const std::string& stem) {
  const int count = ++taken_[stem];
  return count == 1 ? stem : stem + "_" + std::to_string(count);
}

const Class* Writer::some_class(int depth) {
  if (random_.chance(25)) return &linear_;
  if (random_.chance(10)) return &sequential_;
  const bool is_full = classes_.size() == kMostClasses || depth > 1;
  if (!classes_.empty() && (is_full || random_.chance(30))) {
    return &classes_[random_.below(classes_.size())];
  }
  if (is_full) return &linear_;
  Class made = class_text(*this, depth);
  return &classes_.emplace_back(std::move(made));
}

const Function* Writer::some_function() {
  const bool is_full = functions_.size() == kMostFunctions;
  if (!functions_.empty() && (is_full || random_.chance(40))) {
    return &functions_[random_.below(functions_.size())];
  }
  const Class* type =
      classes_.empty() || random_.chance(30) ? &linear_ : &classes_[random_.below(classes_.size())];
  Function made = function_text(*this, *type);
  return &functions_.emplace_back(std::move(made));
}

}  // namespace placecheck::random_programs
