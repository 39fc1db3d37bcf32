#include "toss/signature_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::toss {

SignatureBuilder::SignatureBuilder(const syntax::Game& game,
                                   std::vector<base::Diagnostic>& diagnostics)
    : game_(game), diagnostics_(diagnostics) {
  for (const syntax::Definition& definition : game.definitions) {
    defined_[definition.name.text] = definition.parameters.size();
  }
}

Signature SignatureBuilder::build() {
  if (game_.start) add(*game_.start, false);
  if (game_.model) add(*game_.model, false);
  for (const syntax::Rule& rule : game_.rules) {
    add(rule.left, true);
    add(rule.right, false);
  }
  Signature result;
  for (const syntax::Word& name : relations_) {
    const auto arity = arities_[name.text];
    if (!arity) {
      report(
          "unknown-arity", name.span,
          fmt::format("the arity of '{}' is nowhere given; write {}:1 {{}}", name.text, name.text));
    }
    result.relations.push_back({name.text, arity.value_or(0)});
  }
  result.functions = functions_;
  return result;
}

void SignatureBuilder::add(const syntax::Structure& structure, bool may_use_definitions) {
  for (const syntax::Relation& relation : structure.relations) {
    const auto defined = defined_.find(relation.name.text);
    if (defined == defined_.end()) {
      add(relation);
    } else if (!may_use_definitions) {
      report("defined-relation", relation.name.span,
             fmt::format("'{}' is defined by REL; such relations stand on left sides of rules and "
                         "in formulas only",
                         relation.name.text));
    } else {
      for (const syntax::Tuple& tuple : relation.tuples) {
        if (tuple.elements.size() == defined->second) continue;
        report("arity-mismatch", tuple.span,
               fmt::format("'{}' has arity {}, and stands here with {}", relation.name.text,
                           defined->second, tuple.elements.size()));
      }
    }
  }
  for (const syntax::Function& function : structure.functions) {
    if (std::find(functions_.begin(), functions_.end(), function.name.text) == functions_.end()) {
      functions_.push_back(function.name.text);
    }
  }
}

void SignatureBuilder::add(const syntax::Relation& relation) {
  if (arities_.emplace(relation.name.text, std::nullopt).second) {
    relations_.push_back(relation.name);
  }
  if (relation.arity) add_arity(relation.name, *relation.arity, relation.name.span);
  for (const syntax::Tuple& tuple : relation.tuples) {
    add_arity(relation.name, tuple.elements.size(), tuple.span);
  }
}

void SignatureBuilder::add_arity(const syntax::Word& name, std::size_t arity, base::Span place) {
  std::optional<std::size_t>& known = arities_[name.text];
  if (!known) known = arity;
  if (*known == arity) return;
  report("arity-mismatch", place,
         fmt::format("'{}' has arity {}, and stands here with {}", name.text, *known, arity));
}

void SignatureBuilder::report(const char* code, base::Span span, std::string message) {
  diagnostics_.push_back({base::Severity::error, code, span, std::move(message)});
}

}  // namespace zermelo::toss
