#include "tests/runtime/testing/comm_cases.h"

#include <gtest/gtest.h>

#include "runtime/tensor/functions.h"
#include "tests/runtime/testing/machine.h"
#include "tests/runtime/testing/ranks.h"

namespace placecheck::runtime {
namespace {

using comm::DeviceList;
using namespace std::chrono_literals;

double sum_to(std::size_t count) { return static_cast<double>(count * (count + 1)) / 2; }

// i + 1 on the i-th device.
TensorList counted(const DeviceList& devices) {
  TensorList tensors;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    tensors.push_back(full({3}, static_cast<double>(i + 1), gpu(devices[i])));
  }
  return tensors;
}

void expect_coalesced(const DeviceList& devices) {
  TensorList tensors = {randn({5, 2}, gpu(devices[0])), arange(3).to(gpu(devices[0])),
                        randn({0}, gpu(devices[0])), randn({7}, gpu(devices[0]))};
  for (std::size_t buffer : {std::size_t{16}, comm::kBufferBytes}) {
    auto lists = comm::broadcast_coalesced(tensors, devices, buffer);
    ASSERT_EQ(lists.size(), devices.size());
    for (std::size_t d = 0; d < lists.size(); ++d) {
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        EXPECT_EQ(lists[d][i].device(), gpu(devices[d]));
        EXPECT_TRUE(equal(lists[d][i].cpu(), tensors[i].cpu())) << d << " " << i;
      }
    }
    auto count = static_cast<double>(devices.size());
    TensorList sums = comm::reduce_add_coalesced(lists, gpu(devices[0]), buffer);
    EXPECT_TRUE(allclose(sums[0], tensors[0].mul(count)));
    EXPECT_TRUE(equal(sums[1].cpu(), arange(3) * scalar_tensor(count, kLong)));
  }
}

}  // namespace

void expect_collectives(const DeviceList& devices) {
  std::size_t count = devices.size();
  Tensor whole = randn({static_cast<std::int64_t>(count) * 2, 3});
  for (const Tensor& copy : comm::broadcast(whole, devices)) {
    EXPECT_TRUE(equal(copy.cpu(), whole));
  }
  TensorList pieces = comm::scatter(whole, devices);
  ASSERT_EQ(pieces.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(pieces[i].device(), gpu(devices[i]));
  EXPECT_TRUE(equal(comm::gather(pieces, 0, Device(kCPU)), whole));
  EXPECT_TRUE(equal(comm::gather(pieces, -1).cpu().narrow(1, 0, 3), whole.narrow(0, 0, 2)));
  TensorList tensors = counted(devices);
  Tensor total = comm::reduce_add(tensors, gpu(devices.back()));
  EXPECT_EQ(total.device(), gpu(devices.back()));
  EXPECT_TRUE(equal(total.cpu(), full({3}, sum_to(count))));
  comm::all_reduce(tensors);
  for (const Tensor& tensor : tensors) EXPECT_TRUE(equal(tensor.cpu(), full({3}, sum_to(count))));
  expect_coalesced(devices);
}

void expect_ranks_share(const comm::Ranks& ranks, const DeviceList& devices) {
  auto size = static_cast<int>(devices.size());
  int root = size - 1;
  double sum = sum_to(devices.size());
  auto errors = run_ranks(ranks, [&](comm::Communicator& rank) {
    Device own = gpu(devices[static_cast<std::size_t>(rank.rank())]);
    for (int round = 0; round < 5; ++round) {
      Tensor value = full({4}, rank.rank() + 1, own);
      rank.all_reduce(value);
      EXPECT_TRUE(equal(value.cpu(), full({4}, sum)));
      value.fill_(rank.rank());
      rank.broadcast(value, root);
      EXPECT_TRUE(equal(value.cpu(), full({4}, root)));
      rank.reduce(value, 0);
      EXPECT_TRUE(equal(value.cpu(), full({4}, rank.rank() == 0 ? root * size : root)));
      TensorList all = rank.all_gather(full({2, 2}, rank.rank(), own));
      ASSERT_EQ(all.size(), devices.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].device(), own);
        EXPECT_TRUE(equal(all[i].cpu(), full({2, 2}, static_cast<double>(i))));
      }
      rank.barrier();
    }
  });
  for (const RankError& error : errors) EXPECT_EQ(error.text, "");
}

void expect_missing_peers_are_told(const RankMaker& make, const DeviceList& devices) {
  auto last = static_cast<int>(devices.size()) - 1;
  auto share = [&](comm::Communicator& rank) {
    rank.all_reduce(ones({4}, gpu(devices[static_cast<std::size_t>(rank.rank())])));
  };
  auto start = std::chrono::steady_clock::now();
  auto late = run_ranks(make(100ms), [&](comm::Communicator& rank) {
    if (rank.rank() != last) share(rank);
  });
  auto aborted = run_ranks(make(60s), [&](comm::Communicator& rank) {
    if (rank.rank() == last) return rank.abort("the last rank ran out of memory");
    share(rank);
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  for (int rank = 0; rank < last; ++rank) {
    auto at = static_cast<std::size_t>(rank);
    EXPECT_NE(late[at].text.find("did not come within 100 ms"), std::string::npos) << late[at].text;
    EXPECT_EQ(aborted[at].text, "the last rank ran out of memory");
  }
}

}  // namespace placecheck::runtime
