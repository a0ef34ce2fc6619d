#include "analyzer/changes.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "analyzer/files/regular_file.h"
#include "analyzer/findings/line_diff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

llvm::Error failure(const std::string& text) {
  return llvm::createStringError("--changed-since: " + text);
}

// A relative folder of $PATH would be the analysed project's.
std::string find_git() {
  llvm::SmallVector<StringRef, 16> folders;
  const char* search = std::getenv("PATH");
  StringRef(search ? search : "").split(folders, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef folder : folders) {
    llvm::SmallString<128> program(folder);
    path::append(program, "git");
    if (path::is_absolute(folder) && files::is_regular_file(program) && fs::can_execute(program))
      return program.str().str();
  }
  return "";
}

// Git as a reader of objects: nothing that a repository's configuration names is started.
class Git {
 public:
  Git(std::string program, std::string folder)
      : program_(std::move(program)), folder_(std::move(folder)) {
    for (char** each = environ; *each; ++each) environment_.emplace_back(*each);
    for (const char* each : {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                             "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"})
      environment_.emplace_back(each);
  }

  // What the command writes, or why there is nothing.
  llvm::Expected<std::string> run(std::vector<StringRef> command, StringRef input = "") {
    std::vector<StringRef> args = {program_,
                                   "--no-pager",
                                   "--no-replace-objects",
                                   "-c",
                                   "core.fsmonitor=false",
                                   "-c",
                                   "core.hooksPath=/dev/null",
                                   "-c",
                                   "protocol.allow=never",
                                   "-c",
                                   "safe.bareRepository=explicit",
                                   "-C",
                                   folder_};
    args.insert(args.end(), command.begin(), command.end());
    llvm::SmallString<128> in, out, err;
    for (llvm::SmallString<128>* file : {&in, &out, &err}) {
      if (std::error_code error = fs::createTemporaryFile("placecheck-git", "", *file))
        return failure("no temporary file: " + error.message());
    }
    llvm::FileRemover remove_in(in), remove_out(out), remove_err(err);
    if (!write(in, input)) return failure("no temporary file can be written");
    std::vector<StringRef> environment(environment_.begin(), environment_.end());
    std::string reason;
    const int status =
        llvm::sys::ExecuteAndWait(program_, args, llvm::ArrayRef(environment),
                                  {StringRef(in), StringRef(out), StringRef(err)}, 0, 0, &reason);
    if (status != 0) {
      const std::string said = read(err);
      return failure("git " + command.front().str() + ": " +
                     (reason.empty() ? StringRef(said).split('\n').first.str() : reason));
    }
    return read(out);
  }

 private:
  static bool write(StringRef file, StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream out(file, error);
    if (error) return false;
    out << text;
    out.flush();
    const bool ok = !out.has_error();
    out.clear_error();
    return ok;
  }

  static std::string read(StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  std::string program_;
  std::string folder_;
  std::vector<std::string> environment_;
};

// The name that git gives a text; `like` tells which of its two hashes the repository uses.
std::string object_name(StringRef text, StringRef like) {
  const std::string bytes = "blob " + std::to_string(text.size()) + '\0' + text.str();
  llvm::ArrayRef<uint8_t> data(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  constexpr size_t kSha256Digits = 64;
  return like.size() == kSha256Digits ? llvm::toHex(llvm::SHA256::hash(data), /*LowerCase=*/true)
                                      : llvm::toHex(llvm::SHA1::hash(data), /*LowerCase=*/true);
}

// The regular files of a commit: path and object name.
std::map<std::string, std::string> tree_of(StringRef listing) {
  std::map<std::string, std::string> tree;
  llvm::SmallVector<StringRef, 0> rows;
  listing.split(rows, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef row : rows) {
    auto [about, name] = row.split('\t');
    auto [mode, rest] = about.split(' ');
    if (mode.starts_with("100")) tree[name.str()] = rest.split(' ').second.str();
  }
  return tree;
}

// The texts in `batch`, which is what cat-file --batch writes: "NAME blob SIZE\nTEXT\n" each.
std::vector<std::string> texts_of(StringRef batch) {
  std::vector<std::string> texts;
  while (!batch.empty()) {
    auto [head, rest] = batch.split('\n');
    size_t size = 0;
    if (head.rsplit(' ').second.getAsInteger(10, size) || size + 1 > rest.size()) break;
    texts.push_back(rest.take_front(size).str());
    batch = rest.drop_front(size + 1);
  }
  return texts;
}

std::string real_path(const std::string& file) {
  llvm::SmallString<256> real;
  return fs::real_path(file, real) ? file : real.str().str();
}

// The path in the repository; none of a file outside of it.
std::optional<std::string> path_below(StringRef root, const std::string& file) {
  const std::string real = real_path(file);
  StringRef rest = real;
  if (!rest.consume_front(root) || !rest.consume_front("/")) return std::nullopt;
  return rest.str();
}

}  // namespace

llvm::Expected<Changes> Changes::since(const std::string& revision, const std::string& folder,
                                       const std::set<std::string>& files,
                                       findings::SourceCache& sources) {
  const std::string program = find_git();
  if (program.empty()) return failure("there is no git in $PATH");
  Git git(program, folder);
  auto root = git.run({"rev-parse", "--show-toplevel"});
  if (!root) return root.takeError();
  const std::string top = real_path(StringRef(*root).rtrim('\n').str());
  const std::string wanted = revision + "^{commit}";
  auto commit = git.run({"rev-parse", "--verify", "--quiet", "--end-of-options", wanted});
  if (!commit) {
    llvm::consumeError(commit.takeError());
    return failure("'" + revision + "' is no commit of " + top);
  }
  auto listing = git.run({"ls-tree", "-r", "-z", "--full-tree", StringRef(*commit).rtrim('\n')});
  if (!listing) return listing.takeError();
  const std::map<std::string, std::string> tree = tree_of(*listing);

  Changes changes;
  std::vector<std::string> changed;
  std::string names;
  for (const std::string& file : files) {
    const std::optional<std::string> below = path_below(top, file);
    if (!below) continue;
    const auto found = tree.find(*below);
    if (found == tree.end()) {
      changes.lines_[file].all = true;
    } else if (object_name(sources.contents(file), found->second) != found->second) {
      changed.push_back(file);
      names += found->second + "\n";
    }
  }
  if (changed.empty()) return changes;
  auto batch = git.run({"cat-file", "--batch"}, names);
  if (!batch) return batch.takeError();
  std::vector<std::string> texts = texts_of(*batch);
  if (texts.size() != changed.size()) return failure("git cat-file: not all objects are there");
  for (size_t i = 0; i < changed.size(); ++i) {
    Lines& lines = changes.lines_[changed[i]];
    for (const auto& each : findings::changed_lines(texts[i], sources.contents(changed[i]))) {
      const auto begin = static_cast<unsigned>(each.new_begin);
      const auto count = static_cast<unsigned>(each.new_count);
      // What was removed leaves the lines around it.
      lines.ranges.push_back(count != 0 ? std::pair(begin + 1, begin + count)
                                        : std::pair(begin, begin + 1));
    }
    changes.old_texts_[changed[i]] = std::move(texts[i]);
  }
  return changes;
}

bool Changes::touches(const findings::SourceRange& range) const {
  const auto found = lines_.find(range.file);
  if (found == lines_.end()) return false;
  const unsigned last = std::max(range.line, range.end_line);
  return found->second.all || std::ranges::any_of(found->second.ranges, [&](const auto& lines) {
           return lines.first <= last && range.line <= lines.second;
         });
}

bool Changes::touches(const findings::Finding& finding) const {
  return touches(finding.range) ||
         std::ranges::any_of(finding.notes,
                             [&](const findings::Note& note) { return touches(note.range); });
}

}  // namespace placecheck
