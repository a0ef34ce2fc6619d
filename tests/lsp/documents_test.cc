#include "analyzer/lsp/documents.h"

#include <gtest/gtest.h>

namespace placecheck::lsp {
namespace {

using llvm::lsp::TextDocumentContentChangeEvent;

TextDocumentContentChangeEvent edit(llvm::lsp::Position from, llvm::lsp::Position to,
                                    std::string text) {
  return {llvm::lsp::Range(from, to), std::nullopt, std::move(text)};
}

class DocumentsTest : public testing::Test {
 protected:
  Document& open(const std::string& text) {
    llvm::lsp::TextDocumentItem item;
    item.uri = llvm::cantFail(llvm::lsp::URIForFile::fromURI("file:///tmp/a%20b/../c.cc"));
    item.text = text;
    item.version = 1;
    return store_.open(item);
  }

  DocumentStore store_;
};

TEST_F(DocumentsTest, AreFoundByThePlainPath) {
  EXPECT_EQ(open("x").path, "/tmp/c.cc");
  ASSERT_NE(store_.find("/tmp/c.cc"), nullptr);
  EXPECT_EQ(store_.find("/tmp/c.cc")->text, "x");
  store_.close("/tmp/c.cc");
  EXPECT_EQ(store_.find("/tmp/c.cc"), nullptr);
}

TEST_F(DocumentsTest, ChangesBuildOnOneAnother) {
  Document& document = open("one\ntwo\nthree\n");
  EXPECT_TRUE(DocumentStore::change(
      document, 2,
      {edit({0, 0}, {0, 3}, "1"), edit({0, 1}, {1, 0}, " and "), edit({1, 5}, {1, 5}, "!")},
      PositionEncoding::kUtf16));
  EXPECT_EQ(document.text, "1 and two\nthree!\n");
  EXPECT_EQ(document.version, 2);
  EXPECT_TRUE(DocumentStore::change(document, 3, {{std::nullopt, std::nullopt, "all new"}},
                                    PositionEncoding::kUtf16));
  EXPECT_EQ(document.text, "all new");
}

TEST_F(DocumentsTest, ColumnsAreOfTheAgreedEncoding) {
  Document& document = open("\U0001F600 x");
  EXPECT_TRUE(
      DocumentStore::change(document, 2, {edit({0, 3}, {0, 4}, "y")}, PositionEncoding::kUtf16));
  EXPECT_EQ(document.text, "\U0001F600 y");
  EXPECT_TRUE(
      DocumentStore::change(document, 3, {edit({0, 5}, {0, 6}, "z")}, PositionEncoding::kUtf8));
  EXPECT_EQ(document.text, "\U0001F600 z");
}

TEST_F(DocumentsTest, AnImpossibleChangeLeavesTheText) {
  Document& document = open("abc");
  EXPECT_FALSE(DocumentStore::change(document, 2,
                                     {edit({0, 0}, {0, 1}, "x"), edit({0, 2}, {0, 1}, "y")},
                                     PositionEncoding::kUtf16));
  EXPECT_EQ(document.text, "abc");
}

}  // namespace
}  // namespace placecheck::lsp
