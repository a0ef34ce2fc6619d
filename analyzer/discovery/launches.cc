#include "analyzer/discovery/launches.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/discovery/discovery.h"
#include "analyzer/files/regular_file.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace placecheck::discovery {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr StringRef kVariable = "CUDA_VISIBLE_DEVICES";

struct Word {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
  bool is_expanded = false;  // in part, by the shell
  bool is_operator = false;  // ";", "&&", "|", a line's end, ...
};

// The words of a script; quotes are taken off, and a line goes on behind a backslash.
class Words {
 public:
  explicit Words(StringRef text) : text_(text) {}

  std::vector<Word> read() {
    while (at_ < text_.size()) step();
    end_word();
    return std::move(words_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\\') return escape();
    if (c == '\n' || StringRef(";|&()<>").contains(c)) return add_operator(c);
    if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
      return advance();
    }
    if (c == '#' && !word_) return skip_comment();
    if (c == '\'' || c == '"') return quoted(c);
    add(c);
    advance();
  }

  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }

  Word& word() {
    if (!word_) word_ = Word{{}, line_, static_cast<unsigned>(at_ - line_start_) + 1, false, false};
    return *word_;
  }

  void add(char c) {
    word().text += c;
    // Which files a pattern names is up to the shell, too.
    word().is_expanded |= c == '$' || c == '`' || c == '*' || c == '{';
  }

  void end_word() {
    if (word_) words_.push_back(std::move(*word_));
    word_.reset();
  }

  void escape() {
    advance();
    if (at_ == text_.size()) return;
    if (text_[at_] != '\n') word().text += text_[at_];
    advance();
  }

  void add_operator(char c) {
    end_word();
    words_.push_back({std::string(1, c), line_, static_cast<unsigned>(at_ - line_start_) + 1, false,
                      /*is_operator=*/true});
    advance();
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') advance();
  }

  void quoted(char quote) {
    word();
    advance();
    while (at_ < text_.size() && text_[at_] != quote) {
      if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) advance();
      word().text += text_[at_];
      word().is_expanded |= quote == '"' && (text_[at_] == '$' || text_[at_] == '`');
      advance();
    }
    if (at_ < text_.size()) advance();
  }

  StringRef text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  unsigned line_ = 1;
  std::optional<Word> word_;
  std::vector<Word> words_;
};

bool is_interpreter(StringRef word) {
  StringRef name = path::filename(word);
  if (name == "torchrun") return true;
  return name.consume_front("python") && name.find_first_not_of("0123456789.") == StringRef::npos;
}

// What may stand before a command without changing what it is.
bool is_prefix(StringRef word) {
  return word == "nohup" || word == "time" || word == "exec" || word == "env";
}

bool opens(StringRef word) {
  return word == "if" || word == "for" || word == "while" || word == "until" || word == "case" ||
         word == "{" || word == "function";
}

bool closes(StringRef word) {
  return word == "fi" || word == "done" || word == "esac" || word == "}";
}

// Between which a command begins.
bool is_keyword(StringRef word) {
  return word == "then" || word == "else" || word == "elif" || word == "do" || word == "!";
}

// Devices by their numbers, or none.
bool lists_devices(const Word& value) {
  const StringRef list = value.text;
  return !value.is_expanded &&
         (list == "-1" || list.find_first_not_of("0123456789,") == StringRef::npos);
}

class Script {
 public:
  Script(const std::string& file, const std::vector<std::string>& programs, const std::string& root)
      : file_(file), programs_(programs), root_(root) {}

  std::vector<Launch> read(StringRef text) {
    std::vector<Word> command;
    bool is_redirected = false;  // to what follows
    for (Word& word : Words(text).read()) {
      if (!word.is_operator) {
        if (!is_redirected) command.push_back(std::move(word));
        is_redirected = false;
      } else if (word.text == "<" || word.text == ">") {
        is_redirected = true;
      } else if (!is_redirected || word.text != "&") {
        run(std::move(command));
        command.clear();
        is_redirected = false;
      }
    }
    run(std::move(command));
    return std::move(launches_);
  }

 private:
  void run(std::vector<Word> command) {
    size_t at = 0;
    for (; at < command.size(); ++at) {
      const StringRef word = command[at].text;
      if (opens(word)) ++depth_;
      if (closes(word) && depth_ > 0) --depth_;
      if (!opens(word) && !closes(word) && !is_keyword(word) && !is_prefix(word)) break;
    }
    if (at == command.size()) return;
    if (command[at].text == "export") return export_variable(command, at + 1);
    if (command[at].text == "cd" && at + 1 < command.size()) return change_folder(command[at + 1]);
    std::optional<std::string> visible = exported_;
    const size_t first = at;
    for (; at < command.size(); ++at) {
      const auto [name, value] = StringRef(command[at].text).split('=');
      const bool is_assignment = command[at].text.find('=') != std::string::npos && !name.empty() &&
                                 !name.starts_with("-");
      if (!is_assignment && !is_prefix(command[at].text)) break;
      if (name == kVariable) visible = list_of(command[at]);
    }
    if (at == command.size()) {
      // Set for what follows, if it was exported before.
      if (first < at && StringRef(command[first].text).starts_with(kVariable)) exported_.reset();
      return;
    }
    if (visible && is_interpreter(command[at].text)) add(command, first, at + 1, *visible);
  }

  // What is assigned, where that is a list of devices.
  static std::optional<std::string> list_of(const Word& assignment) {
    Word value = assignment;
    value.text = StringRef(assignment.text).split('=').second.str();
    return lists_devices(value) ? std::optional(value.text) : std::nullopt;
  }

  void export_variable(const std::vector<Word>& command, size_t at) {
    for (; at < command.size(); ++at) {
      if (StringRef(command[at].text).split('=').first != kVariable) continue;
      // In a branch or a loop it may not be carried out.
      exported_ = depth_ == 0 ? list_of(command[at]) : std::nullopt;
    }
  }

  void change_folder(const Word& folder) {
    folders_.push_back(folder.is_expanded ? "" : folder.text);
  }

  // `python -u train.py --epochs 3`, `python -m tools.train`,
  // `python -m torch.distributed.launch --nproc_per_node=2 train.py`
  void add(const std::vector<Word>& command, size_t first, size_t at, const std::string& visible) {
    std::optional<std::string> program;
    for (; at < command.size() && !program; ++at) {
      const StringRef word = command[at].text;
      if (word == "-c") return;
      if (word == "-m" && at + 1 < command.size()) {
        const StringRef module = command[at + 1].text;
        if (module.starts_with("torch.")) continue;
        std::string file = module.str();
        std::ranges::replace(file, '.', '/');
        program = find_program(file + ".py", command[at + 1]);
        if (!program) return;
        ++at;
      } else if (word.ends_with(".py") && !word.starts_with("-")) {
        program = find_program(word.str(), command[at]);
        if (!program) return;
      }
    }
    if (!program) return;
    Launch launch;
    launch.program = *program;
    launch.visible = visible;
    for (; at < command.size(); ++at) {
      launch.are_arguments_known &= !command[at].is_expanded;
      launch.arguments.push_back(command[at].text);
    }
    launch.script = file_;
    launch.line = command[first].line;
    launch.column = command[first].column;
    const bool is_one_line = command.back().line == launch.line;
    const Word& last = is_one_line ? command.back() : command[first];
    launch.end_column = last.column + static_cast<unsigned>(last.text.size());
    launches_.push_back(std::move(launch));
  }

  std::optional<std::string> find_program(const std::string& written, const Word& word) const {
    if (word.is_expanded) return std::nullopt;
    std::set<std::string> found;
    auto look = [&](const std::string& folder) {
      std::string full = absolute_path(written, folder);
      if (std::ranges::binary_search(programs_, full)) found.insert(std::move(full));
    };
    StringRef folder = path::parent_path(file_);
    while (!folder.empty()) {
      look(folder.str());
      for (const std::string& entered : folders_)
        if (!entered.empty()) look(absolute_path(entered, folder.str()));
      if (folder == root_ || folder == path::root_path(folder)) break;
      folder = path::parent_path(folder);
    }
    return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
  }

  const std::string& file_;
  const std::vector<std::string>& programs_;
  const std::string& root_;
  unsigned depth_ = 0;
  std::optional<std::string> exported_;
  std::vector<std::string> folders_;  // that the script enters
  std::vector<Launch> launches_;
};

}  // namespace

std::vector<Launch> launches_in(std::string_view text, const std::string& script,
                                const std::vector<std::string>& programs, const std::string& root) {
  return Script(script, programs, root).read(text);
}

std::vector<Launch> find_launches(const std::vector<std::string>& scripts,
                                  const std::vector<std::string>& programs,
                                  const std::string& root) {
  std::vector<Launch> all;
  for (const std::string& script : scripts) {
    const auto text = files::read_regular_file(script, files::kMaxSettings);
    if (!text) continue;
    const StringRef bytes = (*text)->getBuffer();
    std::vector<Launch> own = launches_in({bytes.data(), bytes.size()}, script, programs, root);
    std::ranges::move(own, std::back_inserter(all));
  }
  return all;
}

}  // namespace placecheck::discovery
