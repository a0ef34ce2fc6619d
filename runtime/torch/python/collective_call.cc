#include "runtime/torch/python/collective_call.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "rules/nccl_usage.h"

namespace placecheck::process_group {
namespace {

struct Encoded {
  char operation[40];
  char reduction[16];
  char dtype[24];
  char place[256];
  std::int64_t numbers[6];
  std::uint64_t host;
};

template <std::size_t kSize>
void put(const std::string& text, char (&field)[kSize]) {
  const std::size_t length = std::min(text.size(), kSize - 1);
  std::memset(field, 0, kSize);
  std::memcpy(field, text.data() + (text.size() - length), length);
}

template <std::size_t kSize>
std::string get(const char (&field)[kSize]) {
  return {field, strnlen(field, kSize)};
}

rules::nccl_usage::Call as_rule_call(const CollectiveCall& call) {
  return {call.operation, call.dtype, call.count, call.root};
}

// "\n  rank 0: all_reduce of 4 Float elements, SUM, on cuda:0, at train.py:20".
std::string line_of(const RankedCall& ranked) {
  const CollectiveCall& call = ranked.call;
  std::string line = "\n  rank " + std::to_string(ranked.rank) + ": " + call.operation;
  if (call.count != 0) line += " of " + std::to_string(call.count) + " " + call.dtype + " elements";
  if (!call.reduction.empty()) line += ", " + call.reduction;
  line += " on cuda:" + std::to_string(call.device);
  if (!call.place.empty()) line += " at " + call.place;
  return line;
}

std::string both(const RankedCall& a, const RankedCall& b) {
  return a.rank < b.rank ? line_of(a) + line_of(b) : line_of(b) + line_of(a);
}

std::optional<std::string> disagreement_of_two(const RankedCall& a, const RankedCall& b) {
  using rules::Verdict;
  const auto rule_a = as_rule_call(a.call);
  const auto rule_b = as_rule_call(b.call);
  if (rules::nccl_usage::judge_calls(rule_a, rule_b) == Verdict::kBroken) {
    return rules::nccl_usage::calls_message(static_cast<std::size_t>(a.rank), rule_a,
                                            static_cast<std::size_t>(b.rank), rule_b) +
           both(a, b);
  }
  if (a.call.reduction != b.call.reduction) {
    return "all ranks must ask for the same reduction: " + a.call.reduction + " in rank " +
           std::to_string(a.rank) + ", " + b.call.reduction + " in rank " + std::to_string(b.rank) +
           both(a, b);
  }
  if (a.call.communicator != b.call.communicator) {
    const RankedCall& changed = a.call.communicator > b.call.communicator ? a : b;
    return "rank " + std::to_string(changed.rank) +
           " calls a collective of this group on cuda:" + std::to_string(changed.call.device) +
           " for the first time, which needs a new communicator of all ranks; the others go on "
           "with "
           "the one that they have" +
           both(a, b);
  }
  return std::nullopt;
}

}  // namespace

std::string describe(const CollectiveCall& call) {
  return call.place.empty() ? call.operation : call.operation + " at " + call.place;
}

std::size_t encoded_bytes(std::size_t ranks) {
  return sizeof(Encoded) + 2 * ranks * sizeof(std::int64_t);
}

void encode(const CollectiveCall& call, std::size_t ranks, char* bytes) {
  Encoded head{};
  put(call.operation, head.operation);
  put(call.reduction, head.reduction);
  put(call.dtype, head.dtype);
  put(call.place, head.place);
  const std::int64_t numbers[] = {call.count,  call.root, call.communicator,
                                  call.device, call.gpu,  0};
  std::memcpy(head.numbers, numbers, sizeof numbers);
  head.host = call.host;
  std::memcpy(bytes, &head, sizeof head);
  std::vector<std::int64_t> sizes(2 * ranks, 0);
  std::copy(call.send.begin(), call.send.end(), sizes.begin());
  std::copy(call.receive.begin(), call.receive.end(),
            sizes.begin() + static_cast<std::ptrdiff_t>(ranks));
  std::memcpy(bytes + sizeof head, sizes.data(), sizes.size() * sizeof(std::int64_t));
}

CollectiveCall decode(const char* bytes, std::size_t ranks) {
  Encoded head;
  std::memcpy(&head, bytes, sizeof head);
  CollectiveCall call;
  call.operation = get(head.operation);
  call.reduction = get(head.reduction);
  call.dtype = get(head.dtype);
  call.place = get(head.place);
  call.count = head.numbers[0];
  call.root = head.numbers[1];
  call.communicator = head.numbers[2];
  call.device = head.numbers[3];
  call.gpu = head.numbers[4];
  call.host = head.host;
  std::vector<std::int64_t> sizes(2 * ranks);
  std::memcpy(sizes.data(), bytes + sizeof head, sizes.size() * sizeof(std::int64_t));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(ranks);
  call.send.assign(sizes.begin(), middle);
  call.receive.assign(middle, sizes.end());
  return call;
}

std::optional<std::string> disagreement(const std::vector<RankedCall>& calls) {
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (auto message = disagreement_of_two(calls[0], calls[i])) return message;
  }
  for (std::size_t from = 0; from < calls.size(); ++from) {
    for (std::size_t to = 0; to < calls.size(); ++to) {
      const std::int64_t sent = calls[from].call.send.at(to);
      const std::int64_t expected = calls[to].call.receive.at(from);
      if (sent == expected) continue;
      return "rank " + std::to_string(calls[from].rank) + " has " + std::to_string(sent) +
             " elements for rank " + std::to_string(calls[to].rank) + ", which expects " +
             std::to_string(expected) + both(calls[from], calls[to]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> disagreement(const RankedCall& sender, const RankedCall& receiver,
                                        std::size_t from, std::size_t to) {
  const std::int64_t sent = sender.call.send.at(to);
  const std::int64_t expected = receiver.call.receive.at(from);
  if (sender.call.dtype == receiver.call.dtype && sent == expected) return std::nullopt;
  return "rank " + std::to_string(sender.rank) + " sends " + std::to_string(sent) + " " +
         sender.call.dtype + " elements to rank " + std::to_string(receiver.rank) +
         ", which expects " + std::to_string(expected) + " " + receiver.call.dtype + " elements" +
         both(sender, receiver);
}

std::optional<std::string> duplicate_gpu(const std::vector<RankedCall>& calls, std::size_t own) {
  const CollectiveCall& mine = calls.at(own).call;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const CollectiveCall& other = calls[i].call;
    if (i == own || other.host != mine.host || other.gpu != mine.gpu) continue;
    char bus[24];
    std::snprintf(bus, sizeof bus, "%llx", static_cast<unsigned long long>((mine.gpu + 1) << 12));
    return "Duplicate GPU detected : rank " + std::to_string(calls[own].rank) + " and rank " +
           std::to_string(calls[i].rank) + " both on CUDA device " + bus +
           both(calls[own], calls[i]);
  }
  return std::nullopt;
}

}  // namespace placecheck::process_group
