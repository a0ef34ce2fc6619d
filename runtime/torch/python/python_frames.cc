#include "runtime/torch/python/python_frames.h"

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
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
  void* (*this_interpreter)();
  void* (*newest_thread)(void*);
  void* (*older_thread)(void*);
  void* (*frame_of_thread)(void*);
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
      find(api.current_frame, "PyEval_GetFrame") &&
      find(api.this_interpreter, "PyInterpreterState_Get") &&
      find(api.newest_thread, "PyInterpreterState_ThreadHead") &&
      find(api.older_thread, "PyThreadState_Next") &&
      find(api.frame_of_thread, "PyThreadState_GetFrame") &&
      find(api.outer_frame, "PyFrame_GetBack") && find(api.code_of, "PyFrame_GetCode") &&
      find(api.line_of, "PyFrame_GetLineNumber") && find(api.attribute, "PyObject_GetAttrString") &&
      find(api.utf8, "PyUnicode_AsUTF8") && find(api.drop, "Py_DecRef");
  return is_there ? &api : nullptr;
}

std::atomic<bool> is_stopped{false};

// Threads that may hold or want the interpreter's lock. Python ends a thread that wants it too
// late, in the middle of C++ code, and so the process.
std::atomic<int> lookups{0};

class Lookup {
 public:
  Lookup() { ++lookups; }
  ~Lookup() { --lookups; }
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;
};

// Null where there is no Python that runs.
const Api* api() {
  static const Api* const kApi = find_api();
  return kApi == nullptr || is_stopped || kApi->is_initialized() == 0 ? nullptr : kApi;
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

// Calls `visit` with the file and the line of each frame from `frame` outwards, until it returns
// false. With the interpreter's lock; `frame` is borrowed, the outer ones are owned.
template <class Visitor>
void visit_frames(const Api& python, void* frame, const Visitor& visit) {
  bool is_owned = false;
  while (frame != nullptr) {
    const CodeFile& file = code_files().file_of(python, python.code_of(frame));
    if (!visit(file, python.line_of(frame))) break;
    void* outer = python.outer_frame(frame);
    if (is_owned) python.drop(frame);
    frame = outer;
    is_owned = true;
  }
  if (frame != nullptr && is_owned) python.drop(frame);
}

using Visitor = std::function<bool(Frame)>;

// The same for the user's lines alone.
void visit_user_frames(const Api& python, void* frame, const Visitor& visit) {
  visit_frames(python, frame, [&](const CodeFile& file, int line) {
    return file.is_library || visit({&file.name, line});
  });
}

// This thread's, innermost first.
void visit_user_frames(const Visitor& visit) {
  const Lookup lookup;
  const Api* python = api();
  // A thread that Python does not know has no Python code to tell of.
  if (python == nullptr || python->this_thread_state() == nullptr) return;
  const InterpreterLock lock(*python);
  visit_user_frames(*python, python->current_frame(), visit);
}

void visit_user_frames_of_oldest_thread(const Visitor& visit) {
  const Lookup lookup;
  const Api* python = api();
  if (python == nullptr) return;
  const InterpreterLock lock(*python);
  void* thread = python->newest_thread(python->this_interpreter());
  if (thread == nullptr) return;
  while (void* older = python->older_thread(thread)) thread = older;
  void* frame = python->frame_of_thread(thread);
  if (frame == nullptr) return;
  visit_user_frames(*python, frame, visit);
  python->drop(frame);
}

// Calls `visit` with the innermost frame of each thread that runs Python code; the frame is
// borrowed. With the interpreter's lock.
void visit_threads(const Api& python, const std::function<void(void* frame)>& visit) {
  void* thread = python.newest_thread(python.this_interpreter());
  for (; thread != nullptr; thread = python.older_thread(thread)) {
    void* frame = python.frame_of_thread(thread);
    if (frame == nullptr) continue;
    visit(frame);
    python.drop(frame);
  }
}

// Whether torch.autograd is what the user's code that `frame` belongs to has called.
bool is_in_autograd(const Api& python, void* frame) {
  bool is_in = false;
  visit_frames(python, frame, [&](const CodeFile& file, int /*line*/) {
    is_in = file.is_library && file.name.find("/torch/autograd/") != std::string::npos;
    return file.is_library && !is_in;
  });
  return is_in;
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

std::optional<Frame> innermost_user_frame_of_program() {
  std::optional<Frame> innermost = innermost_user_frame();
  if (innermost) return innermost;
  visit_user_frames_of_oldest_thread([&](Frame frame) {
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

std::vector<Frame> user_frames_of_backward_pass() {
  const Lookup lookup;
  const Api* python = api();
  if (python == nullptr) return {};
  const InterpreterLock lock(*python);
  std::vector<Frame> frames;
  int waiting = 0;
  visit_threads(*python, [&](void* frame) {
    if (!is_in_autograd(*python, frame) || ++waiting > 1) return;
    visit_user_frames(*python, frame, [&](Frame line) {
      frames.push_back(line);
      return true;
    });
  });
  if (waiting > 1) frames.clear();
  return frames;
}

void set_library_folders(std::vector<std::string> folders) {
  code_files().set_library_folders(std::move(folders));
}

void stop() {
  is_stopped = true;
  constexpr auto kLongest = std::chrono::seconds(2);
  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  while (lookups > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

std::string place_of(const Frame& frame) {
  std::error_code error;
  std::string name = *frame.file;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  if (!error && name.starts_with(here)) name.erase(0, here.size());
  return name + ":" + std::to_string(frame.line);
}

std::string text_of(const Frame& frame) {
  const std::string text = place_of(frame);
  const std::string line = source_line(*frame.file, frame.line);
  return line.empty() ? text : text + ": " + line;
}

}  // namespace placecheck::python
