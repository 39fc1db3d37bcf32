#include "translate/toss/move_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "translate/toss/body_formulas.h"

namespace zermelo::translate::toss {
namespace {

constexpr std::size_t max_instances = 12;

class ClassFinder {
 public:
  ClassFinder(const std::vector<GdlClause>& next, const ground::Game& game)
      : next_(next), game_(game) {}

  std::vector<MoveClass> run(const std::vector<GdlClause>& legal, std::size_t role,
                             const std::string& role_name) {
    role_ = role;
    role_name_ = role_name;
    std::map<std::string, std::vector<GdlClause>> by_functor;
    for (const GdlClause& clause : legal) {
      const GdlTerm& move = clause.head.arguments[1];
      if (move.is_variable) {
        throw NotTranslatable{"a variable stands for a whole move in the head of a legal clause"};
      }
      for (const GdlTerm& argument : move.arguments) {
        if (argument.is_variable || is_ground(argument)) continue;
        throw NotTranslatable{fmt::format("a move has nested terms, {}", print(move))};
      }
      by_functor[fmt::format("{}/{}", move.name, move.arguments.size())].push_back(clause);
    }
    for (const auto& [functor, clauses] : by_functor) split(clauses, 0);
    return std::move(result_);
  }

 private:
  // By the constants at positions where every clause has one.
  void split(const std::vector<GdlClause>& clauses, std::size_t position) {
    const GdlTerm& move = clauses.front().head.arguments[1];
    if (position == move.arguments.size()) return add(clauses);
    std::map<GdlTerm, std::vector<GdlClause>> by_value;
    for (const GdlClause& clause : clauses) {
      const GdlTerm& argument = clause.head.arguments[1].arguments[position];
      if (argument.is_variable) return split(clauses, position + 1);
      by_value[argument].push_back(clause);
    }
    for (const auto& [value, of_value] : by_value) split(of_value, position + 1);
  }

  void add(const std::vector<GdlClause>& clauses) {
    MoveClass added;
    added.role = role_;
    added.head = clauses.front().head.arguments[1];
    for (std::size_t i = 0; i < added.head.arguments.size(); ++i) {
      const GdlTerm first = added.head.arguments[i];
      const bool is_constant =
          std::all_of(clauses.begin(), clauses.end(), [&](const GdlClause& clause) {
            return !first.is_variable && clause.head.arguments[1].arguments[i] == first;
          });
      if (!is_constant) added.head.arguments[i] = gdl_variable(fmt::format("m{}", i));
    }
    for (const GdlClause& clause : clauses) {
      const GdlClause renamed = renamed_apart(clause, 2'000'000 + number_++);
      GdlBody body = renamed.body;
      Substitution names;
      for (std::size_t i = 0; i < added.head.arguments.size(); ++i) {
        const GdlTerm& own = renamed.head.arguments[1].arguments[i];
        const GdlTerm& general = added.head.arguments[i];
        if (!general.is_variable) continue;
        if (own.is_variable && names.count(own.name) == 0) {
          names[own.name] = general;
        } else {
          body.push_back(gdl_equation(general, substitute(own, names)));
        }
      }
      for (GdlLiteral& literal : body) literal = substitute(literal, names);
      added.bodies.push_back(std::move(body));
    }
    instantiate(added, 0);
  }

  // Replaces variables by all their values where `next` clauses distinguish them.
  void instantiate(const MoveClass& general, std::size_t position) {
    if (position == general.head.arguments.size()) {
      result_.push_back(general);
      return;
    }
    const std::set<std::string> values =
        general.head.arguments[position].is_variable && is_distinguished(general.head, position)
            ? values_at(general.head, position)
            : std::set<std::string>();
    if (values.empty() || values.size() > max_instances) return instantiate(general, position + 1);
    for (const std::string& value : values) {
      const Substitution chosen = {{general.head.arguments[position].name, gdl_constant(value)}};
      MoveClass instance = general;
      instance.head = substitute(general.head, chosen);
      for (GdlBody& body : instance.bodies) {
        for (GdlLiteral& literal : body) literal = substitute(literal, chosen);
      }
      instantiate(instance, position + 1);
    }
  }

  bool is_distinguished(const GdlTerm& head, std::size_t position) const {
    for (const GdlClause& clause : next_) {
      for (const GdlLiteral& literal : clause.body) {
        if (literal.kind != GdlLiteral::Kind::does) continue;
        const GdlTerm& move = literal.term.arguments[1];
        if (!move.is_variable && move.name == head.name &&
            move.arguments.size() == head.arguments.size() &&
            !move.arguments[position].is_variable) {
          return true;
        }
      }
    }
    return false;
  }

  std::set<std::string> values_at(const GdlTerm& head, std::size_t position) const {
    std::set<std::string> values;
    for (const auto& move : game_.moves) {
      const GdlTerm term = from_gdl(move.term, game_.rulesheet->symbols);
      if (move.role == role_ && term.name == head.name &&
          term.arguments.size() == head.arguments.size()) {
        values.insert(print(term.arguments[position]));
      }
    }
    return values;
  }

  const std::vector<GdlClause>& next_;
  const ground::Game& game_;
  std::size_t role_ = 0;
  std::string role_name_;
  std::vector<MoveClass> result_;
  std::size_t number_ = 0;
};

constexpr std::size_t max_expanded = 64;
constexpr std::size_t max_expansion_depth = 3;

void expand_state_predicates(const GdlClauses& rules, const GdlBody& body, std::size_t first,
                             std::size_t depth, std::size_t& number, std::vector<GdlBody>& result) {
  for (std::size_t i = first; i < body.size() && depth < max_expansion_depth; ++i) {
    const GdlLiteral& literal = body[i];
    if (literal.kind != GdlLiteral::Kind::atom || literal.negated ||
        !rules.depends_on_state(literal.term.name)) {
      continue;
    }
    for (const GdlClause& clause : rules.of(literal.term.name)) {
      const GdlClause renamed = renamed_apart(clause, 5'000'000 + number++);
      Substitution unifier;
      if (!unify(literal.term, renamed.head, unifier)) continue;
      GdlBody inserted = body;
      inserted.erase(inserted.begin() + static_cast<std::ptrdiff_t>(i));
      inserted.insert(inserted.end(), renamed.body.begin(), renamed.body.end());
      for (GdlLiteral& each : inserted) each = substitute(each, unifier);
      expand_state_predicates(rules, inserted, i, depth + 1, number, result);
      if (result.size() > max_expanded) return;
    }
    return;
  }
  result.push_back(body);
}

std::vector<GdlBody> expanded_bodies(const GdlClauses& rules, const std::vector<GdlBody>& bodies) {
  std::vector<GdlBody> result;
  std::size_t number = 0;
  for (const GdlBody& body : bodies) {
    expand_state_predicates(rules, body, 0, 0, number, result);
    if (result.size() > max_expanded) return bodies;
  }
  return result;
}

}  // namespace

Contradictions::Contradictions(const ground::Game& game, const analysis::MutexGroups& groups) {
  for (std::size_t g = 0; g < groups.groups.size(); ++g) {
    for (const ground::Atom fluent : groups.groups[g].fluents) {
      group_of_[game.fluent_name(fluent)] = g;
    }
    size_.push_back(groups.groups[g].exactly_one ? groups.groups[g].fluents.size() : 0);
  }
}

bool Contradictions::in(const GdlBody& body) const {
  std::map<std::size_t, std::string> held;
  std::map<std::size_t, std::set<std::string>> excluded;
  std::set<std::string> positive, negative;
  for (const GdlLiteral& literal : body) {
    if (literal.kind == GdlLiteral::Kind::distinct && is_ground(literal.term)) {
      const bool differ = !(literal.term.arguments[0] == literal.term.arguments[1]);
      if (differ == literal.negated) return true;
    }
    if (literal.kind != GdlLiteral::Kind::truth) continue;
    const std::string name = print(literal.term);
    (literal.negated ? negative : positive).insert(name);
    const auto group = group_of_.find(name);
    if (group == group_of_.end()) continue;
    if (literal.negated) {
      excluded[group->second].insert(name);
      if (excluded[group->second].size() == size_[group->second]) return true;
    } else if (!held.emplace(group->second, name).second && held[group->second] != name) {
      return true;
    }
  }
  return std::any_of(positive.begin(), positive.end(),
                     [&](const std::string& name) { return negative.count(name) > 0; });
}

bool Contradictions::between(const std::vector<GdlBody>& a, const std::vector<GdlBody>& b) const {
  for (const GdlBody& first : a) {
    for (const GdlBody& second : b) {
      GdlBody both = first;
      both.insert(both.end(), second.begin(), second.end());
      if (!in(both)) return false;
    }
  }
  return true;
}

std::vector<std::vector<MoveClass>> move_classes(const GdlClauses& rules,
                                                 const std::vector<GdlClause>& next,
                                                 const ground::Game& game,
                                                 const analysis::MutexGroups& groups) {
  const Contradictions contradictions(game, groups);
  std::vector<std::vector<MoveClass>> result;
  for (std::size_t role = 0; role < rules.roles().size(); ++role) {
    std::vector<GdlClause> legal;
    for (const GdlClause& clause : rules.of("legal")) {
      if (clause.head.arguments[0] == gdl_constant(rules.roles()[role])) legal.push_back(clause);
    }
    result.push_back(ClassFinder(next, game).run(legal, role, rules.roles()[role]));
    std::vector<MoveClass>& classes = result.back();
    for (MoveClass& each : classes) each.expanded = expanded_bodies(rules, each.bodies);
    for (MoveClass& each : classes) {
      each.is_only_move = is_ground(each.head);
      for (const MoveClass& other : classes) {
        if (&other == &each) continue;
        each.is_only_move =
            each.is_only_move && contradictions.between(each.expanded, other.expanded);
      }
    }
  }
  return result;
}

}  // namespace zermelo::translate::toss
