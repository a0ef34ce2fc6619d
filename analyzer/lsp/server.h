// The language server without its input: messages in, messages out, analyses in between.
//
// A document is analysed when it is opened, saved, or has changed and the typing pauses; so are the
// open documents whose findings depend on it. Requests about a text that is being analysed are
// answered afterwards. Ownership: the stream stays the caller's. Threads: one, in a process that
// has no other (see analysis_process.h). Errors: go to the client, and what is malformed is
// answered as JSON-RPC wants it; nothing a client sends ends the server but `exit`.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/findings/source_cache.h"
#include "analyzer/lsp/analysis_queue.h"
#include "analyzer/lsp/diagnostics.h"
#include "analyzer/lsp/documents.h"
#include "analyzer/lsp/message_reader.h"
#include "analyzer/lsp/protocol.h"
#include "analyzer/options.h"
#include "llvm/Support/LSP/Transport.h"

namespace placecheck::lsp {

class Server {
 public:
  using Clock = AnalysisQueue::Clock;

  // `options` hold for all analyses, over which the settings of each project are laid.
  Server(Options options, std::string version, llvm::raw_ostream& out);

  void receive(const IncomingMessage& message);

  // 0 where the client said `shutdown` before it left, as it should.
  int exit_code() const { return was_shut_down_ ? 0 : 1; }
  bool has_exited() const { return has_exited_; }

  // When tick() has something to do; and what to poll for on_analysis(), or -1.
  std::optional<Clock::time_point> next_tick() const { return queue_.next_due(); }
  void tick();
  int analysis_descriptor() const { return queue_.descriptor(); }
  void on_analysis();

 private:
  using Reply = llvm::lsp::Callback<llvm::json::Value>;

  // The last analysis of a document, and of which version of it.
  struct Known {
    Analysis analysis;
    int64_t version = 0;
  };

  // A request about a document that is being analysed.
  struct Waiting {
    std::string path;
    llvm::json::Value id;
    Reply reply;
    std::function<llvm::json::Value()> answer;
  };

  void add_methods();
  void dispatch(llvm::json::Object& message);
  void refuse(llvm::json::Value id, llvm::lsp::ErrorCode code, const std::string& why);

  void on_initialize(const InitializeParams& params, Reply reply);
  void on_initialized(const llvm::lsp::NoParams&);
  void on_shutdown(const llvm::lsp::NoParams&, Reply reply);
  void on_open(const llvm::lsp::DidOpenTextDocumentParams& params);
  void on_change(const llvm::lsp::DidChangeTextDocumentParams& params);
  void on_save(const DidSaveParams& params);
  void on_close(const llvm::lsp::DidCloseTextDocumentParams& params);
  void on_watched_files(const WatchedFilesParams& params);
  void on_folders(const WorkspaceFoldersParams& params);
  void on_cancel(const CancelParams& params);
  void on_code_action(const CodeActionParams& params, Reply reply);
  void on_hover(const llvm::lsp::TextDocumentPositionParams& params, Reply reply);

  llvm::json::Object capabilities() const;
  std::string folder_of(const std::string& path) const;
  bool is_checked(const std::string& path) const;
  std::optional<AnalysisQueue::Task> task_of(const std::string& path) const;
  void want_dependents(const std::string& path, Clock::duration delay);
  void finish(AnalysisQueue::Finished finished);
  void forget(const std::string& path);
  void tell(const std::string& path, const Analysis& analysis);
  void show(llvm::StringRef method, llvm::lsp::MessageType type, const std::string& text);

  findings::SourceCache open_sources() const;
  void publish(const std::string& path);
  void publish_all_of(const std::set<std::string>& paths);
  const Known* known_of(const std::string& path) const;
  std::set<std::string> closed_files_of(const std::string& path) const;

  void when_analysed(const std::string& path, Reply reply,
                     std::function<llvm::json::Value()> answer);
  void end_waiting(const std::string& path, llvm::lsp::ErrorCode code, const char* why);
  void answer_waiting(const std::string& path);

  Options options_;
  std::string version_;
  llvm::lsp::JSONTransport transport_;  // for what goes out: see message_reader.h
  llvm::lsp::MessageHandler methods_;
  llvm::json::Value current_id_ = nullptr;  // of the request that is being handled
  bool is_initialized_ = false;
  bool was_shut_down_ = false;
  bool has_exited_ = false;
  InitializeParams client_;
  DocumentStore documents_;
  View view_;
  AnalysisQueue queue_;
  std::map<std::string, Known> known_;       // of open documents
  std::set<std::string> published_;          // files that have diagnostics, by path
  std::map<std::string, std::string> told_;  // what the client was last told about a document
  std::vector<Waiting> waiting_;
};

}  // namespace placecheck::lsp
