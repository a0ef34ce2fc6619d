#include "analyzer/lsp/positions.h"

#include <gtest/gtest.h>

namespace placecheck::lsp {
namespace {

using llvm::lsp::Position;

constexpr auto kUtf16 = PositionEncoding::kUtf16;
constexpr auto kUtf8 = PositionEncoding::kUtf8;

// "é" is two bytes and one unit, "€" three and one, "😀" four and two.
constexpr char kMixed[] = "a\u00e9\u20ac\U0001F600z";

TEST(Positions, UnitsOfCharacters) {
  EXPECT_EQ(units_in(kMixed, kUtf16), 6u);
  EXPECT_EQ(units_in(kMixed, kUtf8), 11u);
  EXPECT_EQ(units_in("", kUtf16), 0u);
}

TEST(Positions, EachUnitHasItsByte) {
  const size_t bytes[] = {0, 1, 3, 6, 6, 10, 11, 11};
  for (size_t unit = 0; unit < std::size(bytes); ++unit)
    EXPECT_EQ(bytes_before(kMixed, unit, kUtf16), bytes[unit]) << unit;
  EXPECT_EQ(bytes_before(kMixed, 4, kUtf8), 4u);
  EXPECT_EQ(bytes_before(kMixed, 99, kUtf8), 11u);
}

TEST(Positions, LinesEndInThreeWays) {
  const llvm::StringRef text = "ab\ncd\r\nef\rgh";
  for (int line = 0; line < 4; ++line) {
    EXPECT_EQ(text[offset_of(Position(line, 1), text, kUtf16)], "bdfh"[line]);
    // Behind the end of a line is its end, not the next one.
    EXPECT_EQ(offset_of(Position(line, 99), text, kUtf16),
              offset_of(Position(line, 2), text, kUtf16));
  }
  EXPECT_EQ(offset_of(Position(4, 0), text, kUtf16), text.size());
  EXPECT_EQ(offset_of(Position(1, 0), "ab\n", kUtf16), 3u);
  EXPECT_EQ(offset_of(Position(7, 3), "", kUtf16), 0u);
  EXPECT_EQ(offset_of(Position(-1, -1), text, kUtf16), 0u);
}

TEST(Positions, RangesOfFindings) {
  findings::SourceCache sources;
  sources.add("f.cc", std::string("x = ") + kMixed + ".to(d);\nnext(a, b)\n");
  const auto range = [&](findings::SourceRange given, PositionEncoding encoding) {
    given.file = "f.cc";
    return range_of(given, sources, encoding);
  };
  EXPECT_EQ(range({"", 1, 16, 2, 5}, kUtf16), llvm::lsp::Range({0, 10}, {1, 4}));
  EXPECT_EQ(range({"", 1, 16, 2, 5}, kUtf8), llvm::lsp::Range({0, 15}, {1, 4}));
  // A point reaches to the end of its word, or over one character.
  EXPECT_EQ(range({"", 2, 1}, kUtf16), llvm::lsp::Range({1, 0}, {1, 4}));
  EXPECT_EQ(range({"", 2, 5}, kUtf16), llvm::lsp::Range({1, 4}, {1, 5}));
  EXPECT_EQ(range({"", 1, 5}, kUtf16), llvm::lsp::Range({0, 4}, {0, 10}));
  // The file as a whole, and places that it has not.
  EXPECT_EQ(range({"", 0, 0}, kUtf16), llvm::lsp::Range({0, 0}, {0, 0}));
  EXPECT_EQ(range({"", 2, 99}, kUtf16).start, Position(1, 10));
  EXPECT_EQ(range({"", 9, 9}, kUtf16).start, Position(8, 0));
}

}  // namespace
}  // namespace placecheck::lsp
