#include "analyzer/worker_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/Support/ErrorHandling.h"

namespace placecheck {
namespace {

using Clock = std::chrono::steady_clock;

// A sanitizer reserves terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

// How a child leaves, for its parent to read.
constexpr int kExitOutOfTime = 81;
constexpr int kExitOutOfMemory = 82;

// A process that has grown by more than this is replaced: freed memory rarely goes back by itself.
constexpr long kLargeGrowth = 1L << 20;  // KB
constexpr int kPollMilliseconds = 200;   // between two questions whether to stop

bool write_all(int socket, const void* data, size_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    // A child that is gone is seen when it is read from, not through a signal.
    ssize_t count = ::send(socket, from, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    from += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool read_all(int socket, void* data, size_t size) {
  char* to = static_cast<char*>(data);
  while (size > 0) {
    ssize_t count = ::recv(socket, to, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// Only ever set in a child.
unsigned child_seconds = 0;     // of the limits
long resident_at_the_fork = 0;  // KB

void on_out_of_time(int) { ::_exit(kExitOutOfTime); }
void on_out_of_memory() { ::_exit(kExitOutOfMemory); }
void on_llvm_out_of_memory(void*, const char*, bool) { ::_exit(kExitOutOfMemory); }

struct rusage usage() {
  struct rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  return used;
}

// What RLIMIT_DATA counts of this process, in bytes; 0 if the system does not say.
rlim_t data_in_use() {
  std::ifstream statm("/proc/self/statm");
  rlim_t size = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  if (!(statm >> size >> resident >> shared >> text >> libraries >> data)) return 0;
  return data * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// Nothing is left on the disk or on the terminal by a child that dies, and it dies with its parent.
void prepare_child(const JobLimits& limits, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::signal(SIGINT, SIG_IGN);  // the parent decides
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGXCPU, on_out_of_time);
  struct rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) {
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
  }
  std::set_new_handler(on_out_of_memory);
  llvm::install_bad_alloc_error_handler(on_llvm_out_of_memory);
  if (limits.memory != 0 && !kIsSanitized) {
    // The memory that the parent holds does not count against the job.
    rlim_t bytes = data_in_use() + (static_cast<rlim_t>(limits.memory) << 20);
    struct rlimit limit = {bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  child_seconds = limits.seconds;
  resident_at_the_fork = usage().ru_maxrss;
}

[[noreturn]] void work_until_told(int socket, const Jobs& jobs) {
  uint64_t index = 0;
  while (read_all(socket, &index, sizeof(index))) {
    restart_job_clock();
    JobOutput output = jobs.work(index);
    bool is_last = output.is_last || usage().ru_maxrss - resident_at_the_fork > kLargeGrowth;
    uint64_t header[2] = {output.bytes.size(), is_last};
    if (!write_all(socket, header, sizeof(header)) ||
        !write_all(socket, output.bytes.data(), output.bytes.size()) || is_last)
      break;
  }
  ::_exit(0);
}

class Child {
 public:
  Child(pid_t pid, int socket) : pid_(pid), socket_(socket) {}
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        socket_(std::exchange(other.socket_, -1)),
        job_(other.job_),
        deadline_(other.deadline_) {}
  Child& operator=(Child&&) = delete;
  ~Child() { end(); }

  int socket() const { return socket_; }
  std::optional<size_t> job() const { return job_; }
  bool is_late() const { return job_ && deadline_ && Clock::now() > *deadline_; }

  bool give(size_t job, const JobLimits& limits) {
    job_ = job;
    if (limits.seconds != 0) deadline_ = Clock::now() + std::chrono::seconds(limits.patience);
    uint64_t index = job;
    return write_all(socket_, &index, sizeof(index));
  }

  // Waits for the whole result; none if the child is gone. `is_last`: it is about to go.
  std::optional<std::string> take(bool& is_last) {
    uint64_t header[2];
    if (!read_all(socket_, header, sizeof(header))) return std::nullopt;
    std::string bytes(header[0], '\0');
    if (!read_all(socket_, bytes.data(), bytes.size())) return std::nullopt;
    is_last = header[1] != 0;
    job_.reset();
    return bytes;
  }

  // Kills the child if it still runs; its status as of waitpid.
  int end() {
    int status = 0;
    if (pid_ < 0) return status;
    // One that has left by itself keeps the status that it left with.
    if (::waitpid(pid_, &status, WNOHANG) == 0) {
      ::kill(pid_, SIGKILL);
      while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
    }
    ::close(socket_);
    pid_ = -1;
    return status;
  }

  // Of a child that has closed its socket: it is about to leave.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(socket_);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
  int socket_;
  std::optional<size_t> job_;
  std::optional<Clock::time_point> deadline_;
};

JobResult result_of(int status) {
  JobResult result;
  result.end = JobEnd::kCrashed;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExitOutOfTime) result.end = JobEnd::kOutOfTime;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExitOutOfMemory)
    result.end = JobEnd::kOutOfMemory;
  return result;
}

class Pool {
 public:
  Pool(const Jobs& jobs, unsigned processes, const JobLimits& limits)
      : jobs_(jobs), limits_(limits), processes_(std::max(processes, 1u)) {}

  void run() {
    while (!is_finished()) {
      if (jobs_.should_stop && jobs_.should_stop()) return stop();
      hand_out();
      if (children_.empty()) return fail_rest(JobEnd::kNotStarted);
      listen();
    }
  }

 private:
  bool is_finished() const { return next_ == jobs_.count && busy() == 0; }

  size_t busy() const {
    return static_cast<size_t>(std::count_if(children_.begin(), children_.end(),
                                             [](const Child& each) { return each.job(); }));
  }

  void hand_out() {
    for (size_t i = 0; i < children_.size(); ++i)
      if (!children_[i].job() && next_ < jobs_.count) begin(children_[i]);
    while (next_ < jobs_.count && children_.size() < processes_) {
      if (!make_child()) return;
      begin(children_.back());
    }
  }

  void begin(Child& child) {
    size_t job = next_++;
    if (jobs_.begun) jobs_.begun(job);
    (void)child.give(job, limits_);  // where that fails, reading will too
  }

  bool make_child() {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return false;
    pid_t parent = ::getpid();
    pid_t pid = ::fork();
    if (pid == 0) {
      ::close(sockets[0]);
      for (const Child& other : children_) ::close(other.socket());
      prepare_child(limits_, parent);
      work_until_told(sockets[1], jobs_);
    }
    ::close(sockets[1]);
    if (pid < 0) {
      ::close(sockets[0]);
      return false;
    }
    children_.emplace_back(pid, sockets[0]);
    return true;
  }

  void listen() {
    std::vector<struct pollfd> polled;
    polled.reserve(children_.size());
    for (const Child& child : children_) polled.push_back({child.socket(), POLLIN, 0});
    (void)::poll(polled.data(), polled.size(), kPollMilliseconds);
    for (size_t i = polled.size(); i-- > 0;) {
      if (polled[i].revents != 0) {
        receive(i);
      } else if (children_[i].is_late()) {
        const std::optional<size_t> job = children_[i].job();
        remove(i);
        if (job) finish(*job, {JobEnd::kOutOfTime, {}, 0});
      }
    }
  }

  void receive(size_t i) {
    Child& child = children_[i];
    std::optional<size_t> job = child.job();
    bool is_last = false;
    if (auto bytes = child.take(is_last)) {
      if (is_last) remove(i);
      if (job) finish(*job, {JobEnd::kDone, std::move(*bytes), 0});
      return;
    }
    JobResult result = result_of(child.wait());
    remove(i);
    if (job) finish(*job, std::move(result));
  }

  void remove(size_t i) {
    Child gone = std::move(children_[i]);
    std::vector<Child> rest;
    for (size_t k = 0; k < children_.size(); ++k)
      if (k != i) rest.push_back(std::move(children_[k]));
    children_.swap(rest);
  }

  void finish(size_t job, JobResult result) {
    if (jobs_.done) jobs_.done(job, std::move(result));
  }

  void stop() {
    std::vector<Child> children;
    children.swap(children_);
    for (Child& child : children) {
      child.end();
      if (child.job()) finish(*child.job(), {JobEnd::kStopped, {}, 0});
    }
    fail_rest(JobEnd::kStopped);
  }

  void fail_rest(JobEnd end) {
    while (next_ < jobs_.count) finish(next_++, {end, {}, 0});
  }

  const Jobs& jobs_;
  const JobLimits& limits_;
  size_t processes_;
  size_t next_ = 0;
  std::vector<Child> children_;
};

}  // namespace

void run_jobs(const Jobs& jobs, unsigned processes, const JobLimits& limits) {
  Pool(jobs, processes, limits).run();
}

void restart_job_clock() {
  if (child_seconds == 0) return;
  struct rusage used = usage();
  auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1);
  struct rlimit limit = {seconds + child_seconds, RLIM_INFINITY};
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace placecheck
