// The lattice of values, over all pairs of a small set of them.
#include "analyzer/dataflow/value.h"

#include <gtest/gtest.h>

#include <vector>

namespace placecheck::dataflow {
namespace {

std::vector<Value> all_values() {
  std::vector<Value> values = {Value::unknown(),      Value::none(),     Value::boolean(true),
                               Value::boolean(false), Value::integer(1), Value::integer(2),
                               Value::symbol(3),      Value::options(),  Value::object_ref(4)};
  for (const Place& place :
       {Place::unknown(), Place::cpu(), Place::cuda(0), Place::cuda(1), Place::chosen(5)}) {
    values.push_back(Value::device(place));
    for (Rank rank : {Rank::kUnknown, Rank::kScalar, Rank::kNonScalar, Rank::kMatrix}) {
      values.push_back(Value::tensor(place, rank));
    }
  }
  return values;
}

TEST(ValueTest, JoinIsIdempotentAndCommutative) {
  for (const Value& a : all_values()) {
    EXPECT_TRUE(same(join(a, a, 0), a));
    for (const Value& b : all_values()) EXPECT_TRUE(same(join(a, b, 0), join(b, a, 0)));
  }
}

TEST(ValueTest, UndefinedIsWhateverItMeets) {
  for (const Value& a : all_values()) EXPECT_TRUE(same(join(Value::none(), a, 0), a));
}

TEST(ValueTest, UnknownAbsorbsWhatIsDefined) {
  for (const Value& a : all_values()) {
    if (!a.is(ValueKind::kNone)) {
      EXPECT_TRUE(same(join(Value::unknown(), a, 0), Value::unknown()));
    }
  }
}

TEST(ValueTest, ScalarsThatDifferBecomeTheFreshSymbol) {
  EXPECT_TRUE(same(join(Value::integer(1), Value::integer(2), 7), Value::symbol(7)));
  EXPECT_TRUE(same(join(Value::boolean(true), Value::boolean(false), 7), Value::symbol(7)));
  EXPECT_TRUE(same(join(Value::integer(1), Value::integer(1), 7), Value::integer(1)));
}

TEST(ValueTest, TensorsKeepWhatTheyShare) {
  Value cpu = Value::tensor(Place::cpu(), Rank::kMatrix);
  Value other = Value::tensor(Place::cpu(), Rank::kNonScalar);
  EXPECT_TRUE(same(join(cpu, other, 0), Value::tensor(Place::cpu(), Rank::kNonScalar)));
  Value scalar = Value::tensor(Place::cpu(), Rank::kScalar);
  EXPECT_TRUE(same(join(cpu, scalar, 0), Value::tensor(Place::cpu(), Rank::kUnknown)));
}

TEST(ValueTest, EqualValuesHaveEqualHashes) {
  for (const Value& a : all_values()) {
    for (const Value& b : all_values()) {
      if (same(a, b)) {
        EXPECT_EQ(hash(a), hash(b));
      }
    }
  }
}

}  // namespace
}  // namespace placecheck::dataflow
