// A program that links this checks the operands of every operation.
#include "runtime/checks/device_checks.h"

namespace placecheck::runtime {

namespace {
const DeviceChecks kDeviceChecks;
}

const OpChecks* const kOpChecks = &kDeviceChecks;

}  // namespace placecheck::runtime
