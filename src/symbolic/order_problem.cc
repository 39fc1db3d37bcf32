#include "symbolic/order_problem.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
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

// Of games with more, which take seconds to look through, only the names of the fluents count.
constexpr std::size_t most_rules = 200'000;

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
    std::vector<gdl::Symbol> shared;               // where all fluents have the same
  };
  // Numbers as such, words that end in a number by that, letters by the alphabet, and other words
  // in the order in which the rules name them.
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

// The variables that rules bring together.
class Occurrences {
 public:
  Occurrences(const ground::Game& game, const Encoding& encoding)
      : game_(game), encoding_(encoding), supports_(game.atoms), touched_(game.moves.size()) {
    for (Atom atom = 0; atom < game.atoms; ++atom) find_support(atom);
  }

  // By what changes together: the rules of a variable's next values, and the effects of a move.
  std::vector<Set> moves() {
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (encoding_.place(fluent)) collect_next(fluent);
    }
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      Set& set = touched_[move];
      if (game_.legal[move] != ground::no_atom) unite(set, supports_[game_.legal[move]].variables);
      add(std::move(set));
    }
    return std::vector<Set>(sets_.begin(), sets_.end());
  }

  // By the rules that goals and termination depend on.
  std::vector<Set> conditions() {
    sets_.clear();
    std::vector<bool> seen(game_.atoms, false);
    std::vector<Atom> open;
    if (game_.terminal != ground::no_atom) open.push_back(game_.terminal);
    for (const auto& goals : game_.goals) {
      for (const auto& goal : goals) open.push_back(goal.atom);
    }
    while (!open.empty()) {
      const Atom atom = open.back();
      open.pop_back();
      if (atom < game_.first_derived || seen[atom]) continue;
      seen[atom] = true;
      for_each_rule(atom, [&](std::span<const Literal> body) {
        for (const Literal literal : body) open.push_back(literal.atom());
        add(variables_of(body));
      });
    }
    return std::vector<Set>(sets_.begin(), sets_.end());
  }

 private:
  // What an atom depends on. Beyond a few variables that says nothing about neighbours.
  static constexpr std::size_t widest = 12;
  struct Support {
    Set variables;  // ascending; none if there are too many
    bool is_wide = false;
    Set moves;  // that it needs
  };

  template <class Visit>
  void for_each_rule(Atom derived, Visit visit) const {
    for (auto rule = game_.rules_begin(derived); rule < game_.rules_end(derived); ++rule) {
      visit(game_.body(rule));
    }
  }

  static void unite(Set& set, const Set& other) {
    Set both;
    std::set_union(set.begin(), set.end(), other.begin(), other.end(), std::back_inserter(both));
    set = std::move(both);
  }

  void find_support(Atom atom) {
    Support& support = supports_[atom];
    if (atom < game_.fluents.size()) {
      if (const auto& place = encoding_.place(atom)) support.variables = {place->variable};
    } else if (atom < game_.first_derived) {
      support.moves = {atom - game_.fluents.size()};
    } else {
      for_each_rule(atom, [&](std::span<const Literal> body) { widen(support, body); });
    }
    if (!support.is_wide) return;
    support.variables.clear();
    support.moves.clear();
  }

  void widen(Support& support, std::span<const Literal> body) const {
    for (const Literal literal : body) {
      const Support& below = supports_[literal.atom()];
      support.is_wide |= below.is_wide;
      if (support.is_wide) return;
      unite(support.variables, below.variables);
      if (!literal.negated()) unite(support.moves, below.moves);
      support.is_wide |= support.variables.size() > widest;
    }
  }

  Set variables_of(std::span<const Literal> body) const {
    Set set;
    for (const Literal literal : body) unite(set, supports_[literal.atom()].variables);
    return set;
  }

  void collect_next(Atom fluent) {
    if (game_.next[fluent] == ground::no_atom) return;
    const std::size_t variable = encoding_.place(fluent)->variable;
    for_each_rule(game_.next[fluent], [&](std::span<const Literal> body) {
      Set set = variables_of(body);
      unite(set, {variable});
      add(std::move(set));
      for (const Literal literal : body) {
        if (literal.negated()) continue;
        for (const std::size_t move : supports_[literal.atom()].moves) {
          unite(touched_[move], {variable});
        }
      }
    });
  }

  void add(Set set) {
    if (set.size() > 1) sets_.insert(std::move(set));
  }

  const ground::Game& game_;
  const Encoding& encoding_;
  std::vector<Support> supports_;  // by atom
  std::vector<Set> touched_;       // by move
  std::set<Set> sets_;
};

// Goals and termination as diagrams, in parts: what is a disjunction of atoms only, such as "one of
// the players has a line", is taken apart where it is large, for it would be the product of its
// parts. Of parts that test the same variables in the same way, as the lines of one player and
// those of the other, one is built.
class Measured {
 public:
  Measured(const ground::Game& game, const Encoding& encoding, const OrderBudget& budget)
      : encoding_(encoding), program_(game, encoding, 0), budget_(budget) {
    choose_parts(game);
  }

  OrderSize size(const Order& order, std::size_t most) const {
    const Encoding encoding = encoding_.reordered(order);
    dd::Conditions conditions(encoding.domains(), most + most / 2 + slack(), budget_.limits);
    RuleConditions rules(program_, encoding, conditions);
    std::size_t nodes = 0;
    for (const Atom part : parts_) {
      const auto condition = rules.of(part);
      if (condition) nodes += conditions.size(*condition);
      if (!condition || nodes > most) return {std::nullopt, work(conditions)};
    }
    return {nodes, work(conditions)};
  }

 private:
  static constexpr std::size_t large_disjunction = 20'000;
  static constexpr std::size_t most_work = std::size_t{1} << 20;  // for choosing the parts

  // The literals have nodes too.
  std::size_t slack() const { return 1000 + 4 * program_.game().fluents.size(); }
  std::size_t work(const dd::Conditions& conditions) const {
    return conditions.table_size() + program_.game().fluents.size();
  }

  void choose_parts(const ground::Game& game) {
    const std::vector<std::uint64_t> shapes = shapes_of_atoms();
    std::set<std::uint64_t> seen;
    std::vector<Atom> open;
    const auto add = [&](Atom atom) {
      if (program_.known(atom) != Known::open || atom < game.first_derived) return;
      if (seen.insert(shapes[atom]).second) open.push_back(atom);
    };
    for (const auto& goals : game.goals) {
      for (const auto& goal : goals) add(goal.atom);
    }
    add(game.terminal);
    for (std::size_t left = most_work; !open.empty() && left > 0;) {
      const Atom atom = open.back();
      open.pop_back();
      if (!is_split(atom) && is_small(atom, left)) {
        parts_.push_back(atom);
      } else {
        for_each_below(atom, add);
      }
    }
    std::sort(parts_.begin(), parts_.end());
  }

  // By atom, a number that is the same for rules that test the same variables, for any values.
  std::vector<std::uint64_t> shapes_of_atoms() const {
    const ground::Game& game = program_.game();
    std::vector<std::uint64_t> shapes(game.atoms, 0);
    for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) {
      if (const auto& place = encoding_.place(fluent)) shapes[fluent] = mixed(place->variable + 1);
    }
    for (Atom atom = game.first_derived; atom < game.first_after_does; ++atom) {
      for (std::size_t rule = 0; program_.needed(atom) && rule < program_.rules(atom); ++rule) {
        std::uint64_t sum = 1;
        for (const Literal literal : program_.body(atom, rule)) {
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
  void for_each_below(Atom atom, Visit visit) const {
    for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
      for (const Literal literal : program_.body(atom, rule)) visit(literal.atom());
    }
  }

  // Goals and termination: their conditions are taken one by one.
  bool is_split(Atom atom) const {
    const ground::Game& game = program_.game();
    const auto is_goal = [&](const auto& goals) {
      return std::any_of(goals.begin(), goals.end(),
                         [&](const auto& goal) { return goal.atom == atom; });
    };
    const bool is_output =
        atom == game.terminal || std::any_of(game.goals.begin(), game.goals.end(), is_goal);
    bool has_derived = false;
    for_each_below(atom, [&](Atom below) { has_derived |= below >= game.first_derived; });
    return is_output && has_derived;
  }

  bool is_disjunction(Atom atom) const {
    for (std::size_t rule = 0; rule < program_.rules(atom); ++rule) {
      if (program_.body(atom, rule).size() > 1) return false;
    }
    return program_.rules(atom) > 1;
  }

  // Whether it is worth measuring in one piece. Takes what finding out took from what is left.
  bool is_small(Atom atom, std::size_t& left) const {
    const std::size_t most = is_disjunction(atom) ? large_disjunction : budget_.largest;
    dd::Conditions conditions(encoding_.domains(), std::min(most, left) + slack(), budget_.limits);
    const bool built = RuleConditions(program_, encoding_, conditions).of(atom).has_value();
    left -= budget_.limits.exceeded() ? left : std::min(left, conditions.table_size());
    return built;
  }

  Encoding encoding_;
  PhaseProgram program_;
  OrderBudget budget_;
  std::vector<Atom> parts_;
};

}  // namespace

OrderProblem order_problem(const ground::Game& game, const Encoding& encoding,
                           const OrderBudget& budget) {
  if (game.rules() > most_rules) {
    return {Names(game, encoding).variables(), {}, {}, [](const Order&, std::size_t) {
              return OrderSize{std::nullopt, 0};
            }};
  }
  Occurrences occurrences(game, encoding);
  const auto measured = std::make_shared<const Measured>(game, encoding, budget);
  return {Names(game, encoding).variables(), occurrences.moves(), occurrences.conditions(),
          [measured](const Order& order, std::size_t most) { return measured->size(order, most); }};
}

}  // namespace zermelo::symbolic
