// New objects: constructors, initializer lists, closures.
#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/library_calls.h"
#include "analyzer/frontend/clang/names.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

std::vector<const Expr*> written(llvm::ArrayRef<const Expr*> arguments) {
  std::vector<const Expr*> kept;
  for (const Expr* each : arguments)
    if (!isa<CXXDefaultArgExpr>(each)) kept.push_back(each);
  return kept;
}

llvm::ArrayRef<const Expr*> arguments_of(const CXXConstructExpr& expr) {
  return {expr.getArgs(), expr.getNumArgs()};
}

bool is_null(const Expr* expr) {
  return expr->getType()->isNullPtrType() ||
         isa<CXXNullPtrLiteralExpr, GNUNullExpr>(expr->IgnoreParenImpCasts());
}

}  // namespace

ir::Register FunctionLowering::VisitCXXConstructExpr(const CXXConstructExpr* expr) {
  const CXXConstructorDecl* constructor = expr->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && expr->getNumArgs() >= 1)
    return value(expr->getArg(0));
  if (constructor->isInvalidDecl()) function_.is_partial = true;
  return construct(expr->getType(), arguments_of(*expr), constructor);
}

// Options made of a text have the device that it names.
ir::Register FunctionLowering::named_device(const Expr& text) {
  ir::Call call;
  call.name = "c10::Device::Device";
  call.arguments.push_back(as_argument(&text, value(&text)));
  call.type.kind = ir::TypeKind::kDevice;
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::construct(QualType type, llvm::ArrayRef<const Expr*> arguments,
                                         const CXXConstructorDecl* constructor) {
  if (type->isArrayType()) return array({}, type);
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record) return arguments.size() == 1 ? value(arguments[0]) : empty_value(type);
  std::vector<const Expr*> given = written(arguments);
  switch (types_.role(*record)) {
    case ClassRole::kTensor:
    case ClassRole::kScalar:
    case ClassRole::kSmartPointer:
    case ClassRole::kOptional:
    case ClassRole::kAnyModule:
    case ClassRole::kFunction: {
      if (given.empty()) return builder_.none();
      const ir::Register content = value(given[0]);
      for (const Expr* other : llvm::drop_begin(given)) value(other);  // such as a deleter
      return content;
    }
    case ClassRole::kDevice:
    case ClassRole::kOptions: {
      ir::Call call;
      call.name = unit_.name(*record) + "::" + record->getNameAsString();
      for (const Expr* each : given) {
        bool names_device = types_.role(*record) == ClassRole::kOptions &&
                            types_.kind(each->getType()) == ir::TypeKind::kString;
        call.arguments.push_back(
            as_argument(each, names_device ? named_device(*each) : property_or_value(each)));
      }
      call.type = unit_.type(type);
      return builder_.call(std::move(call));
    }
    case ClassRole::kString:
      if (given.empty()) return builder_.constant(std::string());
      if (given.size() == 1) return value(given[0]);
      break;
    case ClassRole::kHolder:
      return construct_holder(*record, given);
    case ClassRole::kContainer:
    case ClassRole::kView:
      if (given.empty()) return empty_value(type);
      if (const InitListExpr* entries = entries_of_map(given, type))
        return aggregate("list", {entries->getInits(), entries->getNumInits()}, type);
      if (given.size() == 1 &&
          !(given[0]->getType()->isIntegerType() && types_.role(*record) == ClassRole::kContainer))
        return types_.role(*record) == ClassRole::kView ? peek(given[0]) : value(given[0]);
      break;
    case ClassRole::kTuple:
      if (given.size() == 1 && types_.kind(given[0]->getType()) == ir::TypeKind::kTuple)
        return value(given[0]);
      return aggregate("tuple", given, type);
    case ClassRole::kPlain:
      break;
  }
  return construct_class(*record, arguments, constructor);
}

// The braces with a map's keys and values, where it is made from such.
const InitListExpr* FunctionLowering::entries_of_map(llvm::ArrayRef<const Expr*> given,
                                                     QualType type) {
  if (given.empty() || unit_.type(type).arguments.size() != 2) return nullptr;
  const auto* entries = dyn_cast<CXXStdInitializerListExpr>(given[0]->IgnoreImplicit());
  return entries ? dyn_cast<InitListExpr>(entries->getSubExpr()->IgnoreImplicit()) : nullptr;
}

ir::Register FunctionLowering::construct_class(const CXXRecordDecl& record,
                                               llvm::ArrayRef<const Expr*> arguments,
                                               const CXXConstructorDecl* constructor) {
  ir::Call call;
  call.kind = ir::CallKind::kConstruct;
  call.name = unit_.name(record);
  if (unit_.in_project(record)) call.key = class_key(record);
  if (constructor)
    add_arguments(call, *constructor, arguments);
  else
    for (const Expr* each : arguments) call.arguments.push_back(as_argument(each, value(each)));
  // A library's class that is filled with a function: TORCH_FN.
  const auto* filled = dyn_cast<ClassTemplateSpecializationDecl>(&record);
  if (filled && call.key.empty()) {
    if (const FunctionDecl* function = function_filling(filled->getTemplateArgs().asArray()))
      call.arguments.push_back({function_value(*function), {}, {}});
  }
  call.type = unit_.type(unit_.ast().getCanonicalTagType(&record));
  bool is_size = arguments.size() <= 2 && !arguments.empty() &&
                 arguments[0]->getType()->isIntegerType() &&
                 types_.role(record) == ClassRole::kContainer;
  if (is_size && written(arguments).size() == 1) add_element(call, element_of(record));
  return builder_.call(std::move(call));
}

// Constructs through a function that hands its arguments on: make_shared, emplace_back, a holder.
ir::Register FunctionLowering::construct_made(const CXXRecordDecl& record,
                                              llvm::ArrayRef<const Expr*> arguments) {
  QualType type = unit_.ast().getCanonicalTagType(&record);
  if (arguments.size() == 1 &&
      unit_.ast().hasSameUnqualifiedType(arguments[0]->getType().getNonReferenceType(), type))
    return value(arguments[0]);
  if (types_.role(record) != ClassRole::kPlain) return construct(type, arguments, nullptr);
  ir::Call call;
  call.kind = ir::CallKind::kConstruct;
  call.name = unit_.name(record);
  if (unit_.in_project(record)) call.key = class_key(record);
  // They arrive as references, which only what is changed inside needs.
  for (const Expr* each : written(arguments))
    call.arguments.push_back(
        as_argument(each, is_aggregate(each->getType()) ? lower(each) : value(each)));
  call.type = unit_.type(type);
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::construct_holder(const CXXRecordDecl& holder,
                                                llvm::ArrayRef<const Expr*> arguments) {
  const CXXRecordDecl* module = types_.contained(holder);
  if (!module) return unknown();
  if (arguments.size() == 1) {
    const Expr* only = arguments[0];
    if (is_null(only)) return builder_.none();
    QualType type = only->getType();
    ClassRole role = types_.role(type);
    bool handle =
        role == ClassRole::kSmartPointer || type->isPointerType() || role == ClassRole::kHolder;
    const CXXRecordDecl* given = handle ? types_.pointee_class(type) : nullptr;
    bool same = given && given->getCanonicalDecl() == module->getCanonicalDecl();
    if (same || (given && given->hasDefinition() && given->isDerivedFrom(module)))
      return value(only);
  }
  return construct_made(*module, arguments);
}

ir::Register FunctionLowering::aggregate(const char* name, llvm::ArrayRef<const Expr*> elements,
                                         QualType type) {
  ir::Call call;
  call.name = name;
  for (const Expr* each : elements) call.arguments.push_back(as_argument(each, value(each)));
  call.type = unit_.type(type);
  return builder_.call(std::move(call));
}

bool FunctionLowering::is_array(QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return type->isArrayType() || (record && unit_.name(*record) == "std::array");
}

// What the elements of an array or a container are; null where that is not known.
QualType FunctionLowering::element_of(const CXXRecordDecl& container) {
  const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(&container);
  if (!special || special->getTemplateArgs().size() == 0) return {};
  const TemplateArgument& first = special->getTemplateArgs().get(0);
  return first.getKind() == TemplateArgument::Type ? first.getAsType() : QualType();
}

// Elements of a class of the project are there from the start, each an object of its own.
void FunctionLowering::add_element(ir::Call& call, QualType element) {
  const CXXRecordDecl* record = element.isNull() ? nullptr : element->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !unit_.in_project(*record)) return;
  if (types_.kind(element) != ir::TypeKind::kRecord) return;
  call.arguments.push_back({construct(element, {}, nullptr), "element", {}});
}

// An array: the elements that are given, and what fills the rest of it.
ir::Register FunctionLowering::array(llvm::ArrayRef<const Expr*> elements, QualType type) {
  ir::Call call;
  call.name = "array";
  for (const Expr* each : elements) call.arguments.push_back(as_argument(each, value(each)));
  std::optional<uint64_t> size;
  QualType element;
  if (const auto* fixed = unit_.ast().getAsConstantArrayType(type)) size = fixed->getZExtSize();
  if (const auto* plain = unit_.ast().getAsArrayType(type)) element = plain->getElementType();
  if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    element = element_of(*record);
    const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record);
    const TemplateArgument* length = special && special->getTemplateArgs().size() > 1
                                         ? &special->getTemplateArgs().get(1)
                                         : nullptr;
    if (length && length->getKind() == TemplateArgument::Integral)
      size = length->getAsIntegral().getZExtValue();
  }
  if (size) {
    ir::Register number = builder_.constant(static_cast<int64_t>(*size));
    call.arguments.push_back({number, "size", {}});
  }
  add_element(call, element);
  call.type = unit_.type(type);
  return builder_.call(std::move(call));
}

// Whether the value reads the object that it is part of.
static bool uses_this(const Stmt& stmt) {
  if (isa<CXXThisExpr>(stmt)) return true;
  return llvm::any_of(stmt.children(),
                      [](const Stmt* child) { return child && uses_this(*child); });
}

// `struct S { int a; int b = a; }`: what the class says of `b` in `S{1}` speaks of the new object,
// not of the one whose method this is.
static const Expr* default_of_own_object(const Expr* element) {
  const auto* from_class = dyn_cast_or_null<CXXDefaultInitExpr>(element);
  return from_class && uses_this(*from_class->getExpr()) ? from_class->getExpr() : nullptr;
}

ir::Register FunctionLowering::record_list(const CXXRecordDecl& record,
                                           llvm::ArrayRef<const Expr*> elements) {
  std::vector<std::pair<const FieldDecl*, const Expr*>> late;
  ir::Call call;
  call.kind = ir::CallKind::kConstruct;
  call.name = unit_.name(record);
  if (unit_.in_project(record)) call.key = class_key(record);
  size_t next = std::min<size_t>(record.getNumBases(), elements.size());
  for (const FieldDecl* field : record.fields()) {
    if (field->isUnnamedBitField()) continue;
    if (next >= elements.size()) break;
    const Expr* each = elements[next++];
    if (!each) continue;  // a reference of which a list that did not parse says nothing
    if (const Expr* value = default_of_own_object(each)) {
      late.emplace_back(field, value);
      continue;
    }
    ir::Argument argument = as_argument(each, value(each));
    argument.name = field->getNameAsString();
    call.arguments.push_back(std::move(argument));
  }
  call.type = unit_.type(unit_.ast().getCanonicalTagType(&record));
  if (late.empty()) return builder_.call(std::move(call));
  std::string slot = builder_.new_slot("made", call.type, builder_.range());
  builder_.store(slot, builder_.call(std::move(call)));
  made_.push_back(slot);
  for (const auto& [field, value] : late) initialize_field(*field, *value);
  made_.pop_back();
  return builder_.load(slot);
}

ir::Register FunctionLowering::VisitInitListExpr(const InitListExpr* expr) {
  if (const InitListExpr* semantic = expr->getSemanticForm()) expr = semantic;
  llvm::ArrayRef<const Expr*> elements(expr->getInits(), expr->getNumInits());
  QualType type = expr->getType();
  if (expr->isTransparent() && elements.size() == 1) return lower(elements[0]);
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record) {
    if (expr->hasArrayFiller()) return array(elements, type);
    if (type->isArrayType()) return aggregate("list", elements, type);
    return elements.size() == 1 ? lower(elements[0]) : empty_value(type);
  }
  if (types_.role(*record) == ClassRole::kContainer && elements.empty()) return empty_value(type);
  if (types_.role(*record) == ClassRole::kContainer)
    return elements.size() == 1 ? lower(elements[0]) : aggregate("list", elements, type);
  if (record->isUnion()) return elements.size() == 1 ? lower(elements[0]) : empty_value(type);
  return record_list(*record, elements);
}

ir::Register FunctionLowering::VisitCXXParenListInitExpr(const CXXParenListInitExpr* expr) {
  llvm::ArrayRef<const Expr*> elements = expr->getInitExprs();
  const CXXRecordDecl* record = expr->getType()->getAsCXXRecordDecl();
  return record ? record_list(*record, elements) : aggregate("list", elements, expr->getType());
}

ir::Register FunctionLowering::empty_value(QualType type) {
  switch (types_.kind(type)) {
    case ir::TypeKind::kBool:
      return builder_.constant(false);
    case ir::TypeKind::kInt:
      return builder_.constant(int64_t{0});
    case ir::TypeKind::kFloat:
      return builder_.constant(0.0);
    case ir::TypeKind::kContainer:
      return is_array(type) ? array({}, type) : aggregate("list", {}, type);
    case ir::TypeKind::kRecord:
      return construct(type, {}, nullptr);
    default:
      return builder_.none();
  }
}

ir::Register FunctionLowering::VisitCXXScalarValueInitExpr(const CXXScalarValueInitExpr* expr) {
  return empty_value(expr->getType());
}

ir::Register FunctionLowering::VisitImplicitValueInitExpr(const ImplicitValueInitExpr* expr) {
  return empty_value(expr->getType());
}

ir::Register FunctionLowering::VisitCXXInheritedCtorInitExpr(const CXXInheritedCtorInitExpr*) {
  return unknown();
}

ir::Register FunctionLowering::VisitCXXNewExpr(const CXXNewExpr* expr) {
  // Memory from elsewhere: a class's own, or what was there before.
  bool elsewhere =
      isa_and_nonnull<CXXMethodDecl>(expr->getOperatorNew()) ||
      (expr->getNumPlacementArgs() > 0 && expr->getPlacementArg(0)->getType()->isPointerType());
  if (expr->isArray()) return elsewhere ? unknown() : new_array(*expr);
  const Expr* start = expr->getInitializer();
  if (!elsewhere && expr->getAllocatedType()->isArithmeticType()) {
    llvm::SmallVector<const Expr*, 1> given;
    if (start) given.push_back(start);
    return numbers(given, expr->getAllocatedType(), expr->getType());
  }
  ir::Register made = start ? value(start) : construct(expr->getAllocatedType(), {}, nullptr);
  return elsewhere ? built_in("elsewhere", {made}, expr->getType()) : made;
}

ir::Register FunctionLowering::new_array(const CXXNewExpr& expr) {
  ir::Call call;
  call.name = "array";
  if (std::optional<const Expr*> size = expr.getArraySize(); size && *size)
    call.arguments.push_back({value(*size), "size", {}});
  add_element(call, expr.getAllocatedType());
  call.type = unit_.type(expr.getType());
  return builder_.call(std::move(call));
}

// The number, or the array of numbers, that a smart pointer of the standard library leads to; null
// for anything else.
QualType FunctionLowering::number_behind(QualType pointer) {
  const CXXRecordDecl* record = pointer.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record) return {};
  const std::string name = unit_.name(*record);
  if (name != "std::unique_ptr" && name != "std::shared_ptr") return {};
  QualType behind = element_of(*record);
  if (behind.isNull()) return {};
  QualType number =
      behind->isArrayType() ? unit_.ast().getAsArrayType(behind)->getElementType() : behind;
  return number->isArithmeticType() ? behind : QualType();
}

// Memory of the host: one number, which `given` initializes, or, where `made` is an array, as many
// as `given` says.
ir::Register FunctionLowering::numbers(llvm::ArrayRef<const Expr*> given, QualType made,
                                       QualType pointer) {
  ir::Call call;
  call.name = "array";
  const bool is_array = made->isArrayType();
  if (!given.empty()) {
    call.arguments.push_back(as_argument(given[0], value(given[0])));
    if (is_array) call.arguments.back().name = "size";
  }
  if (!is_array) call.arguments.push_back({builder_.constant(int64_t{1}), "size", {}});
  call.type = unit_.type(pointer);
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::VisitCXXDeleteExpr(const CXXDeleteExpr* expr) {
  ir::Call call;
  call.name = "release";
  call.arguments.push_back(argument(expr->getArgument(), QualType()));
  call.type.kind = ir::TypeKind::kVoid;
  builder_.call(std::move(call));
  return builder_.none();
}

std::string FunctionLowering::add_lambda(const LambdaExpr& lambda) {
  const CXXMethodDecl* method = lambda.getCallOperator();
  std::string key = function_key(*method);
  const FunctionTemplateDecl* generic = lambda.getDependentCallOperator();
  if (!generic) {
    if (method->getBody() && unit_.claim(key)) {
      FunctionLowering inner(unit_);
      inner.lower_lambda(lambda, *method, key);
    }
    return key;
  }
  // Of a generic lambda only what it was called with can be looked at.
  unsigned count = 0;
  std::string last;
  for (const FunctionDecl* each : generic->specializations()) {
    const auto* called = dyn_cast<CXXMethodDecl>(each);
    if (!called || !called->getBody() || called->isDependentContext()) continue;
    last = function_key(*called);
    ++count;
    if (!unit_.claim(last)) continue;
    FunctionLowering inner(unit_);
    inner.lower_lambda(lambda, *called, last);
  }
  return count == 1 ? last : key;
}

ir::Register FunctionLowering::VisitLambdaExpr(const LambdaExpr* lambda) {
  std::string key = add_lambda(*lambda);
  std::vector<ir::Register> captures;
  auto initial = lambda->capture_init_begin();
  for (const LambdaCapture& capture : lambda->captures()) {
    const Expr* start = initial != lambda->capture_init_end() ? *initial++ : nullptr;
    if (capture.capturesThis()) {
      captures.push_back(this_object());
      continue;
    }
    if (!capture.capturesVariable()) continue;
    const ValueDecl* variable = capture.getCapturedVar();
    auto slot = slots_.find(variable);
    if (slot == slots_.end())
      captures.push_back(start ? value(start) : unknown());
    else if (capture.getCaptureKind() == LCK_ByRef)
      captures.push_back(builder_.ref(slot->second));
    else
      captures.push_back(is_aggregate(variable->getType())
                             ? builder_.copy(builder_.ref(slot->second))
                             : builder_.load(slot->second));
  }
  return builder_.closure(key, captures);
}

}  // namespace placecheck::frontend
