// How the shell scripts of a project start its Python programs, where they say which devices are
// visible: `CUDA_VISIBLE_DEVICES=2,3 python train.py --gpu 0`.
//
// Scripts are read, never run. What a line leaves to the shell (a variable, a substitution) is not
// known. Ownership: values. Threads: no shared state. Errors: a script that cannot be read has no
// launches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace placecheck::discovery {

struct Launch {
  std::string program;  // the Python file, absolute
  std::string visible;  // the list, as the program sees it
  bool are_arguments_known = true;
  std::vector<std::string> arguments;  // behind the program's name
  std::string script;
  unsigned line = 0;        // from 1
  unsigned column = 0;      // of the command's first byte, from 1
  unsigned end_column = 0;  // behind the line's last one
};

// Those of one script that start one of `programs`, absolute paths in order. A relative name is
// looked for in the script's folder and in those above it, up to `root`; where it is found twice
// it is not known which is meant.
std::vector<Launch> launches_in(std::string_view text, const std::string& script,
                                const std::vector<std::string>& programs, const std::string& root);

// Those of all scripts, in their order.
std::vector<Launch> find_launches(const std::vector<std::string>& scripts,
                                  const std::vector<std::string>& programs,
                                  const std::string& root);

}  // namespace placecheck::discovery
