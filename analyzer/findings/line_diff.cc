#include "analyzer/findings/line_diff.h"

#include <algorithm>

namespace placecheck::findings {
namespace {

using Lines = std::vector<llvm::StringRef>;

constexpr std::size_t kMaxEdits = 2000;
constexpr std::size_t kContext = 3;

// With their ends, so that a last line without one differs from one that has it.
Lines lines_of(llvm::StringRef text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == llvm::StringRef::npos ? text.size() : end + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

// Myers' greedy search for a shortest edit script. `reach[d]` holds, for each diagonal k in [-d,
// d], how far into `before` d edits lead.
class Search {
 public:
  Search(const Lines& before, const Lines& after, std::size_t first, std::size_t last_before,
         std::size_t last_after)
      : before_(before),
        after_(after),
        first_(static_cast<long>(first)),
        old_size_(static_cast<long>(last_before - first)),
        new_size_(static_cast<long>(last_after - first)) {}

  std::vector<LineChange> run() {
    for (long edits = 0; edits <= static_cast<long>(kMaxEdits); ++edits) {
      if (extend(edits)) return trace_back(edits);
    }
    return {{at(0), at(old_size_) - at(0), at(0), at(new_size_) - at(0)}};
  }

 private:
  std::size_t at(long position) const { return static_cast<std::size_t>(first_ + position); }

  // Whether diagonal k is best come to by an insertion after `edits` - 1 edits.
  static bool inserts(const std::vector<long>& previous, long edits, long k) {
    if (k == -edits) return true;
    if (k == edits) return false;
    return previous[index(edits - 1, k - 1)] < previous[index(edits - 1, k + 1)];
  }
  static std::size_t index(long edits, long k) { return static_cast<std::size_t>((k + edits) / 2); }

  // One more edit on every diagonal; whether the end of both texts is come to.
  bool extend(long edits) {
    std::vector<long> reach(static_cast<std::size_t>(edits) + 1);
    bool is_done = false;
    for (long k = -edits; k <= edits; k += 2) {
      long x = 0;
      if (edits > 0) {
        const std::vector<long>& previous = reach_.back();
        x = inserts(previous, edits, k) ? previous[index(edits - 1, k + 1)]
                                        : previous[index(edits - 1, k - 1)] + 1;
      }
      long y = x - k;
      while (x < old_size_ && y < new_size_ && before_[at(x)] == after_[at(y)]) ++x, ++y;
      reach[index(edits, k)] = x;
      is_done |= x >= old_size_ && y >= new_size_;
    }
    reach_.push_back(std::move(reach));
    return is_done;
  }

  std::vector<LineChange> trace_back(long edits) const {
    std::vector<LineChange> changes;  // from the last to the first
    long x = old_size_;
    long y = new_size_;
    for (long d = edits; d > 0; --d) {
      const std::vector<long>& previous = reach_[static_cast<std::size_t>(d) - 1];
      const long k = x - y;
      const bool is_insertion = inserts(previous, d, k);
      const long from_k = is_insertion ? k + 1 : k - 1;
      x = previous[index(d - 1, from_k)];
      y = x - from_k;
      add(changes, {at(x), is_insertion ? 0u : 1u, at(y), is_insertion ? 1u : 0u});
    }
    std::reverse(changes.begin(), changes.end());
    return changes;
  }

  static void add(std::vector<LineChange>& changes, LineChange edit) {
    if (!changes.empty()) {
      LineChange& next = changes.back();
      if (edit.old_begin + edit.old_count == next.old_begin &&
          edit.new_begin + edit.new_count == next.new_begin) {
        next = {edit.old_begin, next.old_count + edit.old_count, edit.new_begin,
                next.new_count + edit.new_count};
        return;
      }
    }
    changes.push_back(edit);
  }

  const Lines& before_;
  const Lines& after_;
  long first_;
  long old_size_;
  long new_size_;
  std::vector<std::vector<long>> reach_;
};

std::vector<LineChange> compare(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  if (head == before.size() && head == after.size()) return {};
  return Search(before, after, head, before.size() - tail, after.size() - tail).run();
}

void write_line(std::string& text, char mark, llvm::StringRef line) {
  text += mark;
  text.append(line.begin(), line.end());
  if (!line.ends_with("\n")) text += "\n\\ No newline at end of file\n";
}

std::string span(std::size_t begin, std::size_t count) {
  // An empty range is named by the line before it.
  std::string text = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? text : text + "," + std::to_string(count);
}

// The changes [first, last), which are near enough to share their context.
std::string hunk(const Lines& before, const Lines& after, const std::vector<LineChange>& changes,
                 std::size_t first, std::size_t last) {
  const std::size_t lead = std::min(changes[first].old_begin, kContext);
  const LineChange& end = changes[last - 1];
  const std::size_t trail = std::min(before.size() - (end.old_begin + end.old_count), kContext);
  const std::size_t old_begin = changes[first].old_begin - lead;
  const std::size_t new_begin = changes[first].new_begin - lead;
  const std::size_t old_count = end.old_begin + end.old_count + trail - old_begin;
  const std::size_t new_count = end.new_begin + end.new_count + trail - new_begin;
  std::string text =
      "@@ -" + span(old_begin, old_count) + " +" + span(new_begin, new_count) + " @@\n";
  std::size_t line = old_begin;
  for (std::size_t i = first; i < last; ++i) {
    const LineChange& change = changes[i];
    for (; line < change.old_begin; ++line) write_line(text, ' ', before[line]);
    for (; line < change.old_begin + change.old_count; ++line) write_line(text, '-', before[line]);
    for (std::size_t j = 0; j < change.new_count; ++j)
      write_line(text, '+', after[change.new_begin + j]);
  }
  for (std::size_t i = 0; i < trail; ++i, ++line) write_line(text, ' ', before[line]);
  return text;
}

}  // namespace

std::vector<LineChange> changed_lines(llvm::StringRef before, llvm::StringRef after) {
  return compare(lines_of(before), lines_of(after));
}

std::string unified_diff(llvm::StringRef path, llvm::StringRef before, llvm::StringRef after) {
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<LineChange> changes = compare(old_lines, new_lines);
  if (changes.empty()) return "";
  std::string text = "--- a/" + path.str() + "\n+++ b/" + path.str() + "\n";
  for (std::size_t first = 0, last = 0; first < changes.size(); first = last) {
    for (last = first + 1; last < changes.size(); ++last) {
      const LineChange& previous = changes[last - 1];
      if (changes[last].old_begin - (previous.old_begin + previous.old_count) > 2 * kContext) break;
    }
    text += hunk(old_lines, new_lines, changes, first, last);
  }
  return text;
}

}  // namespace placecheck::findings
