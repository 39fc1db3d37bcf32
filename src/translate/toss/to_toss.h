// GDL games as structure rewriting games (Kaiser and Stafiniak, "Translating the Game Description
// Language to Toss", GIGA 2011).
//
//   auto translation = to_toss(machine, {});
//   StructureMachine toss = *toss::StructureMachine::make(translation->game);
//   translation->joint_move(rule, match);   // the moves of GDL that an application stands for
//
// The game must be turn-taking: in every step at most one role has a choice. The translation has
// one location. A rule is a move of the role that chooses; the others then do nothing in Toss,
// where in GDL they have exactly one legal move.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
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
};

class TossTranslation {
 public:
  std::shared_ptr<const zermelo::toss::Game> game;
  std::size_t elements = 0, relations = 0, rules = 0;

  // By rule of the game: the names of the roles' moves in GDL for an application (the bijection of
  // the paper's Theorem 5).
  std::vector<std::string> joint_move(std::size_t rule, const zermelo::toss::Match& match) const;
  // The role that chooses with this rule.
  std::size_t owner(std::size_t rule) const { return rules_[rule].owner; }
  // The structure of a state, given by the numbers of fluents in the machine's game.
  zermelo::toss::Structure structure(const machine::State& state) const;

 private:
  friend class TossTranslator;

  std::vector<BuiltRule> rules_;
  std::vector<Values> values_;  // by element
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
