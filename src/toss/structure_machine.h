// A structure rewriting game as a game that can be stepped: roles, legal moves, next states, the
// end and goals, in the shape that perft, random play and enumeration expect of every engine.
//
//   auto machine = StructureMachine::make(std::move(game));
//   auto state = machine->initial_state();
//   while (!machine->terminal(state)) state = machine->next_state(state, joint);
//
// A move of a role is an edge of the state's location and a match of its rule. In a location where
// several players have moves, all of them choose at the same time and their rules are applied at
// once (`rewrite.h`); a role without a move there does nothing, which is the move "noop". A play
// ends where no role has a move. The target of a step is that of the moves made.
//
// A play whose structures grow without end, or a formula that describes too many tuples, ends in
// LimitReached, thrown by the question that passes the limit. A machine belongs to one thread.
#pragma once

#include <compare>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "toss/game.h"
#include "toss/query.h"
#include "toss/rewrite.h"

namespace zermelo::toss {

using Move = std::uint32_t;

struct MachineOptions {
  std::size_t max_elements = 8192;  // of a structure
  EvaluationLimits evaluation;
};

class StructureMachine {
 public:
  // A location and a structure. Copies share the structure.
  class State {
   public:
    State() = default;
    State(std::size_t location, Structure structure);

    std::size_t location() const { return location_; }
    const Structure& structure() const { return *structure_; }
    std::size_t hash() const { return hash_; }

    bool operator==(const State& other) const { return (*this <=> other) == 0; }
    std::strong_ordering operator<=>(const State& other) const;

   private:
    std::size_t location_ = 0;
    std::size_t hash_ = 0;
    std::shared_ptr<const Structure> structure_ = std::make_shared<const Structure>();
  };

  // Requires a game without errors. Fails where its formulas are too large or the structure that it
  // starts with has too many elements.
  static base::Result<StructureMachine> make(std::shared_ptr<const Game> game,
                                             MachineOptions options = {});

  const std::vector<std::string>& roles() const { return game_->players; }
  State initial_state() const;
  // Sorted by name; none in a terminal state.
  std::vector<Move> legal_moves(const State& state, std::size_t role);
  // One legal move per role.
  State next_state(const State& state, std::span<const Move> joint);
  bool terminal(const State& state);
  // The payoff rounded to a whole number.
  std::vector<int> goals(const State& state, std::size_t role);
  double payoff(const State& state, std::size_t role);
  // The rule and the elements matched, in the order of its left side, as Cross(b2).
  const std::string& move_name(Move move) const { return moves_[move].name; }
  // What a move that is not "noop" applies; nothing for "noop".
  std::optional<std::pair<Edge, Match>> application(Move move) const;
  // The location, the tuples of fluents, the values of functions that moves change, and where moves
  // create or remove elements those that exist; sorted.
  std::vector<std::string> fluent_names(const State& state) const;

  const Game& game() const { return *game_; }
  const Theory& theory() const { return *theory_; }
  const ElementNames& element_names() const { return *names_; }

 private:
  struct CompiledRule {
    Query match;
    std::optional<Query> post;
  };
  struct KnownMove {
    Edge edge;
    Match match;
    std::string name;
  };
  struct Hash {
    std::size_t operator()(const std::vector<Element>& key) const;
  };

  explicit StructureMachine(std::shared_ptr<const Game> game, MachineOptions options);

  void compile();
  void enter(const State& state);
  std::vector<Move> find_moves(const State& state, std::size_t role);
  void add_moves(const State& state, const Edge& edge, std::vector<Move>& moves);
  bool satisfies_post(const State& state, const Edge& edge, const Match& match) const;
  Rewritten apply(const State& state, std::span<const Application> applications) const;
  Move intern(const Edge& edge, const Match& match);
  std::string print_move(const Edge& edge, const Match& match) const;

  std::shared_ptr<const Game> game_;
  MachineOptions options_;
  std::unique_ptr<const Theory> theory_;
  std::unique_ptr<const ElementNames> names_;
  std::vector<CompiledRule> rules_;
  std::vector<std::vector<TermQuery>> payoffs_;  // by location, player
  std::vector<bool> named_target_;               // by rule: leads to several locations
  std::deque<KnownMove> moves_;                  // the first is noop
  std::unordered_map<std::vector<Element>, Move, Hash> move_numbers_;
  std::optional<State> entered_;
  Evaluated evaluated_;                   // in the state entered
  std::vector<std::vector<Move>> legal_;  // in the state entered, by role
};

}  // namespace zermelo::toss

template <>
struct std::hash<zermelo::toss::StructureMachine::State> {
  std::size_t operator()(const zermelo::toss::StructureMachine::State& state) const {
    return state.hash();
  }
};
