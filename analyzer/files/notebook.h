// The code of a Jupyter notebook (nbformat 4) as one Python text, and where each byte of it stands
// in the notebook's file: what is found in the text is reported at lines of the file.
//
// Commands of IPython (`%time`, `!pip install`, `name?`) are statements that do nothing; cells of
// another language (`%%bash`) are left out.
//
// Ownership: a Notebook owns its text. Threads: any. Errors: a text for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace placecheck::files {

// Counted from 1, in bytes.
struct TextPosition {
  uint32_t line = 0;
  uint32_t column = 0;
};

// A line of code: where it begins in the file, and in which cell. All from 1; Markdown counts.
struct NotebookLine {
  TextPosition begin;
  uint32_t cell = 0;
  uint32_t line_of_cell = 0;
};

struct Notebook {
  std::string text;
  std::vector<TextPosition> positions;  // of each byte of `text`, and of its end
  std::vector<NotebookLine> lines;      // of `text`
  std::vector<size_t> ends_of_cells;    // in `text`

  // Null where no code stands at that place of the file.
  const NotebookLine* find_line(TextPosition in_file) const;
};

// By its name.
bool is_notebook(llvm::StringRef file);

// Of a notebook whose language is not Python the text is empty.
llvm::Expected<Notebook> read_notebook(llvm::StringRef json);
// The same, without code for what is no notebook.
Notebook notebook_or_nothing(llvm::StringRef json);

}  // namespace placecheck::files
