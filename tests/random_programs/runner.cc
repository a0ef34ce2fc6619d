// Usage: runner BATCH.so FOLDER. Runs each program of a batch for each choice of its inputs, on
// virtual GPUs, in a process and a folder of its own: FOLDER/NAME/0, FOLDER/NAME/1, ... Prints
// "NAME RUN STATUS" for each, where 0 is the status of a program that ran to its end.
//
// The processes are copies of this one, which has libtorch ready: starting it anew takes many times
// as long as what a program does.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/core/stack.h"
#include "tests/agreement/harness.h"
#include "tests/random_programs/entry.h"

namespace placecheck::random_programs {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 60;

void write_output_to(const char* file) {
  const int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
}

// "STEPS=2 -- --cuda": variables of the environment, then arguments.
[[noreturn]] void run_here(const Entry& entry, const std::string& inputs, const fs::path& folder) {
  fs::current_path(folder);
  write_output_to("output");
  std::vector<std::string> arguments = {entry.name};
  std::istringstream words(inputs);
  std::string word;
  while (words >> word && word != "--") {
    const std::size_t equals = word.find('=');
    setenv(word.substr(0, equals).c_str(), word.substr(equals + 1).c_str(), 1);
  }
  while (words >> word) arguments.push_back(word);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  alarm(kMostSeconds);
  const int status = entry.run(static_cast<int>(arguments.size()), pointers.data());
  std::cout.flush();
  std::_Exit(status);
}

void run(const Entry& entry, const std::string& inputs, int number, const fs::path& folder) {
  fs::create_directories(folder);
  const pid_t child = fork();
  if (child == 0) run_here(entry, inputs, folder);
  int status = 0;
  waitpid(child, &status, 0);
  std::cout << entry.name << ' ' << number << ' ' << status << std::endl;
}

[[gnu::noinline]] core::StackAddresses captured() {
  core::StackAddresses stack;
  stack.capture();
  return stack;
}

// Reads the debug information, by which reports tell two statements of a line apart: it takes
// longer than what a program does, and need not be done in each process.
void warm_up() {
  const core::StackAddresses first = captured(), second = captured();
  first.common_line(second);
}

void run_all(const Entry* entries, const fs::path& folder) {
  for (const Entry* entry = entries; entry->name != nullptr; ++entry) {
    std::istringstream runs(entry->runs);
    int number = 0;
    for (std::string inputs; std::getline(runs, inputs); ++number) {
      run(*entry, inputs, number, folder / entry->name / std::to_string(number));
    }
  }
}

}  // namespace
}  // namespace placecheck::random_programs

int main(int count, char** arguments) {
  using placecheck::random_programs::Entry;
  if (count != 3) return 2;
  void* batch = dlopen(arguments[1], RTLD_NOW);
  void* entries = batch == nullptr ? nullptr : dlsym(batch, "kEntries");
  if (entries == nullptr) {
    std::cerr << dlerror() << '\n';
    return 2;
  }
  placecheck::agreement::prepare();
  placecheck::random_programs::warm_up();
  placecheck::random_programs::run_all(static_cast<const Entry*>(entries), arguments[2]);
  return 0;
}
