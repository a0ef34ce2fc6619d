#include "analyzer/frontend/clang/instantiate.h"

#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/SaveAndRestore.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

void instantiate(CXXMethodDecl& method, Sema& sema) {
  if (method.isDefined() || method.isDeleted() || method.isDependentContext()) return;
  const FunctionDecl* pattern = method.getTemplateInstantiationPattern();
  const FunctionDecl* definition = nullptr;
  if (!pattern || !pattern->isDefined(definition) || !definition->doesThisDeclarationHaveABody())
    return;
  sema.InstantiateFunctionDefinition(definition->getLocation(), &method, /*Recursive=*/true,
                                     /*DefinitionRequired=*/false);
}

void instantiate_class(const ClassTemplateDecl& record, Sema& sema) {
  std::vector<CXXMethodDecl*> methods;
  auto is_called_by_holders = [](const CXXMethodDecl& method) {
    if (isa<CXXConstructorDecl>(method)) return true;
    const IdentifierInfo* name = method.getIdentifier();
    return name && (name->isStr("forward") || name->isStr("reset"));
  };
  for (const ClassTemplateSpecializationDecl* each : record.specializations()) {
    if (!each->isCompleteDefinition() || each->isDependentContext() || each->isInvalidDecl())
      continue;
    for (CXXMethodDecl* method : each->methods()) {
      if (is_called_by_holders(*method)) methods.push_back(method);
    }
  }
  for (CXXMethodDecl* method : methods) instantiate(*method, sema);
}

void instantiate_below(const Decl& decl, Sema& sema) {
  if (const auto* record = dyn_cast<ClassTemplateDecl>(&decl))
    return instantiate_class(*record, sema);
  const auto* space = dyn_cast<NamespaceDecl>(&decl);
  if (!space) return;
  // Instantiating adds declarations.
  const std::vector<const Decl*> inner(space->decls_begin(), space->decls_end());
  for (const Decl* each : inner) instantiate_below(*each, sema);
}

}  // namespace

void instantiate_members(const Decl& decl, Sema& sema) {
  // The scope of the file ended with it, but an implicit assignment of an array declares a builtin
  // there.
  Scope scope(nullptr, Scope::DeclScope, sema.getDiagnostics());
  scope.setEntity(sema.getASTContext().getTranslationUnitDecl());
  const llvm::SaveAndRestore<Scope*> restored(sema.TUScope, &scope);
  instantiate_below(decl, sema);
}

}  // namespace placecheck::frontend
