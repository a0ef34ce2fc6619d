// Python, a module of a project that has a second one: parse, lower, verify, print, link, analyse.
#include "analyzer/frontend/python/lower.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/lowered_unit.h"

namespace placecheck::fuzz {
namespace {

constexpr char kOther[] = R"(
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)
)";

}  // namespace

std::string check(const std::string& text) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile("/project/main.py", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  files->addFile("/project/other.py", 0, llvm::MemoryBuffer::getMemBuffer(kOther));
  frontend::LowerInput input;
  input.path = "/project/main.py";
  input.file_system = files;
  return check_lowered(frontend::python::lower_file(input));
}

}  // namespace placecheck::fuzz
