// Names and keys of declarations: what a person reads, and what joins units into programs.
//
// A key is equal in every unit that sees the same declaration and different for two declarations
// that merely share a name: it ends in the path of the file that declares the thing first.
#pragma once

#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace placecheck::frontend {

// "at::Tensor::to": without template arguments, inline and unnamed namespaces; the name of
// libtorch for what the reference runtime has in its place.
std::string qualified_name(const clang::NamedDecl& decl);

// Of the reference runtime, whose names are those of libtorch: what it defines is a library.
bool is_of_reference_runtime(const clang::Decl& decl);

// Where the macro, if any, was expanded; of a pattern where `decl` was instantiated from one.
clang::SourceLocation home(const clang::Decl& decl);

// The path of the file at `location`, links resolved.
std::string path_at(const clang::ASTContext& ast, clang::SourceLocation location);

std::string function_key(const clang::FunctionDecl& decl);
std::string class_key(const clang::CXXRecordDecl& decl);
std::string variable_key(const clang::VarDecl& decl);

}  // namespace placecheck::frontend
