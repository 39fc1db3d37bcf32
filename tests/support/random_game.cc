// Every argument of every predicate, fluent and move has a sort: `plain` for constants, `wrapped`
// for terms f(c). Heads use only variables that the body binds to values of the right sort, so the
// set of terms is small and finite, even with recursion.
//
// Predicates have levels. A body may use lower levels in any way, but its own level only positively
// (recursion), with variables that a lower level also binds, as the recursion restriction of GDL
// requires. The levels from the lowest: facts, static predicates, predicates of the state,
// predicates of the moves.

#include "support/random_game.h"

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace zermelo::testing {

namespace {

enum class Sort { plain, wrapped };

struct Signature {
  std::string name;
  std::vector<Sort> arguments;
  int level = 0;
};

struct Variable {
  std::string name;
  Sort sort;
};

class Generator {
 public:
  Generator(std::uint64_t seed, int max_roles, bool hidden = false)
      : random_(seed), max_roles_(max_roles), hidden_(hidden) {}

  std::string generate() {
    constants_ = 2 + below(3);
    roles_ = 1 + below(max_roles_);
    has_chance_ = hidden_ && chance(70);
    roles_ += static_cast<int>(has_chance_);
    steps_ = 3 + below(5);
    idle_ = chance(50) ? "noop" : "(abide c0)";  // sorts before or after the other names
    write_facts();
    name_fluents_and_moves();
    write_clocks();
    if (chance(35)) write_board();
    write_level(1, 1 + below(2), false);
    state_level_ = 2 + below(3);
    for (int level = 2; level <= state_level_; ++level) write_level(level, 1 + below(3), false);
    write_ends();
    write_legal();
    write_level(state_level_ + 1, 1 + below(2), true);
    write_next();
    if (hidden_) write_percepts();
    return text_;
  }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint32_t>(bound)));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }

  void line(const std::string& text) { text_ += text + "\n"; }
  std::string constant() { return "c" + std::to_string(below(constants_)); }
  std::string role() { return role_name(below(roles_)); }
  std::string role_name(int role) const {
    return has_chance_ && role == roles_ - 1 ? "random" : "r" + std::to_string(role);
  }
  std::string ground(Sort sort) {
    return sort == Sort::plain ? constant() : "(f " + constant() + ")";
  }
  std::vector<Sort> random_sorts(int most) {
    std::vector<Sort> sorts(static_cast<std::size_t>(below(most + 1)));
    for (Sort& sort : sorts) sort = chance(70) ? Sort::plain : Sort::wrapped;
    return sorts;
  }

  static std::string atom(const std::string& name, const std::vector<std::string>& arguments) {
    if (arguments.empty()) return name;
    std::string text = "(" + name;
    for (const std::string& argument : arguments) text += " " + argument;
    return text + ")";
  }

  std::string ground_atom(const Signature& signature) {
    std::vector<std::string> arguments;
    for (const Sort sort : signature.arguments) arguments.push_back(ground(sort));
    return atom(signature.name, arguments);
  }

  void write_facts() {
    for (int r = 0; r < roles_; ++r) line("(role " + role_name(r) + ")");
    for (int c = 0; c < constants_; ++c) {
      line("(plain c" + std::to_string(c) + ")");
      line("(wrapped (f c" + std::to_string(c) + "))");
    }
    predicates_.push_back({"edge", {Sort::plain, Sort::plain}, 0});
    predicates_.push_back({"tie", {Sort::wrapped, Sort::plain}, 0});
    for (const Signature& facts : predicates_) {
      for (int i = 0; i < 2 + constants_; ++i) line(ground_atom(facts));
    }
    for (int s = 0; s < steps_; ++s) {
      line("(after " + std::to_string(s) + " " + std::to_string(s + 1) + ")");
    }
  }

  void name_fluents_and_moves() {
    for (int i = 0; i < 2 + below(3); ++i) {
      fluents_.push_back({"fluent" + std::to_string(i), random_sorts(3), 0});
    }
    for (int i = 0; i < 1 + below(3); ++i) {
      moves_.push_back({"move" + std::to_string(i), random_sorts(2), 0});
    }
    line("(init (step 0))");
    for (const Signature& fluent : fluents_) {
      for (int i = 0; i < 1 + below(4); ++i) line("(init " + ground_atom(fluent) + ")");
    }
  }

  // Fluents that change cyclically, independent of the moves.
  void write_clocks() {
    for (const std::string name : {"turn", "beat"}) {
      if (!chance(40)) continue;
      const int period = 2 + below(constants_ - 1);
      for (int c = 0; c < period; ++c) {
        line("(follows_" + name + " c" + std::to_string(c) + " c" +
             std::to_string((c + 1) % period) + ")");
      }
      line("(init (" + name + " c0))");
      line("(<= (next (" + name + " ?new)) (true (" + name + " ?old)) (follows_" + name +
           " ?old ?new))");
      special_.push_back({name, {Sort::plain}, 0});
    }
  }

  // Pieces on a board: a move takes a piece from one place to another, the others stay.
  void write_board() {
    const int places = 3 + below(3);
    const auto place = [&](int number) { return "place" + std::to_string(number); };
    for (int i = 0; i < places; ++i) line("(place " + place(i) + ")");
    for (int i = 0; i < places; ++i) {
      if (chance(60)) line("(init (at " + place(i) + " " + constant() + "))");
    }
    line("(<= (legal " + role() + " (go ?from ?to)) (true (at ?from ?piece)) (place ?to))");
    line("(<= (next (at ?to ?piece)) (does ?who (go ?from ?to)) (true (at ?from ?piece)))");
    write_rest_of_board();
    line("(<= (occupied ?piece) (true (at " + place(below(places)) + " ?piece)))");
    predicates_.push_back({"occupied", {Sort::plain}, 2});
  }

  // Frame rules, in terms of the moves that keep a fluent or of those that change it.
  void write_rest_of_board() {
    const std::string stays = "(<= (next (at ?place ?piece)) (true (at ?place ?piece)) ";
    if (chance(50)) {
      line("(<= (touched ?place) (does ?who (go ?place ?to)))");
      line("(<= (touched ?place) (does ?who (go ?from ?place)))");
      line(stays + "(not (touched ?place)))");
    } else {
      line(stays + "(does ?who (go ?from ?to)) (distinct ?place ?from) (distinct ?place ?to))");
      line(stays + "(does ?who " + idle_ + "))");
    }
  }

  void write_level(int level, int count, bool after_moves) {
    tangled_ = chance(30);
    if (tangled_) count += 3 + below(4);
    std::vector<Signature> fresh;
    for (int i = 0; i < count; ++i) {
      const std::string name = "p" + std::to_string(level) + "_" + std::to_string(i);
      fresh.push_back({name, random_sorts(2), level});
    }
    predicates_.insert(predicates_.end(), fresh.begin(), fresh.end());
    for (const Signature& signature : fresh) {
      if (chance(20)) line(ground_atom(signature));
      for (int i = 0; i < 1 + below(3); ++i) write_rule("", signature, level, after_moves, {});
    }
    tangled_ = false;
  }

  void write_ends() {
    line("(<= terminal (true (step " + std::to_string(steps_) + ")))");
    if (chance(40)) {
      line("(<= terminal (true (step 2)) " + simple_condition(state_level_) + ")");
    }
    for (int r = 0; r < roles_; ++r) {
      const std::string goal = "(goal " + role_name(r) + " ";
      const std::string condition = simple_condition(state_level_);
      line("(<= " + goal + "100) " + condition + ")");
      line("(<= " + goal + "50) (not " + condition + "))");
      if (chance(20)) line("(<= " + goal + "10) " + simple_condition(state_level_) + ")");
    }
  }

  void write_legal() {
    for (int r = 0; r < roles_; ++r) line("(legal " + role_name(r) + " " + idle_ + ")");
    for (const Signature& move : moves_) {
      for (int r = 0; r < roles_; ++r) {
        if (chance(80)) write_rule("legal " + role_name(r), move, state_level_ + 1, false, {});
      }
    }
  }

  void write_next() {
    line("(<= (next (step ?new)) (true (step ?old)) (after ?old ?new))");
    for (const Signature& fluent : fluents_) {
      const bool stays = chance(20);
      if (stays) write_persistence(fluent);
      if (stays && chance(40)) continue;
      for (int i = 0; i < 1 + below(3); ++i) write_rule("next", fluent, state_level_ + 2, true, {});
      if (chance(50)) write_frame_rule(fluent);
    }
  }

  // Percepts that are facts, that all roles see, and that depend on state and moves.
  void write_percepts() {
    for (int i = 0; i < 1 + below(4); ++i) {
      const Signature percept{"percept" + std::to_string(below(3)), random_sorts(2), 0};
      const std::string who = chance(15) ? "random" : role();
      for (int j = 0; j < 1 + below(2); ++j)
        write_rule("sees " + who, percept, state_level_ + 2, true, {});
    }
    if (chance(40)) line("(<= (sees ?who (does ?other ?move)) (role ?who) (does ?other ?move))");
    if (chance(20)) line("(sees " + role() + " always)");
  }

  // Fluents that persist.
  void write_persistence(const Signature& fluent) {
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < fluent.arguments.size(); ++i)
      arguments.push_back("?v" + std::to_string(i));
    const std::string same = atom(fluent.name, arguments);
    line("(<= (next " + same + ") (true " + same + "))");
  }

  // Fluents that persist under conditions.
  void write_frame_rule(const Signature& fluent) {
    variables_.clear();
    const std::string holds = true_atom(fluent);
    write_rule("next", fluent, state_level_ + 2, true, {holds});
  }

  // A rule for the atom, wrapped in `around` ("next", "legal r0") unless it is empty.
  void write_rule(const std::string& around, const Signature& head, int level, bool after_moves,
                  std::vector<std::string> body) {
    level_ = level;
    after_moves_ = after_moves;
    if (body.empty()) variables_.clear();
    for (int i = 0; i < 1 + below(3); ++i) body.push_back(positive());
    for (const Sort sort : head.arguments) {
      if (std::none_of(variables_.begin(), variables_.end(),
                       [&](const Variable& v) { return v.sort == sort; })) {
        body.push_back(guard(new_variable(sort), sort));
      }
    }
    for (int i = below(3); i > 0; --i) body.push_back(condition());
    std::vector<std::string> arguments;
    for (const Sort sort : head.arguments) arguments.push_back(bound_term(sort, 80));
    const std::string plain_head = atom(head.name, arguments);
    write_clause(around.empty() ? plain_head : "(" + around + " " + plain_head + ")", body);
  }

  void write_clause(const std::string& head, std::vector<std::string> body) {
    for (std::size_t i = body.size(); i > 1; --i) {
      std::swap(body[i - 1], body[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
    std::string text = "(<= " + head;
    for (const std::string& literal : body) text += " " + literal;
    line(text + ")");
  }

  std::string new_variable(Sort sort) {
    variables_.push_back({"?v" + std::to_string(variables_.size()), sort});
    return variables_.back().name;
  }
  static std::string guard(const std::string& variable, Sort sort) {
    return (sort == Sort::plain ? "(plain " : "(wrapped ") + variable + ")";
  }

  // A bound variable or a constant, or f of one.
  std::string bound_term(Sort sort, int percent_variable) {
    std::vector<std::string> choices;
    for (const Variable& v : variables_) {
      if (v.sort == sort) choices.push_back(v.name);
      if (v.sort == Sort::plain && sort == Sort::wrapped) choices.push_back("(f " + v.name + ")");
    }
    return choices.empty() || !chance(percent_variable) ? ground(sort) : pick(choices);
  }

  // A term that may introduce a new variable.
  std::string open_term(Sort sort) {
    if (chance(45)) return bound_term(sort, 80);
    if (sort == Sort::wrapped && chance(50)) return "(f " + new_variable(Sort::plain) + ")";
    return new_variable(sort);
  }

  std::string open_atom(const Signature& signature) {
    std::vector<std::string> arguments;
    for (const Sort sort : signature.arguments) arguments.push_back(open_term(sort));
    return atom(signature.name, arguments);
  }
  std::string true_atom(const Signature& fluent) { return "(true " + open_atom(fluent) + ")"; }

  std::vector<Signature> usable(int level) const {
    std::vector<Signature> result;
    for (const Signature& p : predicates_) {
      if (p.level < level) result.push_back(p);
    }
    return result;
  }

  // A fluent for a condition: one with random rules or a special one.
  const Signature& any_fluent() {
    return !special_.empty() && chance(30) ? pick(special_) : pick(fluents_);
  }

  std::string positive() {
    if (tangled_ && chance(70)) return recursive();
    if (after_moves_ && chance(40)) {
      return "(does " + (chance(30) ? "?who" : role()) + " " + open_atom(pick(moves_)) + ")";
    }
    if (after_moves_ && chance(10)) return "(legal " + role() + " " + open_atom(pick(moves_)) + ")";
    if (level_ >= 2 && chance(45)) return true_atom(any_fluent());
    if (chance(35)) return recursive();
    return open_atom(pick(usable(level_)));
  }

  // An atom of the same level, over variables that other literals also bind.
  std::string recursive() {
    std::vector<Signature> own;
    for (const Signature& p : predicates_) {
      if (p.level == level_) own.push_back(p);
    }
    if (own.empty()) return open_atom(pick(usable(level_)));
    const Signature& signature = pick(own);
    std::string guards;
    std::vector<std::string> arguments;
    for (const Sort sort : signature.arguments) arguments.push_back(guarded_term(sort, guards));
    if (guards.empty()) return atom(signature.name, arguments);
    return "(and" + guards + " " + atom(signature.name, arguments) + ")";
  }

  // A constant, or an old or new variable with its guard.
  std::string guarded_term(Sort sort, std::string& guards) {
    if (chance(15)) return ground(sort);
    std::vector<std::string> choices;
    for (const Variable& v : variables_) {
      if (v.sort == sort) choices.push_back(v.name);
    }
    const std::string chosen = choices.empty() || chance(40) ? new_variable(sort) : pick(choices);
    guards += " " + guard(chosen, sort);
    return chosen;
  }

  std::string bound_atom(int level) {
    const bool about_state = level >= 2 && chance(40);
    const Signature& signature = about_state ? any_fluent() : pick(lower_ = usable(level));
    std::vector<std::string> arguments;
    for (const Sort sort : signature.arguments) arguments.push_back(bound_term(sort, 75));
    const std::string plain = atom(signature.name, arguments);
    return about_state ? "(true " + plain + ")" : plain;
  }

  std::string bound_does() {
    const Signature& move = pick(moves_);
    std::vector<std::string> arguments;
    for (const Sort sort : move.arguments) arguments.push_back(bound_term(sort, 75));
    return "(does " + role() + " " + atom(move.name, arguments) + ")";
  }

  std::string distinct() {
    const Sort sort = chance(70) ? Sort::plain : Sort::wrapped;
    return "(distinct " + bound_term(sort, 90) + " " + bound_term(sort, 60) + ")";
  }

  // A condition over bound variables, nested to some depth.
  std::string condition(int depth = 2) {
    if (after_moves_ && chance(20)) return "(not " + bound_does() + ")";
    const int kind = depth == 0 ? below(50) : below(100);
    if (kind < 20) return "(not " + bound_atom(level_) + ")";
    if (kind < 35) return distinct();
    if (kind < 50) return bound_atom(level_);
    if (kind < 75) return "(or " + condition(depth - 1) + " " + condition(depth - 1) + ")";
    if (kind < 85) return "(and " + condition(depth - 1) + " " + condition(depth - 1) + ")";
    return "(not " + condition(depth - 1) + ")";
  }

  std::string simple_condition(int level) {
    variables_.clear();
    return bound_atom(level + 1);
  }

  base::Random random_;
  int max_roles_;
  bool hidden_;
  bool has_chance_ = false;
  std::string text_, idle_;
  int constants_ = 0, roles_ = 0, steps_ = 0, state_level_ = 0;
  std::vector<Signature> predicates_, fluents_, moves_, lower_;
  std::vector<Signature> special_;  // fluents whose rules are not random
  int level_ = 0;                   // of the current rule
  bool after_moves_ = false;        // the current rule may use `does`
  bool tangled_ = false;            // the current rule mostly uses its own level
  std::vector<Variable> variables_;
};

}  // namespace

std::string random_game(std::uint64_t seed) { return Generator(seed, 3).generate(); }

std::string random_hidden_game(std::uint64_t seed) { return Generator(seed, 3, true).generate(); }

std::string random_single_player_game(std::uint64_t seed) { return Generator(seed, 1).generate(); }

}  // namespace zermelo::testing
