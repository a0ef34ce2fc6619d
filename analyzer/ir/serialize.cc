#include "analyzer/ir/serialize.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "analyzer/ir/archive.h"
#include "analyzer/ir/opcode_table.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::ir {
namespace {

constexpr size_t kChecksumSize = 8;
constexpr size_t kMostReserved = 4096;

// Of this namespace, so that the transfers below are found by their argument.
struct Writer : ArchiveWriter {};
struct Reader : ArchiveReader {
  using ArchiveReader::ArchiveReader;
};

// One description of the layout serves both directions: `to_or_from` is const where it is written.
template <typename Archive, typename Value>
using Side = std::conditional_t<Archive::kReads, Value&, const Value&>;

// For numbers that are not stored as they are: `encode` before writing, `decode` after reading.
template <typename Archive, typename Value, typename Encode, typename Decode>
void coded(Archive& archive, Value& value, Encode encode, Decode decode) {
  if constexpr (Archive::kReads) {
    decltype(encode(value)) stored{};
    archive.number(stored);
    value = decode(stored);
  } else {
    archive.number(encode(value));
  }
}

template <typename Archive>
void flag(Archive& archive, Side<Archive, bool> value) {
  archive.choice(value, 2);
}

template <typename Archive, typename List>
void list(Archive& archive, List& items) {
  size_t count = archive.size(items);
  // Units are kept for as long as a run takes: without room for more. A false count takes little.
  if constexpr (Archive::kReads) items.reserve(std::min(count, kMostReserved));
  for (size_t i = 0; i < count; ++i) {
    if constexpr (Archive::kReads) {
      if (archive.failed()) return;
      items.emplace_back();
    }
    transfer<Archive>(archive, items[i]);
  }
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, std::string> text) {
  archive.text(text);
}

// Registers are shifted by one, so that "none" is the small number.
template <typename Archive>
void transfer(Archive& archive, Side<Archive, uint32_t> reg) {
  coded(
      archive, reg, [](uint32_t value) { return value + 1; },
      [](uint32_t stored) { return stored - 1; });
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Range> range) {
  archive.number(range.line);
  if (!range.valid()) return;
  archive.number(range.file);
  archive.number(range.column);
  uint32_t line = range.line;
  coded(
      archive, range.end_line, [line](uint32_t end) { return end - line; },
      [line](uint32_t length) { return length + line; });
  archive.number(range.end_column);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Type> type) {
  archive.choice(type.kind, kTypeWords.size());
  archive.text(type.name);
  if (archive.nest()) list(archive, type.arguments);
  archive.unnest();
}

template <typename Archive>
void transfer(Archive&, Side<Archive, None>) {}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, bool> value) {
  flag(archive, value);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, int64_t> value) {
  coded(
      archive, value,
      [](int64_t number) {
        return (static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63);
      },
      [](uint64_t stored) { return static_cast<int64_t>((stored >> 1) ^ (~(stored & 1) + 1)); });
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, double> value) {
  coded(
      archive, value, [](double number) { return std::bit_cast<uint64_t>(number); },
      [](uint64_t stored) { return std::bit_cast<double>(stored); });
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, DeviceLiteral> device) {
  archive.text(device.text);
}

// Makes `literal` hold its alternative number `index`.
template <size_t kIndex = 0>
void select(Literal& literal, size_t index) {
  if constexpr (kIndex < std::variant_size_v<Literal>) {
    if (index != kIndex) return select<kIndex + 1>(literal, index);
    literal.emplace<kIndex>();
  }
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Literal> literal) {
  size_t index = literal.index();
  archive.choice(index, std::variant_size_v<Literal>);
  if constexpr (Archive::kReads) select(literal, index);
  std::visit([&](auto& value) { transfer<Archive>(archive, value); }, literal);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Argument> argument) {
  transfer<Archive>(archive, argument.value);
  archive.text(argument.name);
  flag(archive, argument.copied);
  flag(archive, argument.fetched);
  transfer<Archive>(archive, argument.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Call> call) {
  archive.choice(call.kind, kCallWords.size());
  archive.text(call.name);
  archive.text(call.key);
  list(archive, call.arguments);
  flag(archive, call.discarded);
  flag(archive, call.caught);
  transfer<Archive>(archive, call.type);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Instruction> instruction) {
  archive.choice(instruction.opcode, kOpcodeTable.size());
  const OpcodeRow& row = row_of(instruction.opcode);
  transfer<Archive>(archive, instruction.result);
  if (row.max_operands != 0) list(archive, instruction.operands);
  if (row.symbol != SymbolRule::kNone) archive.text(instruction.symbol);
  if (row.targets != 0) list(archive, instruction.targets);
  if (instruction.opcode == Opcode::kBranch) flag(archive, instruction.loop);
  if (is_address(instruction.opcode)) flag(archive, instruction.taken);
  if (instruction.opcode == Opcode::kConst) transfer<Archive>(archive, instruction.literal);
  if (instruction.opcode == Opcode::kCall) transfer<Archive>(archive, instruction.call);
  transfer<Archive>(archive, instruction.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Block> block) {
  list(archive, block.instructions);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Slot> slot) {
  archive.text(slot.name);
  transfer<Archive>(archive, slot.type);
  transfer<Archive>(archive, slot.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Parameter> parameter) {
  archive.text(parameter.name);
  transfer<Archive>(archive, parameter.type);
  flag(archive, parameter.by_reference);
  archive.text(parameter.default_function);
  transfer<Archive>(archive, parameter.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Function> function) {
  archive.text(function.key);
  archive.text(function.name);
  archive.choice(function.kind, kFunctionWords.size());
  archive.text(function.class_key);
  list(archive, function.parameters);
  archive.number(function.captures);
  list(archive, function.slots);
  transfer<Archive>(archive, function.result);
  list(archive, function.blocks);
  transfer<Archive>(archive, function.range);
  flag(archive, function.is_entry);
  flag(archive, function.is_exported);
  flag(archive, function.is_partial);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Field> field) {
  archive.text(field.name);
  transfer<Archive>(archive, field.type);
  transfer<Archive>(archive, field.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Method> method) {
  archive.text(method.name);
  archive.text(method.key);
  archive.number(method.arity);
  archive.number(method.required);
  flag(archive, method.is_constructor);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Class> class_) {
  archive.text(class_.key);
  archive.text(class_.name);
  list(archive, class_.bases);
  list(archive, class_.fields);
  list(archive, class_.methods);
  flag(archive, class_.is_module);
  transfer<Archive>(archive, class_.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Global> global) {
  archive.text(global.slot);
  archive.text(global.name);
  transfer<Archive>(archive, global.type);
  archive.text(global.initializer);
  transfer<Archive>(archive, global.range);
}

template <typename Archive>
void transfer(Archive& archive, Side<Archive, Unit> unit) {
  list(archive, unit.files);
  list(archive, unit.functions);
  list(archive, unit.classes);
  list(archive, unit.globals);
}

std::string checksum(std::string_view bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(data, bytes.size()));
  std::string out(kChecksumSize, '\0');
  for (size_t i = 0; i < kChecksumSize; ++i) out[i] = static_cast<char>(hash >> (8 * i));
  return out;
}

}  // namespace

std::string serialize(const Unit& unit) {
  Writer writer;
  transfer<Writer>(writer, unit);
  std::string bytes = writer.finish();
  return bytes + checksum(bytes);
}

DeserializeResult deserialize_unchecked(std::string_view bytes) {
  DeserializeResult result;
  Reader reader(bytes.substr(0, bytes.size() - std::min(bytes.size(), kChecksumSize)));
  reader.header();
  if (!reader.failed()) transfer<Reader>(reader, result.unit);
  reader.end();
  result.error = reader.take_error();
  if (!result.ok()) result.unit = Unit();
  return result;
}

DeserializeResult deserialize(std::string_view bytes) {
  size_t body = bytes.size() - std::min(bytes.size(), kChecksumSize);
  if (checksum(bytes.substr(0, body)) != bytes.substr(body)) {
    return {{}, "the checksum does not fit"};
  }
  return deserialize_unchecked(bytes);
}

}  // namespace placecheck::ir
