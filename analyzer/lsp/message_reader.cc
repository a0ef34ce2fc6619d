#include "analyzer/lsp/message_reader.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "llvm/ADT/StringExtras.h"

namespace placecheck::lsp {
namespace {

constexpr llvm::StringRef kLength = "Content-Length";
constexpr size_t kMaxHeaders = 8192;  // bytes

struct Headers {
  size_t size = 0;                 // with the empty line
  std::optional<uint64_t> length;  // of the content
};

// None until the empty line is there.
std::optional<Headers> parse_headers(llvm::StringRef text) {
  Headers headers;
  llvm::StringRef rest = text;
  while (rest.contains('\n')) {
    auto [line, after] = rest.split('\n');
    rest = after;
    line = line.rtrim('\r');
    if (line.empty()) {
      headers.size = text.size() - rest.size();
      return headers;
    }
    auto [name, value] = line.split(':');
    uint64_t length = 0;
    if (name.trim().equals_insensitive(kLength) && llvm::to_integer(value.trim(), length, 10))
      headers.length = length;
  }
  return std::nullopt;
}

}  // namespace

void MessageReader::drop(size_t count) {
  done_ += count;
  // Moving the rest to the front costs its size: not for each small message of many.
  if (done_ < bytes_.size() / 2) return;
  bytes_.erase(0, done_);
  done_ = 0;
}

void MessageReader::feed(llvm::StringRef bytes) { bytes_.append(bytes.data(), bytes.size()); }

std::optional<IncomingMessage> MessageReader::next() {
  if (state_ == State::kLost && !find_way_back()) return std::nullopt;
  if (state_ == State::kHeaders) {
    if (auto error = read_headers()) return error;
  }
  if (state_ == State::kSkipContent) {
    const size_t count = std::min(length_, rest().size());
    drop(count);
    length_ -= count;
    if (length_ != 0) return std::nullopt;
    state_ = State::kHeaders;
    return next();
  }
  return state_ == State::kContent ? read_content() : std::nullopt;
}

IncomingMessage MessageReader::lose_way(std::string error) {
  state_ = State::kLost;
  return {"", std::move(error)};
}

// Goes on to the next header that says a length; what is left of an unfinished one stays.
bool MessageReader::find_way_back() {
  const size_t found = rest().find_insensitive(kLength);
  if (found == llvm::StringRef::npos) {
    const size_t kept = std::min(rest().size(), kLength.size() - 1);
    drop(rest().size() - kept);
    return false;
  }
  drop(found);
  state_ = State::kHeaders;
  return true;
}

std::optional<IncomingMessage> MessageReader::read_headers() {
  const auto headers = parse_headers(rest().take_front(kMaxHeaders));
  if (!headers) {
    if (rest().size() < kMaxHeaders) return std::nullopt;
    drop(kLength.size());  // or the way back would end where it began
    return lose_way("the headers of a message do not end");
  }
  drop(headers->size);
  if (!headers->length) return lose_way("a message without a valid Content-Length");
  length_ = static_cast<size_t>(*headers->length);
  if (length_ <= max_message_) {
    state_ = State::kContent;
    return std::nullopt;
  }
  state_ = State::kSkipContent;
  return IncomingMessage{"", "a message of " + std::to_string(length_) + " bytes is too large"};
}

std::optional<IncomingMessage> MessageReader::read_content() {
  if (rest().size() < length_) return std::nullopt;
  IncomingMessage message{rest().take_front(length_).str(), ""};
  drop(length_);
  state_ = State::kHeaders;
  return message;
}

}  // namespace placecheck::lsp
