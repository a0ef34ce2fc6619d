// A check turns the events of the interpreter into findings of one rule. It decides nothing about
// places: it evaluates the rule's predicate on facts, and words the evidence.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/checks/place_questions.h"
#include "analyzer/dataflow/engine.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/source_cache.h"
#include "rules/facts.h"
#include "rules/rule.h"

namespace placecheck::checks {

// Noted where not every path of the program was followed.
inline constexpr std::string_view kLeftOut = "<what is on a path that was left out>";

// Collects findings, and knows the source text for their wording.
class Reporter {
 public:
  Reporter(std::string program, findings::SourceCache& sources)
      : program_(std::move(program)), sources_(sources) {}

  static findings::SourceRange range_of(const dataflow::Site& site);
  // The source text of a range on one line, shortened; empty if there is none.
  std::string text_of(const dataflow::Site& site);
  // The same in quotes, or `otherwise`.
  std::string quoted(const dataflow::Site& site, std::string_view otherwise);

  // A fix is written in the file's own language.
  static bool is_python(const dataflow::Site& site);
  // The name of a class in the language of the file at `site`: `Linear` in Python for libtorch's
  // `torch::nn::LinearImpl`.
  static std::string class_name(const dataflow::Site& site, std::string_view type_name);
  // All of it as it is written, over however many lines; empty if there is none.
  std::string source_of(const dataflow::Site& site);
  llvm::StringRef line_of(const std::string& file, unsigned number) {
    return sources_.line(file, number);
  }

  // Whether a text occurs anywhere in the file.
  bool file_mentions(const dataflow::Site& site, std::string_view text);

  findings::Finding start(const rules::Rule& rule, const dataflow::Site& site,
                          std::string message) const;
  // One finding of a rule at one place is enough: those that come later are left out, and so are
  // those of an event that the checks of a more specific rule have reported.
  void add(findings::Finding finding);
  // One finding of a rule about a subject is enough, wherever it is; several subjects may have
  // theirs at one place.
  void add_once(const std::string& subject, findings::Finding finding);

  // Just behind the brace that opens the body of the function at `site`; none where the source does
  // not show it.
  std::optional<findings::SourceRange> start_of_body(const dataflow::Site& site);

  // The checks look at one event between these. Findings of an event in a state that no run need
  // come to are left out; the others are told with the conditions that the path has decided,
  // where `view` has them.
  void begin_event(bool is_exact, const dataflow::View* view = nullptr);
  void end_event();

  // What comes from there was told of: not again where it meets something.
  void explain(dataflow::OriginId origin) {
    if (origin != 0) explained_.insert(origin);
  }
  bool is_explained(dataflow::OriginId origin) const { return explained_.count(origin) != 0; }

  // Where Python code calls an exported function, always with a device selected; null if not so.
  void note_caller_with_device(const ir::Function& function, const dataflow::Site& call) {
    callers_with_device_.emplace(&function, call);
  }
  const dataflow::Site* caller_with_device(const ir::Function& function) const {
    const auto found = callers_with_device_.find(&function);
    return found == callers_with_device_.end() ? nullptr : &found->second;
  }

  // A finding that holds unless the program writes that file from that place, before or after.
  struct Written {
    std::string file;  // empty: any
    dataflow::Place place;
  };
  void add_unless(Written written, findings::Finding finding);
  void doubt(Written written) { written_.push_back(std::move(written)); }

  // A finding that holds unless one of these is noted, before or after: a look-up that succeeds.
  void add_unless_found(std::vector<std::string> any_of, findings::Finding finding);
  // The same, for one finding about a subject.
  void add_once_unless_found(std::string subject, std::vector<std::string> any_of,
                             findings::Finding finding);
  void note_found(std::string look_up) { found_.insert(std::move(look_up)); }

  // What the functions of the program that `view` is of ask for.
  PlaceQuestions& place_questions(const dataflow::View& view) {
    if (!place_questions_) place_questions_.emplace(view.program);
    return *place_questions_;
  }

  // Keeps the findings that waited, where a run comes to one of the calls that have shown them.
  void settle(const dataflow::DoubtfulCalls& calls);
  std::vector<findings::Finding> take();

 private:
  std::string program_;
  findings::SourceCache& sources_;
  void keep(findings::Finding finding);
  // Whether the path of the state at hand is exact, or is so together with the others on which the
  // same call has come to the same finding.
  bool is_reached(const findings::Finding& finding);
  bool has_doubtful_caller() const;
  void wait(findings::Finding finding);
  // Puts a finding of the event at hand aside; false where it is not to be reported at all.
  bool put_aside(findings::Finding& finding);

  std::vector<findings::Finding> findings_;
  bool in_event_ = false;
  bool is_exact_ = true;
  const dataflow::View* view_ = nullptr;  // of the event at hand
  using RuleAndRange = std::pair<std::string, findings::SourceRange>;
  std::map<std::pair<uint64_t, RuleAndRange>, dataflow::Doubts> doubts_;  // by activation
  struct Waiting {
    findings::Finding finding;
    std::set<uint64_t> activations;
  };
  std::map<RuleAndRange, Waiting> waiting_;  // findings of calls whose callers are in doubt
  std::vector<findings::Finding> of_event_;
  std::set<std::string> doubtful_of_event_;  // rules with a finding that waits for the end
  std::set<RuleAndRange> reported_;
  std::set<std::pair<std::string, std::string>> reported_subjects_;  // rule, subject
  std::set<dataflow::OriginId> explained_;
  std::unordered_map<const ir::Function*, dataflow::Site> callers_with_device_;
  std::optional<PlaceQuestions> place_questions_;
  std::vector<std::pair<Written, findings::Finding>> doubtful_;
  std::vector<Written> written_;
  struct Missed {  // by look-ups
    std::vector<std::string> any_of;
    std::string subject;  // empty: each place is one
    findings::Finding finding;
  };
  std::vector<Missed> missed_;
  std::set<std::string> found_;
};

struct Check {
  const rules::Rule* rule;
  // Sees every event; null if the rule needs none.
  void (*on_event)(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter);
  // Sees every function as lowered; null if the rule needs more than that.
  void (*on_function)(const ir::Unit& unit, const ir::Function& function, Reporter& reporter);
  // Ids of more general rules, whose finding of the same event says less than this rule's: where
  // both are asked for, only this one's is reported.
  std::vector<std::string_view> refines = {};
};

// One entry a rule, sorted by id.
std::span<const Check> all_checks();
// The entry of a rule; null if there is none.
const Check* find_check(std::string_view rule);

// --- Shared wording and conversion ---
rules::DeviceFact fact_of(const dataflow::Place& place);
std::string place_text(const dataflow::Place& place, const dataflow::Names& names);
// "created here", "moved here", ... for a note; empty for an origin that says nothing.
void add_origin_note(findings::Finding& finding, std::string_view subject,
                     dataflow::OriginId origin, const dataflow::Place& place,
                     const dataflow::View& view);
// A finding about a device that is used, where the device is named: that is what has to change.
findings::Finding start_where_named(const rules::Rule& rule,
                                    const dataflow::DeviceIndexEvent& event,
                                    const dataflow::View& view, std::string message,
                                    Reporter& reporter);

}  // namespace placecheck::checks
