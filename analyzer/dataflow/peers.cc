#include "analyzer/dataflow/peers.h"

namespace placecheck::dataflow {
namespace {

bool is_numbered(const Place& place) { return place.kind == PlaceKind::kCuda && place.index >= 0; }

}  // namespace

void PeerAccess::enable(const ir::Instruction& call, const Place& user, const Place& owner) {
  unreached_.erase(&call);
  if (is_numbered(user) && is_numbered(owner)) {
    pairs_.emplace(user.index, owner.index);
  } else {
    is_known_ = false;
  }
}

bool PeerAccess::reaches(const Place& user, const Place& owner) const {
  bool is_decided = is_known_ && unreached_.empty() && is_numbered(user) && is_numbered(owner);
  return !is_decided || pairs_.count({user.index, owner.index}) != 0;
}

}  // namespace placecheck::dataflow
