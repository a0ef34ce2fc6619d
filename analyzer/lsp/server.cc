#include "analyzer/lsp/server.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "analyzer/config.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/json_text.h"
#include "analyzer/lsp/code_actions.h"
#include "analyzer/lsp/hover.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace placecheck::lsp {
namespace {

namespace json = llvm::json;

using findings::clean_text;
using findings::Finding;
using llvm::lsp::ErrorCode;
using llvm::lsp::LSPError;
using llvm::lsp::MessageType;

// Between the keystrokes of fast typing lie 50 to 100 ms.
constexpr std::chrono::milliseconds kTypingPause(50);
// Documents that the user does not look at can wait until the typing has ended.
constexpr std::chrono::milliseconds kBackgroundPause(700);
constexpr std::chrono::milliseconds kNow(0);

constexpr char kCompileDatabase[] = "compile_commands.json";

llvm::Error failure(ErrorCode code, const std::string& why) {
  return llvm::make_error<LSPError>(why, code);
}

bool is_in(const std::string& path, llvm::StringRef folder) {
  llvm::StringRef rest = path;
  return rest.consume_front(folder) && (folder.ends_with("/") || rest.starts_with("/"));
}

}  // namespace

Server::Server(Options options, std::string version, llvm::raw_ostream& out)
    : options_(std::move(options)),
      version_(std::move(version)),
      transport_(std::unique_ptr<llvm::lsp::JSONTransportInput>(), out),
      methods_(transport_) {
  view_.documents = &documents_;
  add_methods();
}

void Server::add_methods() {
  methods_.method("initialize", this, &Server::on_initialize);
  methods_.notification("initialized", this, &Server::on_initialized);
  methods_.method("shutdown", this, &Server::on_shutdown);
  methods_.notification("textDocument/didOpen", this, &Server::on_open);
  methods_.notification("textDocument/didChange", this, &Server::on_change);
  methods_.notification("textDocument/didSave", this, &Server::on_save);
  methods_.notification("textDocument/didClose", this, &Server::on_close);
  methods_.method("textDocument/codeAction", this, &Server::on_code_action);
  methods_.method("textDocument/hover", this, &Server::on_hover);
  methods_.notification("workspace/didChangeWatchedFiles", this, &Server::on_watched_files);
  methods_.notification("workspace/didChangeWorkspaceFolders", this, &Server::on_folders);
  methods_.notification("$/cancelRequest", this, &Server::on_cancel);
}

void Server::refuse(json::Value id, ErrorCode code, const std::string& why) {
  transport_.reply(std::move(id), failure(code, why));
}

void Server::receive(const IncomingMessage& message) {
  if (!message.error.empty()) return refuse(nullptr, ErrorCode::ParseError, message.error);
  auto parsed = json::parse(message.content);
  if (!parsed) return refuse(nullptr, ErrorCode::ParseError, llvm::toString(parsed.takeError()));
  json::Object* object = parsed->getAsObject();
  if (!object || object->getString("jsonrpc") != llvm::StringRef("2.0"))
    return refuse(nullptr, ErrorCode::InvalidRequest, "not a message of JSON-RPC 2.0");
  dispatch(*object);
}

void Server::dispatch(json::Object& message) {
  const json::Value* id = message.get("id");
  const auto method = message.getString("method");
  if (!method) {
    // An answer: nothing depends on those to our own requests.
    const bool is_answer = id && (message.get("result") || message.get("error"));
    if (!is_answer) refuse(id ? *id : nullptr, ErrorCode::InvalidRequest, "no method is named");
    return;
  }
  const json::Value* given = message.get("params");
  json::Value params = given ? *given : nullptr;
  if (!id) {
    const bool is_heard = is_initialized_ && !was_shut_down_;
    if (*method == "exit")
      has_exited_ = true;
    else if (is_heard)
      methods_.onNotify(*method, std::move(params));
    return;
  }
  if (!is_initialized_ && *method != "initialize")
    return refuse(*id, ErrorCode::ServerNotInitialized, "the server is not initialized");
  if (was_shut_down_) return refuse(*id, ErrorCode::InvalidRequest, "the server was shut down");
  current_id_ = *id;
  methods_.onCall(*method, std::move(params), *id);
}

json::Object Server::capabilities() const {
  return json::Object{
      {"positionEncoding", name_of(client_.encoding)},
      {"textDocumentSync",
       json::Object{{"openClose", true},
                    {"change", static_cast<int>(llvm::lsp::TextDocumentSyncKind::Incremental)},
                    {"save", json::Object{{"includeText", false}}}}},
      {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{kQuickFix, kFixAll}}}},
      {"hoverProvider", true},
      {"workspace",
       json::Object{
           {"workspaceFolders", json::Object{{"supported", true}, {"changeNotifications", true}}}}},
  };
}

void Server::on_initialize(const InitializeParams& params, Reply reply) {
  if (is_initialized_) return reply(failure(ErrorCode::InvalidRequest, "initialized already"));
  is_initialized_ = true;
  client_ = params;
  view_.encoding = params.encoding;
  view_.shows_related = params.shows_related;
  view_.takes_markdown = params.takes_markdown;
  reply(json::Object{
      {"capabilities", capabilities()},
      {"serverInfo", json::Object{{"name", "placecheck"}, {"version", version_}}},
  });
}

// What is read besides sources is watched, where the client can do that.
void Server::on_initialized(const llvm::lsp::NoParams&) {
  if (!client_.takes_watchers) return;
  json::Array watchers;
  for (const char* name : {kConfigName, kCompileDatabase})
    watchers.push_back(json::Object{{"globPattern", std::string("**/") + name}});
  json::Array registrations;
  registrations.push_back(
      json::Object{{"id", "settings"},
                   {"method", "workspace/didChangeWatchedFiles"},
                   {"registerOptions", json::Object{{"watchers", std::move(watchers)}}}});
  transport_.call("client/registerCapability",
                  json::Object{{"registrations", std::move(registrations)}}, "watch-settings");
}

void Server::on_shutdown(const llvm::lsp::NoParams&, Reply reply) {
  was_shut_down_ = true;
  for (const auto& [path, document] : documents_.all()) {
    queue_.drop(path);
    end_waiting(path, ErrorCode::RequestCancelled, "the server is shut down");
  }
  reply(nullptr);
}

void Server::on_open(const llvm::lsp::DidOpenTextDocumentParams& params) {
  const Document& document = documents_.open(params.textDocument);
  if (is_checked(document.path)) queue_.want(document.path, kNow);
}

void Server::on_change(const llvm::lsp::DidChangeTextDocumentParams& params) {
  Document* document = documents_.find(path_of(params.textDocument.uri));
  if (!document) return;
  end_waiting(document->path, ErrorCode::ContentModified, "the document has changed");
  if (!DocumentStore::change(*document, params.textDocument.version, params.contentChanges,
                             client_.encoding)) {
    show("window/logMessage", MessageType::Error,
         document->path + ": a change ends before it begins, and was not made");
  }
  if (is_checked(document->path)) queue_.want_at_once(document->path, kTypingPause);
  want_dependents(document->path, kBackgroundPause);
}

void Server::on_save(const DidSaveParams& params) {
  const std::string path = path_of(params.document.uri);
  if (documents_.find(path) && is_checked(path)) queue_.want_at_once(path, kNow);
  want_dependents(path, kNow);
}

void Server::on_close(const llvm::lsp::DidCloseTextDocumentParams& params) {
  const std::string path = path_of(params.textDocument.uri);
  const Document* document = documents_.find(path);
  if (!document) return;
  std::set<std::string> shown = closed_files_of(path);
  shown.insert(path);
  forget(path);
  documents_.close(path);
  publish_all_of(shown);
  // They see the disk again.
  want_dependents(path, kNow);
}

void Server::on_watched_files(const WatchedFilesParams& params) {
  for (const std::string& path : params.paths) {
    const llvm::StringRef name = llvm::sys::path::filename(path);
    if (name != kConfigName && name != kCompileDatabase) {
      want_dependents(path, kBackgroundPause);
      continue;
    }
    for (const auto& [each, document] : documents_.all())
      if (is_checked(each)) queue_.want(each, kBackgroundPause);
  }
}

void Server::on_folders(const WorkspaceFoldersParams& params) {
  for (const std::string& folder : params.removed) std::erase(client_.folders, folder);
  client_.folders.insert(client_.folders.end(), params.added.begin(), params.added.end());
  for (const auto& [path, document] : documents_.all()) {
    if (is_checked(path)) {
      queue_.want(path, kNow);
      continue;
    }
    std::set<std::string> shown = closed_files_of(path);
    shown.insert(path);
    forget(path);
    publish_all_of(shown);
  }
}

void Server::forget(const std::string& path) {
  end_waiting(path, ErrorCode::RequestCancelled, "the document is not looked at any more");
  queue_.drop(path);
  known_.erase(path);
  told_.erase(path);
}

void Server::on_cancel(const CancelParams& params) {
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
    if (each->id != params.id) continue;
    Reply reply = std::move(each->reply);
    waiting_.erase(each);
    return reply(failure(ErrorCode::RequestCancelled, "cancelled"));
  }
}

void Server::on_code_action(const CodeActionParams& params, Reply reply) {
  const std::string path = path_of(params.document.uri);
  when_analysed(path, std::move(reply), [this, path, params]() -> json::Value {
    const Document* document = documents_.find(path);
    const Known* known = known_of(path);
    if (!document || !known || known->version != document->version) return json::Array{};
    findings::SourceCache sources = open_sources();
    return code_actions(params, *document, known->analysis, sources, view_);
  });
}

void Server::on_hover(const llvm::lsp::TextDocumentPositionParams& params, Reply reply) {
  const std::string path = path_of(params.textDocument.uri);
  when_analysed(path, std::move(reply), [this, path, position = params.position]() -> json::Value {
    const Document* document = documents_.find(path);
    const Known* known = known_of(path);
    if (!document || !known || known->version != document->version) return nullptr;
    findings::SourceCache sources = open_sources();
    return hover_at(*document, position, known->analysis.places, sources, view_);
  });
}

// The innermost of the client's folders; else that of the file.
std::string Server::folder_of(const std::string& path) const {
  std::string best;
  for (const std::string& folder : client_.folders)
    if (is_in(path, folder) && folder.size() > best.size()) best = folder;
  return best.empty() ? llvm::sys::path::parent_path(path).str() : best;
}

// What lies outside of the folders that the client has open is a library's.
bool Server::is_checked(const std::string& path) const {
  discovery::Language language;
  if (!discovery::language_of(path, language)) return false;
  return client_.folders.empty() ||
         llvm::any_of(client_.folders, [&](const auto& folder) { return is_in(path, folder); });
}

std::optional<AnalysisQueue::Task> Server::task_of(const std::string& path) const {
  const auto document = documents_.all().find(path);
  if (document == documents_.all().end()) return std::nullopt;
  AnalysisQueue::Task task;
  task.version = document->second.version;
  task.request.path = path;
  task.request.base = folder_of(path);
  task.request.options = options_;
  for (const auto& [each, opened] : documents_.all()) task.request.opened[each] = opened.text;
  return task;
}

void Server::want_dependents(const std::string& path, Clock::duration delay) {
  for (const auto& [other, known] : known_) {
    if (other != path && llvm::is_contained(known.analysis.read_files, path))
      queue_.want(other, delay);
  }
}

void Server::tick() {
  auto failed = queue_.start_due([this](const std::string& path) { return task_of(path); });
  if (failed) finish(std::move(*failed));
}

void Server::on_analysis() {
  if (auto finished = queue_.receive()) finish(std::move(*finished));
}

void Server::finish(AnalysisQueue::Finished finished) {
  const Document* document = documents_.find(finished.path);
  // Of an older text: the newer one waits for its turn.
  if (!document || document->version != finished.version) return;
  const std::string& path = finished.path;
  if (!finished.analysis) {
    show("window/logMessage", MessageType::Error, "the analysis of " + path + " crashed");
  } else {
    tell(path, *finished.analysis);
    if (!finished.analysis->is_refused) {
      std::set<std::string> shown = closed_files_of(path);
      known_[path] = {std::move(*finished.analysis), finished.version};
      shown.merge(closed_files_of(path));
      shown.insert(path);
      publish_all_of(shown);
    }
  }
  answer_waiting(path);
}

// What kept the analysis from being whole is said once, not with each keystroke.
void Server::tell(const std::string& path, const Analysis& analysis) {
  std::string text = llvm::join(analysis.complaints, "\n");
  const bool is_complaint = !text.empty();
  if (!is_complaint && !analysis.doubt.empty()) text = path + ": " + analysis.doubt;
  std::string& told = told_[path];
  if (told == text) return;
  told = text;
  if (text.empty()) return;
  if (is_complaint)
    show("window/showMessage", MessageType::Warning, "placecheck: " + text);
  else
    show("window/logMessage", MessageType::Info, text);
}

void Server::show(llvm::StringRef method, MessageType type, const std::string& text) {
  transport_.notify(method,
                    json::Object{{"type", static_cast<int>(type)}, {"message", clean_text(text)}});
}

findings::SourceCache Server::open_sources() const {
  findings::SourceCache sources;
  for (const auto& [path, document] : documents_.all()) sources.add(path, document.text);
  return sources;
}

const Server::Known* Server::known_of(const std::string& path) const {
  const auto found = known_.find(path);
  return found == known_.end() ? nullptr : &found->second;
}

// The files that are not open in which an open document's analysis has found something.
std::set<std::string> Server::closed_files_of(const std::string& path) const {
  std::set<std::string> files;
  const Known* known = known_of(path);
  if (!known) return files;
  for (const Finding& finding : known->analysis.findings) {
    if (documents_.all().count(finding.range.file) == 0) files.insert(finding.range.file);
  }
  return files;
}

void Server::publish_all_of(const std::set<std::string>& paths) {
  for (const std::string& path : paths) publish(path);
}

// An open document shows what its own analysis has found; any other file what is found there for
// the sake of open ones.
void Server::publish(const std::string& path) {
  const Document* document = documents_.find(path);
  std::vector<std::pair<const Finding*, rules::Severity>> shown;
  for (const auto& [of, known] : known_) {
    if (document && of != path) continue;
    const Analysis& analysis = known.analysis;
    for (size_t i = 0; i < analysis.findings.size(); ++i) {
      const Finding& finding = analysis.findings[i];
      const bool is_shown = llvm::any_of(shown, [&](const auto& other) {
        return other.first->range == finding.range && other.first->message == finding.message;
      });
      if (finding.range.file == path && !is_shown)
        shown.emplace_back(&finding, analysis.severities[i]);
    }
  }
  if (shown.empty() && !document && published_.count(path) == 0) return;
  findings::SourceCache sources = open_sources();
  json::Array diagnostics;
  for (const auto& [finding, severity] : shown)
    diagnostics.push_back(diagnostic_of(*finding, severity, sources, view_));
  json::Object params{{"uri", uri_of(path, view_)}, {"diagnostics", std::move(diagnostics)}};
  if (document) params["version"] = document->version;
  transport_.notify("textDocument/publishDiagnostics", std::move(params));
  if (shown.empty())
    published_.erase(path);
  else
    published_.insert(path);
}

void Server::when_analysed(const std::string& path, Reply reply,
                           std::function<json::Value()> answer) {
  if (!queue_.is_waiting(path)) return reply(answer());
  waiting_.push_back({path, current_id_, std::move(reply), std::move(answer)});
}

void Server::end_waiting(const std::string& path, ErrorCode code, const char* why) {
  const auto others = std::stable_partition(waiting_.begin(), waiting_.end(),
                                            [&](const auto& each) { return each.path != path; });
  for (auto each = others; each != waiting_.end(); ++each) each->reply(failure(code, why));
  waiting_.erase(others, waiting_.end());
}

void Server::answer_waiting(const std::string& path) {
  const auto others = std::stable_partition(waiting_.begin(), waiting_.end(),
                                            [&](const auto& each) { return each.path != path; });
  for (auto each = others; each != waiting_.end(); ++each) each->reply(each->answer());
  waiting_.erase(others, waiting_.end());
}

}  // namespace placecheck::lsp
