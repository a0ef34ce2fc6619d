#include "runtime/torch/python/idle_threads.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace placecheck::python {
namespace {

// "17 (name) S ...": the name may have any characters.
bool sleeps(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  std::string text;
  // One that has ended meanwhile does not run.
  if (!std::getline(file, text)) return true;
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string::npos || text[name_end + 2] != 'R';
}

bool do_others_sleep() {
  const std::string own = std::to_string(syscall(SYS_gettid));
  std::error_code error;
  for (std::filesystem::directory_iterator threads("/proc/self/task", error), end;
       !error && threads != end; threads.increment(error)) {
    if (threads->path().filename() != own && !sleeps(threads->path())) return false;
  }
  return true;
}

}  // namespace

void wait_until_threads_sleep(std::chrono::milliseconds longest) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  // One that gives a lock to another sleeps before the other one runs: seen more than once.
  constexpr int kTimes = 3;
  for (int times = 0; times < kTimes && std::chrono::steady_clock::now() < deadline;) {
    times = do_others_sleep() ? times + 1 : 0;
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

}  // namespace placecheck::python
