// Sequences that share what they have in common.
#include "analyzer/dataflow/shared_chunks.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

namespace placecheck::dataflow {
namespace {

using Numbers = SharedChunks<int>;

std::vector<int> items_of(const Numbers& numbers) {
  std::vector<int> items;
  for (const int each : numbers.values()) items.push_back(each);
  return items;
}

bool are_equal(const Numbers& a, const Numbers& b) {
  return Numbers::are_equal(a, b, std::equal_to<>(), /*missing=*/0);
}

TEST(SharedChunksTest, ACopyKeepsItsItems) {
  Numbers original;
  original.assign(40, 1);
  Numbers copy = original;
  original.set(17, 2);
  copy.edit(39) = 3;
  EXPECT_EQ(original[17], 2);
  EXPECT_EQ(original[39], 1);
  EXPECT_EQ(copy[17], 1);
  EXPECT_EQ(copy[39], 3);
}

TEST(SharedChunksTest, ExtendsWithCopiesOfAnItem) {
  for (const size_t first : {0, 1, 15, 16, 17, 40}) {
    for (const size_t more : {0, 1, 15, 16, 33}) {
      Numbers numbers;
      numbers.assign(first, 1);
      const Numbers before = numbers;
      numbers.extend(first + more, 2);
      std::vector<int> expected(first, 1);
      EXPECT_EQ(items_of(before), expected) << first << " " << more;
      expected.resize(first + more, 2);
      EXPECT_EQ(items_of(numbers), expected) << first << " " << more;
      numbers.extend(first, 3);
      EXPECT_EQ(items_of(numbers), expected) << first << " " << more;
    }
  }
}

TEST(SharedChunksTest, ComparesWhatOneLacks) {
  Numbers a;
  a.assign(20, 0);
  Numbers b = a;
  b.extend(50, 0);
  EXPECT_TRUE(are_equal(a, b));
  EXPECT_TRUE(are_equal(b, a));
  b.set(49, 1);
  EXPECT_FALSE(are_equal(a, b));
  EXPECT_FALSE(are_equal(b, a));
  Numbers c = b;
  EXPECT_TRUE(are_equal(b, c));
  c.set(3, 1);
  EXPECT_FALSE(are_equal(b, c));
}

TEST(SharedChunksTest, WhatWasMovedFromIsEmpty) {
  Numbers numbers;
  numbers.assign(20, 1);
  const Numbers taken = std::move(numbers);
  EXPECT_EQ(taken.size(), 20u);
  EXPECT_EQ(numbers.size(), 0u);  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace placecheck::dataflow
