// The line says what is done, how fast, and how long the rest takes, and fits the terminal.
#include "analyzer/progress.h"

#include <gtest/gtest.h>

#include "llvm/Support/raw_ostream.h"

namespace placecheck {
namespace {

using Seconds = std::chrono::duration<double>;

TEST(ProgressLine, HasNoRateBeforeAnythingIsDone) {
  EXPECT_EQ(progress_line(0, 12, Seconds(3), "a.cc", 79), "[0/12] a.cc");
  EXPECT_EQ(progress_line(1, 12, Seconds(0.1), "a.cc", 79), "[1/12] a.cc");
}

TEST(ProgressLine, SaysRateAndTimeLeft) {
  EXPECT_EQ(progress_line(4, 12, Seconds(2), "src/a.cc", 79),
            "[4/12, 2.0 files/s, 4 s left] src/a.cc");
  EXPECT_EQ(progress_line(1, 121, Seconds(2), "a.cc", 79),
            "[1/121, 0.5 files/s, 4 min 0 s left] a.cc");
  EXPECT_EQ(progress_line(1, 5401, Seconds(2), "a.cc", 79),
            "[1/5401, 0.5 files/s, 3 h 0 min left] a.cc");
}

TEST(ProgressLine, FitsTheTerminal) {
  std::string name(200, 'x');
  std::string line = progress_line(4, 12, Seconds(2), name + "/end.cc", 60);
  EXPECT_EQ(line.size(), 60u);
  EXPECT_NE(line.find("/end.cc"), std::string::npos);
  EXPECT_LE(progress_line(4, 12, Seconds(2), "a.cc", 10).size(), 10u);
}

TEST(Progress, IsSilentInPipes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Progress progress(out, /*shown=*/false, 3, 80);
  progress.step("a.cc");
  progress.clear();
  EXPECT_EQ(text, "");
}

TEST(Progress, OverwritesItselfAndGoesAway) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Progress progress(out, /*shown=*/true, 3, 80);
  progress.step("a.cc");
  progress.step("b.cc");
  progress.clear();
  EXPECT_EQ(text, "\r\x1b[K[0/3] a.cc\r\x1b[K[1/3] b.cc\r\x1b[K");
}

}  // namespace
}  // namespace placecheck
