// Bounds the numbers that computed functions make, by the steps of the game.
//
// With (next (price ?new)) if (true (price ?old)) and (add ?old 1 ?new), grounding would never end:
// there is always a larger price. In the game there is not, because it ends after ten steps. So the
// fluents are found step by step, as in a planning graph (Blum, Furst: Fast planning through
// planning graph analysis, 1997). Layer t contains every fluent that can hold after t steps:
// conditions about fluents and moves hold if they can hold one by one, and negated ones are
// dropped. At the same time it is found what holds for certain after t steps, from the initial
// state by rules without moves and without negated conditions that can change. A step counter is
// such a fluent. The layers end when the end of the game is certain, or when a layer occurs again.
// Fluents of no layer hold in no state of the game. Each rule of `next` gets a condition that says
// so, and then the other passes and the grounding itself are finite.
//
// If there are too many instances in the layers, the numbers may be infinitely many, or be too many
// to be worth grounding. Then the rules are refused, and the reference engine plays them. Nothing
// is to be done for rules without functions that have results.
#include <algorithm>
#include <map>
#include <set>

#include "ground/passes.h"

namespace zermelo::ground {

namespace {

namespace keyword = gdl::keyword;
using LiteralKind = BodyLiteral::Kind;

// Instances of all layers together.
constexpr std::size_t most_layer_instances = 2'000'000;
constexpr std::size_t most_layers = 1'000;

// What is dynamic after the statics were evaluated: the heads of rules.
struct Dynamics {
  explicit Dynamics(const Program& program) : is_dynamic(program.predicates.size()) {
    for (const Rule& rule : program.rules) is_dynamic[rule.head] = true;
  }

  bool negates(const BodyLiteral& literal) const {
    return literal.kind == LiteralKind::negative && is_dynamic[literal.predicate];
  }

  std::vector<bool> is_dynamic;  // by predicate
};

// The rules of the program by their part in a step.
struct StepRules {
  std::vector<Rule> start;    // fluents from init
  std::vector<Rule> advance;  // fluents from next
  std::vector<Rule> step;     // what next and terminal need
};

bool is_head_of_interest(const Program& program, PredicateId predicate) {
  const Symbol word = program.predicates[predicate].keyword;
  return word == keyword::next || word == keyword::terminal;
}

// The predicates on which next and terminal depend.
std::vector<bool> needed_predicates(const Program& program) {
  std::vector<bool> needed(program.predicates.size());
  for (const Rule& rule : program.rules) {
    if (is_head_of_interest(program, rule.head)) needed[rule.head] = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : program.rules) {
      if (!needed[rule.head]) continue;
      for (const BodyLiteral& literal : rule.body) {
        if (literal.kind != LiteralKind::positive || needed[literal.predicate]) continue;
        needed[literal.predicate] = changed = true;
      }
    }
  }
  return needed;
}

// With `certain`, the rules whose heads hold for certain if their conditions do. Otherwise, the
// rules with the conditions that have to be possible.
StepRules step_rules(const Program& program, bool certain) {
  const Dynamics dynamics(program);
  const std::vector<bool> needed = needed_predicates(program);
  StepRules result;
  for (const Rule& rule : program.rules) {
    const auto negates = [&](const BodyLiteral& literal) { return dynamics.negates(literal); };
    if (program.predicates[rule.head].kind == Kind::fluent) {
      const Symbol from = program.predicates[rule.body.front().predicate].keyword;
      (from == keyword::init ? result.start : result.advance).push_back(rule);
    } else if (certain) {
      const bool is_move = program.predicates[rule.head].kind == Kind::does;
      const bool depends = std::any_of(rule.body.begin(), rule.body.end(), negates);
      if (!is_move && !depends) result.step.push_back(rule);
    } else if (needed[rule.head]) {
      result.step.push_back(rule);
      std::erase_if(result.step.back().body, negates);
    }
  }
  return result;
}

// The fluents of one layer after the other. The instantiation contains the current one.
class Layers {
 public:
  Layers(const Program& program, Instantiation& instantiation, bool certain)
      : program_(program), instantiation_(instantiation), rules_(step_rules(program, certain)) {
    instantiation_.add_relations(program);
  }

  base::Result<void> start() { return instantiation_.run(program_, rules_.start, false); }

  // Finds what follows from the fluents.
  base::Result<void> derive() {
    clear(rules_.step);
    return instantiation_.run(program_, rules_.step, false);
  }

  // Makes the next fluents the current ones.
  base::Result<void> advance() {
    clear(rules_.start);
    clear(rules_.advance);
    return instantiation_.run(program_, rules_.advance, false);
  }

  bool is_terminal() const {
    for (const Rule& rule : rules_.step) {
      const bool ends = program_.predicates[rule.head].keyword == keyword::terminal;
      if (ends && instantiation_.relations[rule.head].size() > 0) return true;
    }
    return false;
  }

  // Appends the rows of the fluents in a form that is equal for equal sets.
  void append_fluents(std::vector<TermId>& out) const {
    for (const PredicateId p : fluents()) {
      std::vector<std::vector<TermId>> rows;
      for_each_row(p, [&](const TermId* row) {
        rows.emplace_back(row, row + program_.predicates[p].arity);
      });
      std::sort(rows.begin(), rows.end());
      out.push_back(static_cast<TermId>(rows.size()));
      for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
    }
  }

  template <class Visit>
  void for_each_row(PredicateId predicate, Visit visit) const {
    const Relation& relation = instantiation_.relations[predicate];
    for (RowId row = 0; row < relation.size(); ++row) visit(relation.row(row));
  }

  void clear() {
    clear(rules_.start);
    clear(rules_.advance);
    clear(rules_.step);
  }

 private:
  void clear(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      instantiation_.relations[rule.head] = Relation(program_.predicates[rule.head].arity);
    }
  }

  std::set<PredicateId> fluents() const {
    std::set<PredicateId> result;
    for (const Rule& rule : rules_.start) result.insert(rule.head);
    for (const Rule& rule : rules_.advance) result.insert(rule.head);
    return result;
  }

  const Program& program_;
  Instantiation& instantiation_;
  StepRules rules_;
};

class NumberBounds {
 public:
  NumberBounds(Program& program, Instantiation& instantiation)
      : program_(program),
        instantiation_(instantiation),
        copy_(instantiation),
        possible_(program, instantiation, false),
        certain_(program, copy_, true) {
    for (const Rule& rule : program.rules) {
      if (program.predicates[rule.head].keyword == keyword::next) {
        reached_.try_emplace(rule.head, program.predicates[rule.head].arity);
      }
    }
  }

  base::Result<void> run() {
    const std::size_t before = instantiation_.instances();
    instantiation_.limit_instances(before + most_layer_instances);
    auto done = find_layers();
    const bool too_many = instantiation_.instances() > before + most_layer_instances;
    instantiation_.limit_instances(~std::size_t{0});
    possible_.clear();
    if (too_many) return tl::unexpected(too_many_numbers());
    if (done) restrict_next();
    return done;
  }

 private:
  base::Result<void> find_layers() {
    if (auto done = both([](Layers& layers) { return layers.start(); }); !done) return done;
    while (is_new_layer()) {
      if (layers_.size() > most_layers) return tl::unexpected(too_many_numbers());
      if (auto done = certain_.derive(); !done) return done;
      if (certain_.is_terminal()) return {};
      if (auto done = possible_.derive(); !done) return done;
      for (auto& [predicate, rows] : reached_) {
        possible_.for_each_row(predicate, [&](const TermId* row) { rows.add(row); });
      }
      if (auto done = both([](Layers& layers) { return layers.advance(); }); !done) return done;
    }
    return {};
  }

  template <class Work>
  base::Result<void> both(Work work) {
    if (auto done = work(possible_); !done) return done;
    return work(certain_);
  }

  bool is_new_layer() {
    std::vector<TermId> fluents;
    possible_.append_fluents(fluents);
    certain_.append_fluents(fluents);
    return layers_.insert(std::move(fluents)).second;
  }

  base::Error too_many_numbers() const {
    return {base::ErrorKind::not_applicable, "the rules compute too many numbers to be grounded: " +
                                                 std::to_string(instantiation_.instances()) +
                                                 " instances of rules after " +
                                                 std::to_string(layers_.size() - 1) + " steps"};
  }

  void restrict_next() {
    std::map<PredicateId, PredicateId> within;
    for (const auto& [predicate, rows] : reached_) {
      within[predicate] = program_.add_auxiliary(Kind::derived, rows.arity());
    }
    instantiation_.add_relations(program_);
    for (auto& [predicate, rows] : reached_) {
      instantiation_.relations[within[predicate]] = std::move(rows);
    }
    for (Rule& rule : program_.rules) {
      const auto found = within.find(rule.head);
      if (found == within.end()) continue;
      rule.body.push_back({LiteralKind::positive, found->second, rule.arguments});
    }
  }

  Program& program_;
  Instantiation& instantiation_;
  Instantiation copy_;  // of what is certain
  Layers possible_, certain_;
  std::map<PredicateId, Relation> reached_;  // by predicate of next
  std::set<std::vector<TermId>> layers_;
};

bool computes_results(const Program& program) {
  return std::any_of(program.rules.begin(), program.rules.end(), [](const Rule& rule) {
    return std::any_of(rule.body.begin(), rule.body.end(),
                       [](const BodyLiteral& literal) { return literal.has_result(); });
  });
}

}  // namespace

base::Result<void> bound_numbers(Program& program, Instantiation& instantiation) {
  if (!computes_results(program)) return {};
  return NumberBounds(program, instantiation).run();
}

}  // namespace zermelo::ground
