#include "runtime/torch/python/python_frames.h"

#include <dlfcn.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace placecheck::python {
namespace {

// Python's stable interface, as far as it is used; objects are opaque.
struct Api {
  int (*is_initialized)();
  void* (*this_thread_state)();
  int (*ensure)();
  void (*release)(int);
  void* (*current_frame)();
  void* (*outer_frame)(void*);
  void* (*code_of)(void*);
  int (*line_of)(void*);
  void* (*attribute)(void*, const char*);
  const char* (*utf8)(void*);
  void (*drop)(void*);
};

template <class Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

const Api* find_api() {
  static Api api{};
  const bool is_there =
      find(api.is_initialized, "Py_IsInitialized") &&
      find(api.this_thread_state, "PyGILState_GetThisThreadState") &&
      find(api.ensure, "PyGILState_Ensure") && find(api.release, "PyGILState_Release") &&
      find(api.current_frame, "PyEval_GetFrame") && find(api.outer_frame, "PyFrame_GetBack") &&
      find(api.code_of, "PyFrame_GetCode") && find(api.line_of, "PyFrame_GetLineNumber") &&
      find(api.attribute, "PyObject_GetAttrString") && find(api.utf8, "PyUnicode_AsUTF8") &&
      find(api.drop, "Py_DecRef");
  return is_there ? &api : nullptr;
}

std::atomic<bool> is_stopped{false};

const Api* api() {
  static const Api* const kApi = find_api();
  if (kApi == nullptr || is_stopped || kApi->is_initialized() == 0) return nullptr;
  // A thread that Python does not know has no Python code to tell of.
  return kApi->this_thread_state() == nullptr ? nullptr : kApi;
}

class InterpreterLock {
 public:
  explicit InterpreterLock(const Api& python) : python_(python), state_(python.ensure()) {}
  ~InterpreterLock() { python_.release(state_); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  const Api& python_;
  int state_;
};

struct CodeFile {
  std::string name;
  bool is_library;
};

// The files of code objects, which are kept alive so that an address stays that of one file.
class CodeFiles {
 public:
  void set_library_folders(std::vector<std::string> folders) {
    std::lock_guard<std::mutex> lock(mutex_);
    library_folders_ = std::move(folders);
  }

  // Takes over the reference to `code`.
  const CodeFile& file_of(const Api& python, void* code) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto known = files_.find(code);
    if (known != files_.end()) {
      python.drop(code);
      return known->second;
    }
    CodeFile file{name_of(python, code), false};
    file.is_library = is_library(file.name);
    return files_.emplace(code, std::move(file)).first->second;
  }

 private:
  static std::string name_of(const Api& python, void* code) {
    void* name = python.attribute(code, "co_filename");
    if (name == nullptr) return "<unknown>";
    const char* text = python.utf8(name);
    std::string result = text == nullptr ? "<unknown>" : text;
    python.drop(name);
    return result;
  }

  bool is_library(std::string_view file) const {
    // "<frozen importlib._bootstrap>" and its like are Python's own.
    if (file.starts_with("<frozen")) return true;
    for (const std::string& folder : library_folders_) {
      if (file.starts_with(folder)) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::vector<std::string> library_folders_;
  std::unordered_map<void*, CodeFile> files_;
};

CodeFiles& code_files() {
  static auto* files = new CodeFiles;
  return *files;
}

// Calls `visit` for each line of the user's, innermost first, until it returns false.
void visit_user_frames(const std::function<bool(Frame)>& visit) {
  const Api* python = api();
  if (python == nullptr) return;
  const InterpreterLock lock(*python);
  void* frame = python->current_frame();  // borrowed; the outer ones are owned
  bool is_owned = false;
  while (frame != nullptr) {
    const CodeFile& file = code_files().file_of(*python, python->code_of(frame));
    if (!file.is_library && !visit({&file.name, python->line_of(frame)})) break;
    void* outer = python->outer_frame(frame);
    if (is_owned) python->drop(frame);
    frame = outer;
    is_owned = true;
  }
  if (frame != nullptr && is_owned) python->drop(frame);
}

std::string source_line(const std::string& file, int number) {
  std::ifstream source(file);
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(source, line)) return "";
  }
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

std::optional<Frame> innermost_user_frame() {
  std::optional<Frame> innermost;
  visit_user_frames([&](Frame frame) {
    innermost = frame;
    return false;
  });
  return innermost;
}

std::vector<Frame> user_frames() {
  std::vector<Frame> frames;
  visit_user_frames([&](Frame frame) {
    frames.push_back(frame);
    return true;
  });
  return frames;
}

void set_library_folders(std::vector<std::string> folders) {
  code_files().set_library_folders(std::move(folders));
}

void stop() { is_stopped = true; }

std::string text_of(const Frame& frame) {
  std::error_code error;
  std::string name = *frame.file;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  if (!error && name.starts_with(here)) name.erase(0, here.size());
  std::string text = name + ":" + std::to_string(frame.line);
  const std::string line = source_line(*frame.file, frame.line);
  return line.empty() ? text : text + ": " + line;
}

}  // namespace placecheck::python
