// Takes the bytes of a client apart into messages: headers, an empty line, and as many bytes of
// JSON as Content-Length says.
//
// llvm::lsp::JSONTransport reads in a blocking way and gives up at the first bad message; this one
// reads nothing itself, and goes on behind what is malformed. Ownership: owns what it was fed.
// Threads: one. Errors: part of what next() returns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace placecheck::lsp {

// Larger ones are skipped: no editor sends such a text.
inline constexpr size_t kMaxMessage = size_t{256} << 20;

struct IncomingMessage {
  std::string content;  // JSON, unless there is an error
  std::string error;    // lower case, no full stop
};

class MessageReader {
 public:
  explicit MessageReader(size_t max_message = kMaxMessage) : max_message_(max_message) {}

  void feed(llvm::StringRef bytes);
  // The next message that is whole, or the next thing that was wrong; none until more bytes come.
  std::optional<IncomingMessage> next();

 private:
  enum class State { kHeaders, kContent, kSkipContent, kLost };

  std::optional<IncomingMessage> read_headers();
  std::optional<IncomingMessage> read_content();
  bool find_way_back();
  IncomingMessage lose_way(std::string error);
  llvm::StringRef rest() const { return llvm::StringRef(bytes_).drop_front(done_); }
  void drop(size_t count);

  size_t max_message_;
  std::string bytes_;
  size_t done_ = 0;  // of these, what was dealt with
  State state_ = State::kHeaders;
  size_t length_ = 0;  // of the content that is read or skipped
};

}  // namespace placecheck::lsp
