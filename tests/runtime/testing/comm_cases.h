// What communication does on any devices: the cases that virtual devices and NCCL share.
#ifndef PLACECHECK_TESTS_RUNTIME_TESTING_COMM_CASES_H_
#define PLACECHECK_TESTS_RUNTIME_TESTING_COMM_CASES_H_

#include <chrono>
#include <functional>

#include "runtime/comm/collectives.h"
#include "runtime/comm/communicator.h"

namespace placecheck::runtime {

// broadcast, scatter, gather, reduce and all-reduce, coalesced where there is such a form. A device
// may be named twice.
void expect_collectives(const comm::DeviceList& devices);

// Every operation of a communicator, several times; rank i is on devices[i].
void expect_ranks_share(const comm::Ranks& ranks, const comm::DeviceList& devices);

// A group with this deadline.
using RankMaker = std::function<comm::Ranks(std::chrono::milliseconds deadline)>;

// The last of at least two ranks never comes, or aborts: all others are told, and soon.
void expect_missing_peers_are_told(const RankMaker& make, const comm::DeviceList& devices);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_TESTS_RUNTIME_TESTING_COMM_CASES_H_
