// Heuristics from existential formulas (Kaiser and Stafiniak, "First-Order Logic with Counting for
// General Game Playing"). The goal is brought to TNF, in which existential quantifiers stand one
// after another,
//
//     ex x1 (t1(x1) and ex x2 (t2(x2, x1) and ... ex xn tn(xn, ...)))
//
// and becomes a sum that counts the steps made towards it, the later the more:
//
//     Sum (x1 | t1 : alpha^(n-1) + Sum (x2 | t2 : alpha^(n-2) + ... Sum (xn | tn : 1)))
//
// Disjuncts are summed. Where the paper's schema is silent: several existential formulas beside
// each other are summed, and the exponent of alpha is the number of quantifiers inside; quantifiers
// with nothing but another one behind them count as one step; what is not existential at the top of
// a disjunct is a factor. (The paper's Example 8 prints 1/8 for alpha^2 with alpha = 1/4; the
// formula says 1/16, which is what is used here.)
//
// Definitions are inserted if they contain fluents, have no quantifiers, or are not existential;
// others stay as they are and count as stable relations, so that a diagonal is one step and not
// two.
#include "toss/heuristic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "toss/expand.h"
#include "toss/fluents.h"
#include "toss/normal_form.h"
#include "toss/printer.h"

namespace zermelo::toss {
namespace {

using Kind = Formula::Kind;

bool has_kind(const Formula& formula, Kind kind) {
  return formula.kind == kind ||
         std::any_of(formula.parts.begin(), formula.parts.end(),
                     [&](const FormulaPtr& part) { return has_kind(*part, kind); });
}

bool is_opaque(const Formula& formula) {
  return has_kind(formula, Kind::let) || has_kind(formula, Kind::least) ||
         has_kind(formula, Kind::greatest) || has_kind(formula, Kind::closure);
}

bool is_inserted(const Definition& definition, const FluentNames& fluents) {
  if (fluents.in(*definition.body)) return true;
  if (is_opaque(*definition.body)) return false;
  const FormulaPtr form = negation_normal_form(definition.body);
  return has_kind(*form, Kind::forall) || !has_kind(*form, Kind::exists);
}

Names variables_in(const Formula& formula) {
  Names result(formula.variables.begin(), formula.variables.end());
  for (const FormulaPtr& part : formula.parts) result.merge(variables_in(*part));
  return result;
}

// Replaces universal formulas without fluents by existential descriptions.
class Describer {
 public:
  Describer(const Game& game, const FluentNames& fluents, const DescriptionOptions& options)
      : game_(game), fluents_(fluents), options_(options) {
    for (const RelationSymbol& symbol : game.signature.relations) {
      if (fluents.relations.count(symbol.name) == 0) relations_.insert(symbol.name);
    }
  }

  FormulaPtr run(const FormulaPtr& formula) {
    used_ = variables_in(*formula);
    return visit(formula);
  }

 private:
  FormulaPtr visit(const FormulaPtr& formula) {
    if (formula->kind == Kind::forall) return described(formula);
    Formula result = *formula;
    if (formula->kind != Kind::negation) {
      for (FormulaPtr& part : result.parts) part = visit(part);
    }
    return std::make_shared<const Formula>(std::move(result));
  }

  FormulaPtr described(const FormulaPtr& formula) {
    const Names free = free_variables(*formula);
    if (free.empty() || fluents_.in(*formula)) return formula;
    const auto found = existential_description(game_, *formula, relations_, options_);
    return found ? with_own_variables(*found) : formula;
  }

  // Bound variables get names that are not used yet.
  FormulaPtr with_own_variables(const FormulaPtr& description) {
    if (description->kind == Kind::exists) {
      std::map<std::string, std::string> names;
      for (const std::string& name : description->variables) names[name] = fresh_name(name, used_);
      return rename(description, names);
    }
    if (description->kind != Kind::disjunction) return description;
    std::vector<FormulaPtr> parts;
    for (const FormulaPtr& part : description->parts) parts.push_back(with_own_variables(part));
    return disjunction(std::move(parts));
  }

  const Game& game_;
  const FluentNames& fluents_;
  const DescriptionOptions& options_;
  Names relations_;
  Names used_;
};

std::size_t quantifiers_in(const Formula& formula) {
  if (formula.kind != Kind::exists && formula.kind != Kind::conjunction) return 0;
  std::size_t result = 0;
  for (const FormulaPtr& part : formula.parts) result += quantifiers_in(*part);
  const bool counts = formula.kind == Kind::exists && formula.parts[0]->kind != Kind::exists;
  return result + counts;
}

class ExistentialSums {
 public:
  explicit ExistentialSums(double alpha) : alpha_(alpha) {}

  TermPtr of(const FormulaPtr& formula) {
    std::vector<TermPtr> terms;
    for (const Conjuncts& conjuncts : disjunctive_normal_form(formula)) {
      terms.push_back(of_disjunct(conjuncts));
    }
    return add(std::move(terms));
  }

 private:
  struct Split {
    std::vector<FormulaPtr> existential, others;
  };

  static Split split(const Conjuncts& conjuncts) {
    Split result;
    for (const FormulaPtr& part : conjuncts) {
      (part->kind == Kind::exists ? result.existential : result.others).push_back(part);
    }
    return result;
  }

  TermPtr of_disjunct(const Conjuncts& conjuncts) {
    Split parts = split(conjuncts);
    std::vector<TermPtr> factors;
    const bool alone = parts.existential.empty();
    if (!parts.others.empty() || alone) {
      factors.push_back(indicator(conjunction(std::move(parts.others))));
    }
    if (!alone) factors.push_back(summed(parts.existential));
    return multiply(std::move(factors));
  }

  TermPtr summed(const std::vector<FormulaPtr>& existential) {
    std::vector<TermPtr> terms;
    for (const FormulaPtr& part : existential) terms.push_back(of_step(*part));
    return add(std::move(terms));
  }

  static Conjuncts conjuncts_of(const FormulaPtr& formula) {
    return formula->kind == Kind::conjunction ? formula->parts : Conjuncts{formula};
  }

  // ex x (t and ex ... and ex ...)
  TermPtr of_step(const Formula& formula) {
    std::vector<std::string> variables = formula.variables;
    FormulaPtr body = formula.parts[0];
    while (body->kind == Kind::exists) {
      variables.insert(variables.end(), body->variables.begin(), body->variables.end());
      body = body->parts[0];
    }
    const Split parts = split(conjuncts_of(body));
    std::vector<TermPtr> terms = {
        number(std::pow(alpha_, static_cast<double>(quantifiers_in(*body))))};
    for (const FormulaPtr& part : parts.existential) terms.push_back(of_step(*part));
    const FormulaPtr guard =
        parts.others.empty() ? disjunction(parts.existential) : conjunction(parts.others);
    return sum(std::move(variables), guard, add(std::move(terms)));
  }

  double alpha_;
};

// The payoff with every indicator of a sentence replaced.
template <class Replace>
TermPtr substitute(const TermPtr& term, Replace replace) {
  if (term->kind == Term::Kind::indicator && free_variables(*term).empty()) {
    return replace(term->formula);
  }
  if (term->kind == Term::Kind::sum) return term;
  Term result = *term;
  for (TermPtr& part : result.parts) part = substitute(part, replace);
  return std::make_shared<const Term>(std::move(result));
}

std::size_t initial_moves(StructureMachine& machine) {
  std::size_t most = 0;
  const StructureMachine::State initial = machine.initial_state();
  for (std::size_t role = 0; role < machine.roles().size(); ++role) {
    most = std::max(most, machine.legal_moves(initial, role).size());
  }
  return most;
}

HeuristicMethod chosen_method(StructureMachine& machine, const HeuristicOptions& options) {
  if (options.method != HeuristicMethod::automatic) return options.method;
  const bool free = initial_moves(machine) >= options.many_moves;
  return free && !removes_tuples(machine.game()) ? HeuristicMethod::rule_conditions
                                                 : HeuristicMethod::existential;
}

std::vector<std::vector<TermPtr>> derive(const Game& game, HeuristicMethod method,
                                         const HeuristicOptions& options) {
  const auto replace = [&](const FormulaPtr& sentence) {
    return method == HeuristicMethod::existential
               ? existential_heuristic(game, sentence, options)
               : rule_condition_heuristic(game, sentence, options);
  };
  std::vector<std::pair<TermPtr, TermPtr>> known;  // payoffs are often the same in all locations
  std::vector<std::vector<TermPtr>> result;
  for (const Location& location : game.locations) {
    std::vector<TermPtr>& terms = result.emplace_back();
    for (const PlayerPart& part : location.players) {
      auto found = std::find_if(known.begin(), known.end(),
                                [&](const auto& pair) { return same(*pair.first, *part.payoff); });
      if (found == known.end()) {
        found = known.emplace(found, part.payoff, substitute(part.payoff, replace));
      }
      terms.push_back(found->second);
    }
  }
  return result;
}

}  // namespace

FormulaPtr goal_normal_form(const Game& game, const Formula& sentence,
                            const DescriptionOptions& options) {
  const FluentNames fluents = find_fluents(game);
  const FluentTest is_fluent = [&](const Formula& formula) { return fluents.in(formula); };
  const FormulaPtr expanded = expand(game, sentence, [&](const Definition& definition) {
    return is_inserted(definition, fluents);
  });
  const FormulaPtr form = type_normal_form(negation_normal_form(expanded), is_fluent);
  return type_normal_form(Describer(game, fluents, options).run(form), is_fluent);
}

TermPtr existential_heuristic(const Game& game, const FormulaPtr& sentence,
                              const HeuristicOptions& options) {
  return ExistentialSums(options.alpha).of(goal_normal_form(game, *sentence, options.description));
}

base::Result<Heuristic> make_heuristic(StructureMachine& machine, const HeuristicOptions& options) {
  try {
    Heuristic result;
    result.method = chosen_method(machine, options);
    result.terms = derive(machine.game(), result.method, options);
    return result;
  } catch (const LimitReached& limit) {
    return base::fail(limit.kind(), limit.what());
  }
}

std::string print_heuristic(const Heuristic& heuristic, const Game& game) {
  const bool existential = heuristic.method == HeuristicMethod::existential;
  std::string result =
      fmt::format("// {}\n", existential ? "from existential formulas" : "with rule conditions");
  for (std::size_t l = 0; l < game.locations.size(); ++l) {
    for (std::size_t p = 0; p < game.players.size(); ++p) {
      result += fmt::format("LOC {} PLAYER {}: {}\n", game.locations[l].number, game.players[p],
                            print(*heuristic.terms[l][p]));
    }
  }
  return result;
}

HeuristicEvaluator::HeuristicEvaluator(const Theory& theory, const Heuristic& heuristic) {
  for (const std::vector<TermPtr>& terms : heuristic.terms) {
    std::vector<TermQuery>& queries = queries_.emplace_back();
    for (const TermPtr& term : terms) queries.emplace_back(theory, *term);
  }
}

}  // namespace zermelo::toss
