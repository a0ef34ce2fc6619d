// What one rank asks for when it calls a collective or a point-to-point operation, as it is sent to
// the other ranks before any data, and whether the calls of several ranks fit together. NCCL does
// not ask: ranks that do not agree wait for each other for ever.
//
// Values and pure functions; any thread may use them. Ranks are those of the group.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_COLLECTIVE_CALL_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_COLLECTIVE_CALL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::process_group {

struct CollectiveCall {
  std::string operation;   // "all_reduce"
  std::string reduction;   // "SUM"; empty where nothing is reduced
  std::string dtype;       // "Float"
  std::string place;       // "train.py:20"; may be empty
  std::int64_t count = 0;  // elements that each rank must have as many of; 0 where they may differ
  std::int64_t root = 0;
  // NCCL makes a communicator when a group first sees a device, and all ranks take part in that:
  // which of this rank's communicators it is.
  std::int64_t communicator = 0;
  std::int64_t device = 0;  // its index in the rank's process
  std::int64_t gpu = 0;     // which of the machine's GPUs that is
  std::uint64_t host = 0;   // of the machine
  // Elements for, and from, each rank.
  std::vector<std::int64_t> send;
  std::vector<std::int64_t> receive;
};

// "all_reduce at train.py:20".
std::string describe(const CollectiveCall& call);

std::size_t encoded_bytes(std::size_t ranks);
// `bytes` has encoded_bytes() of the group's size; texts that are too long lose their beginning.
void encode(const CollectiveCall& call, std::size_t ranks, char* bytes);
CollectiveCall decode(const char* bytes, std::size_t ranks);

// A call, and the number by which the program knows its rank.
struct RankedCall {
  std::int64_t rank = 0;
  CollectiveCall call;
};

// Why the calls of all ranks of a group, by their ranks in it, do not make one collective; none
// where they do. All ranks that see the same calls get the same text.
std::optional<std::string> disagreement(const std::vector<RankedCall>& calls);

// The same for two ranks; `sender` sends to group rank `to`, `receiver` receives from group rank
// `from`.
std::optional<std::string> disagreement(const RankedCall& sender, const RankedCall& receiver,
                                        std::size_t from, std::size_t to);

// NCCL's words where another rank uses the GPU of calls[own]; none where each has its own.
std::optional<std::string> duplicate_gpu(const std::vector<RankedCall>& calls, std::size_t own);

}  // namespace placecheck::process_group

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_COLLECTIVE_CALL_H_
