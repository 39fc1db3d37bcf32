// The ground rules that the subgame depends on are printed as they are, with propositions for
// derived atoms. Moves of other subgames are never made, and constants are known, so that many
// conditions are decided (rule_evaluator.h) and disappear.
//
// The condition for the end reads concepts of all subgames. Those of others are unknown here. "The
// game surely ends" is expressed by two propositions per atom that depends on several subgames: one
// that surely holds, one that possibly does, as in Kleene's logic. The body of a sure one lacks
// nothing, so a rule that reads an unknown concept is left out. The body of a possible one just
// leaves the unknown out. The negation of one kind is the other kind.
#include "analysis/subgame_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "analysis/concepts.h"
#include "analysis/rule_evaluator.h"

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;

namespace {

enum class Certainty { exact, surely, possibly };

class SubgameWriter {
 public:
  SubgameWriter(const ground::Game& game, const Decomposition& found, std::size_t subgame)
      : game_(game),
        found_(found),
        subgame_(static_cast<std::uint32_t>(subgame)),
        subgame_of_(subgames_of_atoms(game, found)),
        bounds_(game.atoms),
        is_move_(game.moves.size()) {
    for (const std::uint32_t m : found.subgames[subgame].moves) is_move_[m] = true;
    for (const std::uint32_t m : found.other_moves) is_move_[m] = true;
    decide();
  }

  base::Result<std::string> run() {
    for (std::uint32_t r = 0; r < game_.roles.size(); ++r) line("(role {})", game_.role_name(r));
    write_fluents();
    write_moves();
    write_end();
    write_goals();
    while (!open_.empty() && !obstacle_) define();
    if (obstacle_) return base::fail(base::ErrorKind::not_applicable, *obstacle_);
    return text_;
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  bool is_local(Atom fluent) const {
    const std::uint32_t i = subgame_of_[fluent];
    return i == subgame_ || (i < found_.subgames.size() && found_.subgames[i].action_independent);
  }
  // Whether the atom depends on the state of another subgame.
  bool is_foreign(Atom atom) const {
    if (atom >= game_.first_after_does) return false;
    const std::uint32_t i = subgame_of_[atom];
    return i < found_.subgames.size() && i != subgame_ && !found_.subgames[i].action_independent;
  }
  bool is_mixed(Atom atom) const { return subgame_of_[atom] == of_several_subgames; }

  // Finds what always or never holds in the subgame.
  void decide() {
    std::vector<Atom> roots;
    for (Atom atom = game_.first_derived; atom < game_.atoms; ++atom) roots.push_back(atom);
    for (Atom f = 0; f < game_.fluents.size(); ++f) bounds_.forget(f);
    for (const Atom f : found_.constants) {
      bounds_.set(f, std::binary_search(game_.initial.begin(), game_.initial.end(), f));
    }
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      is_move_[m] ? bounds_.forget(game_.does(m)) : bounds_.set(game_.does(m), false);
    }
    RuleEvaluator(game_, roots, [](Atom) { return false; }).derive(bounds_);
  }

  void write_fluents() {
    for (Atom f = 0; f < game_.fluents.size(); ++f) {
      if (!is_local(f)) continue;
      const std::string name = game_.fluent_name(f);
      if (std::binary_search(game_.initial.begin(), game_.initial.end(), f)) {
        line("(init {})", name);
      }
      write_head(fmt::format("(next {})", name), game_.next[f]);
    }
  }

  // The rules of an atom, with another head.
  void write_head(const std::string& head, Atom atom) {
    if (atom == ground::no_atom || !bounds_.possibly[atom]) return;
    write_rules(head, atom, Certainty::exact);
  }

  void write_rules(const std::string& head, Atom atom, Certainty certainty) {
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      const auto body = body_of(game_.body(rule), certainty);
      if (body) line("{}", rule_text(head, *body));
    }
  }

  static std::string rule_text(const std::string& head, const std::vector<std::string>& body) {
    if (body.empty()) return head;
    return fmt::format("(<= {} {})", head, fmt::join(body, " "));
  }

  // Nothing if the body never holds.
  std::optional<std::vector<std::string>> body_of(std::span<const Literal> literals,
                                                  Certainty certainty) {
    std::vector<std::string> result;
    for (const Literal literal : literals) {
      const Atom atom = literal.atom();
      const bool is_true = literal.negated() ? !bounds_.possibly[atom] : bounds_.surely[atom];
      const bool is_false = literal.negated() ? bounds_.surely[atom] : !bounds_.possibly[atom];
      if (is_false) return std::nullopt;
      if (is_true) continue;
      if (certainty != Certainty::exact && is_foreign(atom)) {
        if (certainty == Certainty::surely) return std::nullopt;
        continue;
      }
      result.push_back(literal_text(literal, certainty));
    }
    return result;
  }

  std::string literal_text(Literal literal, Certainty certainty) {
    const Atom atom = literal.atom();
    if (!is_mixed(atom) || atom >= game_.first_after_does) certainty = Certainty::exact;
    if (literal.negated() && certainty != Certainty::exact) {
      certainty = certainty == Certainty::surely ? Certainty::possibly : Certainty::surely;
    }
    const std::string text = atom_text(atom, certainty);
    return literal.negated() ? fmt::format("(not {})", text) : text;
  }

  std::string atom_text(Atom atom, Certainty certainty) {
    if (atom < game_.fluents.size()) {
      if (!is_local(atom)) obstacle_ = "its rules mention " + game_.fluent_name(atom);
      return fmt::format("(true {})", game_.fluent_name(atom));
    }
    if (atom < game_.first_derived) {
      const auto m = static_cast<std::uint32_t>(atom - game_.fluents.size());
      return fmt::format("(does {} {})", game_.role_name(game_.moves[m].role), game_.move_name(m));
    }
    static constexpr const char* names[] = {"condition", "surely", "possibly"};
    const std::string name = fmt::format("zermelo_{}_{}", names[static_cast<int>(certainty)], atom);
    if (written_.emplace(atom, certainty).second) open_.push_back({atom, certainty});
    return name;
  }

  void define() {
    const auto [atom, certainty] = open_.back();
    open_.pop_back();
    write_rules(atom_text(atom, certainty), atom, certainty);
  }

  void write_moves() {
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      if (!is_move_[m]) continue;
      const std::string head =
          fmt::format("(legal {} {})", game_.role_name(game_.moves[m].role), game_.move_name(m));
      if (!found_.is_parallel) {
        write_head(head, game_.legal[m]);
      } else if (const auto conditions = local_conditions(game_.legal[m])) {
        if (const auto body = body_of(*conditions, Certainty::exact)) {
          line("{}", rule_text(head, *body));
        }
      } else {
        obstacle_ = "the legality of moves cannot be divided";
      }
    }
  }

  // The conjuncts of a condition that are not about other subgames; nothing if it is no conjunction
  // of conditions on one subgame each.
  std::optional<std::vector<Literal>> local_conditions(Atom atom) const {
    if (game_.rules_end(atom) - game_.rules_begin(atom) != 1) return std::nullopt;
    std::vector<Literal> result;
    for (const Literal literal : game_.body(game_.rules_begin(atom))) {
      if (is_foreign(literal.atom())) continue;
      if (!is_mixed(literal.atom())) {
        result.push_back(literal);
        continue;
      }
      if (literal.negated()) return std::nullopt;
      const auto inner = local_conditions(literal.atom());
      if (!inner) return std::nullopt;
      result.insert(result.end(), inner->begin(), inner->end());
    }
    return result;
  }

  void write_end() {
    for (std::uint32_t r = 0; r < game_.roles.size(); ++r) {
      const std::string role = game_.role_name(r);
      line("(<= zermelo_can_move_{0} (legal {0} ?_move))", role);
      line("(<= terminal (not zermelo_can_move_{}))", role);
    }
    if (game_.terminal == ground::no_atom || is_foreign(game_.terminal)) return;
    if (bounds_.surely[game_.terminal] || !bounds_.possibly[game_.terminal]) return;
    line("(<= terminal {})", literal_text(Literal(game_.terminal, false), Certainty::surely));
  }

  // A chain of propositions counts the concepts that hold.
  void write_goals() {
    const std::vector<Atom> concepts = goal_concepts();
    const std::size_t n = concepts.size();
    line("(zermelo_count 0 0)");
    for (std::size_t k = 0; k < n; ++k) {
      const std::string holds = literal_text(Literal(concepts[k], false), Certainty::exact);
      line("(<= (zermelo_count {} ?n) (zermelo_count {} ?n) (not {}))", k + 1, k, holds);
      for (std::size_t j = 0; j <= k; ++j) {
        line("(<= (zermelo_count {} {}) (zermelo_count {} {}) {})", k + 1, j + 1, k, j, holds);
      }
    }
    for (std::uint32_t r = 0; r < game_.roles.size(); ++r) {
      for (std::size_t j = 0; j <= n; ++j) {
        const std::size_t value = n == 0 ? 100 : 100 * j / n;
        line("(<= (goal {} {}) (zermelo_count {} {}))", game_.role_name(r), value, n, j);
      }
    }
  }

  std::vector<Atom> goal_concepts() const {
    std::vector<Atom> goals, ends;
    for (const LocalConcept& local : find_concepts(game_, found_)) {
      const bool is_decided = bounds_.surely[local.atom] || !bounds_.possibly[local.atom];
      if (local.subgame != subgame_ || is_decided) continue;
      if (local.is_of_goal) goals.push_back(local.atom);
      if (local.is_of_terminal) ends.push_back(local.atom);
    }
    return goals.empty() ? ends : goals;
  }

  const ground::Game& game_;
  const Decomposition& found_;
  const std::uint32_t subgame_;
  const std::vector<std::uint32_t> subgame_of_;
  AtomBounds bounds_;
  std::vector<bool> is_move_;
  std::set<std::pair<Atom, Certainty>> written_;
  std::vector<std::pair<Atom, Certainty>> open_;  // still to be defined
  std::string text_;
  std::optional<std::string> obstacle_;
};

}  // namespace

base::Result<std::string> subgame_rules(const ground::Game& game, const Decomposition& found,
                                        std::size_t subgame) {
  return SubgameWriter(game, found, subgame).run();
}

}  // namespace zermelo::analysis
