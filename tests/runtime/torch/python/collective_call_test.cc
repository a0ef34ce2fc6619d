#include "runtime/torch/python/collective_call.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace placecheck::process_group {
namespace {

CollectiveCall all_reduce(std::int64_t count = 4) {
  CollectiveCall call;
  call.operation = "all_reduce";
  call.reduction = "SUM";
  call.dtype = "Float";
  call.place = "train.py:20";
  call.count = count;
  call.send = {0, 0};
  call.receive = {0, 0};
  return call;
}

std::vector<RankedCall> on_two_gpus(CollectiveCall a, CollectiveCall b) {
  a.gpu = a.device = 0;
  b.gpu = b.device = 1;
  return {{0, a}, {1, b}};
}

std::string difference(const CollectiveCall& a, const CollectiveCall& b) {
  return disagreement(on_two_gpus(a, b)).value_or("none");
}

TEST(CollectiveCall, IsTheSameAfterItWasSent) {
  CollectiveCall call = all_reduce(123);
  call.root = 1;
  call.communicator = 2;
  call.device = 3;
  call.gpu = 4;
  call.host = ~0ULL;
  call.send = {5, 6, 7};
  call.receive = {8, 9, 10};
  std::vector<char> bytes(encoded_bytes(3));
  encode(call, 3, bytes.data());
  const CollectiveCall other = decode(bytes.data(), 3);
  EXPECT_EQ(other.operation, call.operation);
  EXPECT_EQ(other.reduction, call.reduction);
  EXPECT_EQ(other.dtype, call.dtype);
  EXPECT_EQ(other.place, call.place);
  EXPECT_EQ(other.count, call.count);
  EXPECT_EQ(other.root, call.root);
  EXPECT_EQ(other.communicator, call.communicator);
  EXPECT_EQ(other.device, call.device);
  EXPECT_EQ(other.gpu, call.gpu);
  EXPECT_EQ(other.host, call.host);
  EXPECT_EQ(other.send, call.send);
  EXPECT_EQ(other.receive, call.receive);
}

TEST(CollectiveCall, KeepsTheEndOfALongPlace) {
  CollectiveCall call = all_reduce();
  call.place = std::string(1000, '/') + "train.py:20";
  std::vector<char> bytes(encoded_bytes(2));
  encode(call, 2, bytes.data());
  const std::string place = decode(bytes.data(), 2).place;
  EXPECT_LT(place.size(), 300U);
  EXPECT_TRUE(place.ends_with("/train.py:20")) << place;
}

TEST(Disagreement, IsNoneBetweenEqualCalls) {
  EXPECT_EQ(difference(all_reduce(), all_reduce()), "none");
}

TEST(Disagreement, NamesBothRanksAndTheirLines) {
  CollectiveCall broadcast = all_reduce();
  broadcast.operation = "broadcast";
  broadcast.reduction = "";
  broadcast.place = "train.py:30";
  const std::string text = difference(all_reduce(), broadcast);
  EXPECT_NE(text.find("rank 0 is in all_reduce while rank 1 is in broadcast"), std::string::npos)
      << text;
  EXPECT_NE(text.find("rank 0: all_reduce of 4 Float elements, SUM on cuda:0 at train.py:20"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("rank 1: broadcast of 4 Float elements on cuda:1 at train.py:30"),
            std::string::npos)
      << text;
}

TEST(Disagreement, IsAboutSizesTypesRootsAndReductions) {
  CollectiveCall other = all_reduce(5);
  EXPECT_NE(difference(all_reduce(), other).find("4 in rank 0, 5 in rank 1"), std::string::npos);
  other = all_reduce();
  other.dtype = "Half";
  EXPECT_NE(difference(all_reduce(), other).find("Float in rank 0, Half in rank 1"),
            std::string::npos);
  other = all_reduce();
  other.root = 1;
  EXPECT_NE(difference(all_reduce(), other).find("0 in rank 0, 1 in rank 1"), std::string::npos);
  other = all_reduce();
  other.reduction = "MAX";
  EXPECT_NE(difference(all_reduce(), other).find("SUM in rank 0, MAX in rank 1"),
            std::string::npos);
}

TEST(Disagreement, IsAboutACommunicatorThatOnlyOneRankMakes) {
  CollectiveCall other = all_reduce();
  other.communicator = 1;
  EXPECT_NE(
      difference(all_reduce(), other).find("rank 1 calls a collective of this group on cuda:1"),
      std::string::npos);
}

TEST(Disagreement, ComparesWhatIsSentWithWhatIsExpected) {
  CollectiveCall a = all_reduce(0);
  CollectiveCall b = all_reduce(0);
  a.send = {1, 2};
  a.receive = {1, 4};
  b.send = {4, 8};
  b.receive = {2, 8};
  EXPECT_EQ(difference(a, b), "none");
  b.receive = {3, 8};
  EXPECT_NE(difference(a, b).find("rank 0 has 2 elements for rank 1, which expects 3"),
            std::string::npos);
}

TEST(Disagreement, OfAMessageIsAboutSizeAndType) {
  CollectiveCall send = all_reduce(0);
  CollectiveCall receive = all_reduce(0);
  send.send = {0, 3};
  receive.receive = {3, 0};
  EXPECT_FALSE(disagreement({0, send}, {1, receive}, 0, 1).has_value());
  receive.dtype = "Half";
  EXPECT_TRUE(disagreement({0, send}, {1, receive}, 0, 1).has_value());
}

TEST(DuplicateGpu, IsTheSameGpuOfOneHost) {
  std::vector<RankedCall> calls = on_two_gpus(all_reduce(), all_reduce());
  EXPECT_FALSE(duplicate_gpu(calls, 0).has_value());
  calls[1].call.gpu = 0;
  EXPECT_TRUE(duplicate_gpu(calls, 1).value_or("").starts_with(
      "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000"));
  calls[1].call.host = 7;
  EXPECT_FALSE(duplicate_gpu(calls, 1).has_value());
}

}  // namespace
}  // namespace placecheck::process_group
