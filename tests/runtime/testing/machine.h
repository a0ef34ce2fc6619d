// What runtime tests share: a machine with virtual GPUs, texts of errors, and numerical gradients.
#ifndef PLACECHECK_TESTS_RUNTIME_TESTING_MACHINE_H_
#define PLACECHECK_TESTS_RUNTIME_TESTING_MACHINE_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/backend/devices.h"
#include "runtime/backend/virtual/virtual_backend.h"
#include "runtime/core/warning.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime {

// GPUs with guards around their memory and streams that start late.
VirtualOptions strict_machine(std::size_t devices);

// A test on a machine with four of them.
class MachineTest : public testing::Test {
 protected:
  explicit MachineTest(std::size_t devices = 4);
  ~MachineTest() override;

  // What was warned of since the test began.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  ScopedCudaBackend backend_;
  std::vector<std::string> warnings_;
  ScopedWarningHandler handler_;
};

// The text of the exception that `body` throws; fails where it throws none.
std::string error_of(const std::function<void()>& body);

// The id of the rule that the exception of `body` breaks; "" for an exception without one.
std::string rule_of(const std::function<void()>& body);

// Compares the gradients of sum(function(inputs) * weights) with finite differences. The inputs are
// float64 and require gradients.
void expect_gradients(const std::function<Tensor(const TensorList&)>& function,
                      const TensorList& inputs);

// Device k.
inline Device gpu(DeviceIndex index) { return {kCUDA, index}; }

}  // namespace placecheck::runtime

#endif  // PLACECHECK_TESTS_RUNTIME_TESTING_MACHINE_H_
