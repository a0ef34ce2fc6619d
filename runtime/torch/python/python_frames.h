// The lines of Python that this thread is executing, for C++ that serves a Python program.
//
// Python's functions are looked up in the process, so that one library serves every version of
// Python from 3.9 on, and a program without Python. Threads: any; the interpreter's lock is taken
// where the thread does not hold it. Ownership: a file's name is kept for the life of the process.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_PYTHON_FRAMES_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_PYTHON_FRAMES_H_

#include <optional>
#include <string>
#include <vector>

namespace placecheck::python {

struct Frame {
  const std::string* file = nullptr;
  int line = 0;
};

// The innermost line outside `library_folders`, which set_library_folders() names; none where this
// thread runs no such Python code.
std::optional<Frame> innermost_user_frame();

// The same; for a thread without such code, which a library runs for the program, that of the
// process's oldest thread: where the program waits for it.
std::optional<Frame> innermost_user_frame_of_program();

// All of this thread's lines outside those folders, innermost first.
std::vector<Frame> user_frames();

// For a thread that runs a backward pass: those of the thread that waits in torch.autograd for it.
// Empty where none or several wait there.
std::vector<Frame> user_frames_of_backward_pass();

// Folders of code that is not the user's: PyTorch's own and this package's. Once, before the
// threads that ask start.
void set_library_folders(std::vector<std::string> folders);

// From now on nothing is looked up: Python ends. Waits for other threads that are looking up; the
// caller does not hold the interpreter's lock.
void stop();

// "train.py:12": relative to the working folder where the file lies below it.
std::string place_of(const Frame& frame);

// The same with its source: "train.py:12: model.cuda()".
std::string text_of(const Frame& frame);

}  // namespace placecheck::python

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_PYTHON_FRAMES_H_
