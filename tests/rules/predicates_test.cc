// The predicates of the smaller rules, each over its whole world.
#include <gtest/gtest.h>

#include <span>

#include "rules/data_parallel_lost_state.h"
#include "rules/data_parallel_placement.h"
#include "rules/discarded_transfer.h"
#include "rules/hardcoded_device.h"
#include "rules/invalid_device.h"
#include "rules/missing_key.h"
#include "rules/missing_map_location.h"
#include "rules/prefix_strip_anywhere.h"
#include "rules/state_dict_prefix.h"
#include "rules/state_dict_silent_miss.h"
#include "rules/unregistered_state.h"
#include "rules/visible_devices.h"
#include "tests/rules/world.h"

namespace placecheck::rules {
namespace {

constexpr Trait kAllTraits[] = {Trait::kNo, Trait::kYes, Trait::kUnknown};

// The verdict of a predicate that is broken in exactly one concrete case: that case breaks,
// anything that rules it out holds, the rest is open.
Verdict conjunction(std::initializer_list<Trait> conditions) {
  bool all = true;
  for (Trait condition : conditions) {
    if (condition == Trait::kNo) return Verdict::kHolds;
    all = all && condition == Trait::kYes;
  }
  return all ? Verdict::kBroken : Verdict::kUnknown;
}

constexpr Trait negated(Trait trait) {
  if (trait == Trait::kUnknown) return trait;
  return trait == Trait::kYes ? Trait::kNo : Trait::kYes;
}

TEST(MissingKey, IsBrokenWhereTheNameIsNotThere) {
  for (Trait is_there : kAllTraits)
    EXPECT_EQ(missing_key::judge(is_there), conjunction({negated(is_there)}));
}

TEST(UnregisteredState, NeedsAllThree) {
  for (Trait stateful : kAllTraits) {
    for (Trait registered : kAllTraits) {
      for (Trait used : kAllTraits) {
        EXPECT_EQ(unregistered_state::judge({stateful, registered, used}),
                  conjunction({stateful, negated(registered), used}));
      }
    }
  }
}

TEST(DiscardedTransfer, IsBrokenForUnusedTensorsOnly) {
  using discarded_transfer::Receiver;
  for (Trait used : kAllTraits) {
    EXPECT_EQ(discarded_transfer::judge(Receiver::kTensor, used), conjunction({negated(used)}));
    EXPECT_EQ(discarded_transfer::judge(Receiver::kModule, used), Verdict::kHolds);
    EXPECT_EQ(discarded_transfer::judge(Receiver::kUnknown, used),
              conjunction({Trait::kUnknown, negated(used)}));
  }
}

TEST(DiscardedTransfer, NamesTheAcceleratorFirst) {
  EXPECT_EQ(discarded_transfer::message("cuda:0", "cpu"),
            device_mismatch::message("cuda:0", "cpu"));
  EXPECT_EQ(discarded_transfer::message("cpu", "cuda:0"),
            device_mismatch::message("cuda:0", "cpu"));
}

TEST(DataParallelPlacement, OneTensorOutOfPlaceBreaksIt) {
  for (DeviceFact first : all_device_facts()) {
    EXPECT_EQ(data_parallel_placement::judge(std::span<const DeviceFact>(), first),
              Verdict::kHolds);
    for (DeviceFact a : all_device_facts()) {
      for (DeviceFact b : all_device_facts()) {
        const DeviceFact state[] = {a, b};
        EXPECT_EQ(data_parallel_placement::judge(state, first),
                  all_of(same_place(a, first), same_place(b, first)));
      }
    }
  }
}

TEST(DataParallelPlacement, MessageIsPyTorchsText) {
  EXPECT_EQ(
      data_parallel_placement::message("cuda:1", "cuda:2"),
      "module must have its parameters and buffers on device cuda:1 (device_ids[0]) but found "
      "one of them on device: cuda:2");
}

// Each mismatch belongs to exactly one of the two rules, or, where strictness is not known, to
// none.
TEST(StateDict, RulesShareTheMismatches) {
  const PrefixFact facts[] = {PrefixFact::unknown(), PrefixFact::bare(), PrefixFact::wrapped()};
  for (PrefixFact saved : facts) {
    for (PrefixFact target : facts) {
      const Verdict same = same_prefix(saved, target);
      EXPECT_EQ(state_dict_prefix::judge(saved, target, Trait::kYes), same);
      EXPECT_EQ(state_dict_prefix::judge(saved, target, Trait::kNo), Verdict::kHolds);
      EXPECT_EQ(state_dict_silent_miss::judge(saved, target, Trait::kNo), same);
      EXPECT_EQ(state_dict_silent_miss::judge(saved, target, Trait::kYes), Verdict::kHolds);
      EXPECT_NE(state_dict_prefix::judge(saved, target, Trait::kUnknown), Verdict::kBroken);
      EXPECT_NE(state_dict_silent_miss::judge(saved, target, Trait::kUnknown), Verdict::kBroken);
    }
  }
}

TEST(StateDictPrefix, MessageIsPyTorchsText) {
  const std::string_view missing[] = {"linears.0.weight", "linears.1.weight"};
  const std::string_view unexpected[] = {"module.linears.0.weight"};
  EXPECT_EQ(state_dict_prefix::message("FooNet", missing, unexpected),
            "Error(s) in loading state_dict for FooNet:\n"
            "\tMissing key(s) in state_dict: \"linears.0.weight\", \"linears.1.weight\". \n"
            "\tUnexpected key(s) in state_dict: \"module.linears.0.weight\". ");
  EXPECT_EQ(state_dict_prefix::message("FooNet", {}, unexpected),
            "Error(s) in loading state_dict for FooNet:\n"
            "\tUnexpected key(s) in state_dict: \"module.linears.0.weight\". ");
  EXPECT_EQ(state_dict_prefix::archive_tensor_message("a.b.x"),
            "No such serialized tensor 'a.b.x'");
  EXPECT_EQ(state_dict_prefix::archive_submodule_message("module"),
            "No such serialized submodule: 'module'");
  EXPECT_EQ(state_dict_prefix::ordered_dict_message("module.weight"),
            "Key 'module.weight' is not defined");
}

// As libtorch 1.13.1 answers, but for the types that came later.
TEST(InvalidDevice, ParsesAsLibtorchDoes) {
  using invalid_device::judge;
  for (const char* text : {"cpu", "cuda", "cuda:0", "cuda:12", "cpu:1", "cuda:128", "ort", "meta"})
    EXPECT_EQ(judge(text), Verdict::kHolds) << text;
  for (const char* text :
       {"gpu", "GPU", "CUDA:0", "cuda:", "cuda:01", "cuda:-1", "cuda 0", "cuda:0 ", "", "cuda:0:0",
        ":0", "cpu2", "cuda:99999999999", "cuda_", "cuda0", "cuda:a"})
    EXPECT_EQ(judge(text), Verdict::kBroken) << text;
  EXPECT_EQ(judge("npu:0"), Verdict::kUnknown);
}

TEST(InvalidDevice, ABeginningIsBrokenIfNoEndMendsIt) {
  using invalid_device::judge_beginning;
  for (const char* text : {"", "cu", "gpu", "cuda", "cuda:", "cuda:1", "npu:"})
    EXPECT_EQ(judge_beginning(text), Verdict::kUnknown) << text;
  for (const char* text : {"gpu:", "cuda0", "cuda: ", "cuda:00", " ", "cuda:cuda", "CUDA:"})
    EXPECT_EQ(judge_beginning(text), Verdict::kBroken) << text;
}

TEST(InvalidDevice, AnIndexIsBelowTheNumberOfDevices) {
  for (int devices = 0; devices < 3; ++devices) {
    for (int index = -1; index < 4; ++index) {
      bool holds = index >= 0 && index < devices;
      EXPECT_EQ(invalid_device::judge_index(index, devices),
                holds ? Verdict::kHolds : Verdict::kBroken);
    }
  }
}

TEST(InvalidDevice, MessagesArePyTorchsText) {
  using invalid_device::message;
  EXPECT_EQ(message(""), "Device string must not be empty");
  EXPECT_EQ(message("cuda0"), "Invalid device string: 'cuda0'");
  EXPECT_EQ(message("cuda:99999999999"),
            "Could not parse device index '99999999999' in device string 'cuda:99999999999'");
  EXPECT_TRUE(message("gpu:1").starts_with("Expected one of cpu, cuda, "));
  EXPECT_TRUE(message("gpu:1").ends_with(" device type at start of device string: gpu"));
}

TEST(VisibleDevices, CountsWhatIsSeen) {
  using visible_devices::count;
  EXPECT_EQ(count("0"), 1);
  EXPECT_EQ(count("2,3"), 2);
  EXPECT_EQ(count("0, 1"), 2);
  EXPECT_EQ(count("0,0"), 0);
  EXPECT_EQ(count("0,,1"), 1);
  EXPECT_EQ(count("0,-1,1"), 1);
  EXPECT_EQ(count("0;1"), 0);
  EXPECT_EQ(count(""), 0);
  EXPECT_EQ(count("GPU-1,GPU-2"), 2);
  EXPECT_EQ(count("0,"), 1);
  // What the machine has not ends the list as well.
  EXPECT_EQ(count("2,3", 4), 2);
  EXPECT_EQ(count("0,2,1", 2), 1);
  EXPECT_EQ(count("2,3", 2), 0);
  EXPECT_EQ(count("99999999999999999999", 2), 0);
  EXPECT_EQ(count("GPU-1,MIG-2", 1), 2);
}

TEST(VisibleDevices, AListIsBrokenWhereSomeOfItIsNotSeen) {
  using visible_devices::judge;
  for (const char* list : {"0", "2,3", "0, 1", "", "-1", "none", "GPU-1,MIG-2"})
    EXPECT_EQ(judge(list), Verdict::kHolds) << list;
  for (const char* list : {"0;1", "all", "cuda:0", "[0,1]", "0 1", "0,0", "0,,1", "0,"})
    EXPECT_EQ(judge(list), Verdict::kBroken) << list;
  EXPECT_EQ(judge("0,-1"), Verdict::kUnknown);
}

TEST(VisibleDevices, IsReadOnce) {
  for (Trait started : kAllTraits)
    EXPECT_EQ(visible_devices::judge_time(started), conjunction({started}));
}

TEST(VisibleDevices, TellsPhysicalNumbersFromOthers) {
  using visible_devices::judge_index;
  EXPECT_EQ(judge_index(1, "2,3"), Verdict::kHolds);
  EXPECT_EQ(judge_index(3, "2,3"), Verdict::kBroken);
  EXPECT_EQ(judge_index(5, "2,3"), Verdict::kUnknown);  // the other rule's case
}

TEST(MissingMapLocation, HoldsWhereADeviceIsGiven) {
  for (DeviceFact file : all_device_facts()) {
    for (DeviceFact used : all_device_facts()) {
      EXPECT_EQ(missing_map_location::judge({Trait::kYes, file, {}, used}), Verdict::kHolds);
      EXPECT_EQ(missing_map_location::judge({Trait::kUnknown, file, {}, used}), Verdict::kUnknown);
    }
  }
}

// Of a known file its place decides; of another one, whether it undoes a move to where it is used.
TEST(MissingMapLocation, ComparesTheFileWithTheUse) {
  for (DeviceFact file : all_device_facts()) {
    for (DeviceFact moved : all_device_facts()) {
      for (DeviceFact used : all_device_facts()) {
        const bool undone = moved.is_accelerator() && moved == used;
        const Verdict open = undone ? Verdict::kBroken : Verdict::kUnknown;
        EXPECT_EQ(missing_map_location::judge({Trait::kNo, file, moved, used}),
                  file.is_known() ? same_place(file, used) : open);
      }
    }
  }
}

TEST(MissingMapLocation, MessagesArePyTorchsText) {
  using missing_map_location::use_message;
  EXPECT_EQ(use_message("cuda:0", "cpu"), device_mismatch::message("cuda:0", "cpu"));
  EXPECT_EQ(use_message("cpu", "cuda:0"), device_mismatch::message("cuda:0", "cpu"));
  EXPECT_TRUE(missing_map_location::message().starts_with(
      "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False."));
}

// The general rule's judgement, where the device is certain to be a fixed one.
TEST(HardcodedDevice, IsAMismatchWithAFixedDevice) {
  using device_mismatch::Mixing;
  for (Mixing mixing : {Mixing::kExact, Mixing::kCpuScalars, Mixing::kAnywhere}) {
    for (DeviceFact a : all_device_facts()) {
      for (DeviceFact b : all_device_facts()) {
        const OperandFact made{a, Trait::kNo, Role::kInput};
        const OperandFact given{b, Trait::kNo, Role::kInput};
        const Verdict together = device_mismatch::judge(made, given, mixing);
        EXPECT_EQ(hardcoded_device::judge(made, Trait::kYes, given, mixing), together);
        EXPECT_EQ(hardcoded_device::judge(made, Trait::kNo, given, mixing), Verdict::kHolds);
        EXPECT_NE(hardcoded_device::judge(made, Trait::kUnknown, given, mixing), Verdict::kBroken);
      }
    }
  }
}

TEST(HardcodedDevice, NamesTheAcceleratorFirst) {
  EXPECT_EQ(hardcoded_device::message("cuda:0", "cpu"), device_mismatch::message("cuda:0", "cpu"));
  EXPECT_EQ(hardcoded_device::message("cpu", "cuda:0"), device_mismatch::message("cuda:0", "cpu"));
}

TEST(PrefixStripAnywhere, SevenLettersAtTheBeginning) {
  using prefix_strip_anywhere::judge_length;
  for (int length : {1, 5, 6, 8}) EXPECT_EQ(judge_length(length), Verdict::kBroken) << length;
  EXPECT_EQ(judge_length(7), Verdict::kHolds);
  for (int length : {-1, 0, 9, 20}) EXPECT_EQ(judge_length(length), Verdict::kUnknown) << length;
  for (Trait every : kAllTraits)
    EXPECT_EQ(prefix_strip_anywhere::judge_every(every), conjunction({every}));
}

TEST(PrefixStripAnywhere, KnowsThePrefixAndItsPatterns) {
  using namespace prefix_strip_anywhere;
  EXPECT_TRUE(is_prefix("module.") && is_prefix("module"));
  EXPECT_FALSE(is_prefix("model.") || is_prefix("") || is_prefix("modules"));
  EXPECT_TRUE(is_loose_pattern("module.") && is_loose_pattern("module\\."));
  EXPECT_FALSE(is_loose_pattern("^module\\.") || is_loose_pattern("model."));
  const std::string_view missing[] = {"submodule.weight"};
  const std::string_view unexpected[] = {"subweight"};
  EXPECT_EQ(message("Net", missing, unexpected),
            state_dict_prefix::message("Net", missing, unexpected));
}

TEST(DataParallelLostState, NeedsAllThree) {
  for (Trait replicated : kAllTraits) {
    for (Trait written : kAllTraits) {
      for (Trait kept : kAllTraits) {
        EXPECT_EQ(data_parallel_lost_state::judge({replicated, written, kept}),
                  conjunction({replicated, written, kept}));
      }
    }
  }
}

}  // namespace
}  // namespace placecheck::rules
