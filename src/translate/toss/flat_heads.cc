#include "translate/toss/flat_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace zermelo::translate::toss {
namespace {

using Kind = GdlLiteral::Kind;
using Clauses = std::map<std::string, std::vector<GdlClause>>;

constexpr std::size_t max_flat_rounds = 30;
constexpr std::size_t max_flat_clauses = 20'000;

// An argument of a predicate and the forms that it has in heads.
struct Position {
  std::string predicate;
  std::size_t index = 0;
  std::set<std::pair<std::string, std::size_t>> forms;  // functor, number of arguments
};

bool is_kept(const std::string& predicate) {
  static const std::set<std::string> words = {"legal", "next", "goal", "terminal", "init", "sees"};
  return words.count(predicate) > 0;
}

std::optional<Position> compound_position(const std::string& predicate,
                                          const std::vector<GdlClause>& clauses) {
  if (is_kept(predicate) || clauses.empty()) return std::nullopt;
  for (std::size_t i = 0; i < clauses.front().head.arguments.size(); ++i) {
    Position result{predicate, i, {}};
    bool has_compound = false, has_variable = false;
    for (const GdlClause& clause : clauses) {
      if (i >= clause.head.arguments.size()) return std::nullopt;
      const GdlTerm& argument = clause.head.arguments[i];
      has_compound = has_compound || (!argument.is_variable && !is_ground(argument));
      has_variable = has_variable || argument.is_variable;
      result.forms.emplace(argument.name, argument.arguments.size());
    }
    if (has_compound && !has_variable) return result;
  }
  return std::nullopt;
}

class Flattening {
 public:
  explicit Flattening(const Position& position) : position_(position) {}

  // Nothing if a variable in the place stands in negations only.
  std::optional<Clauses> run(const Clauses& clauses) {
    Clauses result;
    for (const auto& [predicate, of_predicate] : clauses) {
      for (const GdlClause& clause : of_predicate) {
        if (!add(clause, result)) return std::nullopt;
      }
    }
    return result;
  }

 private:
  bool concerns(const GdlTerm& atom) const {
    return atom.name == position_.predicate && position_.index < atom.arguments.size();
  }

  bool add(const GdlClause& clause, Clauses& result) {
    for (const bool negated : {false, true}) {
      for (const GdlLiteral& literal : clause.body) {
        if (literal.kind != Kind::atom || literal.negated != negated || !concerns(literal.term)) {
          continue;
        }
        const GdlTerm argument = literal.term.arguments[position_.index];
        if (!argument.is_variable) continue;
        if (negated) return false;
        return add_forms(clause, argument.name, result);
      }
    }
    return add_flat(clause, result);
  }

  bool add_forms(const GdlClause& clause, const std::string& variable, Clauses& result) {
    for (const auto& [functor, arity] : position_.forms) {
      GdlTerm form = gdl_constant(functor);
      for (std::size_t i = 0; i < arity; ++i) {
        form.arguments.push_back(gdl_variable(fmt::format("{}.{}.{}", variable, number_, i)));
      }
      ++number_;
      if (!add(substitute(clause, {{variable, form}}), result)) return false;
    }
    return true;
  }

  bool add_flat(const GdlClause& clause, Clauses& result) {
    GdlClause flat{concerns(clause.head) ? flattened(clause.head) : clause.head, {}};
    for (const GdlLiteral& literal : clause.body) {
      if (literal.kind != Kind::atom || !concerns(literal.term)) {
        flat.body.push_back(literal);
        continue;
      }
      const GdlTerm& argument = literal.term.arguments[position_.index];
      if (position_.forms.count({argument.name, argument.arguments.size()}) > 0) {
        flat.body.push_back({literal.kind, literal.negated, flattened(literal.term)});
      } else if (!literal.negated) {
        return true;  // holds for nothing
      }
    }
    result[flat.head.name].push_back(std::move(flat));
    return ++count_ <= max_flat_clauses;
  }

  GdlTerm flattened(const GdlTerm& atom) const {
    const GdlTerm& argument = atom.arguments[position_.index];
    GdlTerm result = gdl_constant(fmt::format("{}.{}.{}.{}", atom.name, position_.index,
                                              argument.name, argument.arguments.size()));
    for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
      if (i != position_.index) {
        result.arguments.push_back(atom.arguments[i]);
        continue;
      }
      result.arguments.insert(result.arguments.end(), argument.arguments.begin(),
                              argument.arguments.end());
    }
    return result;
  }

  const Position& position_;
  std::size_t number_ = 0, count_ = 0;
};

}  // namespace

GdlClauses with_flat_heads(const GdlClauses& rules) {
  Clauses clauses = rules.all();
  std::set<std::string> skipped;
  for (std::size_t round = 0; round < max_flat_rounds; ++round) {
    std::optional<Position> position;
    for (const auto& [predicate, of_predicate] : clauses) {
      const bool is_open =
          (rules.depends_on_state(predicate) || rules.all().count(predicate) == 0) &&
          skipped.count(predicate) == 0;
      if (is_open && !position) position = compound_position(predicate, of_predicate);
    }
    if (!position) break;
    auto flat = Flattening(*position).run(clauses);
    if (flat) {
      clauses = std::move(*flat);
    } else {
      skipped.insert(position->predicate);
    }
  }
  return GdlClauses(rules.roles(), std::move(clauses));
}

}  // namespace zermelo::translate::toss
