#include "analyzer/progress.h"

#include <algorithm>
#include <cmath>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck {
namespace {

constexpr size_t kUsualColumns = 80;
constexpr std::chrono::duration<double> kSettled(0.5);  // earlier, a rate says nothing

std::string duration_text(double seconds) {
  auto whole = static_cast<uint64_t>(std::ceil(seconds));
  if (whole < 60) return llvm::formatv("{0} s", whole);
  if (whole < 3600) return llvm::formatv("{0} min {1} s", whole / 60, whole % 60);
  return llvm::formatv("{0} h {1} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_line(size_t done, size_t total, std::chrono::duration<double> elapsed,
                          std::string_view file, size_t columns) {
  std::string line = llvm::formatv("[{0}/{1}", done, total);
  if (done != 0 && elapsed >= kSettled) {
    double rate = static_cast<double>(done) / elapsed.count();
    double left = static_cast<double>(total - std::min(done, total)) / rate;
    line += llvm::formatv(", {0:f1} files/s, {1} left", rate, duration_text(left));
  }
  line += "] ";
  size_t room = columns > line.size() ? columns - line.size() : 0;
  if (file.size() <= room) return line.append(file);
  if (room <= 3) return line.substr(0, columns);
  return line.append("...").append(file.substr(file.size() - (room - 3)));
}

Progress::Progress(llvm::raw_ostream& err, bool shown, size_t total, size_t columns)
    : err_(err), shown_(shown), total_(total), columns_(columns ? columns : kUsualColumns) {}

void Progress::step(std::string_view file) {
  if (!shown_) return;
  // The last column would make some terminals wrap.
  err_ << "\r\x1b[K" << progress_line(begun_++, total_, Clock::now() - start_, file, columns_ - 1);
  err_.flush();
}

void Progress::clear() {
  if (shown_ && begun_ != 0) err_ << "\r\x1b[K";
}

}  // namespace placecheck
