#include "translate/toss/to_toss.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/dynamic_conditions.h"
#include "base/limited_steps.h"
#include "gdl/require_no_functions.h"
#include "toss/parser.h"
#include "translate/toss/flat_heads.h"
#include "translate/toss/inserted_moves.h"
#include "translate/toss/term_structure.h"
#include "translate/toss/term_translation.h"

namespace zermelo::translate::toss {
namespace {

constexpr std::size_t max_tuples_of_classes = 2'000;
constexpr std::size_t max_rules = 3'000;
constexpr std::size_t max_contents = 24;  // of an element

// The tuples of classes, one per role, of which no literals exclude each other.
class TupleFinder {
 public:
  TupleFinder(const std::vector<std::vector<MoveClass>>& classes,
              const Contradictions& contradictions)
      : classes_(classes), contradictions_(contradictions) {}

  std::vector<std::vector<const MoveClass*>> run() {
    extend();
    return std::move(result_);
  }

 private:
  void extend() {
    if (chosen_.size() == classes_.size()) {
      result_.push_back(chosen_);
      if (result_.size() > max_tuples_of_classes) {
        throw NotTranslatable{"there are too many combinations of moves of all players"};
      }
      return;
    }
    for (const MoveClass& next : classes_[chosen_.size()]) {
      const bool excluded = std::any_of(chosen_.begin(), chosen_.end(), [&](const MoveClass* each) {
        return contradictions_.between(each->expanded, next.expanded);
      });
      if (excluded) continue;
      chosen_.push_back(&next);
      extend();
      chosen_.pop_back();
    }
  }

  const std::vector<std::vector<MoveClass>>& classes_;
  const Contradictions& contradictions_;
  std::vector<const MoveClass*> chosen_;
  std::vector<std::vector<const MoveClass*>> result_;
};

// The role that chooses in a tuple: the only one whose move is not the only one it may have.
std::size_t owner_of(const std::vector<const MoveClass*>& tuple,
                     const std::vector<std::vector<MoveClass>>& classes) {
  std::optional<std::size_t> owner;
  for (std::size_t role = 0; role < tuple.size(); ++role) {
    if (tuple[role]->is_only_move || classes[role].size() == 1) {
      if (is_ground(tuple[role]->head)) continue;
    }
    if (owner) {
      throw NotTranslatable{fmt::format("{} and {} may be moves of two players in one step",
                                        print(tuple[*owner]->head), print(tuple[role]->head))};
    }
    owner = role;
  }
  return owner.value_or(0);
}

std::string payoff_of(const ground::Game& game, std::size_t role, const std::string& name,
                      BodyFormulas& formulas) {
  std::string text;
  for (const ground::Game::Goal& goal : game.goals[role]) {
    if (goal.value == 0) continue;
    if (!text.empty()) text += " + ";
    const auto formula = formulas.goal(name, std::to_string(goal.value));
    text += fmt::format("{} * :({})", goal.value, print(*formula));
  }
  return text.empty() ? "0" : text;
}

std::string player_name(const std::string& role, std::set<std::string>& used) {
  std::string name;
  for (const char c : role) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) name = "p" + name;
  static const std::set<std::string> words = {"and",  "or",   "not",  "ex",   "all", "tc",
                                              "lfp",  "gfp",  "let",  "in",   "emb", "pre",
                                              "post", "with", "true", "false"};
  while (words.count(name) > 0 || !used.insert(name).second) name += "_";
  return name;
}

std::string game_text(const GdlClauses& clauses, const ground::Game& game,
                      const std::vector<BuiltRule>& rules, ElementStructure& structure,
                      BodyFormulas& formulas) {
  std::set<std::string> used;
  std::vector<std::string> players, payoffs;
  for (std::size_t role = 0; role < clauses.roles().size(); ++role) {
    players.push_back(player_name(clauses.roles()[role], used));
    payoffs.push_back(payoff_of(game, role, clauses.roles()[role], formulas));
  }
  std::string text = fmt::format("PLAYERS {}\n\n", fmt::join(players, ", "));
  text += formulas.definitions() + "\n";
  for (const BuiltRule& rule : rules) text += rule.text;
  text += "\nLOC 0 {\n";
  for (std::size_t role = 0; role < players.size(); ++role) {
    std::vector<std::string> moves;
    for (const BuiltRule& rule : rules) {
      if (rule.owner == role) moves.push_back(rule.name + " -> 0");
    }
    text += fmt::format("  PLAYER {} {{ PAYOFF {}", players[role], payoffs[role]);
    if (!moves.empty()) text += fmt::format(" MOVES [{}]", fmt::join(moves, "; "));
    text += " }\n";
  }
  std::set<GdlTerm> initial;
  for (const ground::Atom fluent : game.initial) {
    initial.insert(from_gdl(game.fluents[fluent], game.rulesheet->symbols));
  }
  return text + "}\n\nSTART " + structure.print(initial) + "\n";
}

base::Result<std::shared_ptr<const zermelo::toss::Game>> read_game(const std::string& text) {
  const base::Source source("translation", text);
  zermelo::toss::ParseResult parsed = zermelo::toss::parse(source);
  if (!base::has_errors(parsed.diagnostics)) {
    return std::make_shared<const zermelo::toss::Game>(std::move(parsed.game));
  }
  return base::fail(
      base::ErrorKind::not_applicable,
      "the translation is not a Toss game: " + base::format(parsed.diagnostics.front(), source));
}

}  // namespace

std::vector<std::string> TossTranslation::joint_move(std::size_t rule,
                                                     const zermelo::toss::Match& match) const {
  const BuiltRule& built = rules_[rule];
  if (!moves_.empty()) return moves_of_elements(built.owner, match);
  Substitution chosen;
  for (const auto& [variable, place] : built.carried) {
    chosen[variable] = gdl_constant(values_[match[place.first]][place.second]);
  }
  std::vector<std::string> result;
  for (const GdlTerm& move : built.moves) result.push_back(print(substitute(move, chosen)));
  return result;
}

std::vector<std::string> TossTranslation::moves_of_elements(
    std::size_t owner, const zermelo::toss::Match& match) const {
  std::vector<std::string> result(game->players.size());
  for (std::size_t role = 0; role < result.size(); ++role) {
    if (is_state()) result[role] = moves_[match[role]];
  }
  if (!is_state()) result[owner] = moves_[match[0]];
  return result;
}

zermelo::toss::Structure TossTranslation::structure(const machine::State& state) const {
  zermelo::toss::Structure result = game->start.structure;
  std::map<std::size_t, std::vector<zermelo::toss::Element>> tuples;
  for (const std::size_t relation : fluents_) tuples[relation];
  state.for_each([&](std::size_t fluent) {
    tuples[places_[fluent].relation].push_back(places_[fluent].element);
  });
  for (auto& [relation, elements] : tuples) {
    result.set_relation(relation, zermelo::toss::TupleSet(1, std::move(elements)));
  }
  return result;
}

zermelo::toss::TupleSet TossTranslation::state_terms(const machine::State& state) const {
  std::vector<zermelo::toss::Element> elements;
  state.for_each([&](std::size_t fluent) { elements.push_back(places_[fluent].element); });
  return zermelo::toss::TupleSet(1, std::move(elements));
}

// What the translation derives from the game before it chooses elements.
struct TossGameFacts {
  GdlClauses clauses;
  StaticFacts facts;
  analysis::MutexGroups groups;
  bool refutes_turns = false;  // there is a state in which several roles choose
};

namespace {

base::Result<TossGameFacts> find_facts(const std::shared_ptr<const machine::Machine>& machine,
                                       const ToTossOptions& options) {
  const gdl::Rulesheet& rulesheet = *machine->game().rulesheet;
  if (auto plain = gdl::require_no_functions(rulesheet, "the translation to Toss"); !plain) {
    return tl::unexpected(plain.error());
  }
  auto clauses = GdlClauses::read(rulesheet);
  if (!clauses) return tl::unexpected(clauses.error());
  bool refutes_turns = false;
  if (clauses->roles().size() > 1) {
    analysis::ConditionOptions conditions;
    conditions.limits = options.limits;
    conditions.seconds = std::chrono::seconds(1);
    refutes_turns = analysis::check_dynamic_conditions(machine, conditions).turn_taking.evidence ==
                    analysis::Evidence::refuted;
  }
  auto facts = StaticFacts::evaluate(*clauses, options.limits);
  if (!facts) return tl::unexpected(facts.error());
  analysis::MutexOptions mutex;
  mutex.seconds = options.mutex_seconds;
  mutex.limits = options.limits;
  return TossGameFacts{std::move(*clauses), std::move(*facts),
                       analysis::find_mutex_groups(machine, mutex), refutes_turns};
}

}  // namespace

class TossTranslator {
 public:
  TossTranslator(const ground::Game& game, const TossGameFacts& known, const ToTossOptions& options)
      : game_(game), known_(known), options_(options) {}

  // Throws NotTranslatable and base::LimitReached.
  base::Result<TossTranslation> run(std::size_t max_contents) {
    ElementStructure::Options sizes;
    sizes.limits = options_.limits;
    sizes.max_contents = max_contents;
    auto structure =
        ElementStructure::make(known_.clauses, game_, known_.groups, known_.facts, sizes);
    if (!structure) return tl::unexpected(structure.error());
    BodyFormulas formulas(known_.clauses, *structure);
    TossTranslation result;
    make_rules(*structure, formulas, result);
    const auto read =
        read_game(game_text(known_.clauses, game_, result.rules_, *structure, formulas));
    if (!read) return tl::unexpected(read.error());
    result.game = *read;
    result.values_ = structure->values();
    result.elements = structure->names().size();
    result.relations = result.game->signature.relations.size();
    result.rules = result.rules_.size();
    place_fluents(*structure, result);
    return result;
  }

 private:
  void make_rules(ElementStructure& structure, BodyFormulas& formulas, TossTranslation& result) {
    const std::vector<GdlClause> next = next_clauses_with_moves(known_.clauses);
    const auto classes = move_classes(known_.clauses, next, game_, known_.groups);
    const Contradictions contradictions(game_, known_.groups);
    RuleBuilder builder(known_.clauses, game_, next, known_.facts, contradictions, structure,
                        formulas);
    for (const auto& tuple : TupleFinder(classes, contradictions).run()) {
      if (const auto limit = options_.limits.exceeded()) {
        throw base::LimitReached(*limit, "making rewriting rules");
      }
      builder.add(tuple, owner_of(tuple, classes), result.rules_);
      if (result.rules_.size() > max_rules) {
        throw NotTranslatable{
            fmt::format("the game needs more than {} rewriting rules", max_rules)};
      }
    }
  }

  void place_fluents(const ElementStructure& structure, TossTranslation& result) const {
    std::map<std::string, std::size_t> numbers;
    for (std::size_t r = 0; r < result.game->signature.relations.size(); ++r) {
      numbers[result.game->signature.relations[r].name] = r;
    }
    std::set<std::size_t> relations;
    for (const gdl::Term& fluent : game_.fluents) {
      const auto tuple = structure.tuple_of(from_gdl(fluent, game_.rulesheet->symbols));
      const std::size_t relation = numbers.at(tuple->fluent);
      result.places_.push_back({relation, static_cast<zermelo::toss::Element>(tuple->element)});
      relations.insert(relation);
    }
    result.fluents_.assign(relations.begin(), relations.end());
  }

  const ground::Game& game_;
  const TossGameFacts& known_;
  const ToTossOptions& options_;
};

class TermGame {
 public:
  // Throws NotTranslatable and base::LimitReached.
  static base::Result<TossTranslation> make(const ground::Game& game, const TossGameFacts& known,
                                            const base::Limits& limits) {
    TermTranslation made = translate_with_terms(with_flat_heads(known.clauses), game, known.facts,
                                                known.groups, limits);
    const auto read = read_game(made.text);
    if (!read) return tl::unexpected(read.error());
    TossTranslation result;
    result.game = *read;
    result.construction =
        made.simultaneous ? TossConstruction::simultaneous : TossConstruction::terms;
    result.elements = made.moves.size();
    result.relations = result.game->signature.relations.size();
    result.rules = made.rules.size();
    result.rules_ = std::move(made.rules);
    result.moves_ = std::move(made.moves);
    const auto& relations = result.game->signature.relations;
    const auto holds = std::find_if(relations.begin(), relations.end(), [](const auto& relation) {
      return relation.name == TermStructure::truth;
    });
    const auto relation = static_cast<std::size_t>(holds - relations.begin());
    for (const std::size_t element : made.element_of) {
      result.places_.push_back({relation, static_cast<zermelo::toss::Element>(element)});
    }
    result.fluents_ = {relation};
    return result;
  }
};

std::string_view name_of(TossConstruction construction) {
  switch (construction) {
    case TossConstruction::paper:
      return "paper";
    case TossConstruction::state_terms:
      return "state terms";
    case TossConstruction::terms:
      return "terms";
    case TossConstruction::simultaneous:
      return "simultaneous";
  }
  return "";
}

// The constructions in this order: elements with contents, as in the paper; an element for each
// state term, which needs fewer rules where contents are copied from one element to another; an
// element for each term. The first that succeeds within its share of the time.
base::Result<TossTranslation> to_toss(const std::shared_ptr<const machine::Machine>& machine,
                                      const ToTossOptions& options) try {
  const auto known = find_facts(machine, options);
  if (!known) return tl::unexpected(known.error());
  const ground::Game& game = machine->game();
  if (game.imperfect_information()) {
    return base::fail(base::ErrorKind::not_applicable, "the game has chance or hidden information");
  }
  for (const auto construction : {TossConstruction::paper, TossConstruction::state_terms}) {
    if (options.only_terms || known->refutes_turns) break;
    ToTossOptions shorter = options;
    shorter.limits = options.limits.within(options.paper_seconds);
    try {
      const std::size_t contents = construction == TossConstruction::paper ? max_contents : 0;
      auto made = TossTranslator(game, *known, shorter).run(contents);
      if (!made) continue;
      made->construction = construction;
      return made;
    } catch (const NotTranslatable&) {
    } catch (const base::LimitReached&) {
    }
  }
  return TermGame::make(game, *known, options.limits);
} catch (const NotTranslatable& restriction) {
  return base::fail(base::ErrorKind::not_applicable, restriction.reason);
} catch (const base::LimitReached& reached) {
  return base::fail(reached.kind(), reached.what());
}

}  // namespace zermelo::translate::toss
