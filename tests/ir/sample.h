// Units that several tests of the IR share.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "analyzer/ir/ir.h"
#include "analyzer/ir/parse.h"

namespace placecheck::ir {

// Reads IR text that a test is sure of.
inline Unit unit_of(std::string_view text) {
  ParseResult result = parse(text);
  EXPECT_EQ(result.error, "") << text;
  return result.unit;
}

// A sound unit with every opcode, every kind of literal, type, call and function, and every
// attribute, in the canonical text form.
inline constexpr std::string_view kEverything = R"ir(file "train.cc"
file "net.h"
class "Net" key "Net@net.h" module : module "torch::nn::Module", record "Base@net.h" !1:3:1-9:2 {
  field fc1: module "torch::nn::Linear" !1:4:3-4:20
  field "odd name": container<tuple<int, string>>
  method Net key "Net::Net(int)@net.h" arity 1 required 0 constructor
  method forward key "Net::forward(at::Tensor)@net.h" arity 1 required 1
}
global @device name "device" : device initializer "device$init@train.cc" !0:3:1-3:9
global "@a b" name "a b" : unknown
func "Net::Net" key "Net::Net(int)@net.h" constructor class "Net@net.h" (this: module "Net@net.h", width: int default "Net::Net(int)@net.h#1" !1:5:7-5:12) -> void !1:5:3-6:4 {
  slot this: module "Net@net.h"
  slot width: int !1:5:7-5:12
bb0:
  %0 = load this
  %1 = field %0, "fc1"
  %2 = load width
  %3 = call construct "torch::nn::Linear"(%2 !1:5:20-5:25, bias: %2) -> module "torch::nn::Linear"
  assign %1, %3 !1:5:15-5:30
  return
}
func "Net::forward" key "Net::forward(at::Tensor)@net.h" method class "Net@net.h" internal partial (this: module "Net@net.h", x: tensor ref) -> tensor {
  slot this: module "Net@net.h"
  slot x: tensor
bb0:
  %0 = load this
  %1 = field %0, "fc1"
  %2 = load x
  %3 = call method "torch::nn::LinearImpl::forward" key "k" (%1, %2) -> tensor
  store x, %3
  call direct "log"() discarded
  return %3
}
func "lambda" key "lambda@train.cc" lambda captures 1 (net: pointer<module "Net@net.h">, f: function) -> unknown {
  slot net: pointer<module "Net@net.h">
  slot f: function
bb0:
  %0 = load f
  %1 = call indirect ""(%0)
  raise
}
func "device" key "device$init@train.cc" initializer () -> options {
bb0:
  %0 = const device "cuda:1"
  return %0
}
func "main" key "main()@train.cc" function entry () -> int !0:5:1-20:2 {
  slot values: container<bool>
  slot value.2: bool
  slot raw: record "R"
  slot real: float
bb0:
  %0 = const none
  %1 = const true
  %2 = const false
  %3 = const -9223372036854775808
  %4 = const 1.0
  %5 = const -2.5e-300
  %6 = const -inf
  %7 = const "tab\x09 quote\" slash\\ line\n \xff"
  %8 = const "näme"
  %9 = ref values taken !0:6:1-6:7
  %10 = index %9, %3
  bind value.2, %10
  %11 = copy %9
  %12 = closure "lambda@train.cc"(%9, %11)
  %13 = closure "lambda@train.cc"()
  %14 = load @device
  jump bb1
bb1:
  %15 = const nan
  branch %15, bb2, bb3 loop !0:8:1-8:30
bb2:
  exit value.2
  jump bb1
bb3:
  %16 = const 0
  branch %16, bb4, bb4
bb4:
  raise
}
)ir";

}  // namespace placecheck::ir
