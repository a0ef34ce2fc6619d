// Runs the ranks of a group, each on a thread of its own.
#ifndef PLACECHECK_TESTS_RUNTIME_TESTING_RANKS_H_
#define PLACECHECK_TESTS_RUNTIME_TESTING_RANKS_H_

#include <functional>
#include <string>
#include <vector>

#include "runtime/comm/communicator.h"

namespace placecheck::runtime {

struct RankError {
  std::string text;  // "": none
  std::string rule;  // "": of none
};

// What each rank's `body` threw.
std::vector<RankError> run_ranks(const comm::Ranks& ranks,
                                 const std::function<void(comm::Communicator&)>& body);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_TESTS_RUNTIME_TESTING_RANKS_H_
