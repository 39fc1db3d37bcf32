// The end and the reward of a game are conditions on the local concepts of its subgames. So a
// global state is represented by one evaluation per part, and the rules above the concepts are
// evaluated here, once per combination of evaluations.
//
// Action-independent subgames are one part of their own, the time: its state is a function of the
// number of steps, found by making any moves. The times repeat at some point, or the time ends the
// game.
#include "search/decomposition/factored_game.h"

#include <algorithm>

#include "base/reward.h"
#include "search/decomposition/local_state.h"

namespace zermelo::search::decomposition {

using analysis::Decomposition;
using analysis::LocalConcept;
using analysis::Subgame;
using ground::Atom;

namespace {

constexpr std::size_t max_times = 10'000;

Evaluation number_of(std::map<std::vector<bool>, Evaluation>& numbers,
                     std::vector<std::vector<bool>>& values, const std::vector<bool>& value) {
  const auto [entry, is_new] = numbers.emplace(value, static_cast<Evaluation>(numbers.size()));
  if (is_new) values.push_back(value);
  return entry->second;
}

std::optional<std::string> obstacle(const ground::Game& game, const Decomposition& found) {
  if (game.roles.size() != 1) return "decomposition search needs a game of one role";
  if (!found.is_decomposed()) return "the game does not decompose";
  if (found.is_parallel) return std::nullopt;
  for (const Subgame& subgame : found.subgames) {
    if (subgame.action_independent && subgame.is_read) return "subgames depend on the time";
    if (!subgame.action_independent && !subgame.is_kept) {
      return "a subgame changes by the moves of others";
    }
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::unique_ptr<FactoredGame>> FactoredGame::make(
    std::shared_ptr<const machine::Machine> machine, const Decomposition& found,
    const State& root) {
  if (const auto reason = obstacle(machine->game(), found)) {
    return base::fail(base::ErrorKind::not_applicable, *reason);
  }
  return std::unique_ptr<FactoredGame>(new FactoredGame(std::move(machine), found, root));
}

FactoredGame::FactoredGame(std::shared_ptr<const machine::Machine> machine,
                           const Decomposition& found, const State& root)
    : machine_(std::move(machine)),
      game_(machine_->game()),
      root_(root),
      is_parallel_(found.is_parallel),
      cursor_(machine_),
      bounds_(game_.atoms) {
  const std::vector<LocalConcept> concepts = analysis::find_concepts(game_, found);
  std::vector<std::uint32_t> of_time;
  for (std::uint32_t i = 0; i < found.subgames.size(); ++i) {
    if (found.subgames[i].action_independent) {
      of_time.push_back(i);
      reads_time_ |= found.subgames[i].is_read;
    } else {
      parts_.push_back(make_part({i}, found, concepts));
    }
  }
  time_ = make_part(of_time, found, concepts);
  std::vector<bool> is_concept(game_.atoms);
  for (const LocalConcept& local : concepts) is_concept[local.atom] = true;
  const auto is_given = [&](Atom atom) { return is_concept[atom]; };
  std::vector<Atom> ends, goals;
  if (game_.terminal != ground::no_atom) ends.push_back(game_.terminal);
  for (const ground::Game::Goal& goal : game_.goals[0]) goals.push_back(goal.atom);
  terminal_ = std::make_unique<analysis::RuleEvaluator>(game_, ends, is_given);
  goals_ = std::make_unique<analysis::RuleEvaluator>(game_, goals, is_given);
  root_.for_each([&](std::size_t f) { bounds_.set(static_cast<Atom>(f), true); });
  run_time();
  if (is_timed_ && !is_parallel_ && !found.other_moves.empty()) {
    parts_.push_back(make_part({}, found, concepts));
    parts_.back().moves = {found.other_moves.front()};
  }
}

FactoredGame::Part FactoredGame::make_part(const std::vector<std::uint32_t>& subgames,
                                           const Decomposition& found,
                                           const std::vector<LocalConcept>& concepts) const {
  Part part;
  part.mask = State(game_.fluents.size());
  for (const std::uint32_t i : subgames) {
    part.moves.insert(part.moves.end(), found.subgames[i].moves.begin(),
                      found.subgames[i].moves.end());
    for (const Atom f : found.subgames[i].fluents) part.mask.set(f);
    for (const LocalConcept& local : concepts) {
      if (local.subgame != i) continue;
      part.concepts.push_back(local.atom);
      part.is_of_terminal.push_back(local.is_of_terminal);
    }
  }
  part.evaluator =
      std::make_unique<analysis::RuleEvaluator>(game_, part.concepts, [](Atom) { return false; });
  return part;
}

Evaluations FactoredGame::evaluate(Part& part, const State& state) {
  part.mask.for_each([&](std::size_t f) { bounds_.set(static_cast<Atom>(f), state.test(f)); });
  part.evaluator->derive(bounds_);
  std::vector<bool> values, terminal;
  for (std::size_t i = 0; i < part.concepts.size(); ++i) {
    const bool value = bounds_.surely[part.concepts[i]];
    values.push_back(value);
    if (part.is_of_terminal[i]) terminal.push_back(value);
  }
  return {number_of(part.numbers, part.values, values),
          number_of(part.terminal_numbers, part.terminal_values, terminal)};
}

Evaluations FactoredGame::evaluate(std::size_t part, const State& local) {
  return evaluate(parts_[part], local);
}

State FactoredGame::state_with(std::size_t part, const State& local, std::uint32_t steps) {
  State state = with_local(root_, local, parts_[part].mask);
  const auto index = time_index(steps);
  if (reads_time_ && index) replace_local(state, times_[*index], time_.mask);
  return state;
}

// Runs the time until it repeats, ends the game, or has no successor.
void FactoredGame::run_time() {
  times_.push_back(root_);
  time_evaluations_.push_back(evaluate(time_, root_));
  while (!horizon_ && add_time()) {
    const Evaluations& now = time_evaluations_.back();
    const auto steps = static_cast<std::uint32_t>(times_.size() - 1);
    is_timed_ |= now.all != time_evaluations_[0].all;
    if (ends_alone(parts_.size(), now.terminal)) horizon_ = steps;
    has_phases_ |= now.terminal != time_evaluations_[0].terminal && !horizon_;
  }
}

// Whether there is a new time after the last one.
bool FactoredGame::add_time() {
  if (times_.size() == max_times || time_ends_ || time_cycle_) return false;
  cursor_.reset(times_.back());
  const auto legal = cursor_.legal(0);
  if (legal.empty()) {
    time_ends_ = true;
    return false;
  }
  const Move move = legal.front();
  cursor_.make(std::span(&move, 1));
  State next = with_local(root_, cursor_.state(), time_.mask);
  const auto known = std::find(times_.begin(), times_.end(), next);
  if (known != times_.end()) {
    time_cycle_ = static_cast<std::size_t>(known - times_.begin());
    return false;
  }
  time_evaluations_.push_back(evaluate(time_, next));
  times_.push_back(std::move(next));
  return true;
}

std::optional<std::size_t> FactoredGame::time_index(std::uint32_t steps) const {
  if (steps < times_.size()) return steps;
  if (!time_cycle_) return std::nullopt;
  return *time_cycle_ + (steps - *time_cycle_) % (times_.size() - *time_cycle_);
}

std::optional<Evaluations> FactoredGame::evaluate_time(std::uint32_t steps) const {
  const auto index = time_index(steps);
  return index ? std::optional(time_evaluations_[*index]) : std::nullopt;
}

void FactoredGame::assume(const Part& part, Evaluation evaluation) {
  const std::vector<bool>& values = part.values[evaluation];
  for (std::size_t i = 0; i < values.size(); ++i) bounds_.set(part.concepts[i], values[i]);
}

void FactoredGame::assume_terminal(const Part& part, Evaluation evaluation) {
  const std::vector<bool>& values = part.terminal_values[evaluation];
  std::size_t next = 0;
  for (std::size_t i = 0; i < part.concepts.size(); ++i) {
    if (part.is_of_terminal[i]) bounds_.set(part.concepts[i], values[next++]);
  }
}

bool FactoredGame::is_terminal(std::span<const Evaluation> parts, Evaluation time) {
  if (game_.terminal == ground::no_atom) return false;
  std::vector<Evaluation> key(parts.begin(), parts.end());
  key.push_back(time);
  const auto known = is_terminal_.find(key);
  if (known != is_terminal_.end()) return known->second;
  for (std::size_t i = 0; i < parts.size(); ++i) assume_terminal(parts_[i], parts[i]);
  assume_terminal(time_, time);
  terminal_->derive(bounds_);
  return is_terminal_[std::move(key)] = bounds_.surely[game_.terminal];
}

bool FactoredGame::ends_alone(std::size_t part, Evaluation evaluation) {
  if (game_.terminal == ground::no_atom) return false;
  const auto [entry, is_new] = at(part).ends_alone.emplace(evaluation, false);
  if (!is_new) return entry->second;
  for (std::size_t i = 0; i <= parts_.size(); ++i) {
    if (i == part) continue;
    for (const Atom atom : at(i).concepts) bounds_.forget(atom);
  }
  assume_terminal(at(part), evaluation);
  terminal_->derive(bounds_);
  return entry->second = bounds_.surely[game_.terminal];
}

std::optional<int> FactoredGame::reward(std::span<const Evaluation> parts, Evaluation time) {
  std::vector<Evaluation> key(parts.begin(), parts.end());
  key.push_back(time);
  const auto known = rewards_.find(key);
  if (known != rewards_.end()) return known->second;
  for (std::size_t i = 0; i < parts.size(); ++i) assume(parts_[i], parts[i]);
  assume(time_, time);
  terminal_->derive(bounds_);
  const bool is_over = game_.terminal != ground::no_atom && bounds_.surely[game_.terminal];
  goals_->derive(bounds_);
  std::vector<int> values;
  for (const ground::Game::Goal& goal : game_.goals[0]) {
    if (bounds_.surely[goal.atom]) values.push_back(goal.value);
  }
  return rewards_[std::move(key)] = is_over ? std::optional(base::reward_of(values)) : std::nullopt;
}

int FactoredGame::highest_reward() const {
  return game_.goals[0].empty() ? 0 : game_.goals[0].back().value;
}

}  // namespace zermelo::search::decomposition
