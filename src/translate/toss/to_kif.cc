// From Toss to GDL.
//
// Relations that no move changes are facts, the others fluents; the location is the fluent
// (location n). A move of a player is (rule elements), with the elements of the left side in order;
// where a rule leads a player from one location to several, the name of the rule is followed by the
// number of the target. A move is legal where the left side, the precondition and the postcondition
// hold; a player without such a move does nothing, (noop), and the game ends where that is so for
// all players.
//
// Definition 2 of the papers becomes frame rules: a tuple holds next if the right side of a rule
// that was applied has it, or if it holds and no rule replaces it. A rule replaces the tuples of
// its embedded relations among the elements matched, and those with an element that it removes.
//
// A payoff is a term over the truth values of sentences. It becomes one goal rule for each
// combination of truth values on which it depends.
#include "translate/toss/to_kif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "toss/rewrite.h"
#include "translate/toss/kif_formulas.h"

namespace zermelo::translate::toss {
namespace {

using zermelo::toss::Edge;
using zermelo::toss::Element;
using zermelo::toss::Formula;
using zermelo::toss::FormulaPtr;
using zermelo::toss::Game;
using zermelo::toss::Location;
using zermelo::toss::Rule;
using zermelo::toss::Term;
using zermelo::toss::TupleSet;

// With more different sentences, a payoff would need too many goal rules.
constexpr std::size_t max_sentences = 10;

Texts numbered_variables(const char* name, std::size_t count) {
  Texts result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(name + std::to_string(i));
  return result;
}

// A payoff as a function of the truth values of sentences.
class SentenceTerm {
 public:
  // The first part that is no sum, product, difference or power of sentences and numbers.
  const Term* unsupported(const Term& term) const {
    if (term.kind == Term::Kind::value || term.kind == Term::Kind::sum) return &term;
    for (const auto& part : term.parts) {
      if (const Term* found = unsupported(*part)) return found;
    }
    return nullptr;
  }

  void collect(const Term& term, std::vector<FormulaPtr>& sentences) const {
    if (term.kind == Term::Kind::indicator && !has(sentences, term.formula)) {
      sentences.push_back(term.formula);
    }
    for (const auto& part : term.parts) collect(*part, sentences);
  }

  double value(const Term& term, const std::vector<FormulaPtr>& sentences,
               std::uint64_t truth) const {
    const auto part = [&](std::size_t i) { return value(*term.parts[i], sentences, truth); };
    double result = 0;
    switch (term.kind) {
      case Term::Kind::number:
        return term.number;
      case Term::Kind::indicator:
        for (std::size_t i = 0; i < sentences.size(); ++i) {
          if (same(sentences[i], term.formula)) return static_cast<double>(truth >> i & 1);
        }
        return 0;
      case Term::Kind::add:
        for (std::size_t i = 0; i < term.parts.size(); ++i) result += part(i);
        return result;
      case Term::Kind::negate:
        return -part(0);
      case Term::Kind::multiply:
        result = 1;
        for (std::size_t i = 0; i < term.parts.size(); ++i) result *= part(i);
        return result;
      case Term::Kind::power:
        return std::pow(part(0), part(1));
      case Term::Kind::value:
      case Term::Kind::sum:
        break;
    }
    return 0;
  }
};

class GameWriter {
 public:
  GameWriter(const Game& game, const base::Source& source)
      : game_(game), source_(source), formulas_(game, source, names_) {}

  base::Result<KifGame> run() {
    for (const Rule& rule : game_.rules) require_no_creation(rule);
    find_moves();
    write_players();
    write_structure();
    for (std::size_t r = 0; r < game_.rules.size(); ++r) write_match(r);
    write_legal();
    write_next();
    write_goals();
    if (formulas_.error()) return tl::unexpected(*formulas_.error());
    KifGame result{std::move(formulas_.text()), {}, {}};
    for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
      result.relations[names_.relation(game_.signature.relations[r].name)] = r;
    }
    for (std::size_t e = 0; e < game_.start.names.size(); ++e) {
      result.elements[names_.element(game_.start.names[e])] = static_cast<Element>(e);
    }
    return result;
  }

 private:
  // A move of a player that some location has.
  struct PlayerMove {
    std::size_t location, player;
    Edge edge;
    std::string name;
  };

  // Where the rule begins in the file.
  base::Span place_of(const Rule& rule) const {
    const auto begin = source_.text().find("RULE " + rule.name);
    if (begin == std::string_view::npos) return {};
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 4)};
  }

  void require_no_creation(const Rule& rule) {
    std::set<Element> seen;
    for (const std::optional<Element>& origin : rule.origin) {
      if (origin && seen.insert(*origin).second) continue;
      formulas_.refuse(
          place_of(rule),
          fmt::format("rule {} creates elements, which GDL cannot express", rule.name));
    }
  }

  void find_moves() {
    for (std::size_t l = 0; l < game_.locations.size(); ++l) {
      const Location& location = game_.locations[l];
      for (std::size_t p = 0; p < location.players.size(); ++p) {
        for (const Edge& edge : location.players[p].moves) {
          moves_.push_back({l, p, edge, move_name(edge)});
        }
      }
    }
  }

  // The name of StructureMachine: with the target where the rule leads to several locations.
  std::string move_name(const Edge& edge) {
    const std::string name = names_.move(game_.rules[edge.rule].name);
    for (const Location& location : game_.locations) {
      for (const auto& part : location.players) {
        const auto count = std::count_if(part.moves.begin(), part.moves.end(),
                                         [&](const Edge& e) { return e.rule == edge.rule; });
        if (count > 1) return fmt::format("{}.{}", name, game_.locations[edge.target].number);
      }
    }
    return name;
  }

  Texts players() {
    Texts result;
    for (const std::string& player : game_.players) result.push_back(names_.element(player));
    return result;
  }

  std::string location(std::size_t index) const {
    return fmt::format("(location. {})", game_.locations[index].number);
  }
  std::string does(const PlayerMove& move) {
    const Texts match = match_variables(move.edge.rule);
    return kif("does", {players()[move.player], kif(move.name, match)});
  }
  Texts match_variables(std::size_t rule) const {
    return numbered_variables("?m", game_.rules[rule].left.names.size());
  }

  void write_players() {
    for (const std::string& player : players()) formulas_.clause(kif("role", {player}), {});
  }

  void write_structure() {
    const auto& start = game_.start;
    Texts elements;
    for (const std::string& name : start.names) elements.push_back(names_.element(name));
    formulas_.clause(kif("init", {location(0)}), {});
    for (const std::string& element : elements) {
      const std::string exists = kif("element.", {element});
      formulas_.clause(formulas_.elements_change() ? kif("init", {exists}) : exists, {});
      formulas_.clause(kif("same.", {element, element}), {});
    }
    for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
      const TupleSet& tuples = start.structure.relation(r);
      const auto& [name, arity] = game_.signature.relations[r];
      for (std::size_t i = 0; i < tuples.size(); ++i) {
        Texts arguments;
        for (const Element element : tuples[i]) arguments.push_back(elements[element]);
        const std::string fact = kif(names_.relation(name), arguments);
        formulas_.clause(formulas_.is_fluent(r) ? kif("init", {fact}) : fact, {});
      }
      if (tuples.empty() && !formulas_.is_fluent(r)) write_empty(names_.relation(name), arity);
    }
  }

  void write_empty(const std::string& relation, std::size_t arity) {
    Texts body;
    for (const std::string& column : numbered_variables("?x", arity)) {
      body.push_back(kif("same.", {column, column}));
    }
    body.push_back("(distinct 0 0)");
    formulas_.clause(kif(relation, numbered_variables("?x", arity)), body);
  }

  void write_match(std::size_t r) {
    const Rule& rule = game_.rules[r];
    const Texts match = match_variables(r);
    KifFormulas::Variables left, right;
    for (std::size_t i = 0; i < match.size(); ++i) left[rule.left.names[i]] = match[i];
    const std::string name = names_.move(rule.name);
    formulas_.define("match." + name, match, *match_condition(rule, game_.signature), left, {});
    if (!rule.post || formulas_.error()) return;
    for (std::size_t i = 0; i < rule.origin.size(); ++i) {
      right[rule.right.names[i]] = match[*rule.origin[i]];
    }
    std::vector<KifFormulas::Literal> matched = {
        {kif("match." + name, match), {match.begin(), match.end()}, true}};
    formulas_.define("possible." + name, match, *rule.post, right, AfterRule{r, match}, matched);
  }

  void write_legal() {
    for (const PlayerMove& move : moves_) {
      const Rule& rule = game_.rules[move.edge.rule];
      const Texts match = match_variables(move.edge.rule);
      const char* condition = rule.post ? "possible." : "match.";
      formulas_.clause(
          kif("moves.", {players()[move.player], kif(move.name, match)}),
          {kif("true", {location(move.location)}), kif(condition + names_.move(rule.name), match)});
    }
    Texts nobody;
    for (const std::string& player : players()) {
      nobody.push_back(kif("not", {kif("acts.", {player})}));
    }
    if (moves_.empty()) formulas_.clause("(moves. nobody. nothing.)", {});
    formulas_.clause("(legal ?p ?m)", {"(role ?p)", "(moves. ?p ?m)"});
    formulas_.clause("(acts. ?p)", {"(role ?p)", "(moves. ?p ?m)"});
    formulas_.clause(kif("legal", {"?p", names_.move("noop")}), {"(role ?p)", "(not (acts. ?p))"});
    formulas_.clause("terminal", nobody);
  }

  void write_next() {
    for (const PlayerMove& move : moves_) {
      formulas_.clause(kif("next", {location(move.edge.target)}),
                       {kif("true", {location(move.location)}), does(move)});
    }
    if (formulas_.elements_change()) {
      formulas_.clause("(next (element. ?x))", {"(true (element. ?x))", "(not (removed. ?x))"});
      for (const PlayerMove& move : moves_) write_removed(move);
    }
    for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
      if (formulas_.is_fluent(r)) write_frame(r);
    }
  }

  // Distinct rules of distinct players; the location does not matter.
  template <class Visit>
  void for_each_rule_of_player(Visit visit) {
    std::set<std::pair<std::size_t, std::string>> seen;
    for (const PlayerMove& move : moves_) {
      if (seen.insert({move.player, move.name}).second) visit(move);
    }
  }

  void write_removed(const PlayerMove& move) {
    const Rule& rule = game_.rules[move.edge.rule];
    const Texts match = match_variables(move.edge.rule);
    for (std::size_t l = 0; l < match.size(); ++l) {
      const bool kept = std::find(rule.origin.begin(), rule.origin.end(),
                                  std::optional<Element>(l)) != rule.origin.end();
      if (!kept) formulas_.clause(kif("removed.", {match[l]}), {does(move)});
    }
  }

  void write_frame(std::size_t relation) {
    const auto& [name, arity] = game_.signature.relations[relation];
    const Texts columns = numbered_variables("?x", arity);
    const std::string tuple = kif(names_.relation(name), columns);
    const std::string replaced = "replaced." + names_.relation(name);
    bool is_replaced = false;
    for_each_rule_of_player([&](const PlayerMove& move) {
      is_replaced = write_replaced(replaced, relation, move) || is_replaced;
      write_added(relation, move);
    });
    Texts body = {kif("true", {tuple})};
    if (is_replaced) body.push_back("(not " + kif(replaced, columns) + ")");
    add_survival(columns, body);
    formulas_.clause(kif("next", {tuple}), body);
  }

  void add_survival(const Texts& elements, Texts& body) {
    if (!formulas_.elements_change()) return;
    for (const std::string& element : elements) {
      body.push_back("(not " + kif("removed.", {element}) + ")");
    }
  }

  // All tuples among the matched elements.
  bool write_replaced(const std::string& replaced, std::size_t relation, const PlayerMove& move) {
    const Rule& rule = game_.rules[move.edge.rule];
    if (!rule.embeds(relation)) return false;
    const Texts match = match_variables(move.edge.rule);
    const std::size_t arity = game_.signature.relations[relation].arity;
    if (match.empty() && arity > 0) return false;
    std::vector<std::size_t> tuple(arity);
    for (;;) {
      Texts arguments;
      for (const std::size_t i : tuple) arguments.push_back(match[i]);
      formulas_.clause(kif(replaced, arguments), {does(move)});
      std::size_t at = arity;
      while (at > 0 && ++tuple[at - 1] == match.size()) tuple[--at] = 0;
      if (at == 0) return true;
    }
  }

  void write_added(std::size_t relation, const PlayerMove& move) {
    const Rule& rule = game_.rules[move.edge.rule];
    const Texts match = match_variables(move.edge.rule);
    const TupleSet& right = rule.right.structure.relation(relation);
    for (std::size_t i = 0; i < right.size() && !formulas_.error(); ++i) {
      Texts arguments, body = {does(move)};
      for (const Element element : right[i]) arguments.push_back(match[*rule.origin[element]]);
      add_survival(arguments, body);
      formulas_.clause(
          kif("next", {kif(names_.relation(game_.signature.relations[relation].name), arguments)}),
          body);
    }
  }

  struct Payoff {
    std::vector<FormulaPtr> sentences;
    std::vector<double> values;  // by truth values
  };

  Payoff read_payoff(const Term& term) {
    const SentenceTerm reader;
    Payoff result;
    if (const Term* part = reader.unsupported(term)) {
      formulas_.refuse(part->span, "GDL has no counting; this payoff sums or uses functions");
      return result;
    }
    reader.collect(term, result.sentences);
    if (result.sentences.size() > max_sentences) {
      formulas_.refuse(term.span,
                       fmt::format("a payoff with more than {} different sentences needs "
                                   "too many goal rules",
                                   max_sentences));
      return result;
    }
    for (std::uint64_t truth = 0; truth < std::uint64_t{1} << result.sentences.size(); ++truth) {
      result.values.push_back(reader.value(term, result.sentences, truth));
    }
    return result;
  }

  void write_goals() {
    std::vector<std::vector<Payoff>> payoffs;
    std::vector<double> all;
    for (const Location& location : game_.locations) {
      payoffs.emplace_back();
      for (const auto& part : location.players) {
        payoffs.back().push_back(read_payoff(*part.payoff));
        if (formulas_.error()) return;
        const std::vector<double>& values = payoffs.back().back().values;
        all.insert(all.end(), values.begin(), values.end());
      }
    }
    set_scale(all);
    for (std::size_t l = 0; l < payoffs.size(); ++l) {
      for (std::size_t p = 0; p < payoffs[l].size(); ++p) {
        Texts body = {kif("true", {location(l)})};
        write_goal(players()[p], payoffs[l][p], 0, 0, body);
      }
    }
  }

  void set_scale(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const bool fits = *low >= 0 && *high <= 100 &&
                      std::all_of(values.begin(), values.end(),
                                  [](double value) { return value == std::floor(value); });
    if (fits) return;
    low_ = *low;
    factor_ = *high > *low ? 100 / (*high - *low) : 0;
  }

  int reward(double value) const {
    const double scaled = (value - low_) * factor_;
    return std::isnan(scaled) ? 0 : static_cast<int>(std::lround(std::clamp(scaled, 0., 100.)));
  }

  // Decides the sentences in turn until the payoff is the same for all others.
  void write_goal(const std::string& player, const Payoff& payoff, std::size_t sentence,
                  std::uint64_t truth, Texts& body) {
    std::set<int> rewards;
    const std::uint64_t step = std::uint64_t{1} << sentence;
    for (std::uint64_t rest = truth; rest < payoff.values.size(); rest += step) {
      rewards.insert(reward(payoff.values[rest]));
    }
    if (rewards.size() == 1) {
      formulas_.clause(kif("goal", {player, std::to_string(*rewards.begin())}), body);
      return;
    }
    const std::string holds = sentence_predicate(payoff.sentences[sentence]);
    body.push_back(holds);
    write_goal(player, payoff, sentence + 1, truth | step, body);
    body.back() = "(not " + holds + ")";
    write_goal(player, payoff, sentence + 1, truth, body);
    body.pop_back();
  }

  std::string sentence_predicate(const FormulaPtr& sentence) {
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      if (same(sentences_[i], sentence)) return "sentence." + std::to_string(i);
    }
    const std::string name = "sentence." + std::to_string(sentences_.size());
    sentences_.push_back(sentence);
    formulas_.define(name, {}, *sentence, {}, {});
    return name;
  }

  const Game& game_;
  const base::Source& source_;
  KifNames names_;
  KifFormulas formulas_;
  std::vector<PlayerMove> moves_;
  std::vector<FormulaPtr> sentences_;
  double low_ = 0, factor_ = 1;
};

}  // namespace

base::Result<KifGame> to_kif(const Game& game, const base::Source& source) {
  return GameWriter(game, source).run();
}

}  // namespace zermelo::translate::toss
