// Numbers the atoms and lays out the rules of the ground game.
//
// First the instances are sorted by head. An atom under a negation is matched with the atom of the
// same name that can become true; if there is none, the negation always holds and is dropped. Then
// atoms are ordered by strongly connected components, dependencies first. One pass in that order
// finds atoms that are always or never true, drops literals and rules accordingly, and finds which
// atoms depend on the moves. Finally, atoms that neither legal, next, goal, terminal nor sees
// depends on are removed. The others get their final numbers (see game.h), and equal rules are
// merged.
#include "ground/assemble.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "base/components.h"
#include "base/limited_steps.h"
#include "gdl/printer.h"

namespace zermelo::ground {

namespace {

namespace keyword = gdl::keyword;

constexpr AtomId nothing = ~AtomId{0};

// Rules by head, with the atom numbers of grounding.
struct RawRules {
  std::vector<RuleIndex> first_rule;         // by atom, one more at the end
  std::vector<std::uint64_t> first_literal;  // by rule, one more at the end
  std::vector<std::uint32_t> literals;       // twice the atom plus one if negated

  std::span<std::uint32_t> body(RuleIndex rule) {
    return {literals.data() + first_literal[rule], literals.data() + first_literal[rule + 1]};
  }
};

class Assembler {
 public:
  Assembler(const Program& program, Instantiation& instantiation)
      : program_(program),
        instantiation_(instantiation),
        steps_(instantiation.limits(), "grounding"),
        count_(instantiation.atom_count) {
    game_.rulesheet = program.rulesheet;
  }

  Game run() {
    relate_mentioned();
    sort_rules();
    name_roles();
    name_fluents();
    name_moves();
    order_atoms();
    decide_atoms();
    find_outputs();
    mark_needed();
    number_atoms();
    lay_out_rules();
    renumber_outputs();
    return std::move(game_);
  }

 private:
  enum class Fate : std::uint8_t { open, always, never };

  void relate_mentioned() {
    steps_.check(count_ * sizeof(AtomId));
    same_as_.resize(count_);
    std::iota(same_as_.begin(), same_as_.end(), 0);
    for (PredicateId p = 0; p < instantiation_.mentioned.size(); ++p) {
      const Relation& mentioned = instantiation_.mentioned[p];
      for (RowId row = 0; row < mentioned.size(); ++row) {
        steps_.take();
        const RowId possible = instantiation_.relations[p].find(mentioned.row(row));
        same_as_[instantiation_.mentioned_atoms[p][row]] =
            possible == no_row ? nothing : instantiation_.atoms[p][possible];
      }
    }
  }

  void sort_rules() {
    const InstanceLog& log = instantiation_.log;
    steps_.check(2 * count_ * sizeof(RuleIndex) + log.size() * sizeof(std::uint64_t));
    raw_.first_rule.assign(count_ + 1, 0);
    log.for_each([&](AtomId head, auto) {
      steps_.take();
      ++raw_.first_rule[head + 1];
    });
    std::partial_sum(raw_.first_rule.begin(), raw_.first_rule.end(), raw_.first_rule.begin());

    std::vector<RuleIndex> place(raw_.first_rule.begin(), raw_.first_rule.end() - 1);
    raw_.first_literal.assign(log.size() + 1, 0);
    log.for_each([&](AtomId head, std::span<const std::uint32_t> literals) {
      steps_.take(literals.size());
      raw_.first_literal[place[head]++ + 1] = static_cast<std::uint64_t>(
          std::count_if(literals.begin(), literals.end(),
                        [&](std::uint32_t l) { return same_as_[l / 2] != nothing; }));
    });
    std::partial_sum(raw_.first_literal.begin(), raw_.first_literal.end(),
                     raw_.first_literal.begin());

    steps_.check(raw_.first_literal.back() * sizeof(std::uint32_t));
    raw_.literals.resize(raw_.first_literal.back());
    place.assign(raw_.first_rule.begin(), raw_.first_rule.end() - 1);
    log.for_each([&](AtomId head, std::span<const std::uint32_t> literals) {
      steps_.take(literals.size());
      std::uint32_t* out = raw_.literals.data() + raw_.first_literal[place[head]++];
      for (const std::uint32_t literal : literals) {
        if (same_as_[literal / 2] != nothing) *out++ = same_as_[literal / 2] * 2 + literal % 2;
      }
    });
    instantiation_.log = {};
  }

  // The arguments of a row as terms, in the form of the rulesheet.
  std::vector<TermId> arguments(PredicateId predicate, RowId row) {
    std::vector<TermId> result;
    for (const Term& shape : program_.predicates[predicate].shape)
      result.push_back(compose(shape, predicate, row));
    return result;
  }

  TermId compose(const Term& shape, PredicateId predicate, RowId row) {
    if (shape.kind == Term::Kind::variable)
      return instantiation_.relations[predicate].row(row)[variable_of(shape)];
    if (shape.kind == Term::Kind::constant) return instantiation_.terms.constant(shape.name);
    std::vector<TermId> parts;
    for (const Term& part : shape.arguments) parts.push_back(compose(part, predicate, row));
    return instantiation_.terms.function(shape.name, parts);
  }

  // Calls visit(arguments, atom) for every row of the predicates of a keyword.
  template <class Visit>
  void for_each_row(Symbol word, Visit visit) {
    for (PredicateId p = 0; p < program_.predicates.size(); ++p) {
      if (program_.predicates[p].keyword != word) continue;
      for (RowId row = 0; row < instantiation_.relations[p].size(); ++row) {
        steps_.take();
        const bool has_atom = row < instantiation_.atoms[p].size();
        visit(arguments(p, row), has_atom ? instantiation_.atoms[p][row] : nothing);
      }
    }
  }

  std::string print(TermId id) const {
    return gdl::print(instantiation_.terms.term(id), program_.rulesheet->symbols);
  }

  void name_roles() {
    for_each_row(keyword::role, [&](const std::vector<TermId>& arguments, AtomId) {
      role_of_.emplace(arguments[0], static_cast<std::uint32_t>(game_.roles.size()));
      game_.roles.push_back(instantiation_.terms.name(arguments[0]));
    });
  }

  struct Named {
    std::uint32_t role;
    std::string name;
    TermId term;
    AtomId atom;
    auto operator<=>(const Named&) const = default;
  };

  void name_fluents() {
    std::vector<Named> fluents;
    for_each_row(keyword::true_, [&](const std::vector<TermId>& arguments, AtomId atom) {
      fluents.push_back({0, print(arguments[0]), arguments[0], atom});
    });
    std::sort(fluents.begin(), fluents.end());
    for (const Named& fluent : fluents) {
      fluent_of_.emplace(fluent.term, static_cast<Atom>(inputs_.size()));
      inputs_.push_back(fluent.atom);
      game_.fluents.push_back(instantiation_.terms.term(fluent.term));
    }
  }

  void name_moves() {
    std::vector<Named> moves;
    for_each_row(keyword::does, [&](const std::vector<TermId>& arguments, AtomId atom) {
      const auto role = role_of_.find(arguments[0]);
      if (role != role_of_.end())
        moves.push_back({role->second, print(arguments[1]), arguments[1], atom});
    });
    std::sort(moves.begin(), moves.end());
    game_.first_move_of.assign(game_.roles.size() + 1, 0);
    for (const Named& move : moves) {
      move_of_.emplace(std::pair(move.role, move.term),
                       static_cast<std::uint32_t>(game_.moves.size()));
      inputs_.push_back(move.atom);
      game_.moves.push_back({move.role, instantiation_.terms.term(move.term)});
      ++game_.first_move_of[move.role + 1];
    }
    std::partial_sum(game_.first_move_of.begin(), game_.first_move_of.end(),
                     game_.first_move_of.begin());
  }

  void order_atoms() {
    constexpr std::size_t words_per_atom = 8;  // of the result and of its computation
    steps_.check(count_ * words_per_atom * sizeof(std::uint32_t));
    component_ =
        base::strongly_connected_components(count_, [&](std::uint32_t atom, std::uint64_t i) {
          steps_.take();
          const std::uint64_t literal = raw_.first_literal[raw_.first_rule[atom]] + i;
          return literal < raw_.first_literal[raw_.first_rule[atom + 1]]
                     ? raw_.literals[literal] / 2
                     : base::no_node;
        });
    first_in_component_.assign(component_.count + 1, 0);
    for (const std::uint32_t component : component_.component_of)
      ++first_in_component_[component + 1];
    std::partial_sum(first_in_component_.begin(), first_in_component_.end(),
                     first_in_component_.begin());
    std::vector<std::uint32_t> place(first_in_component_.begin(), first_in_component_.end() - 1);
    ordered_.resize(count_);
    for (AtomId atom = 0; atom < count_; ++atom)
      ordered_[place[component_.component_of[atom]]++] = atom;
  }

  void decide_atoms() {
    fate_.assign(count_, Fate::open);
    after_does_.assign(count_, false);
    dropped_.assign(raw_.first_literal.size() - 1, false);
    is_input_.assign(count_, false);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      is_input_[inputs_[i]] = true;
      after_does_[inputs_[i]] = i >= game_.fluents.size();
    }
    for (std::uint32_t c = 0; c < component_.count; ++c) decide_component(c);
  }

  void decide_component(std::uint32_t component) {
    const auto first = ordered_.begin() + first_in_component_[component];
    const auto last = ordered_.begin() + first_in_component_[component + 1];
    bool after_does = false;
    for (auto atom = first; atom != last; ++atom) {
      if (is_input_[*atom]) return;
      decide_atom(*atom);
      after_does |= depends_on_does(*atom);
    }
    for (auto atom = first; atom != last; ++atom) after_does_[*atom] = after_does;
  }

  void decide_atom(AtomId atom) {
    bool possible = false;
    for (RuleIndex rule = raw_.first_rule[atom]; rule < raw_.first_rule[atom + 1]; ++rule) {
      const std::span<std::uint32_t> body = raw_.body(rule);
      steps_.take(body.size());
      dropped_[rule] =
          std::any_of(body.begin(), body.end(), [&](std::uint32_t l) { return never_holds(l); });
      if (dropped_[rule]) continue;
      possible = true;
      if (std::all_of(body.begin(), body.end(), [&](std::uint32_t l) { return always_holds(l); })) {
        fate_[atom] = Fate::always;
        return;
      }
    }
    if (!possible) fate_[atom] = Fate::never;
  }

  bool always_holds(std::uint32_t literal) const {
    return fate_[literal / 2] == (literal % 2 ? Fate::never : Fate::always);
  }
  bool never_holds(std::uint32_t literal) const {
    return fate_[literal / 2] == (literal % 2 ? Fate::always : Fate::never);
  }

  bool depends_on_does(AtomId atom) {
    if (fate_[atom] != Fate::open) return false;
    for (RuleIndex rule = raw_.first_rule[atom]; rule < raw_.first_rule[atom + 1]; ++rule) {
      if (dropped_[rule]) continue;
      for (const std::uint32_t literal : raw_.body(rule)) {
        if (fate_[literal / 2] == Fate::open && after_does_[literal / 2]) return true;
      }
    }
    return false;
  }

  // Fills the game's outputs with the atom numbers of grounding. They are renumbered at the end.
  void find_outputs() {
    find_initial();
    game_.next.assign(game_.fluents.size(), nothing);
    for_each_row(keyword::next, [&](const std::vector<TermId>& arguments, AtomId atom) {
      if (fate_[atom] != Fate::never) game_.next[fluent_of_.at(arguments[0])] = atom;
    });
    game_.legal.assign(game_.moves.size(), nothing);
    for_each_row(keyword::legal, [&](const std::vector<TermId>& arguments, AtomId atom) {
      const auto role = role_of_.find(arguments[0]);
      if (role != role_of_.end()) game_.legal[move_of_.at({role->second, arguments[1]})] = atom;
    });
    find_goals();
    find_percepts();
    game_.terminal = nothing;
    for_each_row(keyword::terminal, [&](const std::vector<TermId>&, AtomId atom) {
      if (fate_[atom] != Fate::never) game_.terminal = atom;
    });
  }

  void find_initial() {
    for_each_row(keyword::init, [&](const std::vector<TermId>& arguments, AtomId) {
      game_.initial.push_back(fluent_of_.at(arguments[0]));
    });
    std::sort(game_.initial.begin(), game_.initial.end());
  }

  void find_goals() {
    game_.goals.resize(game_.roles.size());
    for_each_row(keyword::goal, [&](const std::vector<TermId>& arguments, AtomId atom) {
      const auto role = role_of_.find(arguments[0]);
      const std::string& name =
          program_.rulesheet->symbols.name(instantiation_.terms.name(arguments[1]));
      int value = 0;
      const auto parsed = std::from_chars(name.data(), name.data() + name.size(), value);
      const bool is_number = parsed.ec == std::errc{} && parsed.ptr == name.data() + name.size();
      if (role == role_of_.end() || !is_number || fate_[atom] == Fate::never) return;
      if (game_.is_random(role->second)) return;
      game_.goals[role->second].push_back({value, atom});
    });
    for (auto& goals : game_.goals) {
      std::sort(goals.begin(), goals.end(),
                [](const Game::Goal& a, const Game::Goal& b) { return a.value < b.value; });
    }
  }

  void find_percepts() {
    std::vector<Named> percepts;
    for_each_row(keyword::sees, [&](const std::vector<TermId>& arguments, AtomId atom) {
      const auto role = role_of_.find(arguments[0]);
      if (role == role_of_.end() || fate_[atom] == Fate::never) return;
      if (!game_.is_random(role->second))
        percepts.push_back({role->second, print(arguments[1]), arguments[1], atom});
    });
    std::sort(percepts.begin(), percepts.end());
    game_.first_percept_of.assign(game_.roles.size() + 1, 0);
    for (const Named& percept : percepts) {
      game_.percepts.push_back(
          {percept.role, instantiation_.terms.term(percept.term), percept.atom});
      ++game_.first_percept_of[percept.role + 1];
    }
    std::partial_sum(game_.first_percept_of.begin(), game_.first_percept_of.end(),
                     game_.first_percept_of.begin());
  }

  void mark_needed() {
    needed_.assign(count_, false);
    std::vector<AtomId> open;
    const auto need = [&](AtomId atom) {
      if (atom == nothing || needed_[atom] || is_input_[atom]) return;
      needed_[atom] = true;
      open.push_back(atom);
    };
    for_each_output(need);
    while (!open.empty()) {
      const AtomId atom = open.back();
      open.pop_back();
      if (fate_[atom] != Fate::open) continue;
      for (RuleIndex rule = raw_.first_rule[atom]; rule < raw_.first_rule[atom + 1]; ++rule) {
        if (dropped_[rule]) continue;
        steps_.take(raw_.body(rule).size());
        for (const std::uint32_t literal : raw_.body(rule)) {
          if (!always_holds(literal)) need(literal / 2);
        }
      }
    }
  }

  template <class Visit>
  void for_each_output(Visit visit) {
    for (Atom& atom : game_.next) visit(atom);
    for (Atom& atom : game_.legal) visit(atom);
    for (auto& goals : game_.goals) {
      for (Game::Goal& goal : goals) visit(goal.atom);
    }
    visit(game_.terminal);
    for (Game::Percept& percept : game_.percepts) visit(percept.atom);
  }

  void number_atoms() {
    final_.assign(count_, no_atom);
    for (std::size_t i = 0; i < inputs_.size(); ++i) final_[inputs_[i]] = static_cast<Atom>(i);
    game_.atoms = game_.first_derived = static_cast<Atom>(inputs_.size());
    for (const bool after_does : {false, true}) {
      if (after_does) game_.first_after_does = game_.atoms;
      for (std::uint32_t c = 0; c < component_.count; ++c) number_component(c, after_does);
    }
  }

  void number_component(std::uint32_t component, bool after_does) {
    const Atom first = game_.atoms;
    bool recursive = false;
    for (std::uint32_t i = first_in_component_[component]; i < first_in_component_[component + 1];
         ++i) {
      steps_.take();
      const AtomId atom = ordered_[i];
      if (!needed_[atom] || after_does_[atom] != after_does) continue;
      final_[atom] = game_.atoms++;
      numbered_.push_back(atom);
      recursive |= uses_itself(atom);
    }
    if (game_.atoms > first + 1 || recursive) game_.recursive.push_back({first, game_.atoms});
  }

  bool uses_itself(AtomId atom) {
    if (fate_[atom] != Fate::open) return false;
    for (RuleIndex rule = raw_.first_rule[atom]; rule < raw_.first_rule[atom + 1]; ++rule) {
      const std::span<std::uint32_t> body = raw_.body(rule);
      if (!dropped_[rule] && std::find(body.begin(), body.end(), atom * 2) != body.end())
        return true;
    }
    return false;
  }

  void lay_out_rules() {
    game_.first_literal_of.push_back(0);
    for (const AtomId atom : numbered_) {
      game_.first_rule_of.push_back(static_cast<RuleIndex>(game_.rules()));
      lay_out(atom);
    }
    game_.first_rule_of.push_back(static_cast<RuleIndex>(game_.rules()));
  }

  void lay_out(AtomId atom) {
    if (fate_[atom] == Fate::never) return;
    if (fate_[atom] == Fate::always) {
      game_.first_literal_of.push_back(game_.literals.size());
      return;
    }
    scratch_.clear();
    bodies_.clear();
    for (RuleIndex rule = raw_.first_rule[atom]; rule < raw_.first_rule[atom + 1]; ++rule) {
      if (!dropped_[rule]) add_body(rule);
    }
    const auto before = [&](const Range& a, const Range& b) {
      return std::ranges::lexicographical_compare(view(a), view(b));
    };
    const auto equal = [&](const Range& a, const Range& b) {
      return std::ranges::equal(view(a), view(b));
    };
    std::sort(bodies_.begin(), bodies_.end(), before);
    bodies_.erase(std::unique(bodies_.begin(), bodies_.end(), equal), bodies_.end());
    for (const Range& body : bodies_) {
      steps_.take(view(body).size());
      allow_growth(game_.literals, view(body).size());
      game_.literals.insert(game_.literals.end(), view(body).begin(), view(body).end());
      game_.first_literal_of.push_back(game_.literals.size());
    }
  }

  // Checks the memory limit if `more` elements make the vector move to a block of twice the size.
  template <class T>
  void allow_growth(const std::vector<T>& vector, std::size_t more) {
    const std::size_t needed = vector.size() + more;
    if (needed > vector.capacity()) steps_.check(2 * needed * sizeof(T));
  }

  // Literals [begin, end) of the scratch space.
  struct Range {
    std::size_t begin, end;
  };
  std::span<const Literal> view(const Range& range) const {
    return {scratch_.data() + range.begin, scratch_.data() + range.end};
  }

  // Appends the undecided literals of a rule, sorted, without duplicates.
  void add_body(RuleIndex rule) {
    steps_.take(raw_.body(rule).size());
    allow_growth(scratch_, raw_.body(rule).size());
    const std::size_t begin = scratch_.size();
    for (const std::uint32_t literal : raw_.body(rule)) {
      if (!always_holds(literal)) scratch_.emplace_back(final_[literal / 2], literal % 2 == 1);
    }
    const auto first = scratch_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, scratch_.end());
    scratch_.erase(std::unique(first, scratch_.end()), scratch_.end());
    bodies_.push_back({begin, scratch_.size()});
  }

  void renumber_outputs() {
    for_each_output([&](Atom& atom) { atom = atom == nothing ? no_atom : final_[atom]; });
  }

  const Program& program_;
  Instantiation& instantiation_;
  base::LimitedSteps steps_;
  AtomId count_;
  Game game_;
  std::vector<AtomId> same_as_;  // by number: the possible atom of the same name, or nothing
  RawRules raw_;
  std::map<TermId, std::uint32_t> role_of_;
  std::map<TermId, Atom> fluent_of_;
  std::map<std::pair<std::uint32_t, TermId>, std::uint32_t> move_of_;
  std::vector<AtomId> inputs_;  // fluents, then moves, in their final order
  std::vector<bool> is_input_;
  base::Components component_;
  std::vector<std::uint32_t> first_in_component_;
  std::vector<AtomId> ordered_;  // by component
  std::vector<Fate> fate_;
  std::vector<bool> after_does_;
  std::vector<bool> dropped_;  // by rule
  std::vector<bool> needed_;
  std::vector<AtomId> numbered_;  // derived atoms in their final order
  std::vector<Atom> final_;
  std::vector<Literal> scratch_;  // bodies of the rules of one atom
  std::vector<Range> bodies_;
};

}  // namespace

Game assemble(const Program& program, Instantiation& instantiation) {
  return Assembler(program, instantiation).run();
}

}  // namespace zermelo::ground
