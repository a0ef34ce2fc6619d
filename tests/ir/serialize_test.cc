// The binary form: the same unit comes back, and damaged bytes never do harm.
#include "analyzer/ir/serialize.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "analyzer/ir/opcode_table.h"
#include "analyzer/ir/print.h"
#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

TEST(Serialize, RoundTrip) {
  Unit unit = unit_of(kEverything);
  std::string bytes = serialize(unit);
  DeserializeResult result = deserialize(bytes);
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(to_string(result.unit), kEverything);
  EXPECT_EQ(serialize(result.unit), bytes);
  EXPECT_LT(bytes.size(), kEverything.size() / 2);
}

TEST(Serialize, EmptyUnit) {
  DeserializeResult result = deserialize(serialize(Unit()));
  EXPECT_EQ(result.error, "");
  EXPECT_TRUE(result.unit.files.empty());
}

TEST(Serialize, ExtremeNumbers) {
  constexpr int64_t kNumbers[] = {0, 1, -1, std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()};
  for (int64_t number : kNumbers) {
    Unit unit =
        unit_of("func \"f\" key \"k\" function () -> void {\nbb0:\n%0 = const 0\nreturn\n}");
    unit.functions[0].blocks[0].instructions[0].literal = number;
    unit.functions[0].range = {~0u, ~0u, 1, 0, ~0u};
    DeserializeResult result = deserialize(serialize(unit));
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.unit.functions[0].blocks[0].instructions[0].literal, Literal(number));
    EXPECT_EQ(result.unit.functions[0].range, unit.functions[0].range);
  }
}

TEST(Serialize, TruncationAtEveryByte) {
  std::string bytes = serialize(unit_of(kEverything));
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(deserialize(std::string_view(bytes).substr(0, length)).ok()) << length;
    EXPECT_FALSE(deserialize_unchecked(std::string_view(bytes).substr(0, length)).ok()) << length;
  }
}

TEST(Serialize, EveryFlippedByteIsNoticed) {
  std::string bytes = serialize(unit_of(kEverything));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit : {0, 7}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_FALSE(deserialize(damaged).ok()) << "byte " << i;
    }
  }
}

// Without the checksum, damage may yield another unit, but one that can be printed.
TEST(Serialize, DamageBehindTheChecksumDoesNoHarm) {
  std::string bytes = serialize(unit_of(kEverything));
  std::mt19937 random(7);
  size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    DeserializeResult result = deserialize_unchecked(damaged);
    if (result.ok()) {
      EXPECT_FALSE(to_string(result.unit).empty());
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(Serialize, AnotherVersionIsRefused) {
  std::string bytes = serialize(Unit());
  bytes[4] = static_cast<char>(kSerialVersion + 1);
  EXPECT_NE(deserialize_unchecked(bytes).error.find("another version"), std::string::npos);
}

TEST(Serialize, DeepTypesAreRefused) {
  Unit unit;
  Type* type = &unit.globals.emplace_back().type;
  for (uint32_t i = 0; i < 2 * kMaxTypeDepth; ++i) type = &type->arguments.emplace_back();
  EXPECT_NE(deserialize(serialize(unit)).error.find("too deeply"), std::string::npos);
}

}  // namespace
}  // namespace placecheck::ir
