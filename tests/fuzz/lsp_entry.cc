// What an editor sends: the same messages in whatever pieces they come, and answers that are well
// formed whatever they say. Nothing is analysed.
#include <string>
#include <vector>

#include "analyzer/lsp/message_reader.h"
#include "analyzer/lsp/server.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {
namespace {

std::vector<std::string> messages_in(const std::string& bytes, size_t size) {
  lsp::MessageReader reader;
  std::vector<std::string> messages;
  for (size_t at = 0; at < bytes.size(); at += size) {
    reader.feed(llvm::StringRef(bytes).substr(at, size));
    while (auto message = reader.next()) messages.push_back(message->content + message->error);
  }
  return messages;
}

std::string serve(const std::string& bytes) {
  std::string answers;
  llvm::raw_string_ostream out(answers);
  lsp::Server server(Options(), "0", out);
  lsp::MessageReader reader;
  reader.feed(bytes);
  while (auto message = reader.next()) {
    server.receive(*message);
    if (server.has_exited()) break;
  }
  return answers;
}

std::string framed(const std::string& content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
}

}  // namespace

std::string check(const std::string& text) {
  if (messages_in(text, text.size() + 1) != messages_in(text, 3))
    return "the messages depend on the pieces in which they come";
  lsp::MessageReader reader;
  reader.feed(serve(text));
  while (auto answer = reader.next()) {
    auto parsed = llvm::json::parse(answer->content);
    if (!parsed) return "an answer is no JSON: " + llvm::toString(parsed.takeError());
  }
  return "";
}

const Reader& reader() {
  static const Reader reader{
      framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":)"
             R"({"positionEncodings":["utf-8"]}},"workspaceFolders":[{"uri":"file:///p"}]}})") +
          framed(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":)"
                 R"({"uri":"file:///p/a.cc","languageId":"cpp","version":1,"text":"a\nb"}}})") +
          framed(
              R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":)"
              R"({"uri":"file:///p/a.cc","version":2},"contentChanges":[{"range":{"start":)"
              R"({"line":0,"character":1},"end":{"line":1,"character":0}},"text":"\u20ac"}]}})") +
          framed(R"({"jsonrpc":"2.0","id":"x","method":"textDocument/codeAction","params":)"
                 R"({"textDocument":{"uri":"file:///p/a.cc"},"range":{"start":{"line":0,)"
                 R"("character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[],)"
                 R"("only":["quickfix"]}}})") +
          framed(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}})") +
          framed(R"({"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":)"
                 R"({"uri":"file:///p/a.cc"}}})") +
          framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})"),
      {"Content-Length: 5\r\n\r\n",
       "Content-Length",
       "\r\n\r\n",
       "\n",
       "\r",
       "{",
       "}",
       "[",
       "]",
       "null",
       "-1",
       "1e999",
       "99999999999",
       "\"id\":",
       "\"method\":\"exit\"",
       "\"range\":null",
       "\"file:\"",
       "\"file:///%\"",
       "untitled:a",
       "\\ud800",
       "\xff",
       "\"params\":[]",
       "true"}};
  return reader;
}

}  // namespace placecheck::fuzz
