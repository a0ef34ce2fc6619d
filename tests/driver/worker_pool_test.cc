#include "analyzer/worker_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <map>

namespace placecheck {
namespace {

std::map<size_t, JobResult> run(size_t count, std::function<JobOutput(size_t)> work,
                                JobLimits limits = {}, unsigned processes = 2) {
  std::map<size_t, JobResult> results;
  Jobs jobs;
  jobs.count = count;
  jobs.work = std::move(work);
  jobs.done = [&](size_t job, JobResult result) {
    EXPECT_TRUE(results.emplace(job, std::move(result)).second) << "told twice of " << job;
  };
  run_jobs(jobs, processes, limits);
  EXPECT_EQ(results.size(), count);
  return results;
}

void never_end() {
  std::atomic<unsigned> count = 0;
  for (;;) ++count;
}

TEST(WorkerPoolTest, GivesBackWhatEachJobMade) {
  for (unsigned processes : {1u, 3u, 50u}) {
    auto results = run(
        20, [](size_t job) { return JobOutput{std::string(job * 100'000, 'x'), job % 7 == 0}; }, {},
        processes);
    for (size_t job = 0; job < 20; ++job) {
      EXPECT_EQ(results[job].end, JobEnd::kDone);
      EXPECT_EQ(results[job].bytes.size(), job * 100'000);
    }
  }
  EXPECT_TRUE(run(0, [](size_t) { return JobOutput{}; }).empty());
}

TEST(WorkerPoolTest, AJobThatDiesEndsAlone) {
  auto results = run(6, [](size_t job) {
    if (job == 1) std::signal(SIGSEGV, SIG_DFL), std::raise(SIGSEGV);
    if (job == 3) ::_exit(0);
    return JobOutput{"done", false};
  });
  for (size_t job : {0u, 2u, 4u, 5u}) EXPECT_EQ(results[job].end, JobEnd::kDone) << job;
  EXPECT_EQ(results[1].end, JobEnd::kCrashed);
  EXPECT_EQ(results[1].signal, SIGSEGV);
  EXPECT_EQ(results[3].end, JobEnd::kCrashed);
  EXPECT_EQ(results[3].signal, 0);
}

TEST(WorkerPoolTest, TimeIsCountedForEachJob) {
  auto spend = [](double seconds) {
    clock_t end = std::clock() + static_cast<clock_t>(seconds * CLOCKS_PER_SEC);
    while (std::clock() < end) {
    }
  };
  // All of them in one process, which takes more than the limit.
  auto results = run(
      5,
      [&](size_t job) {
        if (job == 4) never_end();
        spend(0.9);
        return JobOutput{};
      },
      {2, 0, 3600}, 1);
  for (size_t job = 0; job < 4; ++job) EXPECT_EQ(results[job].end, JobEnd::kDone) << job;
  EXPECT_EQ(results[4].end, JobEnd::kOutOfTime);
}

TEST(WorkerPoolTest, WaitingEndsToo) {
  auto results = run(1, [](size_t) { return ::sleep(1000), JobOutput{}; }, {1, 0, 2});
  EXPECT_EQ(results[0].end, JobEnd::kOutOfTime);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(WorkerPoolTest, MemoryIsBounded) {
  auto results = run(2,
                     [](size_t job) {
                       std::string all;
                       while (job == 1) all.append(1 << 20, 'x');
                       return JobOutput{};
                     },
                     {0, 500, 3600});
  EXPECT_EQ(results[0].end, JobEnd::kDone);
  EXPECT_EQ(results[1].end, JobEnd::kOutOfMemory);
}

TEST(WorkerPoolTest, TheMemoryOfTheParentIsNotTheJobs) {
  std::vector<char> held(size_t{700} << 20, 'x');
  auto results = run(1,
                     [](size_t) {
                       std::string some(size_t{100} << 20, 'x');
                       return JobOutput{std::string(1, some.back())};
                     },
                     {0, 500, 3600});
  EXPECT_EQ(held.back(), 'x');
  EXPECT_EQ(results[0].end, JobEnd::kDone);
}
#endif

TEST(WorkerPoolTest, StopsWhenAsked) {
  std::map<size_t, JobEnd> ends;
  Jobs jobs;
  jobs.count = 5;
  jobs.work = [](size_t job) {
    if (job == 1) never_end();
    return JobOutput{};
  };
  jobs.done = [&](size_t job, const JobResult& result) { ends[job] = result.end; };
  jobs.should_stop = [&] { return ends.size() == 1; };
  run_jobs(jobs, 1, {});
  EXPECT_EQ(ends[0], JobEnd::kDone);
  for (size_t job = 1; job < 5; ++job) EXPECT_EQ(ends[job], JobEnd::kStopped) << job;
}

}  // namespace
}  // namespace placecheck
