#include "analyzer/lsp/analysis_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace placecheck::lsp {
namespace {

// The first byte of what a process sends.
constexpr char kLowered = 'L';
constexpr char kResult = 'R';  // its length follows, and then the bytes

constexpr std::chrono::seconds kUsualReading(2);

void write_all(int socket, const void* data, size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::send(socket, from, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the server is gone, and this process is about to
    from += count;
    size -= static_cast<size_t>(count);
  }
}

// The server's input and output are no business of this process, and it ends with the server.
void prepare_child(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
  }
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
}

[[noreturn]] void work_in_child(int socket, const AnalysisProcess::Work& work) {
  const std::string result = work([socket] { write_all(socket, &kLowered, 1); });
  const uint64_t size = result.size();
  write_all(socket, &kResult, 1);
  write_all(socket, &size, sizeof(size));
  write_all(socket, result.data(), result.size());
  ::_exit(0);
}

}  // namespace

std::unique_ptr<AnalysisProcess> AnalysisProcess::start(const Work& work) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return nullptr;
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(sockets[0]);
    prepare_child(parent);
    work_in_child(sockets[1], work);
  }
  ::close(sockets[1]);
  if (pid < 0) {
    ::close(sockets[0]);
    return nullptr;
  }
  return std::unique_ptr<AnalysisProcess>(new AnalysisProcess(pid, sockets[0]));
}

// Its own children end with it.
AnalysisProcess::~AnalysisProcess() {
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(descriptor_);
}

AnalysisProcess::State AnalysisProcess::receive() {
  char chunk[1 << 16];
  const ssize_t count = ::recv(descriptor_, chunk, sizeof(chunk), 0);
  if (count < 0 && errno == EINTR) return State::kRunning;
  if (count <= 0) return State::kFailed;
  bytes_.append(chunk, static_cast<size_t>(count));
  if (!has_lowered_ && bytes_.front() == kLowered) {
    has_lowered_ = true;
    bytes_.erase(0, 1);
  }
  uint64_t size = 0;
  if (bytes_.size() < 1 + sizeof(size)) return State::kRunning;
  std::memcpy(&size, bytes_.data() + 1, sizeof(size));
  if (bytes_.size() - 1 - sizeof(size) < size) return State::kRunning;
  result_ = bytes_.substr(1 + sizeof(size));
  return State::kDone;
}

bool AnalysisProcess::is_worth_waiting() const {
  return !has_lowered_ && Clock::now() - begin_ > kUsualReading;
}

}  // namespace placecheck::lsp
