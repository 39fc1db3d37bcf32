#include "symbolic/variable_order_problem.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "dd/conditions.h"
#include "symbolic/phase_program.h"
#include "symbolic/rule_conditions.h"

namespace zermelo::symbolic {
namespace {

using ground::Atom;
using ground::Literal;
using Set = std::vector<std::size_t>;

// Bounds the work if no limit is set: for games with more rules, only the names of the fluents are
// used.
constexpr std::size_t max_rules = 200'000;

void sort_unique(Set& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

// Goals and termination.
std::vector<Atom> outcomes_of(const ground::Game& game) {
  std::vector<Atom> outcomes;
  for (const auto& goals : game.goals) {
    for (const auto& goal : goals) outcomes.push_back(goal.atom);
  }
  if (game.terminal != ground::no_atom) outcomes.push_back(game.terminal);
  return outcomes;
}

// By atom, whether goals or termination depend on it.
std::vector<bool> tested_by_outcomes(const ground::Game& game) {
  std::vector<bool> tested(game.atoms, false);
  std::vector<Atom> open = outcomes_of(game);
  while (!open.empty()) {
    const Atom atom = open.back();
    open.pop_back();
    if (tested[atom]) continue;
    tested[atom] = true;
    if (atom < game.first_derived) continue;
    for (auto rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const Literal literal : game.body(rule)) open.push_back(literal.atom());
    }
  }
  return tested;
}

// Families and arguments of the variables, from the names of their fluents.
class Names {
 public:
  Names(const ground::Game& game, const Encoding& encoding) : game_(game) {
    for (const Variable& variable : encoding.variables()) add(variable);
    for (Named& variable : named_) keep_shared(variable);
  }

  std::vector<OrderVariable> variables() {
    std::map<std::pair<std::size_t, std::size_t>, std::set<Key>> constants;
    for (const Named& variable : named_) {
      for (std::size_t a = 0; a < variable.shared.size(); ++a) {
        constants[{variable.family, a}].insert(key(variable.shared[a]));
      }
    }
    std::vector<OrderVariable> result;
    for (const Named& variable : named_) {
      OrderVariable& added = result.emplace_back();
      added.family = variable.family;
      for (std::size_t a = 0; a < variable.shared.size(); ++a) {
        const std::set<Key>& all = constants.at({variable.family, a});
        const auto found = all.find(key(variable.shared[a]));
        added.arguments.push_back(static_cast<std::size_t>(std::distance(all.begin(), found)));
      }
    }
    return result;
  }

 private:
  struct Named {
    std::size_t family;
    std::vector<std::vector<gdl::Symbol>> leaves;  // by fluent, the constants in it
    std::vector<gdl::Symbol> shared;               // constants that all fluents have in common
  };
  // Sorts numbers by value, words that end in a number by that number, letters alphabetically, and
  // other words in the order of their first occurrence in the rules.
  using Key = std::tuple<std::string, std::uint64_t, std::uint32_t>;

  void add(const Variable& variable) {
    Named& added = named_.emplace_back();
    for (const Atom fluent : variable.fluents) {
      collect(game_.fluents[fluent], added.leaves.emplace_back());
    }
    const gdl::Symbol name = game_.fluents[variable.fluents.front()].name;
    added.family =
        families_.try_emplace({name, added.leaves.front().size()}, families_.size()).first->second;
  }

  static void collect(const gdl::Term& term, std::vector<gdl::Symbol>& leaves) {
    for (const gdl::Term& argument : term.arguments) {
      if (argument.arguments.empty()) leaves.push_back(argument.name);
      collect(argument, leaves);
    }
  }

  static void keep_shared(Named& variable) {
    const auto& first = variable.leaves.front();
    for (std::size_t a = 0; a < first.size(); ++a) {
      const bool same = std::all_of(
          variable.leaves.begin(), variable.leaves.end(),
          [&](const auto& leaves) { return leaves.size() > a && leaves[a] == first[a]; });
      if (same) variable.shared.push_back(first[a]);
    }
  }

  Key key(gdl::Symbol symbol) const {
    const std::string& name = game_.rulesheet->symbols.name(symbol);
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits < name.size()) {
      std::uint64_t number = 0;
      std::from_chars(name.data() + digits, name.data() + name.size(), number);
      return {name.substr(0, digits), number, 0};
    }
    if (name.size() == 1) return {name, 0, 0};
    return {"", 0, static_cast<std::uint32_t>(symbol)};
  }

  const ground::Game& game_;
  std::vector<Named> named_;
  std::map<std::pair<gdl::Symbol, std::size_t>, std::size_t> families_;
};

// The sets of variables that occur together in rules.
class Occurrences {
 public:
  struct Sets {
    std::vector<Set> moves;       // what changes together: next values, and the effects of a move
    std::vector<Set> conditions;  // the rules that goals and termination depend on
  };

  Occurrences(const ground::Game& game, const Encoding& encoding, const base::Limits& limits)
      : game_(game),
        encoding_(encoding),
        limits_(limits),
        supports_(game.atoms),
        touched_(game.moves.size()) {}

  // Returns nullopt if a limit is exceeded.
  std::optional<Sets> find() {
    for (Atom atom = 0; atom < game_.atoms; ++atom) find_support(atom);
    Sets sets;
    sets.moves = moves();
    sets.conditions = conditions();
    if (is_over_) return std::nullopt;
    return sets;
  }

 private:
  // What an atom depends on. Larger sets of variables say nothing about neighbours, and larger sets
  // of moves say nothing about the effect of one of them. The moves of a queen from one square, for
  // two players, are fewer.
  static constexpr std::size_t widest = 12, max_moves = 64;
  struct Support {
    Set variables;  // ascending; none if there are too many
    bool is_wide = false;
    Set moves;  // ascending; none if there are too many
  };

  std::vector<Set> moves() {
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (encoding_.place(fluent)) collect_next(fluent);
    }
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      Set& set = touched_[move];
      if (game_.legal[move] != ground::no_atom) append(set, supports_[game_.legal[move]].variables);
      add(std::move(set));
    }
    return take_sets();
  }

  std::vector<Set> conditions() {
    const std::vector<bool> tested = tested_by_outcomes(game_);
    for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) {
      if (!tested[atom]) continue;
      for_each_rule(atom, [&](std::span<const Literal> body) { add(variables_of(body)); });
    }
    return take_sets();
  }

  // Visits all, unless a limit is exceeded.
  template <class Visit>
  void for_each_rule(Atom derived, Visit visit) {
    for (auto rule = game_.rules_begin(derived); rule < game_.rules_end(derived); ++rule) {
      constexpr std::size_t interval = 4096;
      if (rules_visited_++ % interval == 0) is_over_ |= limits_.exceeded().has_value();
      if (is_over_) return;
      visit(game_.body(rule));
    }
  }

  static void append(Set& set, const Set& other) {
    set.insert(set.end(), other.begin(), other.end());
  }

  static void insert(Set& ascending, std::size_t element) {
    const auto at = std::lower_bound(ascending.begin(), ascending.end(), element);
    if (at == ascending.end() || *at != element) ascending.insert(at, element);
  }

  void find_support(Atom atom) {
    Support& support = supports_[atom];
    if (atom < game_.fluents.size()) {
      if (const auto& place = encoding_.place(atom)) support.variables = {place->variable};
    } else if (atom < game_.first_derived) {
      support.moves = {atom - game_.fluents.size()};
    } else {
      find_support_of_rules(atom, support);
    }
  }

  void find_support_of_rules(Atom derived, Support& support) {
    Set moves;
    for_each_rule(derived, [&](std::span<const Literal> body) { widen(support, moves, body); });
    sort_unique(moves);
    if (support.is_wide) {
      support.variables.clear();
    } else if (moves.size() <= max_moves) {
      support.moves.assign(moves.begin(), moves.end());
    }
  }

  void widen(Support& support, Set& moves, std::span<const Literal> body) const {
    for (const Literal literal : body) {
      const Support& below = supports_[literal.atom()];
      support.is_wide |= below.is_wide;
      if (support.is_wide) return;
      for (const std::size_t variable : below.variables) insert(support.variables, variable);
      if (!literal.negated()) append(moves, below.moves);
      support.is_wide |= support.variables.size() > widest;
    }
  }

  Set variables_of(std::span<const Literal> body) const {
    Set set;
    for (const Literal literal : body) append(set, supports_[literal.atom()].variables);
    return set;
  }

  void collect_next(Atom fluent) {
    if (game_.next[fluent] == ground::no_atom) return;
    const std::size_t variable = encoding_.place(fluent)->variable;
    for_each_rule(game_.next[fluent], [&](std::span<const Literal> body) {
      Set set = variables_of(body);
      set.push_back(variable);
      add(std::move(set));
      for (const Literal literal : body) {
        if (literal.negated()) continue;
        for (const std::size_t move : supports_[literal.atom()].moves) touch(move, variable);
      }
    });
  }

  // The rules of one variable are adjacent, so this avoids most duplicates.
  void touch(std::size_t move, std::size_t variable) {
    Set& touched = touched_[move];
    if (touched.empty() || touched.back() != variable) touched.push_back(variable);
  }

  void add(Set set) {
    sort_unique(set);
    if (set.size() > 1) sets_.insert(std::move(set));
  }

  std::vector<Set> take_sets() {
    std::vector<Set> result(sets_.begin(), sets_.end());
    sets_.clear();
    return result;
  }

  const ground::Game& game_;
  const Encoding& encoding_;
  const base::Limits& limits_;
  std::vector<Support> supports_;  // by atom
  std::vector<Set> touched_;       // by move
  std::set<Set> sets_;
  std::size_t rules_visited_ = 0;
  bool is_over_ = false;  // a limit was exceeded
};

// At most `most` of them, evenly spaced, including the first and the last.
std::vector<std::size_t> spread(const std::vector<std::size_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < most; ++i) result.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return result;
}

// Positions of the clock that goals and termination distinguish, the first of each kind: in a game
// that ends at a fixed step, one before it and that step. A selection if there are many.
std::vector<std::size_t> different_positions(const ground::Game& game, const Clock& clock) {
  constexpr std::size_t max_positions = 32;
  const std::vector<bool> tested = tested_by_outcomes(game);
  std::set<std::vector<Atom>> seen;
  std::vector<std::size_t> positions;
  for (std::size_t position = 0; position < clock.positions(); ++position) {
    std::vector<Atom> shown;
    std::copy_if(clock.showing[position].begin(), clock.showing[position].end(),
                 std::back_inserter(shown), [&](Atom fluent) { return tested[fluent]; });
    if (seen.insert(std::move(shown)).second) positions.push_back(position);
  }
  return spread(positions, max_positions);
}

// Literals also take nodes.
std::size_t slack(const ground::Game& game) { return 1000 + 4 * game.fluents.size(); }

// Splits goals and termination into parts, phase by phase. A large disjunction of atoms, such as
// "one of the players has a line", is split, because its diagram would be the product of its parts.
// Of parts that test the same variables in the same way, such as the lines of the two players or
// the same lines in another phase, one is chosen.
class PartsSearch {
 public:
  PartsSearch(const Encoding& encoding, const OrderBudget& budget)
      : encoding_(encoding), budget_(budget) {}

  bool has_work_left() const { return left_ > 0 && !budget_.limits.exceeded(); }

  // Ascending, without parts that are similar to earlier ones.
  std::vector<Atom> parts_of(const PhaseProgram& program) {
    const std::vector<std::uint64_t> shapes = shapes_of_atoms(program);
    std::vector<Atom> parts, open;
    const auto add = [&](Atom atom) {
      if (program.known(atom) != Known::open || atom < program.game().first_derived) return;
      if (seen_.insert(shapes[atom]).second) open.push_back(atom);
    };
    for (const Atom outcome : outcomes_of(program.game())) add(outcome);
    while (!open.empty() && left_ > 0) {
      const Atom atom = open.back();
      open.pop_back();
      if (!is_split(program, atom) && is_small(program, atom)) {
        parts.push_back(atom);
      } else {
        for_each_below(program, atom, add);
      }
    }
    std::sort(parts.begin(), parts.end());
    return parts;
  }

 private:
  static constexpr std::size_t large_disjunction = 20'000;

  // By atom, a number that is the same for rules that test the same variables, for any values.
  std::vector<std::uint64_t> shapes_of_atoms(const PhaseProgram& program) const {
    const ground::Game& game = program.game();
    std::vector<std::uint64_t> shapes(game.atoms, 0);
    for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
      if (const auto& place = encoding_.place(fluent)) shapes[fluent] = mixed(place->variable + 1);
    }
    for (Atom atom = game.first_derived; atom < game.first_after_does; ++atom) {
      for (std::size_t rule = 0; program.needed(atom) && rule < program.rules(atom); ++rule) {
        std::uint64_t sum = 1;
        for (const Literal literal : program.body(atom, rule)) {
          sum += mixed(shapes[literal.atom()] + (literal.negated() ? 1 : 0));
        }
        shapes[atom] += mixed(sum);
      }
    }
    return shapes;
  }

  static std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ number >> 31) * 0x9e3779b97f4a7c15u;
    return (number ^ number >> 29) * 0xd6e8feb86659fd93u;
  }

  template <class Visit>
  static void for_each_below(const PhaseProgram& program, Atom atom, Visit visit) {
    for (std::size_t rule = 0; rule < program.rules(atom); ++rule) {
      for (const Literal literal : program.body(atom, rule)) visit(literal.atom());
    }
  }

  // Goals and termination are split: their conditions are measured one by one.
  static bool is_split(const PhaseProgram& program, Atom atom) {
    const std::vector<Atom> outcomes = outcomes_of(program.game());
    if (std::find(outcomes.begin(), outcomes.end(), atom) == outcomes.end()) return false;
    bool has_derived = false;
    for_each_below(program, atom,
                   [&](Atom below) { has_derived |= below >= program.game().first_derived; });
    return has_derived;
  }

  static bool is_disjunction(const PhaseProgram& program, Atom atom) {
    for (std::size_t rule = 0; rule < program.rules(atom); ++rule) {
      if (program.body(atom, rule).size() > 1) return false;
    }
    return program.rules(atom) > 1;
  }

  // Whether the atom is small enough to measure in one piece. Reduces left_ by the nodes built.
  bool is_small(const PhaseProgram& program, Atom atom) {
    const std::size_t most = is_disjunction(program, atom) ? large_disjunction : budget_.largest;
    dd::Conditions conditions(encoding_.domains(), std::min(most, left_) + slack(program.game()),
                              budget_.limits);
    const bool built = RuleConditions(program, encoding_, conditions).of(atom).has_value();
    left_ -= budget_.limits.exceeded() ? left_ : std::min(left_, conditions.table_size());
    return built;
  }

  const Encoding& encoding_;
  const OrderBudget& budget_;
  std::set<std::uint64_t> seen_;             // shapes
  std::size_t left_ = std::size_t{1} << 20;  // nodes that may still be built
};

// The sizes of goals and termination as diagrams, in parts, for the phases of the clock.
class Measured {
 public:
  Measured(const ground::Game& game, const Encoding& encoding, const OrderBudget& budget)
      : game_(game), encoding_(encoding), budget_(budget) {
    PartsSearch search(encoding_, budget_);
    for (const std::size_t position : different_positions(game, encoding_.clock())) {
      if (!search.has_work_left()) break;
      PhaseProgram program(game, encoding_, position);
      std::vector<Atom> parts = search.parts_of(program);
      if (!parts.empty()) phases_.push_back({std::move(program), std::move(parts)});
    }
  }

  OrderSize size(const Order& order, std::size_t most) const {
    const Encoding encoding = encoding_.reordered(order);
    dd::Conditions conditions(encoding.domains(), most + most / 2 + slack(game_), budget_.limits);
    std::optional<std::size_t> nodes = 0;
    for (std::size_t p = 0; p < phases_.size() && nodes; ++p) {
      const auto more = nodes_of(phases_[p], encoding, conditions, most - *nodes);
      nodes = more ? std::optional(*nodes + *more) : std::nullopt;
    }
    return {nodes, conditions.table_size() + game_.fluents.size()};
  }

 private:
  struct PhaseParts {
    PhaseProgram program;
    std::vector<Atom> parts;
  };

  // Returns nullopt if there are more than `most`, or more than may be built.
  static std::optional<std::size_t> nodes_of(const PhaseParts& phase, const Encoding& encoding,
                                             dd::Conditions& conditions, std::size_t most) {
    RuleConditions rules(phase.program, encoding, conditions);
    std::size_t nodes = 0;
    for (const Atom part : phase.parts) {
      const auto condition = rules.of(part);
      if (condition) nodes += conditions.size(*condition);
      if (!condition || nodes > most) return std::nullopt;
    }
    return nodes;
  }

  const ground::Game& game_;
  Encoding encoding_;
  OrderBudget budget_;
  std::vector<PhaseParts> phases_;
};

OrderProblem by_names_only(const ground::Game& game, const Encoding& encoding) {
  return {Names(game, encoding).variables(), {}, {}, [](const Order&, std::size_t) {
            return OrderSize{std::nullopt, 0};
          }};
}

}  // namespace

OrderProblem order_problem(const ground::Game& game, const Encoding& encoding,
                           const OrderBudget& budget) {
  if (game.rules() > max_rules) return by_names_only(game, encoding);
  auto sets = Occurrences(game, encoding, budget.limits).find();
  if (!sets) return by_names_only(game, encoding);
  const auto measured = std::make_shared<const Measured>(game, encoding, budget);
  return {Names(game, encoding).variables(), std::move(sets->moves), std::move(sets->conditions),
          [measured](const Order& order, std::size_t most) { return measured->size(order, most); }};
}

}  // namespace zermelo::symbolic
