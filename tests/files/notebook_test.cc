#include "analyzer/files/notebook.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace placecheck::files {
namespace {

// What Jupyter writes: a string for each line.
constexpr const char* kNotebook = R"json({
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": ["# Training\n", "x = 1"]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "outputs": [{"data": {"text/plain": ["{\"source\": [\"no code\"]}"]}}],
   "source": [
    "import torch\n",
    "x = torch.zeros(2, device=\"cuda\")"
   ]
},
  {
   "source": "for i in range(2):\n    print(i)",
   "cell_type": "code"
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
})json";

Notebook read(llvm::StringRef json) {
  llvm::Expected<Notebook> notebook = read_notebook(json);
  if (notebook) return std::move(*notebook);
  ADD_FAILURE() << llvm::toString(notebook.takeError());
  return {};
}

std::string text_of_cell(const std::string& source) {
  return read(R"({"cells": [{"cell_type": "code", "source": ")" + source + R"("}]})").text;
}

std::string refusal_of(llvm::StringRef json) {
  llvm::Expected<Notebook> notebook = read_notebook(json);
  return notebook ? "" : llvm::toString(notebook.takeError());
}

TEST(NotebookTest, JoinsTheCodeOfItsCells) {
  EXPECT_EQ(read(kNotebook).text,
            "import torch\n"
            "x = torch.zeros(2, device=\"cuda\")\n"
            "for i in range(2):\n"
            "    print(i)\n");
}

TEST(NotebookTest, SaysWhereCodeStandsInTheFile) {
  const Notebook notebook = read(kNotebook);
  const auto at = [&](const std::string& code) {
    const TextPosition& position = notebook.positions[notebook.text.find(code)];
    return std::vector<uint32_t>{position.line, position.column};
  };
  EXPECT_EQ(at("import"), (std::vector<uint32_t>{13, 6}));
  EXPECT_EQ(at("x ="), (std::vector<uint32_t>{14, 6}));
  // Behind two bytes for a quote.
  EXPECT_EQ(at("cuda"), (std::vector<uint32_t>{14, 34}));
  EXPECT_EQ(at("print"), (std::vector<uint32_t>{18, 39}));
  EXPECT_EQ(notebook.positions.size(), notebook.text.size() + 1);
}

TEST(NotebookTest, NamesTheCellOfALine) {
  const Notebook notebook = read(kNotebook);
  const NotebookLine* line = notebook.find_line({14, 10});
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->cell, 2u);
  EXPECT_EQ(line->line_of_cell, 2u);
  EXPECT_EQ(notebook.find_line({6, 16}), nullptr);
  const NotebookLine* inner = notebook.find_line({18, 39});
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(inner->cell, 3u);
  EXPECT_EQ(inner->line_of_cell, 2u);
}

TEST(NotebookTest, LeavesCommandsOfIPythonOut) {
  EXPECT_EQ(text_of_cell(R"(%matplotlib inline\n!pip install torch\nif x:\n  !ls\nx.shape?)"),
            "pass\npass\nif x:\n  pass\npass\n");
  EXPECT_EQ(text_of_cell(R"(files = !ls\nt = %timeit -o f())"), "files = None\nt = None\n");
  EXPECT_EQ(text_of_cell(R"(y = ('%d'\n     % x)\nz = (a\n     != b))"),
            "y = ('%d'\n     % x)\nz = (a\n     != b)\n");
  EXPECT_EQ(text_of_cell(R"(%%time\ny = f())"), "pass\ny = f()\n");
  EXPECT_EQ(text_of_cell(R"(\n%%bash\nls)"), "");
  EXPECT_EQ(text_of_cell(R"(!torchrun \\\n  train.py \\\n  --gpus=2\nx = 1)"), "pass\n\n\nx = 1\n");
  EXPECT_EQ(text_of_cell("pip install torch"), "pass\n");
}

TEST(NotebookTest, DecodesEscapes) {
  EXPECT_EQ(text_of_cell(R"(a = 'K\u00f6ln \ud83d\ude00\t\/\\n')"),
            "a = 'K\u00f6ln \U0001F600\t/\\n'\n");
  const Notebook notebook =
      read(R"({"cells": [{"cell_type": "code", "source": "a = '\u00f6'; b"}]})");
  EXPECT_EQ(notebook.positions[notebook.text.find('b')].column, 59u);
}

TEST(NotebookTest, HasNoCodeOfOtherLanguages) {
  EXPECT_EQ(read(R"({"cells": [{"cell_type": "code", "source": "x <- 1"}],
                     "metadata": {"language_info": {"name": "R"}}})")
                .text,
            "");
  EXPECT_EQ(read(R"({"cells": []})").text, "");
  EXPECT_EQ(read(R"({"cells": [{"cell_type": "code", "source": 7}, 8]})").text, "");
}

TEST(NotebookTest, SaysWhyAFileIsNone) {
  EXPECT_NE(refusal_of("x = 1").find("not a notebook: "), std::string::npos);
  EXPECT_NE(refusal_of("[]").find("no JSON object"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"worksheets": []})").find("nbformat 4"), std::string::npos);
  EXPECT_NE(refusal_of(std::string(100'000, '[')).find("too deeply"), std::string::npos);
}

TEST(NotebookTest, EveryPrefixIsReadOrRefused) {
  const llvm::StringRef whole = kNotebook;
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal_of(whole.take_front(size)), "") << size;
}

}  // namespace
}  // namespace placecheck::files
