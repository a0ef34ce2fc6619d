#include "tests/agreement/comparison.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <utility>

namespace placecheck::agreement {
namespace {

// What is marked is the cause; the error comes where it has its effect.
constexpr std::string_view kCauses[] = {
    "discarded-transfer",    "failed-placement-check", "invalid-device",
    "leaked-current-device", "missing-device-guard",   "missing-map-location",
    "rank-device",           "unregistered-state",     "visible-devices",
};

constexpr std::string_view kReasons[] = {
    "known-miss", "known-false-alarm", "not-reached", "static-only", "run-only",
};

// Of which no rule speaks.
constexpr std::string_view kOtherError = "error";
constexpr std::string_view kWarning = "warning";

bool is_cause(const std::string& rule) {
  return std::ranges::find(kCauses, rule) != std::end(kCauses);
}

// Whether what a run raised is what the rule predicts.
bool predicts(const std::string& rule, const std::string& raised) {
  if (rule == raised) return true;
  if (raised == "invalid-device") return rule == "visible-devices";
  if (raised == kOtherError) return rule == "failed-placement-check";
  if (raised == "cuda-current-device")
    return rule == "missing-device-guard" || rule == "wrong-device-guard";
  if (raised == "cuda-pointer-placement") return rule == "unchecked-operand-device";
  if (raised == "nccl-usage") return rule == "rank-device";
  if (raised == "state-dict-prefix") return rule == "missing-key";
  return raised == "device-mismatch" &&
         (rule == "hardcoded-device" || rule == "unregistered-state" ||
          rule == "discarded-transfer" || rule == "missing-map-location" ||
          rule == "optimizer-state-device");
}

bool is_at(const Event& event, const Mark& mark) {
  return predicts(mark.rule, event.rule) &&
         std::ranges::find(event.places, mark.place) != event.places.end();
}

enum class Seen { kNot, kThere, kLater };

// An error or a warning that comes from a line marked with `shows` is an event of that rule.
void name_effects(const std::vector<Mark>& marks, std::vector<Event>& events) {
  for (Event& event : events) {
    if (event.rule != kOtherError && event.rule != kWarning) continue;
    const auto shows = [&](const Mark& mark) {
      return mark.kind == Mark::Kind::kEffect && mark.place == event.places.front();
    };
    const auto mark = std::ranges::find_if(marks, shows);
    if (mark == marks.end()) continue;
    event.rule = mark->rule;
    event.is_effect = true;
  }
}

// The events that marks explain.
struct Explained {
  std::set<std::size_t> by_any;
  std::set<std::size_t> by_causes;  // as the effect of a mark of another rule
  // The lines of those that a mark was confirmed by though they are elsewhere.
  std::set<std::vector<std::string>> elsewhere;
};

Seen match_at_line(const Mark& mark, const std::vector<Event>& events, Explained& explained) {
  Seen seen = Seen::kNot;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (!is_at(events[e], mark)) continue;
    seen = Seen::kThere;
    explained.by_any.insert(e);
    if (mark.rule != events[e].rule) explained.by_causes.insert(e);
  }
  return seen;
}

Seen match_elsewhere(const Mark& mark, const std::vector<Event>& events, Explained& explained) {
  for (std::size_t e = 0; e < events.size(); ++e) {
    const Event& event = events[e];
    const bool is_same_rule = mark.rule == event.rule;
    const bool is_shown = event.is_effect ? is_same_rule : is_cause(mark.rule);
    if (!is_shown || !predicts(mark.rule, event.rule)) continue;
    if ((is_same_rule ? explained.by_any : explained.by_causes).contains(e)) continue;
    if (explained.elsewhere.insert(event.places).second) return Seen::kLater;
  }
  return Seen::kNot;
}

// What of each mark the run showed; an event that a mark explains is taken from `events`. An error
// that is marked as itself may be the effect of a cause that is marked as well.
std::vector<Seen> match(const std::vector<Mark>& marks, std::vector<Event>& events) {
  name_effects(marks, events);
  std::vector<Seen> seen;
  Explained explained;
  for (const Mark& mark : marks) {
    const bool is_effect = mark.kind == Mark::Kind::kEffect;
    seen.push_back(is_effect ? Seen::kNot : match_at_line(mark, events, explained));
  }
  for (std::size_t m = 0; m < marks.size(); ++m) {
    if (marks[m].kind == Mark::Kind::kEffect || seen[m] != Seen::kNot) continue;
    seen[m] = match_elsewhere(marks[m], events, explained);
  }
  std::vector<Event> unexplained;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const bool is_caused = std::ranges::any_of(marks, [&](const Mark& mark) {
      return seen[static_cast<std::size_t>(&mark - marks.data())] != Seen::kNot &&
             (is_cause(mark.rule) || events[e].is_effect) && predicts(mark.rule, events[e].rule);
    });
    if (!explained.by_any.contains(e) && !is_caused) unexplained.push_back(std::move(events[e]));
  }
  events = std::move(unexplained);
  return seen;
}

void add_mark(Comparison& comparison, const Mark& mark, Seen seen) {
  Counts& counts = comparison.rules[mark.rule];
  if (mark.kind == Mark::Kind::kMiss) {
    ++counts.by_reason["known-miss"];
    return;
  }
  if (mark.kind == Mark::Kind::kFalseAlarm) {
    ++counts.by_reason["known-false-alarm"];
    return;
  }
  ++counts.marks;
  if (seen == Seen::kThere) {
    ++counts.agree;
  } else if (seen == Seen::kLater) {
    ++counts.later;
  } else {
    comparison.differences.insert({mark.place, mark.rule, false});
  }
}

std::string cell(const std::string& text) {
  std::ostringstream out;
  out << std::setw(19) << text;
  return out.str();
}

std::string table_row(const std::string& rule, const Counts& counts) {
  std::ostringstream row;
  row << std::left << std::setw(26) << rule << std::right << std::setw(7) << counts.marks
      << std::setw(7) << counts.agree << std::setw(7) << counts.later;
  for (const std::string_view reason : kReasons) {
    const auto found = counts.by_reason.find(std::string(reason));
    row << cell(std::to_string(found == counts.by_reason.end() ? 0 : found->second));
  }
  row << '\n';
  return row.str();
}

std::string head() {
  std::ostringstream row;
  row << std::left << std::setw(26) << "rule" << std::right << std::setw(7) << "marks"
      << std::setw(7) << "agree" << std::setw(7) << "later";
  for (const std::string_view reason : kReasons) row << cell(std::string(reason));
  row << '\n';
  return row.str();
}

// "480 marks, 430 confirmed by a run (89 %)".
std::string share(const std::map<std::string, Counts>& rules) {
  int marks = 0;
  int confirmed = 0;
  for (const auto& [rule, counts] : rules) {
    marks += counts.marks;
    confirmed += counts.agree + counts.later;
  }
  return std::to_string(marks) + " marks, " + std::to_string(confirmed) + " confirmed by a run (" +
         std::to_string(marks == 0 ? 0 : 100 * confirmed / marks) + " %)\n";
}

std::string name_of(const Difference& difference) {
  return difference.place + (difference.is_of_run ? " run " : " lint ") + difference.rule;
}

}  // namespace

void add(Comparison& comparison, const Execution& run, const std::vector<Mark>& marks) {
  ++comparison.programs;
  comparison.finished += run.is_finished;
  std::vector<Event> events;
  for (const Event& event : run.events) {
    if (!event.places.empty()) events.push_back(event);
  }
  const std::vector<Seen> seen = match(marks, events);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind != Mark::Kind::kEffect) add_mark(comparison, marks[i], seen[i]);
  }
  for (const Event& event : events) {
    if (event.rule == kOtherError || event.rule == kWarning) continue;
    comparison.differences.insert({event.places.front(), event.rule, true});
  }
}

std::string text_of(Comparison& comparison, const std::map<Difference, std::string>& reasons) {
  std::string list;
  for (const Difference& difference : comparison.differences) {
    const auto known = reasons.find(difference);
    const std::string reason = known == reasons.end() ? "?" : known->second;
    list += name_of(difference) + ": " + reason + "\n";
    ++comparison.rules[difference.rule].by_reason[reason.substr(0, reason.find(','))];
  }
  std::string table = head();
  for (const auto& [rule, counts] : comparison.rules) table += table_row(rule, counts);
  return table + "\n" + std::to_string(comparison.programs) + " programs, " +
         std::to_string(comparison.finished) + " ran to the end; " +
         std::to_string(comparison.not_run) + " other sources\n" + share(comparison.rules) + "\n" +
         list;
}

std::map<Difference, std::string> read_reasons(const std::string& file) {
  std::map<Difference, std::string> reasons;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Difference difference{};
    std::string of;
    std::string reason;
    if (!(words >> difference.place >> of >> difference.rule)) continue;
    if ((of != "run" && of != "lint") || !difference.rule.ends_with(':')) continue;
    difference.is_of_run = of == "run";
    difference.rule.pop_back();
    std::getline(words >> std::ws, reason);
    reasons[difference] = reason;
  }
  return reasons;
}

}  // namespace placecheck::agreement
