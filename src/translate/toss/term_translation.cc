// The construction with terms.
//
// The state is the relation True of state terms. Which terms a joint move adds and removes are
// defined relations, Gained and Lost. A rewriting rule changes a fixed number of elements; so there
// is a rule for each number of terms that a step can add and remove (`change_bounds.h`), and its
// left side consists of the moves, of the terms that are removed, y1, y2, ..., and of those that
// are added, x1, x2, ... As they are matched in ascending order of `rank`, a joint move has exactly
// one match.
//
// If the game is turn-taking, the role that chooses has the rules, and the moves of all roles, of
// which all others have only one, are on the left side.
//
// If several players choose at the same time, the rule of one must not depend on the moves of the
// others. So a rule records only the player's move, in Last_1, Last_2, ..., and the state follows
// from True and these: it is the defined relation Now. The rules of the first player also bring
// True up to date with what follows from the moves before. In location 0, at the start, there are
// none.
#include "translate/toss/term_translation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/limited_steps.h"
#include "translate/toss/body_formulas.h"
#include "translate/toss/change_bounds.h"
#include "translate/toss/term_formulas.h"
#include "translate/toss/term_structure.h"
#include "translate/toss/toss_names.h"

namespace zermelo::translate::toss {
namespace {

constexpr std::size_t max_term_rules = 1'000;
constexpr std::size_t max_changes = 100;  // elements that a rule adds and removes
constexpr std::size_t max_term_elements = 20'000;
constexpr std::size_t max_term_tuples = 400'000;

std::vector<std::string> numbered(const char* name, std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 1; i <= count; ++i) result.push_back(fmt::format("{}{}", name, i));
  return result;
}

std::vector<std::string> with(std::vector<std::string> names, const std::string& last) {
  names.push_back(last);
  return names;
}

class TermTranslator {
 public:
  TermTranslator(const GdlClauses& clauses, const ground::Game& game, const StaticFacts& facts,
                 const ChangeBounds& bounds, const base::Limits& limits)
      : clauses_(clauses),
        game_(game),
        bounds_(bounds),
        limits_(limits),
        structure_(clauses, game, facts),
        formulas_(clauses, structure_,
                  bounds.turn_taking ? MoveForm::arguments : MoveForm::recorded) {
    for (const char* name : {"Started", "Gained", "Lost"}) structure_.unique_relation(name);
    for (std::size_t role = 0; role < roles().size(); ++role) {
      structure_.unique_relation(legal_name(role));
      structure_.unique_relation(fmt::format("Choice_{}", role + 1));
    }
    for (std::size_t i = 1; i <= max_changes + 1; ++i) {
      structure_.unique_relation(fmt::format("Gained_{}", i));
      structure_.unique_relation(fmt::format("Lost_{}", i));
    }
  }

  TermTranslation run() {
    result_.simultaneous = !bounds_.turn_taking;
    if (result_.simultaneous) {
      define_current_state();
      define_legal_moves(StateView::current);
      define_changes({}, "(Started() and Now(x) and not True(x))",
                     "(Started() and True(x) and not Now(x))");
      make_simultaneous_rules();
    } else {
      define_legal_moves(StateView::stored);
      define_joint_moves();
      make_turn_taking_rules();
    }
    result_.text = text();
    result_.moves = structure_.moves();
    for (std::size_t f = 0; f < game_.fluents.size(); ++f) {
      result_.element_of.push_back(structure_.element_of(f));
    }
    return std::move(result_);
  }

 private:
  const std::vector<std::string>& roles() const { return clauses_.roles(); }
  StateView view() const { return result_.simultaneous ? StateView::current : StateView::stored; }
  static std::string legal_name(std::size_t role) { return fmt::format("Legal_{}", role + 1); }

  void define_current_state() {
    formulas_.add_line("REL Started() = ex m Last_1(m)");
    formulas_.define(TermFormulas::current, {"x"},
                     fmt::format("((not Started() and True(x)) or (Started() and {}))",
                                 formulas_.next("x", true)));
  }

  void define_legal_moves(StateView view) {
    const std::string terminal = formulas_.terminal(view);
    for (std::size_t role = 0; role < roles().size(); ++role) {
      formulas_.add_line(fmt::format("REL {}(m) = (not {} and {}(m))", legal_name(role), terminal,
                                     formulas_.legal(view, role)));
    }
  }

  void define_joint_moves() {
    std::vector<std::string> legal;
    for (std::size_t role = 0; role < roles().size(); ++role) {
      legal.push_back(applied(legal_name(role), {formulas_.moves()[role]}));
      formulas_.add_line(fmt::format("REL Choice_{0}() = ex m, n ({1}(m) and {1}(n) and m != n)",
                                     role + 1, legal_name(role)));
    }
    const std::string joint = applied(TermFormulas::joint, formulas_.moves());
    formulas_.add_line(fmt::format("REL {} = {}", joint, all_of(legal)));
    define_changes(formulas_.moves(), all_of({joint, "not True(x)", formulas_.next("x", false)}),
                   all_of({joint, "True(x)", "not " + formulas_.next("x", true)}));
  }

  // Gained and Lost, and by number what is gained and lost as the first, the second and so on.
  void define_changes(const std::vector<std::string>& moves, const std::string& gained,
                      const std::string& lost) {
    std::size_t most_added = 0, most_removed = 0;
    for (const auto& counts : bounds_.by_owner) {
      for (const ChangeCount& count : counts) {
        most_added = std::max(most_added, count.added);
        most_removed = std::max(most_removed, count.removed);
      }
    }
    formulas_.define("Gained", with(moves, "x"), gained);
    formulas_.define("Lost", with(moves, "x"), lost);
    define_numbered("Gained", moves, most_added + 1);
    define_numbered("Lost", moves, most_removed + 1);
  }

  void define_numbered(const std::string& name, const std::vector<std::string>& moves,
                       std::size_t most) {
    for (std::size_t i = 1; i <= most; ++i) {
      formulas_.define(
          fmt::format("{}_{}", name, i), with(moves, "x"),
          fmt::format("({} and Sum (z | {} and rank(z) < rank(x) : 1) = {})",
                      applied(name, with(moves, "x")), applied(name, with(moves, "z")), i - 1));
    }
  }

  // That exactly the elements are gained or lost.
  static void add_exactly(const std::string& name, const std::vector<std::string>& moves,
                          const std::vector<std::string>& elements,
                          std::vector<std::string>& parts) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      parts.push_back(applied(fmt::format("{}_{}", name, i + 1), with(moves, elements[i])));
    }
    parts.push_back("not ex z " +
                    applied(fmt::format("{}_{}", name, elements.size() + 1), with(moves, "z")));
  }

  struct Sides {
    std::vector<std::string> elements, left, right, embedded, condition;
  };

  void add_change(const ChangeCount& count, Sides& rule) const {
    const auto added = numbered("x", count.added), removed = numbered("y", count.removed);
    add_exactly("Gained", formulas_.moves(), added, rule.condition);
    add_exactly("Lost", formulas_.moves(), removed, rule.condition);
    rule.elements.insert(rule.elements.end(), removed.begin(), removed.end());
    rule.elements.insert(rule.elements.end(), added.begin(), added.end());
    for (const std::string& each : removed) rule.left.push_back(fmt::format("True ({})", each));
    for (const std::string& each : added) rule.right.push_back(fmt::format("True ({})", each));
    if (!added.empty() || !removed.empty()) rule.embedded.push_back("True");
  }

  std::string add_rule(std::size_t owner, const std::string& suffix, const Sides& rule) {
    const auto side = [&](const std::vector<std::string>& tuples) {
      return fmt::format("[{} | {} | -]", fmt::join(rule.elements, ", "),
                         tuples.empty() ? "-" : fmt::format("{}", fmt::join(tuples, "; ")));
    };
    BuiltRule built;
    built.owner = owner;
    built.name = unique_name(roles()[owner] + " " + suffix, names_);
    built.text =
        fmt::format("RULE {}:\n  {} ->\n  {}\n", built.name, side(rule.left), side(rule.right));
    if (!rule.embedded.empty()) {
      built.text += fmt::format("  emb {}\n", fmt::join(rule.embedded, ", "));
    }
    built.text += fmt::format("  pre {}\n", all_of(rule.condition));
    result_.rules.push_back(built);
    return built.name;
  }

  static std::string suffix(const ChangeCount& count) {
    return fmt::format("adds {} removes {}", count.added, count.removed);
  }

  void make_turn_taking_rules() {
    const std::string joint = applied(TermFormulas::joint, formulas_.moves());
    for (std::size_t owner = 0; owner < roles().size(); ++owner) {
      std::vector<std::string> chooses;
      for (std::size_t other = 1; other < roles().size(); ++other) {
        const std::string choice = fmt::format("Choice_{}()", other + 1);
        if (owner == 0) chooses.push_back("not " + choice);
        if (owner == other) chooses.push_back(choice);
      }
      for (const ChangeCount& count : bounds_.by_owner[owner]) {
        Sides rule;
        rule.elements = formulas_.moves();
        rule.condition = with(chooses, joint);
        add_change(count, rule);
        edges_[0].emplace_back(owner, add_rule(owner, suffix(count), rule));
      }
    }
  }

  void make_simultaneous_rules() {
    for (std::size_t role = 0; role < roles().size(); ++role) {
      const std::string last = TermFormulas::last_move(role);
      Sides first;
      first.elements = {"m"};
      first.right = {last + " (m)"};
      first.condition = {applied(legal_name(role), {"m"})};
      edges_[0].emplace_back(role, add_rule(role, "first", first));
      std::set<ChangeCount> counts = {{0, 0}};
      if (role == 0) counts = bounds_.by_owner[0];
      for (const ChangeCount& count : counts) {
        for (const bool repeats : {false, true}) {
          Sides rule = first;
          rule.embedded = {last};
          rule.left = {last + (repeats ? " (m)" : " (l)")};
          if (!repeats) rule.elements.push_back("l");
          if (role == 0) add_change(count, rule);
          const std::string name = (repeats ? "repeats " : "") + (role == 0 ? suffix(count) : "");
          edges_[1].emplace_back(role, add_rule(role, name, rule));
        }
      }
    }
  }

  std::string payoff(std::size_t role) {
    std::string result;
    for (const ground::Game::Goal& goal : game_.goals[role]) {
      if (goal.value == 0) continue;
      const std::string name =
          formulas_.goal_relation(view(), roles()[role], std::to_string(goal.value));
      if (!result.empty()) result += " + ";
      result += fmt::format("{} * :({}())", goal.value, name);
    }
    return result.empty() ? "0" : result;
  }

  std::string location(std::size_t number, const std::vector<std::string>& players,
                       const std::vector<std::string>& payoffs) const {
    const std::size_t target = result_.simultaneous ? 1 : 0;
    std::string text = fmt::format("\nLOC {} {{\n", number);
    for (std::size_t role = 0; role < players.size(); ++role) {
      std::vector<std::string> moves;
      for (const auto& [owner, rule] : edges_[number]) {
        if (owner == role) moves.push_back(fmt::format("{} -> {}", rule, target));
      }
      text += fmt::format("  PLAYER {} {{ PAYOFF {}", players[role], payoffs[role]);
      if (!moves.empty()) text += fmt::format(" MOVES [{}]", fmt::join(moves, "; "));
      text += " }\n";
    }
    return text + "}\n";
  }

  std::string text() {
    std::set<std::string> used;
    std::vector<std::string> players, payoffs, recorded;
    for (std::size_t role = 0; role < roles().size(); ++role) {
      players.push_back(unique_name(roles()[role], used));
      payoffs.push_back(payoff(role));
      if (result_.simultaneous) recorded.push_back(TermFormulas::last_move(role));
    }
    check_size();
    std::string result = fmt::format("PLAYERS {}\n\n", fmt::join(players, ", "));
    result += formulas_.definitions() + "\n";
    for (const BuiltRule& rule : result_.rules) result += rule.text;
    result += location(0, players, payoffs);
    if (result_.simultaneous) result += location(1, players, payoffs);
    return result + "\nSTART " + structure_.print(recorded) + "\n";
  }

  void check_size() const {
    if (const auto limit = limits_.exceeded()) {
      throw base::LimitReached(*limit, "translating to Toss");
    }
    if (structure_.names().size() > max_term_elements || structure_.tuples() > max_term_tuples) {
      throw NotTranslatable{fmt::format("the structure would have {} elements and {} tuples",
                                        structure_.names().size(), structure_.tuples())};
    }
  }

  const GdlClauses& clauses_;
  const ground::Game& game_;
  const ChangeBounds& bounds_;
  const base::Limits& limits_;
  TermStructure structure_;
  TermFormulas formulas_;
  TermTranslation result_;
  std::set<std::string> names_;
  std::vector<std::pair<std::size_t, std::string>> edges_[2];  // by location: role, rule
};

void check_counts(const ChangeBounds& bounds) {
  std::size_t rules = 0, most = 0;
  for (const auto& counts : bounds.by_owner) {
    rules += counts.size();
    for (const ChangeCount& count : counts) most = std::max(most, count.added + count.removed);
  }
  if (most > max_changes) {
    throw NotTranslatable{fmt::format("a step may add and remove up to {} state terms", most)};
  }
  if (rules > max_term_rules) {
    throw NotTranslatable{
        fmt::format("the game needs a rewriting rule for each of {} numbers of changes", rules)};
  }
}

}  // namespace

TermTranslation translate_with_terms(const GdlClauses& clauses, const ground::Game& game,
                                     const StaticFacts& facts, const analysis::MutexGroups& groups,
                                     const base::Limits& limits) {
  const ChangeBounds bounds = bound_changes(game, groups, limits);
  check_counts(bounds);
  return TermTranslator(clauses, game, facts, bounds, limits).run();
}

}  // namespace zermelo::translate::toss
