#include "analyzer/dataflow/slots.h"

namespace placecheck::dataflow {

void Slots::assign(size_t count, const Value& value) {
  size_ = count;
  chunks_.clear();
  if (count == 0) return;
  auto chunk = std::make_shared<Chunk>();
  chunk->fill(value);
  chunks_.assign((count + kInChunk - 1) / kInChunk, chunk);
}

void Slots::set(size_t slot, const Value& value) {
  std::shared_ptr<Chunk>& chunk = chunks_[slot / kInChunk];
  if (chunk.use_count() > 1) chunk = std::make_shared<Chunk>(*chunk);
  (*chunk)[slot % kInChunk] = value;
}

}  // namespace placecheck::dataflow
