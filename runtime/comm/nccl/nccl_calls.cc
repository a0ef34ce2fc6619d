#include "runtime/comm/nccl/nccl_calls.h"

#include "rules/nccl_usage.h"
#include "runtime/core/check.h"

namespace placecheck::runtime::comm {

void check_nccl(ncclResult_t result) {
  if (result == ncclSuccess) return;
  throw CommunicationError(text_of("NCCL error: ", ncclGetErrorString(result)));
}

ncclDataType_t nccl_type_of(const Tensor& tensor) {
  switch (tensor.dtype()) {
    case kFloat:
      return ncclFloat32;
    case kDouble:
      return ncclFloat64;
    case kLong:
      return ncclInt64;
    case kBool:
      return ncclUint8;
    case kHalf:
      return ncclFloat16;
  }
  throw Error("all inputs and outputs must be of a type that NCCL knows");
}

std::vector<ncclComm_t> make_nccl_comms(const std::vector<DeviceIndex>& devices) {
  namespace rule = rules::nccl_usage;
  std::vector<rules::DeviceFact> places;
  places.reserve(devices.size());
  for (DeviceIndex device : devices) places.push_back(to_fact(Device(kCUDA, device)));
  if (rule::judge_devices(places) == rules::Verdict::kBroken) {
    throw RuleError(rule::kRule, rule::devices_message());
  }
  std::vector<ncclComm_t> comms(devices.size());
  check_nccl(ncclCommInitAll(comms.data(), static_cast<int>(devices.size()), devices.data()));
  return comms;
}

}  // namespace placecheck::runtime::comm
