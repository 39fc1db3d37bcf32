#include "toss/structure_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "toss/fluents.h"

namespace zermelo::toss {
namespace {

constexpr Move noop = 0;

// Rules that lead a player from one location to several others; their moves name the target.
std::vector<bool> rules_with_targets(const Game& game) {
  std::vector<bool> result(game.rules.size());
  for (const Location& location : game.locations) {
    for (const PlayerPart& part : location.players) {
      std::set<std::size_t> seen;
      for (const Edge& edge : part.moves) {
        if (!seen.insert(edge.rule).second) result[edge.rule] = true;
      }
    }
  }
  return result;
}

}  // namespace

StructureMachine::State::State(std::size_t location, Structure structure)
    : location_(location),
      hash_(structure.hash() * 31 + location),
      structure_(std::make_shared<const Structure>(std::move(structure))) {}

std::strong_ordering StructureMachine::State::operator<=>(const State& other) const {
  if (const auto by = location_ <=> other.location_; by != 0) return by;
  if (structure_ == other.structure_) return std::strong_ordering::equal;
  return *structure_ <=> *other.structure_;
}

std::size_t StructureMachine::Hash::operator()(const std::vector<Element>& key) const {
  std::uint64_t h = key.size();
  for (const Element element : key) h = (h ^ element) * 0x9e3779b97f4a7c15u + (h >> 32);
  return h;
}

base::Result<StructureMachine> StructureMachine::make(std::shared_ptr<const Game> game,
                                                      MachineOptions options) {
  if (game->start.names.size() > options.max_elements) {
    return base::fail(
        base::ErrorKind::memory_limit,
        fmt::format("the starting structure has more than {} elements", options.max_elements));
  }
  StructureMachine machine(std::move(game), std::move(options));
  try {
    machine.compile();
  } catch (const LimitReached& limit) {
    return base::fail(limit.kind(), limit.what());
  }
  return machine;
}

StructureMachine::StructureMachine(std::shared_ptr<const Game> game, MachineOptions options)
    : game_(std::move(game)), options_(std::move(options)) {}

void StructureMachine::compile() {
  theory_ = std::make_unique<const Theory>(*game_, find_stable_part(*game_), options_.evaluation);
  names_ = std::make_unique<const ElementNames>(*game_);
  for (const Rule& rule : game_->rules) {
    if (const auto limit = options_.evaluation.limits.exceeded()) {
      throw LimitReached(*limit, *limit == base::ErrorKind::time_limit
                                     ? "time limit reached while preparing rules"
                                     : "memory limit reached while preparing rules");
    }
    CompiledRule compiled{
        Query(*theory_, *match_condition(rule, game_->signature), {}, rule.left.names), {}};
    if (rule.post)
      compiled.post.emplace(*theory_, *rule.post, rule.right.names, std::vector<std::string>{});
    rules_.push_back(std::move(compiled));
  }
  for (const Location& location : game_->locations) {
    std::vector<TermQuery>& payoffs = payoffs_.emplace_back();
    for (const PlayerPart& part : location.players) payoffs.emplace_back(*theory_, *part.payoff);
  }
  named_target_ = rules_with_targets(*game_);
  moves_.push_back({{}, {}, "noop"});
}

StructureMachine::State StructureMachine::initial_state() const {
  return State(0, game_->start.structure);
}

std::vector<Move> StructureMachine::legal_moves(const State& state, std::size_t role) {
  enter(state);
  return legal_[role];
}

bool StructureMachine::terminal(const State& state) {
  enter(state);
  return legal_.front().empty();
}

void StructureMachine::enter(const State& state) {
  if (entered_ && *entered_ == state) return;
  entered_.reset();
  evaluated_.clear();
  legal_.clear();
  bool any = false;
  for (std::size_t role = 0; role < roles().size(); ++role) {
    legal_.push_back(find_moves(state, role));
    any = any || !legal_.back().empty();
  }
  for (std::vector<Move>& moves : legal_) {
    if (any && moves.empty()) moves = {noop};
  }
  entered_ = state;
}

std::vector<Move> StructureMachine::find_moves(const State& state, std::size_t role) {
  std::vector<Move> moves;
  for (const Edge& edge : game_->locations[state.location()].players[role].moves) {
    add_moves(state, edge, moves);
  }
  std::sort(moves.begin(), moves.end(),
            [&](Move a, Move b) { return moves_[a].name < moves_[b].name; });
  return moves;
}

void StructureMachine::add_moves(const State& state, const Edge& edge, std::vector<Move>& moves) {
  const TupleSet matches = rules_[edge.rule].match.answers(state.structure(), &evaluated_);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match match(matches[i].begin(), matches[i].end());
    if (satisfies_post(state, edge, match)) moves.push_back(intern(edge, match));
  }
}

bool StructureMachine::satisfies_post(const State& state, const Edge& edge,
                                      const Match& match) const {
  const CompiledRule& rule = rules_[edge.rule];
  if (!rule.post) return true;
  const Application application{&game_->rules[edge.rule], match};
  const Rewritten after = apply(state, {&application, 1});
  if (after.right[0].empty()) return rule.post->holds(after.structure);
  const TupleSet right(after.right[0].size(), after.right[0]);
  return !rule.post->answers(after.structure, right).empty();
}

Rewritten StructureMachine::apply(const State& state,
                                  std::span<const Application> applications) const {
  Rewritten result = rewrite(state.structure(), applications, *game_, *names_);
  if (result.structure.universe().size() > options_.max_elements) {
    throw LimitReached(base::ErrorKind::memory_limit,
                       "a rule makes the structure larger than the limit on elements");
  }
  return result;
}

StructureMachine::State StructureMachine::next_state(const State& state,
                                                     std::span<const Move> joint) {
  std::vector<Application> applications;
  std::size_t target = state.location();
  for (const Move move : joint) {
    if (move == noop) continue;
    const KnownMove& known = moves_[move];
    applications.push_back({&game_->rules[known.edge.rule], known.match});
    target = known.edge.target;
  }
  return State(target, apply(state, applications).structure);
}

std::optional<std::pair<Edge, Match>> StructureMachine::application(Move move) const {
  if (move == noop) return std::nullopt;
  return std::pair(moves_[move].edge, moves_[move].match);
}

double StructureMachine::payoff(const State& state, std::size_t role) {
  const bool is_entered = entered_ && *entered_ == state;
  return payoffs_[state.location()][role].value(state.structure(),
                                                is_entered ? &evaluated_ : nullptr);
}

std::vector<int> StructureMachine::goals(const State& state, std::size_t role) {
  constexpr double largest = 1e9;
  const double value = payoff(state, role);
  if (std::isnan(value)) return {};
  return {static_cast<int>(std::lround(std::clamp(value, -largest, largest)))};
}

Move StructureMachine::intern(const Edge& edge, const Match& match) {
  std::vector<Element> key = {static_cast<Element>(edge.rule), static_cast<Element>(edge.target)};
  key.insert(key.end(), match.begin(), match.end());
  const auto [found, inserted] = move_numbers_.emplace(std::move(key), moves_.size());
  if (inserted) moves_.push_back({edge, match, print_move(edge, match)});
  return found->second;
}

std::string StructureMachine::print_move(const Edge& edge, const Match& match) const {
  std::vector<std::string> elements;
  for (const Element element : match) elements.push_back(names_->name(element));
  std::string result =
      fmt::format("{}({})", game_->rules[edge.rule].name, fmt::join(elements, ", "));
  if (named_target_[edge.rule]) {
    result += fmt::format(" -> {}", game_->locations[edge.target].number);
  }
  return result;
}

std::vector<std::string> StructureMachine::fluent_names(const State& state) const {
  std::vector<std::string> result = {
      fmt::format("location({})", game_->locations[state.location()].number)};
  const StablePart& stable = theory_->stable();
  for (const Element element : state.structure().universe()) {
    if (!stable.universe) result.push_back(fmt::format("element({})", names_->name(element)));
  }
  for (std::size_t r = 0; r < stable.relations.size(); ++r) {
    const TupleSet& tuples = state.structure().relation(r);
    for (std::size_t i = 0; i < tuples.size() && !stable.relations[r]; ++i) {
      std::vector<std::string> elements;
      for (const Element element : tuples[i]) elements.push_back(names_->name(element));
      result.push_back(
          fmt::format("{}({})", game_->signature.relations[r].name, fmt::join(elements, ", ")));
    }
  }
  for (std::size_t f = 0; f < stable.functions.size(); ++f) {
    if (stable.functions[f]) continue;
    for (const auto& [element, value] : state.structure().function(f)) {
      result.push_back(
          fmt::format("{}({}) = {}", game_->signature.functions[f], names_->name(element), value));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace zermelo::toss
