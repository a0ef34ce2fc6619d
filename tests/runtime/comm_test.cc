// Moving tensors between devices, and ranks that meet.
#include <gtest/gtest.h>

#include <functional>

#include "runtime/comm/buckets.h"
#include "runtime/comm/collectives.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/check.h"
#include "tests/runtime/testing/comm_cases.h"
#include "tests/runtime/testing/machine.h"
#include "tests/runtime/testing/ranks.h"

namespace placecheck::runtime::comm {
namespace {

using namespace std::chrono_literals;

class CollectivesTest : public MachineTest {};

TEST_F(CollectivesTest, BroadcastsToEveryDevice) {
  for (const Device& where : {Device(kCPU), gpu(0), gpu(2)}) {
    Tensor tensor = randn({3, 2}, where);
    TensorList copies = broadcast(tensor, {0, 1, 2});
    for (DeviceIndex i = 0; i < 3; ++i) {
      EXPECT_EQ(copies[static_cast<std::size_t>(i)].device(), gpu(i));
      EXPECT_TRUE(equal(copies[static_cast<std::size_t>(i)].cpu(), tensor.cpu()));
    }
  }
  EXPECT_EQ(error_of([] { broadcast(ones({1}), {-1}); }),
            "Expected non-negative device index, but got -1");
}

TEST_F(CollectivesTest, BroadcastsManyTogether) {
  TensorList tensors;
  for (std::int64_t size : {5, 0, 200, 3, 1}) {
    tensors.push_back(randn({size, 2}, gpu(0)));
    tensors.push_back(randn({size}, TensorOptions(kDouble).device(gpu(0))));
    tensors.push_back(arange(size, TensorOptions(kLong).device(gpu(0))));
  }
  for (std::size_t buffer : {std::size_t{1}, std::size_t{100}, kBufferBytes}) {
    auto lists = broadcast_coalesced(tensors, {0, 3, 1}, buffer);
    for (std::size_t d = 0; d < lists.size(); ++d) {
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        EXPECT_TRUE(equal(lists[d][i].cpu(), tensors[i].cpu())) << d << " " << i;
      }
    }
    EXPECT_TRUE(lists[0][0].is_same(tensors[0]));
    EXPECT_EQ(lists[1][0].device(), gpu(3));
  }
  EXPECT_EQ(error_of([&] { broadcast_coalesced(tensors, {1, 0}); }),
            "All tensors must be on devices[0]: 1");
}

TEST_F(CollectivesTest, BucketsCloseWhenTheyAreFull) {
  auto floats = [](std::int64_t count) { return zeros({count}, kFloat); };
  auto doubles = [](std::int64_t count) { return zeros({count}, kDouble); };
  using Buckets = std::vector<Bucket>;
  EXPECT_EQ(make_buckets({floats(100), floats(200), floats(100), floats(50)}, 400),
            Buckets({{0}, {1}, {2}, {3}}));
  EXPECT_EQ(make_buckets(
                {floats(50), doubles(25), floats(50), doubles(25), floats(50), doubles(25)}, 400),
            Buckets({{0, 2}, {1, 3}, {4}, {5}}));
}

TEST_F(CollectivesTest, ScattersByChunksAndBySizes) {
  Tensor tensor = randn({6, 4});
  TensorList chunks = scatter(tensor, {0, 1, 2, 3});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[2].device(), gpu(2));
  TensorList sized = scatter(tensor, {1, 0}, std::vector<std::int64_t>{1, 3}, -1);
  EXPECT_EQ(sized[1].sizes(), Shape({6, 3}));
  EXPECT_TRUE(equal(sized[1].cpu(), tensor.narrow(1, 1, 3)));
  EXPECT_EQ(error_of([&] { scatter(tensor, {0, -2}); }),
            "Expected non-negative device index, but got -2");
  EXPECT_EQ(error_of([&] { scatter(tensor, {}); }), "Expected at least one device to scatter to");
  EXPECT_EQ(error_of([&] { scatter(tensor, {0, 1}, std::vector<std::int64_t>{6}); }),
            "Expected devices and chunk_sizes to be of same length, but got len(devices) = 2 and "
            "len(chunk_sizes) = 1");
  EXPECT_EQ(error_of([&] { scatter(tensor, {0, 1}, std::vector<std::int64_t>{1, 2}); }),
            "split_with_sizes expects split_sizes to sum exactly to 6 (input tensor's size at "
            "dimension 0), but got split_sizes=[1, 2]");
  EXPECT_EQ(error_of([&] { scatter(tensor, {0, 1}, std::vector<std::int64_t>{7, -1}); }),
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            "split_sizes=[7, -1]");
}

TEST_F(CollectivesTest, AChunkThatIsThereAlreadyIsAView) {
  Tensor tensor = zeros({4}, gpu(1));
  TensorList chunks = scatter(tensor, {0, 1});
  chunks[1].fill_(3);
  EXPECT_EQ(tensor.sum().item<float>(), 6);
}

TEST_F(CollectivesTest, GathersAlongEveryDimension) {
  TensorList parts = {randn({2, 5}, gpu(0)), randn({2, 5}, gpu(1))};
  for (std::int64_t dim : {0, 1, -1}) {
    Tensor expected = cat({parts[0].cpu(), parts[1].cpu()}, dim);
    for (const Device& to : {Device(kCPU), gpu(0), gpu(3)}) {
      Tensor whole = gather(parts, dim, to);
      EXPECT_EQ(whole.device(), to);
      EXPECT_TRUE(equal(whole.cpu(), expected));
    }
  }
  EXPECT_EQ(error_of([] { gather({}); }), "Expected at least one tensor to gather from");
  EXPECT_EQ(error_of([] { gather({ones({1}, gpu(0)), ones({1})}); }),
            "Expected all input tensors to be CUDA tensors, but tensor at index 1 has device cpu");
  EXPECT_EQ(error_of([] { gather({ones({1}, gpu(0)), ones({1, 1}, gpu(1))}); }),
            "Expected all input tensors to have the same number of dimensions, but tensor at index "
            "1has 2 dimensions, (expected 1)");
  EXPECT_EQ(error_of([] { gather({ones({1, 2}, gpu(0)), ones({3, 4}, gpu(1))}); }),
            "Input tensor at index 1 has invalid shape [3, 4], but expected [3, 2]");
  EXPECT_EQ(error_of([] { gather({ones({}, gpu(0)), ones({2}, gpu(1))}); }),
            "Dimension specified as 0 but tensor has no dimensions");
  EXPECT_EQ(error_of([] { gather({ones({}, gpu(0)), ones({}, gpu(1))}, 1); }),
            "Dimension specified as 1 but tensor has no dimensions");
}

TEST_F(CollectivesTest, ReducesInTheOrderOfTheList) {
  TensorList tensors = {full({3}, 1e8, gpu(0)), full({3}, 1, gpu(1)), full({3}, -1e8, gpu(2))};
  Tensor total = reduce_add(tensors, gpu(0));
  EXPECT_EQ(total[0].item<float>(), 0) << "(1e8 + 1) - 1e8, in float";
  EXPECT_EQ(total.device(), gpu(0));
  EXPECT_EQ(error_of([] { reduce_add({ones({1}, gpu(0)), ones({1})}); }),
            "reduce_add expects all inputs to be on GPUs, but input 1 is on CPU");
  EXPECT_EQ(error_of([] { reduce_add({ones({2, 3}, gpu(0)), ones({4}, gpu(1))}); }),
            "input 1 has invalid size: got 4, but expected 2x3");
  EXPECT_EQ(error_of([&] { reduce_add(tensors, gpu(3)); }),
            "reduce_add expects destination to be on the same GPU with one of the tensors");
}

TEST_F(CollectivesTest, ReducesManyTogether) {
  std::vector<TensorList> lists;
  lists.reserve(3);
  for (DeviceIndex d = 0; d < 3; ++d) {
    lists.push_back({full({2, 2}, d + 1, gpu(d)), d == 1 ? ones({3}, gpu(d)) : Tensor(), Tensor(),
                     full({1}, 2, gpu(d))});
  }
  for (std::size_t buffer : {std::size_t{1}, kBufferBytes}) {
    TensorList sums = reduce_add_coalesced(lists, gpu(0), buffer);
    EXPECT_TRUE(equal(sums[0].cpu(), full({2, 2}, 6)));
    EXPECT_TRUE(equal(sums[1].cpu(), ones({3})));
    EXPECT_EQ(sums[1].device(), gpu(0));
    EXPECT_FALSE(sums[2].defined());
    EXPECT_TRUE(equal(sums[3].cpu(), full({1}, 6)));
  }
}

TEST_F(CollectivesTest, AllReducesInPlace) {
  TensorList tensors = {full({3}, 1, gpu(0)), full({3}, 2, gpu(1)), full({3}, 4, gpu(3))};
  all_reduce(tensors);
  for (const Tensor& tensor : tensors) EXPECT_TRUE(equal(tensor.cpu(), full({3}, 7)));
  EXPECT_EQ(error_of([] { all_reduce({}); }), "input sequence can't be empty");
}

TEST_F(CollectivesTest, MoveWhatTheyAreGiven) {
  for (const DeviceList& devices :
       {DeviceList{0}, DeviceList{0, 0}, DeviceList{0, 1, 2, 3}, DeviceList{3, 1}}) {
    expect_collectives(devices);
  }
}

// Every rank on a thread of its own.
class CommunicatorTest : public MachineTest {
 protected:
  // The errors of the ranks, "" where there was none.
  static std::vector<std::string> run(int size, std::chrono::milliseconds deadline,
                                      const std::function<void(Communicator&)>& rank) {
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(size));
    for (RankError& error : run_ranks(make_local_group(size, deadline), rank)) {
      texts.push_back(std::move(error.text));
    }
    return texts;
  }
  static Tensor own(const Communicator& rank, double value) {
    return full({4}, value, gpu(rank.rank()));
  }
};

TEST_F(CommunicatorTest, RanksShareWhatTheyHave) {
  expect_ranks_share(make_local_group(4, 10s), {0, 1, 2, 3});
  expect_ranks_share(make_local_group({gpu(2), gpu(0)}, 10s), {2, 0});
  expect_ranks_share(make_local_group(1, 10s), {0});
}

TEST_F(CommunicatorTest, MissingPeersAreTold) {
  expect_missing_peers_are_told(
      [](std::chrono::milliseconds deadline) { return make_local_group(3, deadline); }, {0, 1, 2});
}

TEST_F(CommunicatorTest, APeerThatNeverComesIsNamed) {
  auto errors = run(3, 100ms, [](Communicator& rank) {
    if (rank.rank() == 1) return;
    Tensor value = own(rank, 1);
    rank.all_reduce(value);
  });
  EXPECT_EQ(errors[0], "all_reduce: rank 1 did not come within 100 ms");
  EXPECT_EQ(errors[2], errors[0]);
}

TEST_F(CommunicatorTest, APeerThatAbortsWakesAll) {
  auto start = std::chrono::steady_clock::now();
  auto errors = run(3, 60s, [](Communicator& rank) {
    if (rank.rank() == 2) return rank.abort("rank 2 ran out of memory");
    rank.barrier();
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_EQ(errors[0], "rank 2 ran out of memory");
  EXPECT_EQ(errors[1], errors[0]);
}

}  // namespace
}  // namespace placecheck::runtime::comm
