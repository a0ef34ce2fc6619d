// Small types and functions that programs have in common, each written once into a program that
// uses it.
#pragma once

#include <string>

namespace placecheck::random_programs {

enum class Support { kSample, kSplit, kLike, kMoveAll, kTrainer, kDataset, kCache, kSettings };
inline constexpr int kSupports = 8;

std::string text_of(Support support);

}  // namespace placecheck::random_programs
