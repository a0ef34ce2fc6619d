// The lattice of places, over all places of a small world: what the analyzer may be certain of is
// exactly what holds for every meaning that the places can have.
#include "analyzer/dataflow/place.h"

#include <gtest/gtest.h>

#include <vector>

namespace placecheck::dataflow {
namespace {

constexpr Name kFirst = 1;
constexpr Name kSecond = 2;

const std::vector<Place>& all_places() {
  static const std::vector<Place> kPlaces = {
      Place::unknown(),
      Place::cpu(),
      Place::cuda(0),
      Place::cuda(1),
      Place::cuda(Place::kCurrent),
      Place::cuda_at(0),
      Place::cuda_at(kFirst),
      Place::cuda_at(kSecond),
      Place::chosen(kFirst),
      Place::chosen(kSecond),
      Place::alike(kFirst),
      Place::alike(kSecond),
  };
  return kPlaces;
}

// The devices of a concrete run: -1 is the CPU. A place of several meanings takes each of them,
// where nothing identifies it independently of other places.
constexpr int kCpu = -1;

struct World {
  int current = 0;
  int index[3] = {};   // by symbol
  int chosen[3] = {};  // a CUDA device, as the project assumes one
  int alike[3] = {};
};

std::vector<int> meanings(const Place& place, const World& world) {
  switch (place.kind) {
    case PlaceKind::kCpu:
      return {kCpu};
    case PlaceKind::kCuda:
      if (place.index >= 0) return {place.index};
      if (place.index == Place::kCurrent) return {world.current};
      if (place.symbol == 0) return {0, 1};
      return {world.index[place.symbol]};
    case PlaceKind::kChosen:
      return {world.chosen[place.symbol]};
    case PlaceKind::kAlike:
      return {world.alike[place.symbol]};
    default:
      return {kCpu, 0, 1};
  }
}

std::vector<World> all_worlds() {
  std::vector<World> worlds;
  for (int bits = 0; bits < 32; ++bits) {
    for (int first : {kCpu, 0, 1}) {
      for (int second : {kCpu, 0, 1}) {
        worlds.push_back({bits & 1,
                          {0, bits >> 1 & 1, bits >> 2 & 1},
                          {0, bits >> 3 & 1, bits >> 4 & 1},
                          {0, first, second}});
      }
    }
  }
  return worlds;
}

Relation slow_relation(const Place& a, const Place& b) {
  bool may_be_same = false;
  bool may_differ = false;
  for (const World& world : all_worlds()) {
    for (int x : meanings(a, world)) {
      for (int y : meanings(b, world)) (x == y ? may_be_same : may_differ) = true;
    }
  }
  if (may_be_same && may_differ) return Relation::kUnknown;
  return may_be_same ? Relation::kSame : Relation::kDifferent;
}

TEST(PlaceTest, RelationIsExactlyWhatHoldsInEveryWorld) {
  for (size_t i = 0; i < all_places().size(); ++i) {
    for (size_t j = 0; j < all_places().size(); ++j) {
      const Place& a = all_places()[i];
      const Place& b = all_places()[j];
      EXPECT_EQ(relate(a, b), slow_relation(a, b)) << i << " and " << j;
    }
  }
}

TEST(PlaceTest, RelationIsSymmetric) {
  for (const Place& a : all_places()) {
    for (const Place& b : all_places()) EXPECT_EQ(relate(a, b), relate(b, a));
  }
}

TEST(PlaceTest, JoinIsCommutativeAndIdempotent) {
  for (const Place& a : all_places()) {
    EXPECT_EQ(join(a, a), a);
    for (const Place& b : all_places()) EXPECT_EQ(join(a, b), join(b, a));
  }
}

TEST(PlaceTest, JoinIsAssociative) {
  for (const Place& a : all_places()) {
    for (const Place& b : all_places()) {
      for (const Place& c : all_places()) EXPECT_EQ(join(join(a, b), c), join(a, join(b, c)));
    }
  }
}

TEST(PlaceTest, UnknownAbsorbs) {
  for (const Place& a : all_places()) EXPECT_EQ(join(a, Place::unknown()), Place::unknown());
}

TEST(PlaceTest, JoinIsNotMoreCertainThanItsParts) {
  for (const Place& a : all_places()) {
    for (const Place& b : all_places()) {
      for (const Place& c : all_places()) {
        Relation joined = relate(join(a, b), c);
        if (joined != Relation::kUnknown) {
          EXPECT_EQ(joined, relate(a, c));
          EXPECT_EQ(joined, relate(b, c));
        }
      }
    }
  }
}

TEST(PlaceTest, TextReadsBack) {
  Names names;
  for (const Place& place : {Place::cpu(), Place::cuda(0), Place::cuda(1),
                             Place::cuda(Place::kCurrent), Place::cuda(12)}) {
    EXPECT_EQ(parse_device(to_text(place, names)), place);
  }
}

TEST(PlaceTest, TextThatIsNoDeviceIsUnknown) {
  for (const char* text : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:1x", "CPU",
                           "cuda:99999999999", ":0"}) {
    EXPECT_EQ(parse_device(text), Place::unknown()) << text;
  }
}

}  // namespace
}  // namespace placecheck::dataflow
