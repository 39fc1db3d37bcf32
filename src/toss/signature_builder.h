// Collects the relations and functions of all structures of a file, with their arities.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "toss/structure.h"
#include "toss/syntax.h"

namespace zermelo::toss {

class SignatureBuilder {
 public:
  // Definitions are no part of the signature, and on left sides of rules only.
  SignatureBuilder(const syntax::Game& game, std::vector<base::Diagnostic>& diagnostics);

  // In the order of first mention: start, model, then rule by rule.
  Signature build();

 private:
  void add(const syntax::Structure& structure, bool may_use_definitions);
  void add(const syntax::Relation& relation);
  void add_arity(const syntax::Word& name, std::size_t arity, base::Span place);
  void report(const char* code, base::Span span, std::string message);

  const syntax::Game& game_;
  std::vector<base::Diagnostic>& diagnostics_;
  std::map<std::string, std::size_t> defined_;  // to arities
  std::vector<syntax::Word> relations_;
  std::map<std::string, std::optional<std::size_t>> arities_;
  std::vector<std::string> functions_;
};

}  // namespace zermelo::toss
