// unregistered-state: a member with state that its module does not know of.
#include "rules/unregistered_state.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/registration_fix.h"
#include "analyzer/checks/stray_member.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/models/libraries/modules.h"

namespace placecheck::checks {
namespace {

using dataflow::ModuleAction;
using dataflow::ModuleEvent;
using dataflow::Object;
using dataflow::ObjectId;
using dataflow::RegisteredKind;
using dataflow::Value;

class Members {
 public:
  Members(const ModuleEvent& event, const dataflow::View& view) : event_(event), view_(view) {
    collect_registered(event.module);
  }

  // Calls visit(class, field, value) for each member of the module tree that holds state which
  // nothing registers.
  template <typename Visit>
  void for_each_stray(const Visit& visit) {
    for (ObjectId id : registered_) {
      const Object& object = view_.state.object(id);
      if (!object.complete || !object.type || takes_care_itself(*object.type)) continue;
      for (const auto& [name, value] : object.fields) {
        const ir::Field* field = view_.program.find_field(*object.type, view_.names.text(name));
        if (field && !value.borrowed && is_stray(value, 0)) visit(*object.type, *field, value);
      }
    }
  }

  // Calls visit(class, field, kind) for each member that the constructor has made the handle of a
  // buffer or parameter of the same name, and that is another tensor now. In Python such an
  // assignment replaces what is registered.
  template <typename Visit>
  void for_each_reassigned(const Visit& visit) {
    if (is_python()) return;
    for (ObjectId id : registered_) {
      const Object& object = view_.state.object(id);
      if (!object.complete || !object.type || takes_care_itself(*object.type)) continue;
      for (const auto& [name, value] : object.fields) {
        const std::string& text = view_.names.text(name);
        const ir::Field* field = view_.program.find_field(*object.type, text);
        const dataflow::Registered* entry = field ? tensor_called(object, text) : nullptr;
        const bool is_other_tensor = value.is_tensor() && !is_cell(value) && value.place.is_known();
        if (entry && is_other_tensor) visit(*object.type, *field, entry->kind);
      }
    }
  }

 private:
  void collect_registered(ObjectId id) {
    if (!view_.state.has(id) || !registered_.insert(id).second) return;
    for (const dataflow::Registered& entry : view_.state.object(id).registered) {
      collect_registered(view_.state.object_id_of(entry.value));
      for (const Value& child : entry.either) collect_registered(view_.state.object_id_of(child));
    }
  }

  // A class that moves or lists its state by its own means, or may do so.
  bool takes_care_itself(const ir::Class& type) const {
    for (const char* method : {"to", "_apply", "parameters", "named_parameters", "children",
                               "modules", "apply", "save"}) {
      if (view_.program.overrides(type, method)) return true;
    }
    return std::any_of(type.methods.begin(), type.methods.end(),
                       [&](const ir::Method& method) { return may_register(type, method); });
  }

  // The buffer or parameter that is registered by a member's name: `mean` for `mean_`.
  const dataflow::Registered* tensor_called(const Object& module, std::string_view member) const {
    const auto entry = std::ranges::find_if(module.registered, [&](const auto& each) {
      const std::string_view name = view_.names.text(each.name);
      return is_cell(each.value) && (member == name || without_underscores(member) == name);
    });
    return entry == module.registered.end() ? nullptr : &*entry;
  }

  static std::string_view without_underscores(std::string_view member) {
    if (member.starts_with("m_")) member.remove_prefix(2);
    while (member.ends_with("_")) member.remove_suffix(1);
    while (member.starts_with("_")) member.remove_prefix(1);
    return member;
  }

  // Something in it did not parse, which may have been the registration.
  bool may_register(const ir::Class& type, const ir::Method& method) const {
    const ir::Function* function =
        view_.program.find_function(method.key, view_.program.program().unit_of(type));
    return (method.is_constructor || method.name == "reset") && function && function->is_partial;
  }

  bool is_stray(const Value& value, int depth) const {
    if (value.is_tensor() && !value.place.is_known()) return false;
    if (value.is_tensor())
      return event_.action == ModuleAction::kOptimized && value.requires_grad && !is_cell(value) &&
             value.number != Value::kNonLeafParameter;
    if (!value.is_object() || !view_.state.has(value.object) || depth > 2) return false;
    const Object& object = view_.state.object(value.object);
    if (object.is_module()) return !registered_.count(value.object) && has_state(value.object, 0);
    if (object.kind != dataflow::ObjectKind::kContainer) return false;
    // A list of one is how Python code keeps a module out of the module's own on purpose.
    if (object.elements.size() == 1 && !object.open && is_python()) return false;
    if (is_choice(object)) return false;
    for (const Value& element : object.elements) {
      if (is_stray(element, depth + 1)) return true;
    }
    return object.open && is_stray(object.rest, depth + 1);
  }

  // Modules of which the constructor has registered one by another name: the others are not used.
  bool is_choice(const Object& container) const {
    return std::ranges::any_of(container.elements, [&](const Value& each) {
      return registered_.contains(view_.state.object_id_of(each));
    });
  }

  bool is_python() const { return view_.function && dataflow::is_dynamic(*view_.function); }

  static bool is_cell(const Value& value) { return value.place.kind == dataflow::PlaceKind::kCell; }

  // State that the action at hand misses: parameters and buffers; for train and eval, a mode.
  bool has_state(ObjectId id, int depth) const {
    const Object& object = view_.state.object(id);
    if (!object.complete || depth > 8) return false;
    const models::ModuleModel* model =
        models::find_module_model(view_.names.text(object.type_name));
    bool switches = event_.action == ModuleAction::kSwitched;
    if (model && (switches ? model->has_mode : model->has_state)) return true;
    for (const dataflow::Registered& entry : object.registered) {
      if (entry.kind != dataflow::RegisteredKind::kModule) {
        if (!switches && !model) return true;
        continue;
      }
      ObjectId child = view_.state.object_id_of(entry.value);
      if (child != dataflow::kNoObject && child != id && has_state(child, depth + 1)) return true;
    }
    return false;
  }

  const ModuleEvent& event_;
  const dataflow::View& view_;
  std::set<ObjectId> registered_;
};

std::string_view done_by(ModuleAction action) {
  switch (action) {
    case ModuleAction::kMoved:
      return "is moved here, without the member";
    case ModuleAction::kOptimized:
      return "gives its parameters to the optimizer here, without the member's";
    case ModuleAction::kSaved:
      return "is saved here, without the member";
    case ModuleAction::kLoaded:
      return "is loaded here, without the member";
    case ModuleAction::kSwitched:
      return "is switched between training and evaluation here, without the member";
  }
  return "";
}

std::string member_fix(const dataflow::Site& member, const ir::Field& field) {
  // A list or dict of modules, or a parameter that is no longer one.
  if (Reporter::is_python(member))
    return "make '" + field.name + "' an nn.ModuleList, nn.ModuleDict or nn.Parameter";
  const bool tensor = field.type.kind == ir::TypeKind::kTensor;
  return "register it in the constructor: " + field.name + " = " +
         (tensor ? "register_parameter" : "register_module") + "(\"" + field.name + "\", ...)";
}

std::string buffer_fix(const dataflow::Site& member, const ir::Field& field) {
  const std::string call = "register_buffer(\"" + field.name + "\", ...)";
  return "register it in the constructor: " +
         (Reporter::is_python(member) ? "self." + call : field.name + " = " + call);
}

StateKind kind_of(const Value& value, const dataflow::View& view) {
  if (value.is_tensor()) return StateKind::kParameter;
  const Object& object = view.state.object(value.object);
  if (object.is_module()) return StateKind::kModule;
  const Value& element = object.elements.empty() ? object.rest : object.elements.front();
  return element.is_tensor() ? StateKind::kParameters : StateKind::kModules;
}

void report_member(const ModuleEvent& event, const dataflow::View& view, const ir::Class& type,
                   const ir::Field& field, const Value& value, Reporter& reporter) {
  dataflow::Site member{view.program.program().unit_of(type), field.range};
  std::string owner(ir::last_component(type.name));
  findings::Finding finding = reporter.start(
      rules::unregistered_state::kRule, member,
      "'" + field.name + "' is never registered in '" + owner + "': to(), parameters(), " +
          (Reporter::is_python(member) ? "state_dict()" : "save()") + " and train() miss it");
  finding.notes.push_back({Reporter::range_of(event.site),
                           "the '" + owner + "' " + std::string(done_by(event.action))});
  finding.predicted_error = rules::unregistered_state::message("cuda:0", "cpu");
  finding.fix = member_fix(member, field);
  finding.fix_its = register_member(type, field, kind_of(value, view), view, reporter);
  reporter.add(std::move(finding));
}

// Where a stray member's tensors come from: they will be met where the module's are not.
void explain_state(const Value& value, const dataflow::View& view, Reporter& reporter, int depth) {
  constexpr int kDeepest = 8;
  Value decider = view.state.decider_of(value);
  if (decider.is_tensor()) return reporter.explain(decider.origin);
  const Object* object = view.state.object_of(value);
  if (!object || depth > kDeepest) return;
  for (const Value& element : object->elements) explain_state(element, view, reporter, depth + 1);
  if (object->open) explain_state(object->rest, view, reporter, depth + 1);
  for (const dataflow::Registered& entry : object->registered)
    explain_state(entry.value, view, reporter, depth + 1);
}

bool assigns_field(const ir::Block& block, const ir::Instruction& each, std::string_view field) {
  if (each.opcode != ir::Opcode::kAssign) return false;
  const ir::Instruction* target = ir::find_definition(block, each.operands[0]);
  return target && target->opcode == ir::Opcode::kField && target->symbol == field;
}

// Where a method of the class, its constructors apart, assigns the member first.
dataflow::Site find_assignment(const ir::Class& type, std::string_view field,
                               const dataflow::View& view) {
  const ir::Unit* unit = view.program.program().unit_of(type);
  for (const ir::Method& method : type.methods) {
    const ir::Function* function = view.program.find_function(method.key, unit);
    if (!function || method.is_constructor || method.name == "reset") continue;
    for (const ir::Block& block : function->blocks) {
      const auto assignment = std::ranges::find_if(
          block.instructions, [&](const auto& each) { return assigns_field(block, each, field); });
      if (assignment != block.instructions.end())
        return {view.program.program().unit_of(*function), assignment->range};
    }
  }
  return {};
}

// `mean = mean * 0.9 + ...`: save() writes what the constructor registered.
void report_reassigned(const ModuleEvent& event, const dataflow::View& view, const ir::Class& type,
                       const ir::Field& field, RegisteredKind kind, Reporter& reporter) {
  const dataflow::Site assigned = find_assignment(type, field.name, view);
  if (!assigned.valid()) return;
  const std::string what = kind == RegisteredKind::kBuffer ? "buffer" : "parameter";
  findings::Finding finding =
      reporter.start(rules::unregistered_state::kRule, assigned,
                     "'" + field.name + "' becomes another tensor than the " + what +
                         " that is registered: to(), save() and load() miss it");
  finding.notes.push_back(
      {Reporter::range_of(event.site), "the " + what + " is saved here as it was registered"});
  finding.predicted_error = rules::unregistered_state::kReassigned;
  finding.fix = "write into it: " + field.name + ".copy_(...)";
  reporter.add(std::move(finding));
}

// A tensor member that nothing registered meets values on the module's device.
void report_use(const dataflow::MeetEvent& meet, const dataflow::View& view, Reporter& reporter) {
  std::optional<Conflict> conflict = find_conflict(meet);
  std::optional<StrayMember> stray = conflict ? find_stray_member(*conflict, view) : std::nullopt;
  if (!stray) return;
  dataflow::Site member{view.program.program().unit_of(*stray->type), stray->field->range};
  findings::Finding finding = reporter.start(
      rules::unregistered_state::kRule, member,
      "'" + stray->field->name + "' is never registered in '" +
          std::string(ir::last_component(stray->type->name)) + "': it stays on " +
          place_text(stray->operand->place, view.names) + " when the module is moved");
  finding.notes.push_back(
      {Reporter::range_of(meet.site), mismatch_message(meet, *conflict, view, reporter)});
  add_evidence(finding, meet, *conflict, view, reporter);
  finding.fix = buffer_fix(member, *stray->field);
  finding.fix_its =
      register_member(*stray->type, *stray->field, StateKind::kBuffer, view, reporter);
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* meet = std::get_if<dataflow::MeetEvent>(&event))
    return report_use(*meet, view, reporter);
  const auto* module_event = std::get_if<ModuleEvent>(&event);
  if (!module_event) return;
  Members members(*module_event, view);
  members.for_each_stray([&](const ir::Class& type, const ir::Field& field, const Value& value) {
    report_member(*module_event, view, type, field, value, reporter);
    explain_state(value, view, reporter, 0);
  });
  if (module_event->action != ModuleAction::kSaved) return;
  members.for_each_reassigned(
      [&](const ir::Class& type, const ir::Field& field, RegisteredKind kind) {
        report_reassigned(*module_event, view, type, field, kind, reporter);
      });
}

}  // namespace

extern const Check kUnregisteredState{
    &rules::unregistered_state::kRule,
    on_event,
    nullptr,
    {"device-mismatch", "hardcoded-device", "missing-map-location"}};

}  // namespace placecheck::checks
