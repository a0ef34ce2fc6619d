// The fuzzer's entry point over Python fixtures: mutants of all, and all beginnings of some.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/entry.h"
#include "tests/fuzz/mutator.h"

namespace placecheck::fuzz {
namespace {

constexpr int kMutantsEach = 20;
constexpr size_t kCutApart = 25;  // one file of so many is cut at each place
constexpr size_t kLongestCut = 2500;

constexpr std::string_view kWords[] = {"(",
                                       ")",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       ":",
                                       ",",
                                       "\n",
                                       "\n    ",
                                       "\n\t",
                                       "\"\"\"",
                                       "f\"{",
                                       "\\\n",
                                       "\xff",
                                       "#",
                                       "*",
                                       "**",
                                       "@",
                                       "->",
                                       ":=",
                                       "lambda *a, b=1, /, **c: ",
                                       "async ",
                                       "await ",
                                       "yield from ",
                                       "\nmatch x:\n case {'a': [b, *_], **c} if d: ",
                                       "\ntry:\n pass\nexcept* E as e:\n raise\n",
                                       "\nclass Net(Net, metaclass=M): ",
                                       "\ndef f(f=f): return f\n",
                                       "\nwith a as (b, c), d: ",
                                       "\nfor a, *b in c: break\nelse: ",
                                       "global x; ",
                                       "nonlocal x; ",
                                       "del x[0], ",
                                       "from . import ",
                                       "from other import *\n",
                                       "import main\n",
                                       "[x for x in x if x for x in x]",
                                       "self.net = self\n",
                                       "x.to('cuda')",
                                       "torch.device(f'cuda:{i}')",
                                       "1e999",
                                       "99999999999999999999",
                                       "print >>x, y"};

// By path, so that the mutants are the same in every run.
std::vector<std::string> seeds() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("testdata"))
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream in(path);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

TEST(PythonFuzz, MutantsOfFixtures) {
  Mutator mutator(2026, kWords);
  const std::vector<std::string> texts = seeds();
  ASSERT_GE(texts.size(), 100u);
  for (const std::string& text : texts) {
    ASSERT_EQ(check(text), "") << text;
    for (int i = 0; i < kMutantsEach; ++i) {
      std::string mutant = mutator.mutant(text);
      ASSERT_EQ(check(mutant), "") << mutant;
    }
  }
}

TEST(PythonFuzz, EveryBeginning) {
  const std::vector<std::string> texts = seeds();
  for (size_t i = 0; i < texts.size(); i += kCutApart) {
    for (size_t length = 0; length < std::min(texts[i].size(), kLongestCut); ++length)
      ASSERT_EQ(check(texts[i].substr(0, length)), "") << texts[i].substr(0, length);
  }
}

TEST(PythonFuzz, ShortNoise) {
  Mutator mutator(7, kWords);
  for (int round = 0; round < 5000; ++round) {
    std::string text = mutator.noise(16);
    ASSERT_EQ(check(text), "") << text;
  }
}

}  // namespace
}  // namespace placecheck::fuzz
