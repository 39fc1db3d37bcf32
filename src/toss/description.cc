// Procedure ExistentialDescription of Kaiser and Stafiniak. A set of conjunctions of literals
// starts with the empty one. Repeatedly the conjunction and the literal are chosen whose
// conjunction has the best hit rank: of the tuples that satisfy it, existentially quantified, the
// share that lies in the relation to describe. The conjunction is then replaced by its extensions
// with the literal and with the negated literal. The search ends when conjunctions of hit rank 1
// cover the relation.
//
// The paper leaves open which variables a literal may have. Here each literal shares a variable
// with the relation's arguments or with the conjunction before it, and has at most one new
// variable. Of literals with the same rank the first is taken: relations in the order of the
// signature, positions of variables in ascending order. A conjunction that no literal improves is
// not extended.
#include "toss/description.h"

#include <algorithm>

#include "toss/expand.h"
#include "toss/query.h"

namespace zermelo::toss {
namespace {

struct Conjunction {
  std::vector<FormulaPtr> literals;
  std::vector<std::string> variables;  // bound ones
  TupleSet tuples;                     // that satisfy it, bound variables quantified
  double rank = 0;
};

// The best extension of a conjunction.
struct Extension {
  Conjunction with, without;  // the literal, and its negation
  double rank = -1;
};

class Search {
 public:
  Search(const Game& game, const Formula& formula, const Names& relations,
         const DescriptionOptions& options)
      : game_(game), theory_(game), options_(options) {
    const Names free = free_variables(formula);
    arguments_.assign(free.begin(), free.end());
    used_ = free;
    for (const RelationSymbol& symbol : game.signature.relations) {
      if (relations.count(symbol.name) > 0 && symbol.arity > 0) symbols_.push_back(symbol);
    }
    target_ = answers(formula);
  }

  std::optional<FormulaPtr> run() {
    open_.push_back(rated({}, {}));
    extensions_.emplace_back();
    for (std::size_t i = 0; i <= options_.max_extensions; ++i) {
      if (auto found = describing()) return found;
      if (!extend_best()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  const Structure& structure() const { return game_.start.structure; }

  TupleSet answers(const Formula& formula) const {
    return Query(theory_, formula, {}, arguments_).answers(structure());
  }

  Conjunction rated(std::vector<FormulaPtr> literals, std::vector<std::string> variables) const {
    Conjunction result{std::move(literals), std::move(variables), TupleSet(), 0};
    result.tuples = answers(*exists(result.variables, conjunction(result.literals)));
    const std::size_t missed = result.tuples.without(target_).size();
    const auto all = static_cast<double>(result.tuples.size());
    if (all > 0) result.rank = (all - static_cast<double>(missed)) / all;
    return result;
  }

  std::optional<FormulaPtr> describing() const {
    std::vector<FormulaPtr> parts;
    TupleSet covered(arguments_.size());
    for (const Conjunction& part : open_) {
      if (part.rank < 1 || part.tuples.without(covered).empty()) continue;
      covered = covered.united(part.tuples);
      parts.push_back(exists(part.variables, conjunction(part.literals)));
    }
    if (covered != target_) return std::nullopt;
    return disjunction(std::move(parts));
  }

  // Conjunctions of rank 1 describe a part already.
  bool extend_best() {
    std::size_t best = open_.size();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const bool finished = open_[i].rank == 1 || open_[i].literals.size() >= options_.max_literals;
      if (finished || open_[i].tuples.empty()) continue;
      if (!extensions_[i]) extensions_[i] = best_extension(open_[i]);
      if (extensions_[i]->rank <= open_[i].rank) continue;
      if (best == open_.size() || extensions_[i]->rank > extensions_[best]->rank) best = i;
    }
    if (best == open_.size()) return false;
    Extension extension = std::move(*extensions_[best]);
    open_[best] = std::move(extension.with);
    extensions_[best].reset();
    open_.push_back(std::move(extension.without));
    extensions_.emplace_back();
    return true;
  }

  Extension best_extension(const Conjunction& conjunction) {
    Extension best;
    Names used = used_;
    used.insert(conjunction.variables.begin(), conjunction.variables.end());
    std::vector<std::string> known = arguments_;
    known.insert(known.end(), conjunction.variables.begin(), conjunction.variables.end());
    const std::string added = fresh_name("y", used);
    for (const RelationSymbol& symbol : symbols_) {
      try_literals(conjunction, symbol, known, added, best);
    }
    return best;
  }

  // All ways to fill the relation's positions with known variables and at most one new.
  void try_literals(const Conjunction& conjunction, const RelationSymbol& symbol,
                    const std::vector<std::string>& known, const std::string& added,
                    Extension& best) {
    std::vector<std::size_t> choice(symbol.arity);  // known.size() stands for the new one
    for (;;) {
      std::vector<std::string> names;
      std::size_t fresh = 0;
      for (const std::size_t c : choice) {
        names.push_back(c < known.size() ? known[c] : added);
        fresh += c == known.size();
      }
      if (fresh < symbol.arity)
        try_literal(conjunction, atom(symbol.name, names), fresh, added, best);
      std::size_t at = symbol.arity;
      while (at > 0 && ++choice[at - 1] > known.size()) choice[--at] = 0;
      if (at == 0) return;
    }
  }

  void try_literal(const Conjunction& conjunction, const FormulaPtr& literal, std::size_t fresh,
                   const std::string& added, Extension& best) {
    std::vector<std::string> variables = conjunction.variables;
    if (fresh > 0) variables.push_back(added);
    Extension extension{rated(extended(conjunction, literal), variables),
                        rated(extended(conjunction, negation(literal)), variables), 0};
    extension.rank = std::max(extension.with.rank, extension.without.rank);
    if (extension.rank > best.rank) best = std::move(extension);
  }

  static std::vector<FormulaPtr> extended(const Conjunction& conjunction,
                                          const FormulaPtr& literal) {
    std::vector<FormulaPtr> result = conjunction.literals;
    result.push_back(literal);
    return result;
  }

  const Game& game_;
  Theory theory_;
  DescriptionOptions options_;
  std::vector<std::string> arguments_;
  Names used_;
  std::vector<RelationSymbol> symbols_;
  TupleSet target_;
  std::vector<Conjunction> open_;
  std::vector<std::optional<Extension>> extensions_;  // by conjunction, once computed
};

}  // namespace

std::optional<FormulaPtr> existential_description(const Game& game, const Formula& formula,
                                                  const Names& relations,
                                                  const DescriptionOptions& options) {
  return Search(game, formula, relations, options).run();
}

}  // namespace zermelo::toss
