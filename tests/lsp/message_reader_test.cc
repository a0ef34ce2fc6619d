#include "analyzer/lsp/message_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace placecheck::lsp {
namespace {

std::string framed(const std::string& content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
}

// What comes out, errors in brackets; the bytes come in pieces of `size`.
std::vector<std::string> read_all(MessageReader& reader, const std::string& bytes, size_t size) {
  std::vector<std::string> said;
  for (size_t at = 0; at < bytes.size(); at += size) {
    reader.feed(llvm::StringRef(bytes).substr(at, size));
    while (auto message = reader.next())
      said.push_back(message->error.empty() ? message->content : "[" + message->error + "]");
  }
  return said;
}

std::vector<std::string> read_all(const std::string& bytes, size_t max_message = kMaxMessage) {
  MessageReader reader(max_message);
  std::vector<std::string> at_once = read_all(reader, bytes, bytes.size());
  // However the bytes arrive.
  for (size_t size : {1, 2, 7}) {
    MessageReader other(max_message);
    EXPECT_EQ(read_all(other, bytes, size), at_once) << "in pieces of " << size;
  }
  return at_once;
}

using Said = std::vector<std::string>;

TEST(MessageReader, TakesMessagesApart) {
  EXPECT_EQ(read_all(framed("{}") + framed("[1]") + framed("")), (Said{"{}", "[1]", ""}));
  EXPECT_EQ(read_all("Content-Length: 10\r\n\r\nshort"), Said{});
}

TEST(MessageReader, HeadersAreWrittenInMoreThanOneWay) {
  EXPECT_EQ(read_all("Content-Type: x; charset=utf-8\r\ncontent-length:2\r\n\r\n{}"), Said{"{}"});
  EXPECT_EQ(read_all("Content-Length: 2\n\n{}"), Said{"{}"});
}

TEST(MessageReader, GoesOnBehindWhatIsMalformed) {
  const std::string good = framed("{}");
  for (const char* bad :
       {"Content-Length: many\r\n\r\n{\"a\": 1}", "Content-Length: -1\r\n\r\n{}",
        "Content-Length: 99999999999999999999999\r\n\r\n{}", "X: y\r\n\r\nnoise", "\r\n\r\n"}) {
    EXPECT_EQ(read_all(bad + good + good),
              (Said{"[a message without a valid Content-Length]", "{}", "{}"}))
        << bad;
  }
}

TEST(MessageReader, HeadersThatDoNotEnd) {
  const std::string noise(20000, 'x');
  EXPECT_EQ(read_all(noise + framed("{}")), (Said{"[the headers of a message do not end]", "{}"}));
  EXPECT_EQ(read_all("Content-Length: 1" + noise + framed("{}")),
            (Said{"[the headers of a message do not end]", "{}"}));
}

TEST(MessageReader, WhatIsTooLargeIsSkipped) {
  EXPECT_EQ(read_all(framed("12345") + framed("1234"), 4),
            (Said{"[a message of 5 bytes is too large]", "1234"}));
}

}  // namespace
}  // namespace placecheck::lsp
