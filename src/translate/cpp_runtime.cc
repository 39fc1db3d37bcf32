#include "translate/cpp_runtime.h"

namespace zermelo::translate {

const std::string_view cpp_prelude = R"text(//
//   c++ -O2 -march=native -std=c++17 -o game THIS_FILE
//   ./game perft DEPTH                  joint-move sequences of each length
//   ./game playouts COUNT|TIMEs [SEED]  random games: a number of games, or for a time
//   ./game play [SEED]                  one random game, move by move
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

// A word holds one proposition of many games, one bit per game. The rules are evaluated for all
// games at once. The engine for a single game uses the first bit.
#if defined(__AVX512F__)
constexpr unsigned word_bytes = 64;
#elif defined(__AVX2__)
constexpr unsigned word_bytes = 32;
#else
constexpr unsigned word_bytes = 16;
#endif
typedef std::uint64_t Word __attribute__((vector_size(word_bytes)));
constexpr unsigned parts = word_bytes / 8;  // of 64 games
constexpr unsigned lanes = parts * 64;

bool any(const Word& word) {
  std::uint64_t result = 0;
  for (unsigned part = 0; part < parts; ++part) result |= word[part];
  return result != 0;
}
)text";

const std::string_view cpp_raise = R"text(
// Assigns the next value to a loop variable. It is never less than the previous value.
inline void raise(Frame& f, Word& variable, const Word& value) {
  f.changed |= value & ~variable;
  variable = value;
}
)text";

const std::string_view cpp_runtime = R"text(
// xoshiro256** (Blackman and Vigna), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      std::uint64_t z = (seed += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Exactly uniform in [0, bound) (Lemire's multiply-and-reject method).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = -bound % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::uint64_t state_[4];
};

// The fluents that hold, one bit per fluent.
struct State {
  std::uint64_t words[fluents / 64 + 1] = {};

  bool test(unsigned fluent) const { return words[fluent / 64] >> (fluent % 64) & 1; }
  void set(unsigned fluent) { words[fluent / 64] |= std::uint64_t{1} << (fluent % 64); }
  bool operator==(const State& other) const {
    return std::memcmp(words, other.words, sizeof words) == 0;
  }
};

// The game, one state at a time.
class Engine {
 public:
  static State initial_state() {
    State state;
    for (unsigned i = 0; i < initial_fluents; ++i) state.set(initially[i]);
    return state;
  }

  bool terminal(const State& state) {
    enter(state);
    return holds(frame_->terminal);
  }

  std::vector<unsigned> legal_moves(const State& state, unsigned role) {
    enter(state);
    std::vector<unsigned> result;
    for (unsigned move = first_move[role]; move < first_move[role + 1]; ++move) {
      if (holds(frame_->legal[move])) result.push_back(move);
    }
    return result;
  }

  // Requires one move per role.
  State next_state(const State& state, const std::vector<unsigned>& joint) {
    enter(state);
    for (const unsigned move : joint) frame_->does[move] = Word{1};
    evaluate_next(*frame_);
    for (const unsigned move : joint) frame_->does[move] = Word{};
    State result;
    for (unsigned fluent = 0; fluent < fluents; ++fluent) {
      if (holds(frame_->next[fluent])) result.set(fluent);
    }
    return result;
  }

  // Returns all goal values that hold, ascending.
  std::vector<int> goals_of(const State& state, unsigned role) {
    enter(state);
    evaluate_goals(*frame_);
    std::vector<int> result;
    for (unsigned i = 0; i < goal_values; ++i) {
      if (goals[i].role == role && holds(frame_->goal[i])) result.push_back(goals[i].value);
    }
    return result;
  }

 private:
  static bool holds(const Word& word) { return word[0] & 1; }

  void enter(const State& state) {
    if (entered_ && state == state_) return;
    for (unsigned fluent = 0; fluent < fluents; ++fluent)
      frame_->now[fluent] = Word{std::uint64_t{state.test(fluent)}};
    evaluate_state(*frame_);
    state_ = state;
    entered_ = true;
  }

  std::unique_ptr<Frame> frame_ = std::make_unique<Frame>();
  State state_;
  bool entered_ = false;
};

// Counts sequences of joint moves from the initial state. They end at terminal states.
class Perft {
 public:
  explicit Perft(unsigned depth) : counts_(depth + 1) { visit(Engine::initial_state(), 0); }

  void print() const {
    std::printf("depth sequences terminal\n");
    for (std::size_t depth = 0; depth < counts_.size(); ++depth)
      std::printf("%zu %llu %llu\n", depth, counts_[depth].sequences, counts_[depth].terminal);
  }

 private:
  struct Count {
    unsigned long long sequences = 0;
    unsigned long long terminal = 0;
  };

  void visit(const State& state, std::size_t depth) {
    ++counts_[depth].sequences;
    if (engine_.terminal(state)) {
      ++counts_[depth].terminal;
    } else if (depth + 1 < counts_.size()) {
      std::vector<unsigned> joint;
      std::vector<State> successors;
      add_successors(state, joint, successors);
      for (const State& successor : successors) visit(successor, depth + 1);
    }
  }

  void add_successors(const State& state, std::vector<unsigned>& joint,
                      std::vector<State>& successors) {
    if (joint.size() == roles) {
      successors.push_back(engine_.next_state(state, joint));
      return;
    }
    for (const unsigned move : engine_.legal_moves(state, static_cast<unsigned>(joint.size()))) {
      joint.push_back(move);
      add_successors(state, joint, successors);
      joint.pop_back();
    }
  }

  Engine engine_;
  std::vector<Count> counts_;
};

// Swaps rows and columns of a 64x64 matrix of bits in every part of the words.
void transpose(Word* rows) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (unsigned width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (unsigned first = 0; first < 64; first = (first + width + 1) & ~width) {
      const Word moved = (rows[first] >> width ^ rows[first + width]) & mask;
      rows[first] ^= moved << width;
      rows[first + width] ^= moved;
    }
  }
}

// Random games, as many at once as a word has bits. Each game has its own random generator, so the
// games depend on the seed and on the number of games, not on the word size.
class Playouts {
 public:
  explicit Playouts(std::uint64_t seed) : seed_(seed) {
    for (unsigned i = 0; i < initial_fluents; ++i) initial_[initially[i]] = ~Word{};
  }

  // Starts no more games after `count` games or `seconds` seconds.
  void run(std::uint64_t count, double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    wanted_ = count;
    restart(~Word{});
    while (any(playing_)) {
      if (++steps_ % 16 == 0 && elapsed() >= seconds) wanted_ = started_;
      step();
    }
    seconds_ = elapsed();
  }

  void print() const {
    const double games = finished_ == 0 ? 1 : static_cast<double>(finished_);
    const double time = seconds_ > 0 ? seconds_ : 1e-9;
    std::printf("playouts %llu\nabandoned %llu\nstuck %llu\nstates %llu\nseconds %.6f\n",
                finished_, abandoned_, stuck_, states_, seconds_);
    std::printf("playouts_per_second %.0f\n", static_cast<double>(finished_) / time);
    std::printf("states_per_second %.0f\n", static_cast<double>(states_) / time);
    std::printf("mean_depth %.9f\n", static_cast<double>(depths_) / games);
    for (unsigned role = 0; role < roles; ++role)
      std::printf("mean_goal %s %.9f\n", role_names[role], totals_[role] / games);
  }

 private:
  static constexpr unsigned max_game_length = 10000;  // longer games are abandoned

  void step() {
    evaluate_state(f_);
    const Word ended = f_.terminal & playing_;
    if (any(ended)) finish(ended);
    choose();
    evaluate_next(f_);
    std::memcpy(f_.now, f_.next, sizeof f_.now);
    if (any(~playing_)) restart(~playing_);
  }

  // Free lanes start the next games.
  void restart(const Word& free) {
    Word begun{};
    for (unsigned lane = 0; lane < lanes && started_ < wanted_; ++lane) {
      if (!(free[lane / 64] >> (lane % 64) & 1)) continue;
      begun[lane / 64] |= std::uint64_t{1} << (lane % 64);
      randoms_[lane] = Random(seed_ + started_++ * 0x9e3779b97f4a7c15u);
      depth_[lane] = 0;
    }
    if (!any(begun)) return;
    playing_ |= begun;
    for (unsigned fluent = 0; fluent < fluents; ++fluent)
      f_.now[fluent] = (f_.now[fluent] & ~begun) | (initial_[fluent] & begun);
  }

  void finish(const Word& ended) {
    evaluate_goals(f_);
    Word without_goal[roles];
    for (Word& word : without_goal) word = ended;
    for (unsigned i = goal_values; i-- > 0;) {  // the largest goal of a role counts
      Word& rest = without_goal[goals[i].role];
      for (unsigned part = 0; part < parts; ++part)
        totals_[goals[i].role] +=
            goals[i].value * __builtin_popcountll(rest[part] & f_.goal[i][part]);
      rest &= ~f_.goal[i];
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (!(ended[lane / 64] >> (lane % 64) & 1)) continue;
      ++finished_;
      depths_ += depth_[lane];
    }
    playing_ &= ~ended;
  }

  // Chooses the move of every role in every active lane.
  void choose() {
    std::memset(f_.does, 0, sizeof f_.does);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (is_playing(lane) && depth_[lane] == max_game_length) stop(lane, abandoned_);
    }
    for (unsigned role = 0; role < roles; ++role) choose(role);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool plays = is_playing(lane);
      depth_[lane] += plays;
      states_ += plays;
    }
  }

  void choose(unsigned role) {
    std::uint32_t count[lanes] = {};
    unsigned blocks = 0;
    for (unsigned first = first_move[role]; first < first_move[role + 1]; first += 64)
      blocks += list_moves(first, first_move[role + 1], blocks, count);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (!is_playing(lane)) continue;
      if (count[lane] == 0) {
        stop(lane, stuck_);
      } else {
        const unsigned move = legal_move(lane, randoms_[lane].below(count[lane]));
        f_.does[move][lane / 64] |= std::uint64_t{1} << (lane % 64);
      }
    }
  }

  // Stores which of a block of up to 64 moves are legal, as one bit word per lane. Returns whether
  // any of them is legal in any lane.
  bool list_moves(unsigned first, unsigned last, unsigned block, std::uint32_t* count) {
    Block& listed = blocks_[block];
    listed.first = first;
    Word seen{};
    for (unsigned i = 0; i < 64; ++i) {
      listed.rows[i] = first + i < last ? f_.legal[first + i] & playing_ : Word{};
      seen |= listed.rows[i];
    }
    if (!any(seen)) return false;
    transpose(listed.rows);
    for (unsigned lane = 0; lane < lanes; ++lane)
      count[lane] += __builtin_popcountll(listed.rows[lane % 64][lane / 64]);
    return true;
  }

  // Returns the legal move of a lane with this index among the listed moves.
  unsigned legal_move(unsigned lane, std::uint32_t index) const {
    for (const Block* block = blocks_;; ++block) {
      std::uint64_t moves_left = block->rows[lane % 64][lane / 64];
      const std::uint32_t count = __builtin_popcountll(moves_left);
      if (index >= count) {
        index -= count;
        continue;
      }
      for (; index > 0; --index) moves_left &= moves_left - 1;
      return block->first + __builtin_ctzll(moves_left);
    }
  }

  bool is_playing(unsigned lane) const { return playing_[lane / 64] >> (lane % 64) & 1; }

  void stop(unsigned lane, unsigned long long& counter) {
    playing_[lane / 64] &= ~(std::uint64_t{1} << (lane % 64));
    ++counter;
  }

  struct Block {
    unsigned first;  // move
    Word rows[64];   // row i, part p: the moves of lane 64 p + i
  };

  std::uint64_t seed_;
  std::uint64_t wanted_ = 0, started_ = 0, steps_ = 0;
  std::unique_ptr<Frame> frame_ = std::make_unique<Frame>();
  Frame& f_ = *frame_;
  Word initial_[fluents + 1] = {};
  Word playing_{};
  std::vector<Random> randoms_ = std::vector<Random>(lanes, Random(0));
  std::uint32_t depth_[lanes] = {};
  Block blocks_[moves / 64 + 1];
  unsigned long long finished_ = 0, abandoned_ = 0, stuck_ = 0, states_ = 0, depths_ = 0;
  double totals_[roles] = {};
  double seconds_ = 0;
};

// Prints one random game: the move of each role, its number of legal moves, and the changes.
class Show {
 public:
  explicit Show(std::uint64_t seed) : random_(seed) {
    std::printf("seed %llu\nroles", static_cast<unsigned long long>(seed));
    for (unsigned role = 0; role < roles; ++role) std::printf(" %s", role_names[role]);
    std::printf("\n");
  }

  void run(unsigned max_moves) {
    State state = Engine::initial_state();
    std::printf("start\n");
    list(" ", state, State());
    bool can_move = true;
    for (unsigned n = 1; n <= max_moves && can_move && !engine_.terminal(state); ++n) {
      std::printf("move %u\n", n);
      can_move = move(state);
    }
    std::printf(engine_.terminal(state) ? "end\n" : "not ended\n");
    for (unsigned role = 0; role < roles; ++role) {
      std::printf("  %s:", role_names[role]);
      for (const int goal : engine_.goals_of(state, role)) std::printf(" %d", goal);
      std::printf("\n");
    }
  }

 private:
  bool move(State& state) {
    std::vector<unsigned> joint;
    for (unsigned role = 0; role < roles; ++role) {
      const std::vector<unsigned> legal = engine_.legal_moves(state, role);
      if (legal.empty()) return false;
      joint.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
      std::printf("  %s: %s of %zu\n", role_names[role], move_names[joint.back()], legal.size());
    }
    const State next = engine_.next_state(state, joint);
    list("-", state, next);
    list("+", next, state);
    state = next;
    return true;
  }

  // Prints the fluents of one state that do not hold in the other, in lines of at most 100 columns.
  static void list(const char* mark, const State& state, const State& other) {
    const std::string begin = std::string("  ") + mark;
    std::string line = begin;
    for (unsigned fluent = 0; fluent < fluents; ++fluent) {
      if (!state.test(fluent) || other.test(fluent)) continue;
      const std::string name = fluent_names[fluent];
      if (line != begin && line.size() + 1 + name.size() > 100) {
        std::printf("%s\n", line.c_str());
        line = begin;
      }
      line += " " + name;
    }
    if (line != begin) std::printf("%s\n", line.c_str());
  }

  Engine engine_;
  Random random_;
};

int usage_error(const char* program) {
  std::fprintf(stderr,
               "usage: %s perft DEPTH\n"
               "       %s playouts COUNT|TIMEs [SEED]\n"
               "       %s play [SEED]\n",
               program, program, program);
  return 2;
}

bool parse_seed(const char* text, std::uint64_t& seed) {
  char* end = nullptr;
  seed = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

// Parses a number and the unit after it.
bool parse(const char* text, double& number, std::string& unit) {
  char* end = nullptr;
  number = std::strtod(text, &end);
  unit = end;
  return end != text && number >= 0 && number < 1e18;
}

int run(int count, char** arguments) {
  const std::string command = count > 1 ? arguments[1] : "";
  const int seed_at = command == "play" ? 2 : 3;
  double number = 0;
  std::string unit;
  std::uint64_t seed = 1;
  if (count > seed_at + 1 || (count > seed_at && !parse_seed(arguments[seed_at], seed)))
    return usage_error(arguments[0]);
  if (command == "play") {
    Show(seed).run(1000);
    return 0;
  }
  if (count < 3 || !parse(arguments[2], number, unit)) return usage_error(arguments[0]);
  if (command == "perft" && unit.empty() && count == 3 && number <= 1000) {
    Perft(static_cast<unsigned>(number)).print();
  } else if (command == "playouts" && (unit.empty() || unit == "s")) {
    const auto playouts = std::make_unique<Playouts>(seed);
    const bool is_time = unit == "s";
    playouts->run(is_time ? ~std::uint64_t{0} : static_cast<std::uint64_t>(number),
                  is_time ? number : 1e18);
    playouts->print();
  } else {
    return usage_error(arguments[0]);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) { return run(count, arguments); }
)text";

}  // namespace zermelo::translate
