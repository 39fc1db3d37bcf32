// GDL says for every fluent when it holds next; planning says what changes. For a variable x of
// values v1 ... vk and a move, let C(v) be the condition under which the fluent of v holds next.
//
//   x := v     under each cube of C(v), unless the cube asks for x = v: then nothing changes
//   x := none  where x has a value u and no C(v) holds: the negation of all C(v), given x = u
//
// For the usual rule "next f if f and not touched" and a move that does not touch f, C is f itself
// and nothing is left. At most one fluent of a group holds in a reachable state, so the cubes of
// different values exclude each other there.
//
// The second kind decides whether a group can be without a value at all. That no group can be is
// assumed where one holds at the start; if some effect refutes it, the caller starts again with
// what it has learned. Assumptions that are never refuted hold by induction over the moves. Most
// are refuted by the first move of some kind, so where there are many moves, these are tried first.
//
// Negations are multiplied out while they stay small, and axioms otherwise.
#include "translate/sas/move_operators.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error_name.h"

namespace zermelo::translate::sas {

namespace {

using ground::Atom;

constexpr std::size_t max_effects = 8;      // that set one value; above, their cause is an axiom
constexpr std::size_t max_negated = 8;      // cubes of a negation; above, it is one of an axiom
constexpr std::size_t max_operators = 4;    // of one move; above, being legal is an axiom
constexpr std::uint32_t moves_between = 4;  // two looks at the limits
constexpr std::size_t many_moves = 64;

class Builder {
 public:
  Builder(const ground::Game& game, const Encoding& encoding, AxiomTable& axioms,
          RuleValues& values, WithoutEffects idle)
      : game_(game), encoding_(encoding), axioms_(axioms), values_(values), idle_(idle) {
    result_.needs_none.assign(encoding.variables(), false);
    fluents_of_next_.resize(game.atoms);
    for (Atom f = 0; f < game.fluents.size(); ++f) {
      const Atom next = game.next[f];
      if (next != ground::no_atom && next >= game.first_after_does)
        fluents_of_next_[next].push_back(encoding.places[f].variable);
    }
  }

  base::Result<MoveOperators> run(const base::Limits& limits) {
    Cube goes_on;
    if (game_.terminal != ground::no_atom && !values_.append({game_.terminal, true}, goes_on)) {
      return std::move(result_);  // the game is over from the start
    }
    for (const Cube& end : values_.of(game_.terminal)) {
      if (end.size() == 1) not_over_.push_back({end[0].variable, end[0].value, !end[0].equal});
    }
    const auto kinds = kinds_of_moves();
    if (game_.moves.size() >= many_moves) {
      for (const auto& kind : kinds) add_base(kind[0], goes_on);
      if (has_loss_) return std::move(result_);
      result_.operators.clear();
    }
    for (const auto& kind : kinds) {
      if (const auto exceeded = add_kind(kind, goes_on, limits)) return stopped(*exceeded);
    }
    std::sort(result_.operators.begin(), result_.operators.end(),
              [](const Operator& a, const Operator& b) { return a.move < b.move; });
    return std::move(result_);
  }

 private:
  // By value of a variable, when it is the next one.
  using Causes = std::vector<Dnf>;

  void add_base(std::uint32_t move, const Cube& goes_on) {
    values_.set_base(move);
    find_defaults();
    add_move(move, goes_on);
  }

  // The limit that was reached, if any.
  std::optional<base::ErrorKind> add_kind(const std::vector<std::uint32_t>& kind,
                                          const Cube& goes_on, const base::Limits& limits) {
    for (const std::uint32_t move : kind) {
      if (done_++ % moves_between == 0) {
        if (const auto exceeded = limits.exceeded()) return exceeded;
      }
      move == kind[0] ? add_base(move, goes_on) : add_move(move, goes_on);
    }
    return std::nullopt;
  }

  base::Result<MoveOperators> stopped(base::ErrorKind limit) const {
    return tl::unexpected(base::limit_error(limit, "while translating move " +
                                                       std::to_string(done_) + " of " +
                                                       std::to_string(game_.moves.size())));
  }

  // Moves of the same function have much in common. All constants are one kind.
  std::vector<std::vector<std::uint32_t>> kinds_of_moves() const {
    std::map<std::pair<gdl::Symbol, std::size_t>, std::vector<std::uint32_t>> kinds;
    for (std::uint32_t move = 0; move < game_.moves.size(); ++move) {
      const gdl::Term& term = game_.moves[move].term;
      const bool is_constant = term.arguments.empty();
      kinds[{is_constant ? gdl::Symbol{} : term.name, term.arguments.size()}].push_back(move);
    }
    std::vector<std::vector<std::uint32_t>> result;
    for (auto& [name, moves] : kinds) result.push_back(std::move(moves));
    return result;
  }

  // Effects that every move of the kind has unless it changes their cause. Where the cause is long,
  // what they are depends on the precondition of the move, but on little of it
  // (add_effects_on_long).
  void find_defaults() {
    active_.clear();
    long_.clear();
    long_effects_.clear();
    read_by_long_.assign(encoding_.domains.variables(), false);
    default_effects_.assign(encoding_.variables(), {});
    for (std::uint32_t v = 0; v < encoding_.variables(); ++v) {
      if (has_long_cause(v)) {
        add_long(v);
        continue;
      }
      default_effects_[v] = effects_on(v, {});
      if (!default_effects_[v].empty()) active_.push_back(v);
    }
  }

  void add_long(std::uint32_t variable) {
    long_.push_back(variable);
    read_by_long_[variable] = true;
    for (const Atom fluent : encoding_.fluents[variable]) {
      for (const Cube& cube : values_.of(game_.next[fluent])) {
        for (const Condition& c : cube) read_by_long_[c.variable] = true;
      }
    }
  }

  // Adds the effects on variables with long causes that the move does not change. They are the same
  // for all moves of the kind that know the same of what these causes read.
  template <class IsTouched>
  void add_effects_on_long(const Cube& known, IsTouched is_touched, std::vector<Effect>& effects) {
    if (long_.empty()) return;
    Cube relevant;
    for (const Condition& c : known) {
      if (c.variable < read_by_long_.size() && read_by_long_[c.variable]) relevant.push_back(c);
    }
    auto& known_effects = long_effects_[relevant];
    known_effects.resize(long_.size());
    for (std::size_t i = 0; i < long_.size(); ++i) {
      if (is_touched(long_[i])) continue;
      if (!known_effects[i]) known_effects[i] = effects_on(long_[i], relevant);
      effects.insert(effects.end(), known_effects[i]->begin(), known_effects[i]->end());
    }
  }

  bool has_long_cause(std::uint32_t variable) {
    const auto& fluents = encoding_.fluents[variable];
    return std::any_of(fluents.begin(), fluents.end(), [&](Atom fluent) {
      return values_.of(game_.next[fluent]).size() > max_effects;
    });
  }

  void add_move(std::uint32_t move, const Cube& goes_on) {
    Dnf ways = values_.of(game_.legal[move]);
    if (ways.size() > max_operators) ways = {axioms_.cube_of(std::move(ways))};
    std::vector<std::uint32_t> touched;
    for (const Atom atom : values_.enter(move)) {
      const auto& changed = fluents_of_next_[atom];
      touched.insert(touched.end(), changed.begin(), changed.end());
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (Cube way : ways) {
      way.insert(way.end(), goes_on.begin(), goes_on.end());
      if (encoding_.domains.normalise(way)) add_operator(move, std::move(way), touched);
    }
    values_.leave();
  }

  void add_operator(std::uint32_t move, Cube precondition,
                    const std::vector<std::uint32_t>& touched) {
    Cube known = precondition;
    known.insert(known.end(), not_over_.begin(), not_over_.end());
    if (!encoding_.domains.normalise(known)) return;
    Operator made;
    made.move = move;
    for (const std::uint32_t v : touched) {
      for (Effect& effect : effects_on(v, known)) made.effects.push_back(std::move(effect));
    }
    const auto is_touched = [&](std::uint32_t v) {
      return std::binary_search(touched.begin(), touched.end(), v);
    };
    for (const std::uint32_t v : active_) {
      if (!is_touched(v)) add_defaults(default_effects_[v], known, made.effects);
    }
    add_effects_on_long(known, is_touched, made.effects);
    made.precondition = std::move(precondition);
    for (const Effect& effect : made.effects) {
      if (effect.value == encoding_.domains.size(effect.variable))
        has_loss_ = result_.needs_none[effect.variable] = true;
    }
    if (!made.effects.empty() || idle_ == WithoutEffects::keep)
      result_.operators.push_back(std::move(made));
  }

  void add_defaults(const std::vector<Effect>& defaults, const Cube& known,
                    std::vector<Effect>& effects) const {
    for (Effect effect : defaults) {
      if (!encoding_.domains.restrict(effect.conditions, known)) continue;
      if (value_in(known, effect.variable) != effect.value) effects.push_back(std::move(effect));
    }
  }

  Causes causes_of(std::uint32_t variable, const Cube& known) {
    Causes causes;
    causes.reserve(encoding_.fluents[variable].size());
    for (const Atom fluent : encoding_.fluents[variable]) {
      causes.push_back(cause_of(game_.next[fluent], known));
    }
    return causes;
  }

  // Where much is left of the condition, the axiom is for the whole of it, so that moves share it.
  Dnf cause_of(Atom next, const Cube& known) {
    const Dnf& whole = values_.of(next);
    const auto left =
        static_cast<std::size_t>(std::count_if(whole.begin(), whole.end(), [&](const Cube& cube) {
          return !encoding_.domains.contradict(cube, known);
        }));
    return left > max_effects ? restricted({values_.cube_of(next)}, known)
                              : restricted(whole, known);
  }

  Dnf restricted(const Dnf& dnf, const Cube& known) const {
    Dnf left;
    for (const Cube& cube : dnf) {
      if (!encoding_.domains.contradict(cube, known)) left.push_back(cube);
    }
    for (Cube& cube : left) encoding_.domains.restrict(cube, known);
    return left;
  }

  // Whether each value holds next if it holds now, and otherwise does not.
  bool is_unchanged(std::uint32_t variable, const Cube& known) {
    const auto& fluents = encoding_.fluents[variable];
    for (std::uint32_t value = 0; value < fluents.size(); ++value) {
      std::size_t frames = 0;
      for (const Cube& cube : values_.of(game_.next[fluents[value]])) {
        const bool is_frame = cube.size() == 1 && cube[0] == Condition{variable, value, true};
        if (!is_frame && !encoding_.domains.contradict(cube, known)) return false;
        frames += is_frame;
      }
      if (frames == 0) return false;
    }
    return true;
  }

  std::vector<Effect> effects_on(std::uint32_t variable, const Cube& known) {
    std::vector<Effect> effects;
    if (is_unchanged(variable, known)) return effects;
    const Causes causes = causes_of(variable, known);
    const std::optional<std::uint32_t> before = value_in(known, variable);
    for (std::uint32_t value = 0; value < causes.size(); ++value) {
      if (before == value) continue;
      for (const Cube& cause : causes[value]) {
        if (value_in(cause, variable) != value) effects.push_back({cause, variable, value});
      }
    }
    add_losses(variable, causes, known, effects);
    return effects;
  }

  // The effects after which the variable has no value. Causes that do not ask for its old value
  // fail for all old values alike.
  void add_losses(std::uint32_t variable, const Causes& causes, const Cube& known,
                  std::vector<Effect>& effects) {
    const std::uint32_t none = encoding_.none(variable);
    const std::optional<std::uint32_t> before = value_in(known, variable);
    Dnf others;
    Causes by_old(none);
    const bool asks = sort_causes(variable, causes, others, by_old);
    const Dnf failing = failure_of(std::move(others));
    if (failing.empty() || before == none) return;
    if (!asks) {
      for (const Cube& cube : failing) effects.push_back({cube, variable, none});
      return;
    }
    for (std::uint32_t old = 0; old < none; ++old) {
      Cube has_old = {{variable, old, true}};
      if (is_always(by_old[old]) || !encoding_.domains.restrict(has_old, known)) continue;
      for (const Cube& cube : failure_of(std::move(by_old[old])))
        add_loss(variable, cube, failing, has_old, effects);
    }
  }

  // Causes that do not read the variable, and by its old value those that do, without that. Whether
  // there are any of the second kind.
  bool sort_causes(std::uint32_t variable, const Causes& causes, Dnf& others,
                   Causes& by_old) const {
    bool reads = false;
    for (const Dnf& dnf : causes) {
      for (const Cube& cause : dnf) {
        if (std::none_of(cause.begin(), cause.end(),
                         [&](const Condition& c) { return c.variable == variable; })) {
          others.push_back(cause);
          continue;
        }
        reads = true;
        const std::optional<std::uint32_t> asked = value_in(cause, variable);
        for (std::uint32_t old = asked.value_or(0); old < by_old.size(); ++old) {
          Cube rest = cause;
          if (encoding_.domains.restrict(rest, {{variable, old, true}}))
            by_old[old].push_back(std::move(rest));
          if (asked) break;
        }
      }
    }
    for (Dnf& dnf : by_old) reduce(dnf);
    return reads;
  }

  // When none of the causes holds.
  Dnf failure_of(Dnf causes) {
    reduce(causes);
    if (is_always(causes)) return {};
    std::optional<Dnf> failing = encoding_.domains.negation(causes, max_negated);
    if (failing) return std::move(*failing);
    return {{{axioms_.of(causes).variable, derived_false, true}}};
  }

  void add_loss(std::uint32_t variable, const Cube& failing_here, const Dnf& failing,
                const Cube& has_old, std::vector<Effect>& effects) const {
    for (Cube cube : failing) {
      cube.insert(cube.end(), failing_here.begin(), failing_here.end());
      cube.insert(cube.end(), has_old.begin(), has_old.end());
      if (encoding_.domains.normalise(cube))
        effects.push_back({std::move(cube), variable, encoding_.none(variable)});
    }
  }

  const ground::Game& game_;
  const Encoding& encoding_;
  AxiomTable& axioms_;
  RuleValues& values_;
  WithoutEffects idle_;
  std::vector<std::vector<std::uint32_t>> fluents_of_next_;  // variables, by atom
  std::vector<std::vector<Effect>> default_effects_;         // by variable
  Cube not_over_;                      // what holds in all states that are not terminal
  std::vector<std::uint32_t> active_;  // variables with default effects
  std::vector<std::uint32_t> long_;    // variables with long causes
  std::vector<bool> read_by_long_;     // by variable
  // By what is known, and by position in long_, once found.
  std::map<Cube, std::vector<std::optional<std::vector<Effect>>>> long_effects_;
  std::uint32_t done_ = 0;  // moves
  bool has_loss_ = false;   // some variable needs a value for none
  MoveOperators result_;
};

}  // namespace

base::Result<MoveOperators> make_move_operators(const ground::Game& game, const Encoding& encoding,
                                                AxiomTable& axioms, RuleValues& values,
                                                const base::Limits& limits, WithoutEffects idle) {
  return Builder(game, encoding, axioms, values, idle).run(limits);
}

}  // namespace zermelo::translate::sas
