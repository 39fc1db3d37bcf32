#include "machine/machine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace zermelo::machine {

using ground::Atom;

static_assert(base::PerceivingMachine<Stepper>);

namespace {

// The outputs of all phases are kept up to date, which pays off only for a few phases.
constexpr std::size_t max_phases = 4;

State initial_state_of(const ground::Game& game) {
  State state(game.fluents.size());
  for (const Atom fluent : game.initial) state.set(fluent);
  return state;
}

}  // namespace

Machine::Machine(ground::Game game)
    : Machine(std::make_shared<const circuit::CompiledGame>(std::move(game))) {
  [[maybe_unused]] const auto made = make_program(base::Limits());
  assert(made);
}

Machine::Machine(std::shared_ptr<const circuit::CompiledGame> compiled)
    : compiled_(std::move(compiled)) {
  name_moves();
}

base::Result<std::shared_ptr<const Machine>> Machine::make(
    std::shared_ptr<const circuit::CompiledGame> compiled, const base::Limits& limits) {
  const std::shared_ptr<Machine> machine(new Machine(std::move(compiled)));
  const auto made = machine->make_program(limits);
  if (!made) return tl::unexpected(made.error());
  return machine;
}

base::Result<std::shared_ptr<const Machine>> Machine::make(ground::Game game,
                                                           const base::Limits& limits) {
  return make(std::make_shared<const circuit::CompiledGame>(std::move(game)), limits);
}

void Machine::name_moves() {
  const ground::Game& game = this->game();
  for (Move m = 0; m < game.moves.size(); ++m) move_names_.push_back(game.move_name(m));
  rank_of_move_.resize(game.moves.size());
  for (std::uint32_t r = 0; r < game.roles.size(); ++r) {
    roles_.push_back(game.role_name(r));
    std::vector<Move>& moves = moves_.emplace_back();
    for (Move m = game.first_move_of[r]; m < game.first_move_of[r + 1]; ++m) moves.push_back(m);
    std::sort(moves.begin(), moves.end(),
              [&](Move a, Move b) { return move_names_[a] < move_names_[b]; });
    for (std::uint32_t rank = 0; rank < moves.size(); ++rank) rank_of_move_[moves[rank]] = rank;
  }
}

// Holds the whole circuit until the phases are known: it may be the only one.
base::Result<void> Machine::make_program(const base::Limits& limits) {
  auto whole = compiled_->whole(limits);
  if (!whole) return tl::unexpected(whole.error());
  const auto facts = compiled_->facts(limits);
  if (!facts) return tl::unexpected(facts.error());
  const std::vector<circuit::FixedFluents>& phases = (*facts)->phases;
  const circuit::FixedFluents nothing(game().fluents.size());
  has_phases_ = phases.size() <= max_phases && phases[0] != nothing;
  if (!has_phases_) {
    return base::within_limits([&] { program_ = program_without_phases(*whole, limits); });
  }
  whole->reset();
  const auto circuits = compiled_->phase_circuits(limits);
  if (!circuits) return tl::unexpected(circuits.error());
  return base::within_limits([&] {
    program_ = make_step_program({game(), rank_of_move_, phases, **circuits}, limits);
  });
}

StepProgram Machine::program_without_phases(const circuit::CircuitPointer& whole,
                                            const base::Limits& limits) const {
  const std::vector<circuit::FixedFluents> nothing{circuit::FixedFluents(game().fluents.size())};
  return make_step_program({game(), rank_of_move_, nothing, {whole}}, limits);
}

const StepProgram& Machine::general_program() const {
  if (!has_phases_) return program_;
  std::call_once(general_is_made_,
                 [this] { general_program_ = program_without_phases(*compiled_->whole(), {}); });
  return general_program_;
}

const StepProgram& Machine::percept_program() const {
  std::call_once(percepts_are_made_,
                 [this] { percept_program_ = program_without_phases(*compiled_->percepts(), {}); });
  return percept_program_;
}

Cursor::Cursor(std::shared_ptr<const Machine> machine)
    : machine_(std::move(machine)), context_(machine_->program()) {
  for (std::size_t role = 0; role < machine_->roles().size(); ++role) {
    legal_.emplace_back(machine_->moves(role).size());
  }
  reset(initial_state_of(machine_->game()));
}

void Cursor::reset(const State& state) {
  flips_.clear();
  first_flip_.clear();
  choose_phase(state);
  const StepProgram& program = context().program();
  for (WordIndex w = 0; w < program.fixed.size(); ++w) {
    std::uint64_t changed = (context().word(w) ^ state.words()[w]) & ~program.fixed[w];
    for (; changed != 0; changed &= changed - 1) {
      context().flip(program.fluents[w * 64 + static_cast<WordIndex>(std::countr_zero(changed))]);
    }
  }
  context().settle();
}

// Chooses the phase whose fixed fluents match the state, or else the general program.
void Cursor::choose_phase(const State& state) {
  const StepProgram& program = machine_->program();
  const auto fits = [&](const StepPhase& phase) {
    for (std::size_t w = 0; w < program.fixed.size(); ++w) {
      if ((state.words()[w] & program.fixed[w]) != phase.fixed[w]) return false;
    }
    return true;
  };
  const auto found = std::find_if(program.phases.begin(), program.phases.end(), fits);
  is_general_ = found == program.phases.end();
  phase_ = is_general_ ? 0 : static_cast<std::size_t>(found - program.phases.begin());
  if (is_general_ && !general_context_) general_context_.emplace(machine_->general_program());
}

std::span<const Move> Cursor::legal(std::size_t role) {
  const std::span<const Move> moves = machine_->moves(role);
  const WordIndex first = phase().legal[role];
  Move* next = legal_[role].data();
  for (std::size_t base = 0; base < moves.size(); base += 64) {
    std::uint64_t rest = context().word(first + static_cast<WordIndex>(base / 64));
    for (; rest != 0; rest &= rest - 1) {
      *next++ = moves[base + static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  return {legal_[role].data(), next};
}

std::vector<int> Cursor::goals(std::size_t role) const {
  std::vector<int> values;
  for (const StepPhase::Goal& goal : phase().goals) {
    if (goal.role == role && context().bit(goal.bit)) values.push_back(goal.value);
  }
  return values;
}

void Cursor::make(std::span<const Move> joint) {
  assert(joint.size() == legal_.size());
  flip_does(joint);
  context().settle();
  const std::size_t first = flips_.size();
  first_flip_.push_back(first);
  const WordIndex changing = phase().changing;
  const std::size_t words = context().program().fixed.size();
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t rest = context().word(changing + static_cast<WordIndex>(w));
    for (; rest != 0; rest &= rest - 1) {
      flips_.push_back(static_cast<Atom>(w * 64) + static_cast<Atom>(std::countr_zero(rest)));
    }
  }
  flip_does(joint);
  flip_from(first);
  if (++phase_ == context().program().phases.size()) phase_ = 0;
}

void Cursor::unmake() {
  assert(!first_flip_.empty());
  flip_from(first_flip_.back());
  flips_.resize(first_flip_.back());
  first_flip_.pop_back();
  if (phase_ == 0) phase_ = context().program().phases.size();
  --phase_;
}

void Cursor::flip_does(std::span<const Move> joint) {
  for (const Move move : joint) {
    const circuit::Node node = context().program().does[move];
    if (node != StepProgram::no_node) context().flip(node);
  }
}

void Cursor::flip_from(std::size_t first) {
  for (std::size_t i = first; i < flips_.size(); ++i) {
    context().flip(context().program().fluents[flips_[i]]);
  }
  context().settle();
}

State Cursor::state() const {
  State state(machine_->game().fluents.size());
  const std::span<std::uint64_t> words = state.words();
  for (WordIndex w = 0; w < words.size(); ++w) words[w] = context().word(w) | phase().fixed[w];
  return state;
}

bool Cursor::is_at(const State& state) const {
  const std::span<const std::uint64_t> words = state.words();
  for (WordIndex w = 0; w < words.size(); ++w) {
    if (words[w] != (context().word(w) | phase().fixed[w])) return false;
  }
  return true;
}

PerceptReader::PerceptReader(std::shared_ptr<const Machine> machine)
    : machine_(std::move(machine)), context_(machine_->percept_program()) {
  reset(initial_state_of(machine_->game()));
}

void PerceptReader::reset(const State& state) {
  for (WordIndex w = 0; w < state.words().size(); ++w) {
    std::uint64_t changed = context_.word(w) ^ state.words()[w];
    for (; changed != 0; changed &= changed - 1) {
      const auto fluent = w * 64 + static_cast<WordIndex>(std::countr_zero(changed));
      context_.flip(context_.program().fluents[fluent]);
    }
  }
  context_.settle();
}

base::BitSet PerceptReader::read(std::span<const Move> joint) {
  flip_does(joint);
  context_.settle();
  base::BitSet percepts(machine_->game().percepts.size());
  const WordIndex first = context_.program().phases[0].sees;
  for (WordIndex w = 0; w < percepts.words().size(); ++w) {
    percepts.words()[w] = context_.word(first + w);
  }
  flip_does(joint);
  context_.settle();
  return percepts;
}

void PerceptReader::flip_does(std::span<const Move> joint) {
  for (const Move move : joint) {
    const circuit::Node node = context_.program().does[move];
    if (node != StepProgram::no_node) context_.flip(node);
  }
}

Stepper::Stepper(std::shared_ptr<const Machine> machine)
    : cursor_(machine), machine_(std::move(machine)) {}

State Stepper::initial_state() const { return initial_state_of(machine().game()); }

std::vector<Move> Stepper::legal_moves(const State& state, std::size_t role) {
  enter(state);
  const std::span<const Move> legal = cursor_.legal(role);
  return {legal.begin(), legal.end()};
}

State Stepper::next_state(const State& state, std::span<const Move> joint) {
  cursor_.reset(state);
  cursor_.make(joint);
  return cursor_.state();
}

bool Stepper::terminal(const State& state) {
  enter(state);
  return cursor_.terminal();
}

std::vector<int> Stepper::goals(const State& state, std::size_t role) {
  enter(state);
  return cursor_.goals(role);
}

std::vector<base::Percept> Stepper::percepts(const State& state, std::span<const Move> joint,
                                             std::size_t role) {
  if (!percept_reader_) percept_reader_.emplace(machine_);
  percept_reader_->reset(state);
  const base::BitSet seen = percept_reader_->read(joint);
  const ground::Game& game = machine().game();
  std::vector<base::Percept> percepts;
  for (base::Percept p = game.first_percept_of[role]; p < game.first_percept_of[role + 1]; ++p) {
    if (seen.test(p)) percepts.push_back(p);
  }
  return percepts;
}

std::vector<std::string> Stepper::fluent_names(const State& state) const {
  std::vector<std::string> names;
  const ground::Game& game = machine().game();
  state.for_each([&](std::size_t f) { names.push_back(game.fluent_name(static_cast<Atom>(f))); });
  std::sort(names.begin(), names.end());
  return names;
}

void Stepper::enter(const State& state) {
  if (!cursor_.is_at(state)) cursor_.reset(state);
}

}  // namespace zermelo::machine
