// What library calls mean for places: one row a spelled name, one effect a row. Tensor operations
// are not here but in models/operators. A row whose name begins with "*::" holds for every class
// of the containers' namespaces.
//
// Static and constant; call from anywhere. An unknown name has no row and means "unknown".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace placecheck::models {

enum class Effect : uint8_t {
  // Devices
  kMakeDevice,    // (type[, index]) or (text): a device
  kDlpackDevice,  // of a tensor: a record of a kind and a number
  kDeviceIsCuda,  // of a device or tensor
  kDeviceIsCpu,
  kDeviceType,      // the device again, without its index
  kDeviceHasIndex,  // (device)
  kDeviceIndex,
  kDeviceText,
  kMakeOptions,  // tensor options from whatever is given
  kWithOption,   // options, changed by the argument; without one, the device asked for
  kDeviceOfOptions,
  kCudaIsAvailable,
  kDeviceCount,
  kDeviceCountByNvml,  // which does not start CUDA
  kAskDevice,          // properties of a device
  kAskMemory,          // (addresses...): of the current device
  kAskMemoryOf,        // (device): of the current one where none is given
  kSetDevice,          // (index or device): the current CUDA device of this thread
  kExchangeDevice,     // the same; yields the index of the one before
  kDeviceGuard,        // the same until the object's scope ends
  kGuardSelect,        // (guard, index or device)
  kGuardReset,         // (guard): what was current before is so again
  kAskPeer,            // (answer, index, index): whether a device may use the other's memory
  kStreamOfDevice,     // (priority, index): a stream of that device, or of the current one
  kEnablePeer,         // (index): the current device may use that one's memory
  kCurrentDevice,
  kStartDevices,      // starts the devices' runtime, and no more
  kStoreDeviceCount,  // (address of a number)
  kStoreProperties,   // (properties of a device, device)
  kStoreProperty,     // (address of a number, which property, device)
  // Memory
  kAllocateDevice,   // (address of a pointer, ...): on the current device
  kAllocateOrdered,  // (address of a pointer, size, [pool,] stream): on the stream's
  kAllocateManaged,  // (address of a pointer, ...): in everybody's reach
  kAllocatePinned,   // (address of a pointer, ...): of the host, in the devices' reach
  kAllocateHost,     // returns it
  kAllocateCached,   // (...) -> pointer: on the current device, as PyTorch's allocator does
  kDeviceAllocator,  // -> PyTorch's allocator
  kAllocateWith,     // (allocator, ...) -> pointer
  kPinHost,          // (pointer, ...): memory of the host comes into the devices' reach
  kDataPointer,      // (tensor) -> pointer to its memory
  kUnpinHost,        // (pointer): and out of it
  kStoreAttributes,  // (attributes, pointer)
  kReleaseDevice,
  kReleasePinned,
  kReleaseHost,
  kCopyMemory,          // (to, from, size, direction)
  kCopyMemoryRows,      // (to, pitch, from, pitch, width, height, direction)
  kCopyToSymbol,        // (variable of a device, from, size[, offset[, direction]])
  kCopyFromSymbol,      // (to, variable of a device, size[, offset[, direction]])
  kCopyBetweenDevices,  // (to, device, from, device, size)
  kLaunch,              // (pointers..., stream: s)
  kLaunchFunction,      // (function, grid, block, addresses of the arguments, size, stream)
  kShadow,              // what the host has of a variable of a device
  kMakeArray,
  kPlaceElsewhere,  // (object): it was made in memory of unknown place
  // Handles
  kStoreCurrentDevice,  // (address of a number)
  kMakeStream,          // (address)
  kMakeEvent,
  kMakeBlasHandle,
  kSelectStream,       // (handle, stream)
  kSetPointerMode,     // (handle, mode)
  kStorePointerMode,   // (handle, address of a mode)
  kRecordEvent,        // (event, stream)
  kCompareEvents,      // (address, event, event)
  kMakeCommunicators,  // (addresses, number[, devices])
  kMakeCommunicator,   // (address, number of ranks, id, rank)
  kStartGroup,
  kEndGroup,
  kMakeIntrusive,    // (arguments of a constructor...)
  kGroupCollective,  // (process group, tensors, ...)
  kCollective,       // see collectives.h
  kStartThread,      // the first argument is called with the others, on another thread
  kStartTask,        // ([policy,] function, arguments...): the result stands for its future
  kWait,             // (condition, lock[, ...][, predicate]): other threads run
  kSucceed,          // no effect on places; returns that all is well
  // The environment
  kSetVariable,      // (name, value[, whether to overwrite])
  kSetVariableText,  // ("name=value")
  kUnsetVariable,
  kShell,  // (command): run in a process of its own
  kMakeHostGenerator,
  kMakeDeviceGenerator,  // ([index])
  // Tensors
  kTransfer,  // tensor.to(...)
  kToCuda,
  kToCpu,
  kTensorFromData,  // torch::tensor(data, options)
  kFromBlob,        // (pointer, sizes, ..., options)
  kMakeTensor,      // default or copy construction
  kGradientOf,
  kBackwardOf,      // (outputs, gradients)
  kGradientsOf,     // (outputs, inputs, gradients, ...): a list, each where its input is
  kClipGradNorm,    // (parameters, ...): in libtorch the norms of all gradients are stacked
  kSetParameters,   // (vector, parameters): each parameter becomes a part of the vector
  kPackSequence,    // (input, lengths, ...): the lengths are read on the host
  kPackedTensor,    // (packed sequence)
  kUnpackSequence,  // (packed sequence, ...)
  kSetData,         // tensor.set_data(other): takes the other's place
  kIndexedWrite,    // an assignment through an index: copies across devices
  // Modules
  kModuleMove,  // module.to(...)
  kMakeModule,  // torch::nn::Module itself
  kRegisterModule,
  kRegisterParameter,
  kRegisterBuffer,
  kAddModule,  // container.push_back(...)
  kChildOfContainer,
  kParameters,
  kSwitchMode,   // train, eval
  kAskMode,      // is_training
  kApplyModule,  // module(...), module.forward(...)
  kCloneModule,
  kCastModule,
  kModulesWithin,
  kModuleEntries,  // the keys of a ModuleDict, or its pairs of a key and a module
  kHasModule,      // (ModuleDict, key)
  kVisitModules,
  kAutogradContext,   // what a function of autograd keeps for its gradients
  kDataParallelCall,  // functional data_parallel
  kDataParallelMake,  // our checked wrapper
  kDataParallelForward,
  kDataParallelField,  // (wrapper): what the constructor was given
  kDataParallelModule,
  kReplicate,      // (module, devices): a copy on each
  kParallelApply,  // (modules, inputs[, devices]): each on its input
  // Files
  kSave,
  kLoad,
  kLoadProgram,       // jit::load
  kArchiveKeys,       // (archive)
  kArchiveLoadFrom,   // (archive, file[, device])
  kArchiveSaveState,  // (optimizer, archive)
  kArchiveSaveTo,     // (archive, file)
  kArchiveRead,       // (archive, key, tensor or archive)
  kArchiveWrite,      // (archive, key, tensor, value or archive)
  kLoadArchive,       // (module, archive)
  kSaveArchive,       // (module, archive)
  kSaveProgram,       // (scripted module, file)
  kCopyFile,          // (from, to)
  kOpenFile,          // ([path]): a stream
  kMakeTextStream,    // ([text]): a stream in memory
  kPickleLoad,        // (bytes)
  kPickleSave,        // (value): bytes
  kWriteBytes,        // (stream, bytes, count)
  kTextOfStream,      // (stream[, text to begin with])
  kWriteText,         // (stream, value)
  kReadText,          // (stream, variable)
  kReadLine,          // (stream, variable[, delimiter])
  kPeekCharacter,     // (stream)
  kIgnoreCharacters,  // (stream[, count[, delimiter]])
  kStreamIsGood,      // (stream)
  kStreamHolds,       // (stream): nothing has failed
  kStreamFailed,      // (stream)
  // Data
  kMakeLoader,
  kMakeLoaderOptions,  // (batch size)
  kMapDataset,
  // Values
  kMovedIterator,  // (iterator, n)
  kSame,           // the first argument: conversions, handles, iterators
  kNothing,        // no effect on places, no value of interest
  kText,           // a number as text
  kNumber,         // and back
  kLesser,         // of two numbers
  kGreater,
  kTextLength,
  kFindText,         // (text, part[, from]): a position
  kBeginsWith,       // (text, part)
  kCompareText,      // (text, from, length, part)
  kPartOfText,       // (text, from[, length])
  kEraseText,        // (text[, from[, length]]): in place
  kDropBeginning,    // (text, length): in place
  kReplaceText,      // (text, from, length, by): in place
  kReplaceEvery,     // (text, part or pattern, by)
  kAppendText,       // (text, more): in place
  kCallFunction,     // the first argument is called with the others
  kOptimize,         // (optimizer[, closure]): calls it
  kExposeOptimizer,  // (optimizer, ...): its state may change
  // Containers
  kMakeContainer,
  kAppend,
  kInsert,          // (container, key, value) or (container, pair)
  kElement,         // (container, index or key): its address
  kSomeElement,     // (container): one of them
  kExtremeElement,  // (iterator, end): where one of them is
  kSearchElements,  // (iterator, end, ...): where one is, if any, or how many; they stay as they
                    // are
  kFirst,
  kLast,
  kNumberElements,  // (iterator, iterator, start)
  kAccumulate,      // (iterator, iterator, initial[, function])
  kForEach,         // (iterator, iterator, function), or (range, function)
  kAnyOf,
  kAllOf,
  kNoneOf,
  kTransform,  // (iterator, iterator, where to, function)
  kReorder,    // elements change places, or go: (container or iterator, ...)
  kClear,
  kSize,
  kIsEmpty,
  kHasValue,
  kFind,     // (table, key): the element, or none
  kHasKey,   // (table, key)
  kValueOr,  // (optional, value)
  kResize,
};

// By the qualified name as a front end spells it, or empty.
std::optional<Effect> find_effect(std::string_view name);

// Whether the call selects a device that stays current when it returns.
constexpr bool selects_device(std::optional<Effect> effect) {
  return effect == Effect::kSetDevice || effect == Effect::kExchangeDevice;
}

}  // namespace placecheck::models
