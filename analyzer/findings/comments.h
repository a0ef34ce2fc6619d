// Finds the comments of a source text without parsing it: enough to tell a suppression from a
// string that only looks like one. Knows C++ (line, block, string, raw string) and Python (hash,
// strings, triple quotes). Pure functions; results point into the text.
#ifndef PLACECHECK_ANALYZER_FINDINGS_COMMENTS_H_
#define PLACECHECK_ANALYZER_FINDINGS_COMMENTS_H_

#include <vector>

#include "llvm/ADT/StringRef.h"

namespace placecheck::findings {

enum class CommentStyle { kSlashes, kHash };

// One line's part of a comment; a block comment over three lines makes three of these.
struct Comment {
  unsigned line = 0;    // from 1
  unsigned column = 0;  // of its first byte, from 1
  llvm::StringRef text;
};

std::vector<Comment> find_comments(llvm::StringRef text, CommentStyle style);

// By the file's name: Python's, also in a notebook, or C++'s.
CommentStyle comment_style(llvm::StringRef file);

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_COMMENTS_H_
