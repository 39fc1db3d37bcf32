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
#include <numeric>

#include "toss/expand.h"
#include "toss/query.h"

namespace zermelo::toss {
namespace {

constexpr std::size_t max_rows = 10'000;

struct Conjunction {
  std::vector<FormulaPtr> literals;
  std::vector<std::string> variables;  // bound ones
  TupleSet rows;                       // that satisfy it, over arguments and bound variables
  TupleSet tuples;                     // the arguments alone
  double rank = 0;
};

// A literal to extend a conjunction with: what stands at the relation's positions, by column of the
// conjunction's rows, or `fresh` for a new variable.
struct Literal {
  std::size_t relation = 0;
  std::vector<std::size_t> columns;
  std::size_t fresh = 0;
  bool has_fresh() const { return std::count(columns.begin(), columns.end(), fresh) > 0; }
};

struct Extension {
  Literal literal;
  double rank = -1;
};

// For the known positions of a literal: how many elements at the others make a tuple.
class Completions {
 public:
  Completions(const TupleSet& relation, const Literal& literal) {
    Columns known, others;
    for (std::size_t i = 0; i < literal.columns.size(); ++i) {
      (literal.columns[i] == literal.fresh ? others : known).push_back(i);
    }
    for (const std::size_t i : known) columns_.push_back(literal.columns[i]);
    TupleSet matching(relation.width());
    for (std::size_t i = 0; i < relation.size(); ++i) {
      const Tuple tuple = relation[i];
      const bool same = std::all_of(others.begin(), others.end(), [&](std::size_t other) {
        return tuple[other] == tuple[others[0]];
      });
      if (same) matching.insert(tuple);
    }
    const TupleSet projected = matching.project(known);
    keys_ = projected;
    counts_.resize(keys_.size());
    for (std::size_t i = 0; i < matching.size(); ++i) {
      std::vector<Element> key;
      for (const std::size_t column : known) key.push_back(matching[i][column]);
      ++counts_[keys_.range(key).first];
    }
  }

  std::size_t count(Tuple row) const {
    key_.clear();
    for (const std::size_t column : columns_) key_.push_back(row[column]);
    const auto [first, last] = keys_.range(key_);
    return first < last ? counts_[first] : 0;
  }

 private:
  using Columns = std::vector<std::size_t>;
  Columns columns_;
  TupleSet keys_;
  std::vector<std::size_t> counts_;
  mutable std::vector<Element> key_;
};

class Search {
 public:
  Search(const Game& game, const Formula& formula, const Names& relations,
         const DescriptionOptions& options)
      : game_(game), options_(options) {
    const Names free = free_variables(formula);
    arguments_.assign(free.begin(), free.end());
    for (std::size_t r = 0; r < game.signature.relations.size(); ++r) {
      const RelationSymbol& symbol = game.signature.relations[r];
      if (relations.count(symbol.name) > 0 && symbol.arity > 0) symbols_.push_back(r);
    }
    target_ = Query(Theory(game), formula, {}, arguments_).answers(structure());
  }

  std::optional<FormulaPtr> run() {
    Conjunction all;
    all.rows = Query(Theory(game_), *truth(true), {}, arguments_).answers(structure());
    add(std::move(all));
    for (std::size_t i = 0; i <= options_.max_extensions; ++i) {
      if (auto found = describing()) return found;
      if (!extend_best()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  const Structure& structure() const { return game_.start.structure; }

  // Computes the hit rank.
  void add(Conjunction conjunction) {
    std::vector<std::size_t> columns(arguments_.size());
    std::iota(columns.begin(), columns.end(), 0);
    conjunction.tuples = conjunction.rows.project(columns);
    const auto missed = static_cast<double>(conjunction.tuples.without(target_).size());
    const auto all = static_cast<double>(conjunction.tuples.size());
    conjunction.rank = all > 0 ? (all - missed) / all : 0;
    open_.push_back(std::move(conjunction));
    extensions_.emplace_back();
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
  bool can_extend(const Conjunction& conjunction) const {
    return conjunction.rank < 1 && conjunction.literals.size() < options_.max_literals &&
           !conjunction.rows.empty() && conjunction.rows.size() <= max_rows;
  }

  bool extend_best() {
    std::size_t best = open_.size();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (!can_extend(open_[i])) continue;
      if (!extensions_[i]) extensions_[i] = best_extension(open_[i]);
      if (extensions_[i]->rank <= open_[i].rank) continue;
      if (best == open_.size() || extensions_[i]->rank > extensions_[best]->rank) best = i;
    }
    if (best == open_.size()) return false;
    const auto place = static_cast<std::ptrdiff_t>(best);
    const Conjunction extended = open_[best];
    const Literal literal = extensions_[best]->literal;
    open_.erase(open_.begin() + place);
    extensions_.erase(extensions_.begin() + place);
    add(with_literal(extended, literal, true));
    add(with_literal(extended, literal, false));
    return true;
  }

  Extension best_extension(const Conjunction& conjunction) {
    Extension best;
    for (const std::size_t symbol : symbols_) {
      Literal literal{symbol, {}, arguments_.size() + conjunction.variables.size()};
      literal.columns.resize(game_.signature.relations[symbol].arity);
      do {
        const bool connected = literal.columns.size() >
                               static_cast<std::size_t>(std::count(
                                   literal.columns.begin(), literal.columns.end(), literal.fresh));
        if (!connected) continue;
        const double rank = rank_of(conjunction, literal);
        if (rank > best.rank) best = {literal, rank};
      } while (advance(literal));
    }
    return best;
  }

  // The next way to fill the positions.
  static bool advance(Literal& literal) {
    std::size_t at = literal.columns.size();
    while (at > 0 && ++literal.columns[at - 1] > literal.fresh) literal.columns[--at] = 0;
    return at > 0;
  }

  std::size_t possible(const Literal& literal) const {
    return literal.has_fresh() ? structure().universe().size() : 1;
  }

  // The better hit rank of the conjunction with the literal and with its negation.
  double rank_of(const Conjunction& conjunction, const Literal& literal) const {
    const Completions completions(structure().relation(literal.relation), literal);
    const std::size_t all = possible(literal);
    std::size_t hits[2] = {0, 0}, satisfied[2] = {0, 0};
    for (std::size_t i = 0; i < conjunction.rows.size();) {
      const Tuple argument = conjunction.rows[i].first(arguments_.size());
      bool found[2] = {false, false};
      for (; i < conjunction.rows.size() && is_prefix(argument, conjunction.rows[i]); ++i) {
        const std::size_t count = completions.count(conjunction.rows[i]);
        found[0] |= count > 0;
        found[1] |= count < all;
      }
      const bool hit = target_.contains(argument);
      for (int sign = 0; sign < 2; ++sign) {
        satisfied[sign] += found[sign];
        hits[sign] += found[sign] && hit;
      }
    }
    double rank = 0;
    for (int sign = 0; sign < 2; ++sign) {
      if (satisfied[sign] == 0) continue;
      rank = std::max(rank, static_cast<double>(hits[sign]) / static_cast<double>(satisfied[sign]));
    }
    return rank;
  }

  static bool is_prefix(Tuple prefix, Tuple row) {
    return std::equal(prefix.begin(), prefix.end(), row.begin());
  }

  Conjunction with_literal(const Conjunction& before, const Literal& literal, bool positive) const {
    Conjunction result{before.literals, before.variables, TupleSet(), TupleSet(), 0};
    if (literal.has_fresh()) {
      Names used(arguments_.begin(), arguments_.end());
      used.insert(before.variables.begin(), before.variables.end());
      result.variables.push_back(fresh_name("y", used));
    }
    std::vector<std::string> names = arguments_;
    names.insert(names.end(), result.variables.begin(), result.variables.end());
    std::vector<std::string> places;
    for (const std::size_t column : literal.columns) places.push_back(names[column]);
    const FormulaPtr added = atom(game_.signature.relations[literal.relation].name, places);
    result.literals.push_back(positive ? added : negation(added));
    std::vector<std::string> known(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(before.rows.width()));
    const std::vector<std::string> fresh(names.begin() + static_cast<std::ptrdiff_t>(known.size()),
                                         names.end());
    result.rows = Query(Theory(game_), *result.literals.back(), known, fresh)
                      .answers(structure(), before.rows);
    return result;
  }

  const Game& game_;
  DescriptionOptions options_;
  std::vector<std::string> arguments_;
  std::vector<std::size_t> symbols_;
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
