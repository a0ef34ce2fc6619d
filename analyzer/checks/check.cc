#include "analyzer/checks/check.h"

#include <algorithm>

#include "analyzer/checks/witness.h"
#include "analyzer/files/notebook.h"

namespace placecheck::checks {
namespace {

constexpr size_t kLongestQuote = 48;

}  // namespace

findings::SourceRange Reporter::range_of(const dataflow::Site& site) {
  const ir::Range& range = site.range;
  findings::SourceRange result;
  if (site.unit && range.file < site.unit->files.size()) result.file = site.unit->files[range.file];
  result.line = range.line;
  result.column = range.column;
  result.end_line = range.end_line;
  result.end_column = range.end_column;
  return result;
}

std::string Reporter::text_of(const dataflow::Site& site) {
  if (!site.valid() || site.range.line != site.range.end_line) return "";
  llvm::StringRef line = sources_.line(range_of(site).file, site.range.line);
  if (site.range.column == 0 || site.range.column > line.size()) return "";
  llvm::StringRef text = line.slice(site.range.column - 1, site.range.end_column - 1).trim();
  text.consume_back("->");
  text.consume_back(".");
  if (text.size() <= kLongestQuote) return text.str();
  return text.take_front(kLongestQuote - 3).str() + "...";
}

bool Reporter::is_python(const dataflow::Site& site) {
  return site.valid() && ir::is_python(range_of(site).file);
}

std::string Reporter::class_name(const dataflow::Site& site, std::string_view type_name) {
  std::string_view name = type_name;
  if (!is_python(site)) return std::string(name);
  name = ir::last_component(name);
  const bool is_holder = name != type_name && name.ends_with("Impl");
  return std::string(is_holder ? name.substr(0, name.size() - 4) : name);
}

std::string Reporter::source_of(const dataflow::Site& site) {
  if (!site.valid()) return "";
  const findings::SourceRange range = range_of(site);
  std::string text;
  for (unsigned number = range.line; number <= range.end_line; ++number) {
    llvm::StringRef line = sources_.line(range.file, number);
    const size_t begin = number == range.line ? range.column - 1 : 0;
    const size_t end = number == range.end_line ? range.end_column - 1 : line.size();
    if (range.column == 0 || end > line.size() || begin > end) return "";
    if (number != range.line) text += '\n';
    text += line.slice(begin, end);
  }
  return text;
}

bool Reporter::file_mentions(const dataflow::Site& site, std::string_view text) {
  return site.valid() && sources_.contents(range_of(site).file).contains(text);
}

std::string Reporter::quoted(const dataflow::Site& site, std::string_view otherwise) {
  std::string text = text_of(site);
  return text.empty() ? std::string(otherwise) : "'" + text + "'";
}

findings::Finding Reporter::start(const rules::Rule& rule, const dataflow::Site& site,
                                  std::string message) const {
  findings::Finding finding;
  finding.rule = std::string(rule.id);
  finding.range = range_of(site);
  finding.message = std::move(message);
  finding.program = program_;
  return finding;
}

void Reporter::begin_event(bool is_exact, const dataflow::View* view) {
  in_event_ = true;
  is_exact_ = is_exact;
  view_ = view;
}

void Reporter::end_event() {
  std::set<std::string_view> refined;
  auto refine = [&](std::string_view rule) {
    if (const Check* check = find_check(rule))
      refined.insert(check->refines.begin(), check->refines.end());
  };
  for (const findings::Finding& finding : of_event_) refine(finding.rule);
  for (const std::string& rule : doubtful_of_event_) refine(rule);
  for (findings::Finding& finding : of_event_) {
    if (refined.count(finding.rule)) continue;
    if (has_doubtful_caller())
      wait(std::move(finding));
    else
      keep(std::move(finding));
  }
  of_event_.clear();
  doubtful_of_event_.clear();
  in_event_ = false;
  is_exact_ = true;
  view_ = nullptr;
}

bool Reporter::has_doubtful_caller() const { return view_ && view_->state.is_of_doubtful_caller; }

void Reporter::wait(findings::Finding finding) {
  const RuleAndRange key{finding.rule, finding.range};
  waiting_.try_emplace(key, std::move(finding)).first->second.activations.insert(view_->activation);
}

void Reporter::settle(const dataflow::DoubtfulCalls& calls) {
  for (auto& [key, waiting] : waiting_) {
    if (!reported_.contains(key) && calls.reaches(waiting.activations))
      keep(std::move(waiting.finding));
  }
  waiting_.clear();
}

bool Reporter::is_reached(const findings::Finding& finding) {
  if (is_exact_) return true;
  if (!view_ || view_->activation == 0) return false;
  const dataflow::Doubts& doubts = view_->state.doubts;
  auto [known, is_new] =
      doubts_.try_emplace({view_->activation, {finding.rule, finding.range}}, doubts);
  if (!is_new) known->second.join(doubts);
  return known->second.is_exact();
}

void Reporter::add(findings::Finding finding) {
  if (!is_reached(finding)) return;
  bool is_known = reported_.count({finding.rule, finding.range}) != 0;
  if (view_ && !is_known) add_conditions(finding, *view_, *this);
  if (in_event_)
    of_event_.push_back(std::move(finding));
  else
    keep(std::move(finding));
}

void Reporter::add_once(const std::string& subject, findings::Finding finding) {
  if (!is_exact_ || !reported_subjects_.emplace(finding.rule, subject).second) return;
  findings_.push_back(std::move(finding));
}

std::optional<findings::SourceRange> Reporter::start_of_body(const dataflow::Site& site) {
  if (!site.valid()) return std::nullopt;
  const std::string file = range_of(site).file;
  int depth = 0;  // of parentheses: default arguments may have braces
  for (uint32_t number = site.range.line; number <= site.range.end_line; ++number) {
    llvm::StringRef line = sources_.line(file, number);
    size_t at = number == site.range.line ? site.range.column - 1 : 0;
    for (; at < line.size(); ++at) {
      if (line.substr(at).starts_with("//")) break;
      depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
      if (line[at] != '{' || depth != 0) continue;
      auto column = static_cast<unsigned>(at + 2);
      return findings::SourceRange{file, number, column, number, column};
    }
  }
  return std::nullopt;
}

bool Reporter::put_aside(findings::Finding& finding) {
  if (!is_exact_) return false;
  doubtful_of_event_.insert(finding.rule);
  if (view_) add_conditions(finding, *view_, *this);
  return true;
}

void Reporter::add_unless(Written written, findings::Finding finding) {
  if (put_aside(finding)) doubtful_.emplace_back(std::move(written), std::move(finding));
}

void Reporter::add_unless_found(std::vector<std::string> any_of, findings::Finding finding) {
  add_once_unless_found({}, std::move(any_of), std::move(finding));
}

void Reporter::add_once_unless_found(std::string subject, std::vector<std::string> any_of,
                                     findings::Finding finding) {
  if (put_aside(finding))
    missed_.push_back({std::move(any_of), std::move(subject), std::move(finding)});
}

void Reporter::keep(findings::Finding finding) {
  if (reported_.emplace(finding.rule, finding.range).second)
    findings_.push_back(std::move(finding));
}

// An edit of a notebook would have to keep the file valid JSON.
static void drop_edits_of_notebooks(std::vector<findings::Finding>& findings) {
  for (findings::Finding& each : findings) {
    if (files::is_notebook(each.range.file)) each.fix_its.clear();
  }
}

std::vector<findings::Finding> Reporter::take() {
  auto may_be = [](const Written& a, const Written& b) {
    bool file = a.file.empty() || b.file.empty() || a.file == b.file;
    return file && dataflow::relate(a.place, b.place) != dataflow::Relation::kDifferent;
  };
  for (auto& [written, finding] : doubtful_) {
    bool is_written = std::any_of(written_.begin(), written_.end(),
                                  [&](const Written& each) { return may_be(each, written); });
    if (!is_written) keep(std::move(finding));
  }
  doubtful_.clear();
  for (auto& [look_ups, subject, finding] : missed_) {
    bool is_found = std::ranges::any_of(
        look_ups, [&](const std::string& each) { return found_.contains(each); });
    if (is_found) continue;
    bool is_new = subject.empty() || reported_subjects_.emplace(finding.rule, subject).second;
    if (is_new) keep(std::move(finding));
  }
  missed_.clear();
  drop_edits_of_notebooks(findings_);
  return std::move(findings_);
}

rules::DeviceFact fact_of(const dataflow::Place& place) {
  switch (place.kind) {
    case dataflow::PlaceKind::kCpu:
      return rules::DeviceFact::cpu();
    case dataflow::PlaceKind::kCuda:
      if (place.index == dataflow::Place::kLast) return rules::DeviceFact::last_cuda();
      return place.index >= 0 ? rules::DeviceFact::cuda(static_cast<uint32_t>(place.index))
                              : rules::DeviceFact::cuda_any_index();
    case dataflow::PlaceKind::kChosen:
      return rules::DeviceFact::symbolic(place.symbol);
    default:
      return rules::DeviceFact::unknown();
  }
}

std::string place_text(const dataflow::Place& place, const dataflow::Names& names) {
  return dataflow::readable_text(place, names);
}

findings::Finding start_where_named(const rules::Rule& rule,
                                    const dataflow::DeviceIndexEvent& event,
                                    const dataflow::View& view, std::string message,
                                    Reporter& reporter) {
  const dataflow::Site& named = view.origins[event.named_at].site;
  findings::Finding finding =
      reporter.start(rule, named.valid() ? named : event.site, std::move(message));
  if (Reporter::range_of(event.site) != finding.range)
    finding.notes.push_back({Reporter::range_of(event.site), "it is used here"});
  return finding;
}

void add_origin_note(findings::Finding& finding, std::string_view subject,
                     dataflow::OriginId origin, const dataflow::Place& place,
                     const dataflow::View& view) {
  if (origin == 0) return;
  const dataflow::Origin& source = view.origins[origin];
  if (!source.site.valid()) return;
  std::string where = place_text(place, view.names);
  std::string text(subject);
  switch (source.kind) {
    case dataflow::OriginKind::kCreated:
      text += " was created on " + where + " here";
      break;
    case dataflow::OriginKind::kMoved:
      text += " gets its place here: moved to " + where;
      break;
    case dataflow::OriginKind::kBuilt:
      text += " was built here, on " + where;
      break;
    case dataflow::OriginKind::kLoaded:
      text += " was loaded onto " + where + " here";
      break;
    case dataflow::OriginKind::kYielded:
      text += " comes from the data loader here, on " + where;
      break;
    case dataflow::OriginKind::kComputed:
      text += " was computed on " + where + " here";
      break;
    case dataflow::OriginKind::kMet:
      text += " met a value on " + where + " here";
      break;
    case dataflow::OriginKind::kNamed:
      text += " was named here";
      break;
    case dataflow::OriginKind::kAllocated:
      text += place.is_cpu() ? " was allocated on the host here"
                             : " was allocated on " + where + " here";
      break;
  }
  findings::SourceRange range = Reporter::range_of(source.site);
  if (range == finding.range) return;
  finding.notes.push_back({range, text});
}

}  // namespace placecheck::checks
