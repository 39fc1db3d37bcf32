// A step costs one pass over the rules for 256 games. What is done per game is only the exchange
// with arrays: a move is written into a word and a word is read from it. The words of 64 games are
// transposed to planes of bits, which the programs read and write (lanes/transpose.h), and whether
// a move is legal is also found for all games together.
//
// A step has two parts, so that an illegal move leaves all games as they were: first the next
// states of all blocks are computed, then they replace the states and their legal moves are
// computed.

#include "lanes/game_batch.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "lanes/transpose.h"

namespace zermelo::lanes {

namespace {

constexpr std::size_t word_bits = 64;

ZERMELO_LANE_CODE void put_values(const Lanes* values, const std::vector<Slot>& slots,
                                  Lanes* frame) {
  for (std::size_t i = 0; i < slots.size(); ++i) frame[slots[i]] = values[i];
}

ZERMELO_LANE_CODE void take_values(const Lanes* frame, const std::vector<Slot>& slots,
                                   Lanes* values) {
  for (std::size_t i = 0; i < slots.size(); ++i) values[i] = frame[slots[i]];
}

// Replaces the values of some lanes.
ZERMELO_LANE_CODE void blend(Lanes* values, const Lanes* others, std::size_t size,
                             const Lanes& lanes) {
  for (std::size_t i = 0; i < size; ++i) values[i] = (values[i] & ~lanes) | (others[i] & lanes);
}

Lanes first_lanes(std::size_t count) {
  Lanes lanes{};
  for (std::size_t w = 0; w * word_bits < count; ++w) {
    const std::size_t rest = count - w * word_bits;
    lanes[w] = rest < word_bits ? (std::uint64_t{1} << rest) - 1 : ~std::uint64_t{0};
  }
  return lanes;
}

Lanes one_lane(std::size_t lane) {
  Lanes lanes{};
  lanes[lane / word_bits] = std::uint64_t{1} << lane % word_bits;
  return lanes;
}

bool has(const Lanes& lanes, std::size_t lane) {
  return lanes[lane / word_bits] >> lane % word_bits & 1;
}

std::size_t first_of(const Lanes& lanes) {
  std::size_t w = 0;
  while (lanes[w] == 0) ++w;
  return w * word_bits + static_cast<std::size_t>(std::countr_zero(lanes[w]));
}

template <class Visit>
void for_each_set_lane(const Lanes& lanes, Visit visit) {
  for (std::size_t w = 0; w < lane_words; ++w) {
    for (std::uint64_t rest = lanes[w]; rest != 0; rest &= rest - 1)
      visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
  }
}

// The word of a lane before the rows are transposed.
std::size_t word_at(std::size_t word, std::size_t lane) {
  return (word * word_bits + lane % word_bits) * lane_words + lane / word_bits;
}

std::uint64_t* words_of(Frame& rows) { return reinterpret_cast<std::uint64_t*>(rows.data()); }
const std::uint64_t* words_of(const Frame& rows) {
  return reinterpret_cast<const std::uint64_t*>(rows.data());
}

// Bit i of `bits` becomes byte i, 0 or 1.
void write_bytes(std::uint64_t bits, std::size_t count, std::uint8_t* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, diagonal = 0x8040201008040201;
  for (std::size_t i = 0; i < count; i += 8, bits >>= 8) {
    const std::uint64_t one_bit_each = (bits & 0xff) * ones & diagonal;
    const std::uint64_t eight = (one_bit_each + 0x7f * ones) >> 7 & ones;
    std::memcpy(bytes + i, &eight, std::min<std::size_t>(8, count - i));
  }
}

// flags(i) are the lanes of column i; out has one row of bytes per lane.
template <class Flags>
void write_flags(std::size_t columns, std::size_t count, std::uint8_t* out, Flags flags) {
  Frame rows(word_bits);
  for (std::size_t first = 0; first < columns; first += word_bits) {
    const std::size_t part = std::min(word_bits, columns - first);
    for (std::size_t i = 0; i < word_bits; ++i)
      rows[static_cast<Slot>(i)] = i < part ? flags(first + i) : Lanes{};
    transpose(rows.data());
    for (std::size_t lane = 0; lane < count; ++lane)
      write_bytes(words_of(rows)[word_at(0, lane)], part, out + lane * columns + first);
  }
}

}  // namespace

GameBatch::Block::Block(const BatchCode& code)
    : state(code.fluents()),
      next(code.fluents()),
      legal(code.look().legal.size()),
      goals(code.goal_values().size()),
      turn(code.roles()) {}

// Fields do not cross the borders of words.
std::vector<GameBatch::Place> GameBatch::places_of(const BatchCode& code) {
  std::vector<Place> places;
  std::size_t word = 0, bit = 0;
  for (std::size_t role = 0; role < code.roles(); ++role) {
    const std::size_t size = code.width(role) + 1;
    if (bit + size > word_bits) {
      bit = 0;
      ++word;
    }
    places.push_back({word, bit, code.width(role), code.moves()[role].size()});
    bit += size;
  }
  return places;
}

std::size_t GameBatch::bytes(const BatchCode& code, std::size_t games) {
  const std::size_t lanes =
      2 * code.fluents() + code.look().legal.size() + code.goal_values().size() + code.roles() + 3;
  return (games / lane_count + 1) * lanes * sizeof(Lanes);
}

GameBatch::GameBatch(std::shared_ptr<const BatchCode> code, const Options& options)
    : code_(std::move(code)),
      games_(options.games),
      restart_(options.restart),
      places_(places_of(*code_)),
      words_(places_.back().word + 1),
      random_(options.seed),
      look_frame_(code_->look().program.slots),
      choose_frame_(code_->choose().slots),
      step_frame_(code_->step().program.slots),
      rows_(words_ * word_bits) {
  for (const Place& place : places_) {
    turn_place_.width = std::max(turn_place_.width, place.width);
    turn_place_.moves = std::max(turn_place_.moves, place.moves);
  }
  initial_ = block_in(initial_state());
  for (std::size_t first = 0; first < games_; first += lane_count) {
    auto block = std::make_unique<Block>(*code_);
    block->used = first_lanes(std::min(lane_count, games_ - first));
    block->stays = ~block->used;
    put(*block, *initial_, block->used);
    blocks_.push_back(std::move(block));
  }
}

base::BitSet GameBatch::initial_state() const {
  base::BitSet state(code_->fluents());
  for (const ground::Atom fluent : code_->initial()) state.set(fluent);
  return state;
}

// A block with the same state in all lanes.
std::unique_ptr<GameBatch::Block> GameBatch::block_in(const base::BitSet& state) {
  auto block = std::make_unique<Block>(*code_);
  state.for_each([&](std::size_t fluent) { block->state[static_cast<Slot>(fluent)] = all_lanes; });
  look(*block);
  return block;
}

// Computes what depends on the state, and which games have ended.
void GameBatch::look(Block& block) {
  const BatchCode::Look& look = code_->look();
  Lanes* frame = look_frame_.data();
  put_values(block.state.data(), look.state, frame);
  look.program.code->run(frame);
  take_values(frame, look.legal, block.legal.data());
  take_values(frame, look.goals, block.goals.data());
  take_values(frame, look.turn, block.turn.data());
  block.finished = frame[look.over] & ~block.stays;
  block.stays |= block.finished;
}

// The next states become the states.
void GameBatch::commit(Block& block) {
  std::memcpy(static_cast<void*>(block.state.data()), block.next.data(),
              code_->fluents() * sizeof(Lanes));
  look(block);
  if (restart_ && any(block.finished)) put(block, *initial_, block.finished);
}

// Puts lanes into the states of another block. Which games have finished, and their goals, stays.
void GameBatch::put(Block& block, const Block& from, const Lanes& lanes) {
  blend(block.state.data(), from.state.data(), code_->fluents(), lanes);
  blend(block.legal.data(), from.legal.data(), code_->look().legal.size(), lanes);
  blend(block.turn.data(), from.turn.data(), roles(), lanes);
  block.stays = (block.stays & ~lanes) | (from.stays & lanes);
}

// Draws a move of every role into the fields of choose_frame_.
void GameBatch::draw(const Block& block) {
  const BatchCode::Choose& choose = code_->choose();
  Lanes* frame = choose_frame_.data();
  put_values(block.legal.data(), choose.legal, frame);
  choose.count->run(frame);
  for (const Draw& one : choose.draws) draw_numbers(one, random_, trace_, frame);
  choose.pick->run(frame);
}

void GameBatch::clear_rows() {
  std::memset(static_cast<void*>(rows_.data()), 0, words_ * word_bits * sizeof(Lanes));
}

void GameBatch::transpose_rows() {
  for (std::size_t word = 0; word < words_; ++word) transpose(rows_.data() + word * word_bits);
}

// Writes one move of each game into its word. Returns whether all are ranks or forced_move.
bool GameBatch::load(const Place& place, const std::int32_t* moves, std::size_t stride,
                     std::size_t count) {
  std::uint64_t* words = words_of(rows_);
  const std::uint64_t forced = std::uint64_t{1} << place.width;
  bool known = true;
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::int32_t move = moves[lane * stride];
    known &= move >= forced_move && move < static_cast<std::int64_t>(place.moves);
    const std::uint64_t field = move == forced_move ? forced : static_cast<std::uint32_t>(move);
    words[word_at(place.word, lane)] |= field << place.bit;
  }
  return known;
}

void GameBatch::store(const Place& place, std::int32_t* moves, std::size_t stride,
                      std::size_t count) const {
  const std::uint64_t* words = words_of(rows_);
  const std::uint64_t ranks = (std::uint64_t{1} << place.width) - 1;
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::uint64_t field = words[word_at(place.word, lane)] >> place.bit;
    moves[lane * stride] =
        field >> place.width & 1 ? forced_move : static_cast<std::int32_t>(field & ranks);
  }
}

void GameBatch::sample(std::span<std::int32_t> moves) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    draw(*blocks_[b]);
    clear_rows();
    for (std::size_t role = 0; role < roles(); ++role) {
      const BatchCode::Field& field = code_->choose().fields[role];
      Lanes* rows = rows_.data() + places_[role].word * word_bits + places_[role].bit;
      for (std::size_t k = 0; k < field.size(); ++k) rows[k] = choose_frame_[field[k]];
    }
    transpose_rows();
    for (std::size_t role = 0; role < roles(); ++role)
      store(places_[role], &moves[first_game(b) * roles() + role], roles(), games_in(b));
  }
}

void GameBatch::sample_turns(std::span<std::int32_t> moves) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = *blocks_[b];
    draw(block);
    clear_rows();
    Lanes* rows = rows_.data();
    Lanes chosen{};
    for (std::size_t role = 0; role < roles(); ++role) {
      const BatchCode::Field& field = code_->choose().fields[role];
      const Lanes turn = block.turn[static_cast<Slot>(role)] & ~choose_frame_[field.back()];
      for (std::size_t k = 0; k + 1 < field.size(); ++k) rows[k] |= turn & choose_frame_[field[k]];
      chosen |= turn;
    }
    rows[turn_place_.width] = ~chosen;
    transpose(rows);
    store(turn_place_, &moves[first_game(b)], 1, games_in(b));
  }
}

// The fields of the step are those of the transposed words.
void GameBatch::use_fields() {
  for (std::size_t role = 0; role < roles(); ++role) {
    const BatchCode::Field& field = code_->step().fields[role];
    const Lanes* rows = rows_.data() + places_[role].word * word_bits + places_[role].bit;
    for (std::size_t k = 0; k < field.size(); ++k) step_frame_[field[k]] = rows[k];
  }
}

// The same if there is one field, for the role to move. The others make their only moves.
void GameBatch::use_turns(const Block& block) {
  const Lanes* rows = rows_.data();
  const Lanes forced = rows[turn_place_.width];
  for (std::size_t role = 0; role < roles(); ++role) {
    const BatchCode::Field& field = code_->step().fields[role];
    const std::size_t width = field.size() - 1;
    for (std::size_t k = 0; k < width; ++k) step_frame_[field[k]] = rows[k];
    step_frame_[field[width]] = ~block.turn[static_cast<Slot>(role)] | forced;
  }
}

// Computes the next states and which moves are illegal. The fields must be set.
void GameBatch::move(Block& block) {
  const BatchCode::Step& step = code_->step();
  Lanes* frame = step_frame_.data();
  put_values(block.state.data(), step.state, frame);
  put_values(block.legal.data(), step.legal, frame);
  frame[step.stays] = block.stays;
  step.program.code->run(frame);
  take_values(frame, step.next, block.next.data());
}

std::optional<GameBatch::IllegalMove> GameBatch::illegal_in(std::size_t b) const {
  const Block& block = *blocks_[b];
  const std::vector<Slot>& illegal = code_->step().illegal;
  Lanes found{};
  for (const Slot slot : illegal) found |= step_frame_[slot];
  found &= ~block.stays;
  if (!any(found)) return std::nullopt;
  const std::size_t lane = first_of(found);
  const auto role = std::find_if(illegal.begin(), illegal.end(),
                                 [&](Slot slot) { return has(step_frame_[slot], lane); });
  return IllegalMove{first_game(b) + lane, static_cast<std::size_t>(role - illegal.begin())};
}

void GameBatch::commit_all() {
  for (const auto& block : blocks_) commit(*block);
}

std::optional<GameBatch::IllegalMove> GameBatch::step(std::span<const std::int32_t> moves) {
  assert(moves.size() == games_ * roles());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    clear_rows();
    bool known = true;
    for (std::size_t role = 0; role < roles(); ++role) {
      known &= load(places_[role], &moves[first_game(b) * roles() + role], roles(), games_in(b));
    }
    if (!known) return unknown_move(moves, b);
    transpose_rows();
    use_fields();
    move(*blocks_[b]);
    if (const auto illegal = illegal_in(b)) return illegal;
  }
  commit_all();
  return std::nullopt;
}

std::optional<GameBatch::IllegalMove> GameBatch::step_turns(std::span<const std::int32_t> moves) {
  assert(moves.size() == games_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    clear_rows();
    if (!load(turn_place_, &moves[first_game(b)], 1, games_in(b)))
      return unknown_turn_move(moves, b);
    transpose(rows_.data());
    if (const auto illegal = too_large_turn(b)) return illegal;
    use_turns(*blocks_[b]);
    move(*blocks_[b]);
    if (const auto illegal = illegal_in(b)) return illegal;
  }
  commit_all();
  return std::nullopt;
}

// The first move of the block that is neither a rank nor forced_move.
std::optional<GameBatch::IllegalMove> GameBatch::unknown_move(std::span<const std::int32_t> moves,
                                                              std::size_t b) const {
  for (std::size_t i = first_game(b) * roles(); i < moves.size(); ++i) {
    const std::size_t role = i % roles();
    if (moves[i] < forced_move || moves[i] >= static_cast<std::int64_t>(places_[role].moves))
      return IllegalMove{i / roles(), role};
  }
  return std::nullopt;
}

std::optional<GameBatch::IllegalMove> GameBatch::unknown_turn_move(
    std::span<const std::int32_t> moves, std::size_t b) const {
  for (std::size_t i = first_game(b); i < moves.size(); ++i) {
    if (moves[i] < forced_move || moves[i] >= static_cast<std::int64_t>(most_moves()))
      return IllegalMove{i, role_to_move(i).value_or(0)};
  }
  return std::nullopt;
}

// A rank with more bits than the ranks of the role to move have.
std::optional<GameBatch::IllegalMove> GameBatch::too_large_turn(std::size_t b) const {
  const Block& block = *blocks_[b];
  for (std::size_t role = 0; role < roles(); ++role) {
    Lanes high{};
    for (std::size_t k = places_[role].width; k < turn_place_.width; ++k)
      high |= rows_[static_cast<Slot>(k)];
    high &= block.turn[static_cast<Slot>(role)] & ~block.stays;
    if (any(high)) return IllegalMove{first_game(b) + first_of(high), role};
  }
  return std::nullopt;
}

std::optional<std::size_t> GameBatch::role_to_move(std::size_t game) const {
  for (std::size_t role = 0; role < roles(); ++role)
    if (has(block_of(game).turn[static_cast<Slot>(role)], lane_of(game))) return role;
  return std::nullopt;
}

std::uint64_t GameBatch::play(std::uint64_t steps, std::span<std::int64_t> totals) {
  std::uint64_t ended = 0;
  for (const auto& block : blocks_) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      draw(*block);
      for (std::size_t role = 0; role < roles(); ++role) {
        const BatchCode::Field& from = code_->choose().fields[role];
        const BatchCode::Field& to = code_->step().fields[role];
        for (std::size_t k = 0; k < to.size(); ++k) step_frame_[to[k]] = choose_frame_[from[k]];
      }
      move(*block);
      commit(*block);
      ended += population(block->finished);
      add_rewards(*block, totals);
    }
  }
  return ended;
}

// Of several goal values of a role the largest counts, which is the last.
void GameBatch::add_rewards(const Block& block, std::span<std::int64_t> totals) const {
  if (!any(block.finished)) return;
  std::vector<Lanes> rest(roles(), block.finished);
  for (std::size_t i = code_->goal_values().size(); i-- > 0;) {
    const circuit::GameCircuit::Goal& goal = code_->goal_values()[i];
    const Lanes reached = block.goals[static_cast<Slot>(i)] & rest[goal.role];
    rest[goal.role] &= ~reached;
    totals[goal.role] += goal.value * static_cast<std::int64_t>(population(reached));
  }
}

void GameBatch::over(std::span<std::uint8_t> over) const {
  for (std::size_t first = 0; first < games_; first += word_bits) {
    const Block& block = block_of(first);
    const Lanes& lanes = restart_ ? block.finished : block.stays;
    write_bytes(lanes[lane_of(first) / word_bits], std::min(word_bits, games_ - first),
                &over[first]);
  }
}

void GameBatch::rewards(std::span<std::int32_t> rewards) const {
  std::fill(rewards.begin(), rewards.end(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (std::size_t i = 0; i < code_->goal_values().size(); ++i) {
      const circuit::GameCircuit::Goal& goal = code_->goal_values()[i];
      for_each_set_lane(blocks_[b]->goals[static_cast<Slot>(i)] & blocks_[b]->finished,
                        [&](std::size_t lane) {
                          rewards[(first_game(b) + lane) * roles() + goal.role] = goal.value;
                        });
    }
  }
}

void GameBatch::turns(std::span<std::int8_t> turns) const {
  std::fill(turns.begin(), turns.end(), std::int8_t{-1});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (std::size_t role = 0; role < roles(); ++role) {
      const Lanes turn = blocks_[b]->turn[static_cast<Slot>(role)] & blocks_[b]->used;
      for_each_set_lane(turn & ~blocks_[b]->stays, [&](std::size_t lane) {
        turns[first_game(b) + lane] = static_cast<std::int8_t>(role);
      });
    }
  }
}

void GameBatch::legal(std::size_t role, std::span<std::uint8_t> legal) const {
  const std::vector<std::uint32_t>& moves = code_->moves()[role];
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    write_flags(moves.size(), games_in(b), legal.data() + first_game(b) * moves.size(),
                [&](std::size_t rank) { return blocks_[b]->legal[moves[rank]]; });
  }
}

void GameBatch::legal_of_turns(std::span<std::uint8_t> legal) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = *blocks_[b];
    const auto flags = [&](std::size_t rank) {
      Lanes lanes{};
      for (std::size_t role = 0; role < roles(); ++role) {
        const std::vector<std::uint32_t>& moves = code_->moves()[role];
        if (rank < moves.size())
          lanes |= block.legal[moves[rank]] & block.turn[static_cast<Slot>(role)];
      }
      return lanes;
    };
    write_flags(most_moves(), games_in(b), legal.data() + first_game(b) * most_moves(), flags);
  }
}

void GameBatch::fluents(std::span<std::uint8_t> holds) const {
  const std::size_t size = code_->fluents();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    write_flags(size, games_in(b), holds.data() + first_game(b) * size,
                [&](std::size_t fluent) { return blocks_[b]->state[static_cast<Slot>(fluent)]; });
  }
}

void GameBatch::reset(std::span<const std::uint8_t> marked) {
  for (std::size_t game = 0; game < games_; ++game)
    if (marked[game] != 0) replace(game, *initial_);
}

void GameBatch::replace(std::size_t game, const Block& from) {
  const Lanes lane = one_lane(lane_of(game));
  put(block_of(game), from, lane);
  block_of(game).finished &= ~lane;
}

base::BitSet GameBatch::state(std::size_t game) const {
  base::BitSet state(code_->fluents());
  for (Slot fluent = 0; fluent < code_->fluents(); ++fluent)
    if (has(block_of(game).state[fluent], lane_of(game))) state.set(fluent);
  return state;
}

void GameBatch::set_state(std::size_t game, const base::BitSet& state) {
  replace(game, *block_in(state));
}

}  // namespace zermelo::lanes
