// Instantiates the members of class templates that only skipped library code would have asked for:
// a holder constructs its module, and calls forward, in a body that is not parsed.
#pragma once

namespace clang {
class Decl;
class Sema;
}  // namespace clang

namespace placecheck::frontend {

// For every class template below `decl`: the constructors and methods of its specializations.
void instantiate_members(const clang::Decl& decl, clang::Sema& sema);

}  // namespace placecheck::frontend
