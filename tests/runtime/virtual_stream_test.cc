// Streams of virtual devices: who runs a task, and in which order.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/backend/virtual/stream.h"

namespace placecheck::runtime {
namespace {

constexpr std::int64_t kSmall = 1;
constexpr std::int64_t kLarge = std::int64_t{1} << 30;

VirtualOptions with_seed(std::uint64_t seed) {
  VirtualOptions options;
  options.late_start_seed = seed;
  options.latest_start = std::chrono::microseconds(20);
  return options;
}

std::thread::id thread_of_task(VirtualStream& stream, std::int64_t work) {
  std::thread::id id;
  stream.submit(work, [&] { id = std::this_thread::get_id(); });
  stream.drain();
  return id;
}

TEST(VirtualStreamTest, SmallTasksRunAtOnceWhereTheyAreGiven) {
  VirtualOptions options = with_seed(0);
  VirtualStream stream(options, 0);
  EXPECT_EQ(thread_of_task(stream, kSmall), std::this_thread::get_id());
  EXPECT_NE(thread_of_task(stream, kLarge), std::this_thread::get_id());
}

TEST(VirtualStreamTest, NoTaskRunsAtOnceWhereWorkStartsLate) {
  VirtualOptions options = with_seed(3);
  VirtualStream stream(options, 0);
  EXPECT_NE(thread_of_task(stream, kSmall), std::this_thread::get_id());
}

// What comes after a task that waits waits, too, small or not.
TEST(VirtualStreamTest, TasksKeepTheirOrder) {
  for (std::uint64_t seed : {0, 5}) {
    VirtualOptions options = with_seed(seed);
    VirtualStream stream(options, 0);
    VirtualEvent gate(options.deadline);
    std::vector<int> order;
    stream.submit(kSmall, [&] { order.push_back(0); });
    stream.enqueue([&] {
      gate.synchronize();
      order.push_back(1);
    });
    stream.submit(kSmall, [&] { order.push_back(2); });
    stream.submit(kLarge, [&] { order.push_back(3); });
    auto reached = stream.record();
    EXPECT_FALSE(reached->is_done());
    gate.set();
    reached->synchronize();
    stream.submit(kSmall, [&] { order.push_back(4); });
    stream.drain();
    EXPECT_EQ(order, std::vector<int>({0, 1, 2, 3, 4}));
  }
}

// No two tasks of a stream run at the same time, whoever gives them: a race would be seen by TSan,
// a lost step by the sum.
TEST(VirtualStreamTest, TasksOfSeveralThreadsDoNotOverlap) {
  VirtualOptions options = with_seed(0);
  VirtualStream stream(options, 0);
  constexpr int kSteps = 2000;
  int sum = 0;
  std::vector<int> last(3, -1);
  std::atomic<bool> is_ordered{true};
  auto give = [&](std::size_t giver) {
    for (int step = 0; step < kSteps; ++step) {
      stream.submit(step % 7 == 0 ? kLarge : kSmall, [&, giver, step] {
        if (last[giver] != step - 1) is_ordered = false;
        last[giver] = step;
        ++sum;
      });
      if (step % 500 == 0) stream.drain();
    }
  };
  std::vector<std::thread> givers;
  givers.reserve(last.size());
  for (std::size_t giver = 0; giver < last.size(); ++giver) givers.emplace_back(give, giver);
  for (std::thread& giver : givers) giver.join();
  stream.drain();
  EXPECT_EQ(sum, 3 * kSteps);
  EXPECT_TRUE(is_ordered);
}

// An error waits for drain(), though the task that made it ran inside of submit().
TEST(VirtualStreamTest, TheFirstErrorIsRaisedOnceByDrain) {
  for (std::int64_t work : {kSmall, kLarge}) {
    VirtualOptions options = with_seed(0);
    VirtualStream stream(options, 0);
    EXPECT_NO_THROW(stream.submit(work, [] { throw std::runtime_error("first"); }));
    EXPECT_NO_THROW(stream.submit(work, [] { throw std::runtime_error("second"); }));
    bool ran = false;
    stream.submit(work, [&] { ran = true; });
    try {
      stream.drain();
      FAIL() << "drain() should throw";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_TRUE(ran);
    EXPECT_NO_THROW(stream.drain());
  }
}

TEST(VirtualStreamTest, SettlingLeavesTheErrorToDrain) {
  VirtualOptions options = with_seed(2);
  VirtualStream stream(options, 0);
  bool ran = false;
  stream.submit(kSmall, [&] {
    ran = true;
    throw std::runtime_error("kept");
  });
  stream.settle();
  EXPECT_TRUE(ran);
  EXPECT_THROW(stream.drain(), std::runtime_error);
}

// Tasks that are still waiting when the stream ends are run.
TEST(VirtualStreamTest, NothingIsLostAtTheEnd) {
  VirtualOptions options = with_seed(4);
  int count = 0;
  {
    VirtualStream stream(options, 0);
    for (int i = 0; i < 20; ++i) stream.submit(kSmall, [&] { ++count; });
  }
  EXPECT_EQ(count, 20);
}

}  // namespace
}  // namespace placecheck::runtime
