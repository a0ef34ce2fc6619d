#include "analyzer/discovery/launches.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace placecheck::discovery {
namespace {

const std::vector<std::string>& programs() {
  static const auto* kPrograms = new std::vector<std::string>{"/p/eval.py", "/p/scripts/eval.py",
                                                              "/p/tools/train.py", "/p/train.py"};
  return *kPrograms;
}

// "program list: argument argument", or "?" for arguments that the shell makes.
std::vector<std::string> launches(std::string_view text,
                                  const std::string& script = "/p/scripts/run.sh") {
  std::vector<std::string> all;
  for (const Launch& each : launches_in(text, script, programs(), "/p")) {
    std::string line = each.program + " " + each.visible + ":";
    for (const std::string& argument : each.arguments) line += " " + argument;
    all.push_back(each.are_arguments_known ? line : line + " ?");
  }
  return all;
}

using Lines = std::vector<std::string>;

TEST(LaunchesTest, OnTheCommand) {
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=2,3 python train.py --gpu 1\n"),
            Lines{"/p/train.py 2,3: --gpu 1"});
  EXPECT_EQ(launches("OMP_NUM_THREADS=4 CUDA_VISIBLE_DEVICES=\"0\" python3.11 -u train.py"),
            Lines{"/p/train.py 0:"});
  EXPECT_EQ(launches("env CUDA_VISIBLE_DEVICES='1' nohup python ./train.py > log.txt 2>&1 &\n"),
            Lines{"/p/train.py 1: 2"});
  EXPECT_EQ(launches("nohup env CUDA_VISIBLE_DEVICES=1 python /p/train.py >log &"),
            Lines{"/p/train.py 1:"});
}

TEST(LaunchesTest, OverSeveralLines) {
  const std::string text =
      "# CUDA_VISIBLE_DEVICES=9 python train.py\n"
      "CUDA_VISIBLE_DEVICES=0,1 python train.py \\\n"
      "  --epochs 3 \\\n"
      "  --device cuda:1  # the second\n";
  EXPECT_EQ(launches(text), Lines{"/p/train.py 0,1: --epochs 3 --device cuda:1"});
  const Launch launch = launches_in(text, "/p/run.sh", programs(), "/p").at(0);
  EXPECT_EQ(launch.line, 2U);
  EXPECT_EQ(launch.column, 1U);
  EXPECT_EQ(launch.script, "/p/run.sh");
}

TEST(LaunchesTest, Exported) {
  EXPECT_EQ(launches("export CUDA_VISIBLE_DEVICES=4\npython train.py\npython eval.py x.pt;"),
            (Lines{"/p/train.py 4:"}));  // two programs are called eval.py
  EXPECT_EQ(launches("export CUDA_VISIBLE_DEVICES=4\nCUDA_VISIBLE_DEVICES=5 python train.py\n"
                     "python train.py"),
            (Lines{"/p/train.py 5:", "/p/train.py 4:"}));
  EXPECT_EQ(launches("if test $1; then\n  export CUDA_VISIBLE_DEVICES=4\nfi\npython train.py"),
            Lines{});
  EXPECT_EQ(launches("export CUDA_VISIBLE_DEVICES=4\nexport CUDA_VISIBLE_DEVICES=$1\n"
                     "python train.py"),
            Lines{});
  EXPECT_EQ(launches("export CUDA_VISIBLE_DEVICES=4\nCUDA_VISIBLE_DEVICES=5\npython train.py"),
            Lines{});
}

TEST(LaunchesTest, WhatTheShellMakesIsNotKnown) {
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=$GPU python train.py"), Lines{});
  EXPECT_EQ(launches("for gpu in 0 1; do CUDA_VISIBLE_DEVICES=${gpu} python train.py; done"),
            Lines{});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0 python $PROGRAM train.py"), Lines{"/p/train.py 0:"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0 python train.py --name \"$1\" --gpu 0"),
            Lines{"/p/train.py 0: --name $1 --gpu 0 ?"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0 python train.py --name '$1'"),
            Lines{"/p/train.py 0: --name $1"});
}

TEST(LaunchesTest, ListsThatHideAll) {
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES= python train.py"), Lines{"/p/train.py :"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=\"\" python train.py"), Lines{"/p/train.py :"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=-1 python train.py"), Lines{"/p/train.py -1:"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=-2 python train.py"), Lines{});
  EXPECT_EQ(launches("python train.py"), Lines{});
}

TEST(LaunchesTest, Modules) {
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=1 python -m tools.train --lr 1"),
            Lines{"/p/tools/train.py 1: --lr 1"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0,1 python -m torch.distributed.launch "
                     "--nproc_per_node=2 train.py --lr 1"),
            Lines{"/p/train.py 0,1: --lr 1"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 2 train.py"),
            Lines{"/p/train.py 0,1:"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0,1 python -m pytest train.py"), Lines{});
}

TEST(LaunchesTest, Folders) {
  EXPECT_EQ(launches("cd ../tools\nCUDA_VISIBLE_DEVICES=0 python train.py"), Lines{});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0 python ../train.py"), Lines{"/p/train.py 0:"});
  EXPECT_EQ(launches("CUDA_VISIBLE_DEVICES=0 python other.py"), Lines{});
}

TEST(LaunchesTest, BrokenScripts) {
  for (const char* text : {"", "\\", "'", "\"", "CUDA_VISIBLE_DEVICES=", "export", "cd", "-m",
                           "CUDA_VISIBLE_DEVICES=0 python -m", "CUDA_VISIBLE_DEVICES=0 python",
                           "\"\\", "fi fi done } }", ">", "> >"})
    EXPECT_EQ(launches(text), Lines{}) << text;
}

}  // namespace
}  // namespace placecheck::discovery
