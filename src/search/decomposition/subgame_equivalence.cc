// A state of a game with subgames is a tuple: a state of every subgame, and the time (the
// action-independent fluents). The values of solved tuples depend on less than the tuples, because
// many states of a subgame differ in nothing that matters to the whole: a board and its mirror
// image, or two boards on which nobody can win any more.
//
// Two states of a subgame are equivalent if their local concepts (analysis/concepts.h) have the
// same values and, at every time, the moves of the subgame lead to the same set of equivalence
// classes. This is the coarsest bisimulation, found by refinement: classes by concepts are split by
// the classes of successors until nothing changes (Kanellakis and Smolka, 1990). States in which
// the subgame alone ends the game are compared by concepts only.
//
// Theorem: tuples with equivalent components and the same time have the same value. Proof:
// `terminal` and the goals are functions of the concepts and the time, so both tuples are terminal
// with the same rewards, or neither is. The role to move depends on the time alone (proved below).
// A move belongs to one subgame, whose legal moves and successors depend on its own state and the
// time (analysis/subgames.cc), and keeps the others; or it belongs to none and keeps all. So every
// successor of one tuple has an equivalent successor of the other, and by induction over the length
// of play (or, where states repeat, because the fixpoints of retrograde.cc are the same functions
// of the classes) they have the same value. In a parallel composition a move is one local move in
// every subgame, all combinations are legal (analysis/subgames.cc), and the argument is the same.
// Hence it is enough to solve one tuple of every tuple of classes. This is search over tuples of
// solved parts; nothing is assumed about the rewards or the number of players.
//
// The conditions are proved by enumerating the states of every subgame at every time that the
// subgames can tell apart, a superset of what can occur:
// - only one role has moves of the subgame, the same one in all states of all subgames at that
// time,
//   and every other role has exactly one legal move;
// - without its moves, a subgame is kept (`is_kept`), unless the composition is parallel;
// - no move belongs to two subgames, unless the composition is parallel. Then some move must be
//   legal with the initial states of the other subgames at that time, so that all local moves are
//   seen.
#include "search/decomposition/subgame_equivalence.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "analysis/concepts.h"
#include "analysis/rule_evaluator.h"
#include "base/paced_limits.h"
#include "search/decomposition/local_state.h"

namespace zermelo::search::decomposition {

using analysis::AtomBounds;
using analysis::LocalConcept;
using analysis::RuleEvaluator;
using analysis::Subgame;
using ground::Atom;
using machine::Move;

namespace {

// Limits on the work, so that the result does not depend on the machine.
constexpr std::size_t max_local_states = 60'000;  // of one part
constexpr std::size_t max_local_edges = 1'000'000;
constexpr std::size_t max_read_times = 64;
constexpr std::size_t max_run_times = 10'000;
constexpr std::size_t max_refined_edges = 100'000'000;  // in all rounds

}  // namespace

// The values of the local concepts of one part, and what follows for the end of the game.
class SubgameEquivalence::Concepts {
 public:
  Concepts(const ground::Game& game, const analysis::Decomposition& found, const State& root)
      : game_(game), concepts_(analysis::find_concepts(game, found)), bounds_(game.atoms) {
    std::vector<bool> is_concept(game.atoms);
    for (const LocalConcept& local : concepts_) is_concept[local.atom] = true;
    std::vector<Atom> ends;
    if (game.terminal != ground::no_atom) ends.push_back(game.terminal);
    terminal_.emplace(game, ends, [&](Atom atom) { return is_concept[atom]; });
    root.for_each([&](std::size_t f) { bounds_.set(static_cast<Atom>(f), true); });
  }

  // From now on for the subgame of this number.
  void enter(std::size_t subgame, const State& mask) {
    mask_ = mask;
    atoms_.clear();
    for (const LocalConcept& local : concepts_) {
      if (local.subgame == subgame) atoms_.push_back(local.atom);
    }
    evaluator_.emplace(game_, atoms_, [](Atom) { return false; });
  }

  std::vector<bool> evaluate(const State& local) {
    mask_.for_each([&](std::size_t f) { bounds_.set(static_cast<Atom>(f), local.test(f)); });
    evaluator_->derive(bounds_);
    std::vector<bool> values;
    for (const Atom atom : atoms_) values.push_back(bounds_.surely[atom]);
    return values;
  }

  // Whether these values end the game, whatever those of the other concepts are.
  bool end_game(const std::vector<bool>& values) {
    if (game_.terminal == ground::no_atom) return false;
    for (const LocalConcept& local : concepts_) bounds_.forget(local.atom);
    for (std::size_t i = 0; i < atoms_.size(); ++i) bounds_.set(atoms_[i], values[i]);
    terminal_->derive(bounds_);
    return bounds_.surely[game_.terminal];
  }

 private:
  const ground::Game& game_;
  std::vector<LocalConcept> concepts_;
  AtomBounds bounds_;
  std::optional<RuleEvaluator> terminal_, evaluator_;
  State mask_;
  std::vector<Atom> atoms_;  // the concepts of the subgame
};

SubgameEquivalence::SubgameEquivalence(std::shared_ptr<const machine::Machine> machine,
                                       analysis::Decomposition decomposition)
    : machine_(std::move(machine)),
      found_(std::move(decomposition)),
      cursor_(machine_),
      root_(machine::Stepper(machine_).initial_state()),
      time_mask_(machine_->game().fluents.size()),
      read_mask_(machine_->game().fluents.size()) {}

std::shared_ptr<SubgameEquivalence> SubgameEquivalence::find(
    std::shared_ptr<const machine::Machine> machine, analysis::Decomposition decomposition,
    const base::Limits& limits) {
  if (!decomposition.is_decomposed()) return nullptr;
  const std::shared_ptr<SubgameEquivalence> result(
      new SubgameEquivalence(std::move(machine), std::move(decomposition)));
  if (!result->make_parts() || !result->find_times()) return nullptr;
  Concepts concepts(result->machine_->game(), result->found_, result->root_);
  std::size_t part = 0;
  for (std::size_t i = 0; i < result->found_.subgames.size(); ++i) {
    if (result->found_.subgames[i].action_independent) continue;
    if (!result->explore(result->parts_[part++], concepts, i, limits)) return nullptr;
  }
  return result;
}

bool SubgameEquivalence::make_parts() {
  const std::size_t fluents = machine_->game().fluents.size();
  is_of_part_.resize(machine_->game().moves.size());
  for (const Subgame& subgame : found_.subgames) {
    State mask(fluents);
    for (const Atom f : subgame.fluents) mask.set(f);
    if (subgame.action_independent) {
      time_mask_ |= mask;
      if (subgame.is_read) read_mask_ |= mask;
      continue;
    }
    if (!found_.is_parallel && !subgame.is_kept) return false;
    Part part;
    part.mask = std::move(mask);
    part.is_move.assign(is_of_part_.size(), found_.is_parallel);
    for (const std::uint32_t m : subgame.moves) {
      if (is_of_part_[m] && !found_.is_parallel) return false;
      is_of_part_[m] = part.is_move[m] = true;
    }
    parts_.push_back(std::move(part));
  }
  return true;
}

// Runs the time with the subgames in their initial states, until it repeats or ends the game.
bool SubgameEquivalence::find_times() {
  const std::size_t roles = machine_->roles().size();
  std::unordered_set<State> known, known_reads;
  for (State state = root_; known.insert(state).second;) {
    State read = state;
    read &= read_mask_;
    if (known_reads.insert(std::move(read)).second) times_.push_back(state);
    if (times_.size() > max_read_times || known.size() > max_run_times) return false;
    cursor_.reset(state);
    std::vector<Move> joint;
    for (std::size_t role = 0; role < roles; ++role) {
      const auto legal = cursor_.legal(role);
      if (legal.empty()) return false;
      joint.push_back(legal.front());
    }
    cursor_.make(joint);
    state = with_local(root_, cursor_.state(), time_mask_);
  }
  movers_.resize(times_.size());
  return true;
}

SubgameEquivalence::LocalIndex SubgameEquivalence::insert(Part& part, const State& state) const {
  State local = state;
  local &= part.mask;
  const auto [entry, is_new] =
      part.numbers.emplace(local, static_cast<LocalIndex>(part.states.size()));
  if (is_new) part.states.push_back(std::move(local));
  return entry->second;
}

bool SubgameEquivalence::explore(Part& part, Concepts& concepts, std::size_t index,
                                 const base::Limits& limits) {
  base::PacedLimits paced(limits);
  concepts.enter(index, part.mask);
  insert(part, root_);
  std::size_t edges = 0;
  for (LocalIndex i = 0; i < part.states.size(); ++i) {
    if (part.states.size() > max_local_states || edges > max_local_edges) return false;
    if (paced.exceeded()) return false;
    part.concepts.push_back(concepts.evaluate(part.states[i]));
    part.ends_game.push_back(concepts.end_game(part.concepts.back()));
    for (std::size_t time = 0; time < times_.size(); ++time) {
      part.next.emplace_back();
      if (!part.ends_game[i] && !expand(part, i, time)) return false;
      edges += part.next.back().size();
    }
  }
  return find_classes(part, limits);
}

// Adds the successors of the part's moves, with the others in their initial states.
bool SubgameEquivalence::expand(Part& part, LocalIndex index, std::size_t time) {
  cursor_.reset(
      with_local(with_local(root_, times_[time], time_mask_), part.states[index], part.mask));
  std::vector<Move> joint;
  for (std::size_t role = 0; role < machine_->roles().size(); ++role) {
    const auto legal = cursor_.legal(role);
    if (legal.empty()) return false;
    joint.push_back(legal.front());
    const bool may_choose = legal.size() > 1 || (!found_.is_parallel && is_of_part_[legal.front()]);
    if (!may_choose) continue;
    if (movers_[time].value_or(role) != role) return false;
    movers_[time] = role;
  }
  const std::size_t mover = movers_[time].value_or(0);
  const auto legal = cursor_.legal(mover);
  const std::vector<Move> moves(legal.begin(), legal.end());
  std::vector<LocalIndex>& next = part.next.back();
  for (const Move m : moves) {
    if (!part.is_move[m]) continue;
    joint[mover] = m;
    cursor_.make(joint);
    next.push_back(insert(part, cursor_.state()));
    cursor_.unmake();
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  return true;
}

// Refines the classes by concepts until equivalent states have equivalent successors.
bool SubgameEquivalence::find_classes(Part& part, const base::Limits& limits) const {
  const std::size_t times = times_.size();
  std::map<std::vector<bool>, LocalIndex> by_concepts;
  for (const std::vector<bool>& values : part.concepts) {
    const auto number = static_cast<LocalIndex>(by_concepts.size());
    part.class_of.push_back(by_concepts.emplace(values, number).first->second);
  }
  std::size_t edges = 0;
  for (std::size_t classes = by_concepts.size(), before = 0; classes != before;) {
    std::map<std::vector<LocalIndex>, LocalIndex> by_successors;
    std::vector<LocalIndex> refined;
    for (std::size_t i = 0; i < part.states.size(); ++i) {
      std::vector<LocalIndex> key{part.class_of[i]};
      for (std::size_t t = i * times; t < (i + 1) * times; ++t) {
        const auto first = static_cast<std::ptrdiff_t>(key.size());
        for (const LocalIndex next : part.next[t]) key.push_back(part.class_of[next]);
        std::sort(key.begin() + first, key.end());
        key.erase(std::unique(key.begin() + first, key.end()), key.end());
        key.push_back(~LocalIndex{0});
        edges += part.next[t].size();
      }
      const auto number = static_cast<LocalIndex>(by_successors.size());
      refined.push_back(by_successors.emplace(std::move(key), number).first->second);
    }
    part.class_of = std::move(refined);
    before = classes;
    classes = by_successors.size();
    if (edges > max_refined_edges || limits.exceeded()) return false;
  }
  for (LocalIndex i = 0; i < part.states.size(); ++i) {
    if (part.class_of[i] == part.representative.size()) part.representative.push_back(i);
  }
  return true;
}

void SubgameEquivalence::reduce(State& state) {
  for (const Part& part : parts_) {
    State local = state;
    const auto known = part.numbers.find(local &= part.mask);
    if (known == part.numbers.end()) continue;
    const State& other = part.states[part.representative[part.class_of[known->second]]];
    replace_local(state, other, part.mask);
  }
}

std::size_t SubgameEquivalence::part_states() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.states.size();
  return sum;
}

double SubgameEquivalence::combinations() const {
  double product = 1;
  for (const Part& part : parts_) product *= static_cast<double>(part.representative.size());
  return product;
}

double SubgameEquivalence::merged_states() const {
  double product = 1;
  for (const Part& part : parts_) {
    product *=
        static_cast<double>(part.states.size()) / static_cast<double>(part.representative.size());
  }
  return product;
}

std::size_t SubgameEquivalence::classes() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.representative.size();
  return sum;
}

}  // namespace zermelo::search::decomposition
