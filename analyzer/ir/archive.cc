#include "analyzer/ir/archive.h"

#include "analyzer/ir/serialize.h"

namespace placecheck::ir {
namespace {

constexpr std::string_view kMagic = "PCIR";

}  // namespace

void ArchiveReader::header() {
  if (take(kMagic.size()) != kMagic) return fail("no serialized unit");
  uint32_t version = 0;
  number(version);
  if (version != kSerialVersion) return fail("another version");
  size_t count = size(strings_);
  for (size_t i = 0; i < count && !failed(); ++i) {
    uint64_t length = 0;
    number(length);
    strings_.push_back(take(length));
  }
}

std::string ArchiveWriter::finish() {
  std::string body = std::move(body_);
  body_.clear();
  body_ += kMagic;
  number(kSerialVersion);
  number(strings_.size());
  for (std::string_view each : strings_) {
    number(each.size());
    body_ += each;
  }
  return std::move(body_) + body;
}

}  // namespace placecheck::ir
