// Reads files that somebody else may have put there: only regular ones, only up to a size, and into
// memory, so that what was read stays what it was.
//
// A FIFO, a device or a socket, also one behind a link, is never opened. Ownership: the buffer is
// the caller's. Threads: any. Errors: those of the system, and not_supported (no regular file) and
// file_too_large; `why_unreadable` words them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::files {

// In bytes. What people write by hand is far below them.
inline constexpr uint64_t kMaxSource = uint64_t{64} << 20;
inline constexpr uint64_t kMaxSettings = uint64_t{4} << 20;  // a configuration, a list of models
inline constexpr uint64_t kMaxDatabase = uint64_t{1} << 30;  // of compile commands; a baseline

// Of the file when it was read, as the system told it.
struct FileTimes {
  int64_t modified = 0;  // nanoseconds since the epoch
  int64_t changed = 0;   // the same, of contents or attributes; no program can set it
};

// The contents, followed by a null byte. `times`, if given, are those of just these contents.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read_regular_file(const llvm::Twine& path,
                                                                     uint64_t max_size,
                                                                     FileTimes* times = nullptr);

bool is_regular_file(const llvm::Twine& path);

// Whether `path`, with all links followed, names something below the folder `folder`, with all
// links followed. False where one of them is not there.
bool leads_below(const llvm::Twine& path, const llvm::Twine& folder);

// The error as it follows "cannot be read: ".
std::string why_unreadable(std::error_code error, uint64_t max_size);

}  // namespace placecheck::files
