// GDL games as structure rewriting games (Kaiser and Stafiniak, "Translating the Game Description
// Language to Toss", GIGA 2011).
//
//   auto translation = to_toss(machine, {});
//   StructureMachine toss = *toss::StructureMachine::make(translation->game);
//   translation->joint_move(rule, match);   // the moves of GDL that an application stands for
//
// Turn-taking games have one location. A rule is a move of the role that chooses; the others then
// do nothing in Toss, where in GDL they have exactly one legal move. In other games a rule is a
// move of one player, and all players move at the same time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "toss/game.h"
#include "toss/printer.h"
#include "toss/rewrite.h"
#include "translate/toss/rule_builder.h"

namespace zermelo::translate::toss {

struct ToTossOptions {
  base::Limits limits;
  std::chrono::duration<double> mutex_seconds{5};
  // For each of the first two constructions, before the third is tried.
  std::chrono::duration<double> paper_seconds{5};
  bool only_terms = false;  // the construction with terms only
};

// How a game was translated.
enum class TossConstruction : std::uint8_t {
  paper,         // elements with contents, as in the paper
  state_terms,   // the same with an element for each state term
  terms,         // an element for each term and move (`term_translation.h`)
  simultaneous,  // the same for players who choose at the same time
};
std::string_view name_of(TossConstruction construction);

class TossTranslation {
 public:
  std::shared_ptr<const zermelo::toss::Game> game;
  TossConstruction construction = TossConstruction::paper;
  std::size_t elements = 0, relations = 0, rules = 0;

  // By rule of the game: the names of the roles' moves in GDL for an application (the bijection of
  // the paper's Theorem 5). Where players choose at the same time only that of the owner is known;
  // the others are empty.
  std::vector<std::string> joint_move(std::size_t rule, const zermelo::toss::Match& match) const;
  // The role that chooses with this rule.
  std::size_t owner(std::size_t rule) const { return rules_[rule].owner; }
  // Whether a structure is the state alone; if players choose at the same time, it is not.
  bool is_state() const { return construction != TossConstruction::simultaneous; }
  // The structure of a state, given by the numbers of fluents in the machine's game. Requires
  // is_state().
  zermelo::toss::Structure structure(const machine::State& state) const;
  // The elements of the state terms that hold. Requires a construction with terms.
  zermelo::toss::TupleSet state_terms(const machine::State& state) const;

 private:
  friend class TossTranslator;
  friend class TermGame;

  std::vector<std::string> moves_of_elements(std::size_t owner,
                                             const zermelo::toss::Match& match) const;

  std::vector<BuiltRule> rules_;
  std::vector<Values> values_;      // by element; of the paper's construction
  std::vector<std::string> moves_;  // by element; of the construction with terms
  struct Place {
    std::size_t relation = 0;
    zermelo::toss::Element element = 0;
  };
  std::vector<Place> places_;         // by fluent
  std::vector<std::size_t> fluents_;  // relations that change
};

// Fails with not_applicable and the restriction that is not met, in one sentence, and at a limit.
base::Result<TossTranslation> to_toss(const std::shared_ptr<const machine::Machine>& machine,
                                      const ToTossOptions& options = {});

}  // namespace zermelo::translate::toss
