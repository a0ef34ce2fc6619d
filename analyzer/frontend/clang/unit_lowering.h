// Declarations of one parsed file -> the classes, functions and globals of an ir::Unit.
//
// Owns the unit while it grows and answers what function bodies ask of the file as a whole. Lives
// as long as one AST, on one thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/frontend/clang/types.h"
#include "analyzer/ir/ir.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

namespace placecheck::frontend {

// Whether the value of a static local is made of what the call of its function has: of parameters,
// of other locals, of the object.
bool depends_on_call(const clang::VarDecl& variable);

class UnitLowering {
 public:
  UnitLowering(clang::ASTContext& ast, std::string path,
               std::function<bool(llvm::StringRef)> is_external);

  void lower(const clang::Decl& decl);
  ir::Unit take() { return std::move(unit_); }

  clang::ASTContext& ast() { return ast_; }
  TypeMapper& types() { return types_; }
  ir::Type type(clang::QualType type) { return types_.map(type); }

  bool in_project(const clang::Decl& decl);
  bool in_project(clang::SourceLocation location);
  ir::Range range(clang::SourceRange range);
  const std::string& name(const clang::NamedDecl& decl);
  // The key of a function that the project defines or declares, else empty.
  std::string key(const clang::FunctionDecl& decl);
  // The slot of a variable that is not a local one; empty for a library's.
  std::string global(const clang::VarDecl& variable);
  // The slot that says whether a static local whose value depends on the call has been made.
  std::string guard(const clang::VarDecl& variable);
  // What the constructor without arguments of a project class is called.
  std::string default_constructor_key(const clang::CXXRecordDecl& record);
  bool needs_default_constructor(const clang::CXXRecordDecl& record);

  void add(ir::Function function) { unit_.functions.push_back(std::move(function)); }
  void lower_function(const clang::FunctionDecl& decl);
  // A function without parameters that yields `value`; returns its key.
  std::string add_initializer(const std::string& key, const std::string& name,
                              const clang::Expr& value, clang::QualType type);
  bool claim(const std::string& key) { return claimed_.insert(key).second; }

  // Where the parser reported errors; it may have dropped statements there.
  void set_errors(const std::vector<clang::SourceLocation>* errors) { errors_ = errors; }
  bool has_error_between(clang::SourceLocation begin, clang::SourceLocation end) const;
  // The names that occur between two locations if an error was reported there, else none.
  std::set<std::string> names_dropped_between(clang::SourceLocation begin,
                                              clang::SourceLocation end);
  // Whether `token` is what stands there; true of what nobody has written.
  bool is_written(clang::SourceLocation location, llvm::StringRef token) const;

 private:
  void lower_record(const clang::CXXRecordDecl& record);
  void lower_members(const clang::CXXRecordDecl& record);
  void lower_template(const clang::Decl& decl);
  void lower_context(const clang::DeclContext& context);
  void add_fields(const clang::CXXRecordDecl& record, ir::Class& out);
  void add_methods(const clang::CXXRecordDecl& record, ir::Class& out);
  void add_method(const clang::CXXMethodDecl& method, ir::Class& out);
  void add_inherited(const clang::ConstructorUsingShadowDecl& shadow,
                     const clang::CXXRecordDecl& record, ir::Class& out);
  uint32_t file_index(clang::FileID file);
  // Line and column, both from 1.
  std::pair<uint32_t, uint32_t> position(clang::FileID file, unsigned offset);

  clang::ASTContext& ast_;
  clang::SourceManager& sources_;
  const std::vector<clang::SourceLocation>* errors_ = nullptr;
  mutable std::vector<clang::SourceLocation>
      sorted_errors_;  // in the text, as of the last question
  llvm::DenseMap<clang::FileID, std::vector<unsigned>> line_starts_;  // offsets
  std::function<bool(llvm::StringRef)> is_external_;
  TypeMapper types_;
  ir::Unit unit_;
  std::set<std::string> claimed_;  // keys of what has been lowered
  std::set<std::string> globals_;
  llvm::DenseMap<clang::FileID, bool> project_files_;
  llvm::DenseMap<clang::FileID, uint32_t> file_indexes_;
  llvm::DenseMap<const clang::Decl*, std::string> names_;
};

}  // namespace placecheck::frontend
