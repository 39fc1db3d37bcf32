// The best value over the successors, computed level by level.
//
// Above some level, a prefix of a state leads to a node of the states and, with the moves still
// possible, to a set of pairs (node of the relation, node of the successors' values). These form
// the tuple. Much of a set is redundant, and removing it keeps the number of tuples small:
//
// - if all states below are terminal, no pairs are needed; - if all states below have the same
// mover, a pair of the identity and an outcome is a move that
//   certainly reaches that outcome. Only the best of these counts, and pairs that can only lead to
//   an outcome no better are removed. The worst outcome is never needed: it is the default;
// - once the best outcome of all is certain, the search ends; - if the value is then the same for
// all states below, the child is that constant.
//
// The reduction treats 0, outside the states, as a don't-care value, which removes rows. Its result
// depends only on the values of the states, not on how they were computed: by induction from the
// bottom, a node is determined by the values below it.
//
// The numbers of states by value are computed from the number of paths that lead to each tuple,
// which fits a machine word if the number of states does.

#include "dd/best.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

#include "dd/count.h"
#include "dd/expand.h"
#include "dd/operations.h"
#include "dd/pairs.h"
#include "dd/upwards.h"

namespace zermelo::dd {

namespace {

// Summary of the states below a node.
struct Summary {
  static constexpr std::uint16_t none = 0, several = 0xffff;
  std::uint16_t terminal = none;  // the only outcome of the terminal states
  std::uint16_t mover = none;     // the only mover, plus 1

  static std::uint16_t joined(std::uint16_t a, std::uint16_t b) {
    if (a == none || a == b) return b;
    return b == none ? a : several;
  }
  void join(Summary other) {
    terminal = joined(terminal, other.terminal);
    mover = joined(mover, other.mover);
  }
};

std::uint16_t clipped(std::size_t number) {
  return static_cast<std::uint16_t>(std::min<std::size_t>(number, Summary::several));
}

// Requires every constant above the outcomes to have a mover.
std::vector<Summary> summaries_of_constants(const BestQuery& query) {
  std::vector<Summary> result(query.states.constants());
  for (NodeId c = 1; c <= query.outcomes && c < result.size(); ++c) result[c].terminal = clipped(c);
  for (std::size_t m = 0; m < query.movers.size(); ++m) {
    assert(query.movers[m].not_terminal < result.size());
    result[query.movers[m].not_terminal].mover = clipped(m + 1);
  }
  return result;
}

Passed<std::vector<Summary>> summaries_of(const BestQuery& query, const Options& options) {
  return values_upwards(
      query.states, summaries_of_constants(query), options,
      [&](std::size_t l, const NodeId* children, const std::vector<Summary>& below) {
        Summary summary;
        for (Value value = 0; value < query.states.domains()[l]; ++value) {
          summary.join(below[children[value]]);
        }
        return summary;
      });
}

struct PreparedBest {
  const BestQuery& query;
  Relation relation;
  std::vector<Summary> summaries;                // by node of the states
  std::vector<std::vector<std::uint32_t>> rank;  // by mover and outcome; 0 is the best
  std::optional<MemberCounts> members;           // if counts are requested and fit a machine word

  std::uint32_t worst() const { return query.outcomes - 1; }
  std::size_t mover_of(NodeId not_terminal) const {
    std::size_t m = 0;
    while (m < query.movers.size() && query.movers[m].not_terminal != not_terminal) ++m;
    assert(m < query.movers.size());
    return m;
  }
};

base::Result<PreparedBest> prepare(const BestQuery& query, const Options& options) {
  auto summaries = result_of(within_memory([&] { return summaries_of(query, options); }));
  if (!summaries) return tl::unexpected(summaries.error());
  PreparedBest prepared{query, query.relation, std::move(*summaries), {}, std::nullopt};
  for (const Mover& mover : query.movers) {
    assert(mover.order.size() == query.outcomes);
    auto& rank = prepared.rank.emplace_back(query.outcomes + 1, 0);
    for (std::uint32_t i = 0; i < query.outcomes; ++i) rank[mover.order[i]] = i;
  }
  if (!query.count) return prepared;
  auto members = count_members(query.states, options);
  if (!members) return tl::unexpected(members.error());
  prepared.members = std::move(*members);
  return prepared;
}

// The data of one level in plain arrays.
struct LevelView {
  const NodeId* states = nullptr;  // children, row by row
  const NodeId* values = nullptr;
  NodeId states_base = 0, values_base = 0;
  Value width = 0;
  // The steps of the relation by node and current value, including identity steps.
  std::vector<std::uint32_t> begins;
  std::vector<Relation::Step> steps;
  std::uint32_t max_steps = 1;  // of one node and value

  LevelView() = default;
  LevelView(const BestQuery& query, const Relation& relation, std::size_t l)
      : states(query.states.level(l).children.data()),
        values(query.next_values.level(l).children.data()),
        states_base(query.states.level(l).base),
        values_base(query.next_values.level(l).base),
        width(query.states.domains()[l]) {
    if (!relation.empty()) lay_out(relation.level(l));
  }

  void lay_out(const Relation::Level& level) {
    begins.reserve(level.width() * width + 1);
    for (NodeId node = 0; node < level.width(); ++node) {
      for (Value value = 0; value < width; ++value) {
        begins.push_back(static_cast<std::uint32_t>(steps.size()));
        if (level.is_identity(node)) {
          steps.push_back({value, level.after_identity(node)});
        } else {
          const auto some = level.steps(Relation::Side::current, node, value);
          steps.insert(steps.end(), some.begin(), some.end());
        }
        max_steps = std::max(max_steps, static_cast<std::uint32_t>(steps.size()) - begins.back());
      }
    }
    begins.push_back(static_cast<std::uint32_t>(steps.size()));
  }
};

template <class PairWord, bool count_paths>
class alignas(cache_lines) BestOperation {
 public:
  using Word = PairWord;
  static constexpr bool counted = count_paths;

  BestOperation(const PreparedBest& prepared, PairFormat format)
      : prepared_(&prepared), pairs_(format), counts_(prepared.query.outcomes + 1, 0) {}

  const std::vector<std::uint64_t>& counts() const { return counts_; }

  template <class Tuple, class Sink>
  void children(std::size_t l, const Tuple& tuple, Sink& sink) {
    view_level(l);
    words_.resize(std::max(words_.size(), 2 + std::size_t{tuple.length} * view_.max_steps));
    if (skips(l, tuple)) return sink.same_tuple(words_.data(), tuple.length);
    const auto node = static_cast<NodeId>(tuple.words[0]);
    const bool is_deeper = node < view_.states_base;
    const NodeId* row =
        is_deeper ? nullptr : view_.states + std::size_t{node - view_.states_base} * view_.width;
    for (Value value = 0; value < view_.width; ++value) {
      const NodeId state = is_deeper ? node : row[value];
      if (state == 0) {
        sink.constant(0);
      } else if (const NodeId constant = child(tuple, value, state); constant != 0) {
        if constexpr (counted) {
          counts_[constant] += tuple.multiplicity * prepared_->members->below(l + 1, state);
        }
        sink.constant(constant);
      } else {
        sink.tuple(words_.data(), end_);
      }
    }
  }

  template <class Tuple>
  NodeId value(const Tuple& tuple) {
    const NodeId outcome = outcome_of(tuple);
    if constexpr (counted) counts_[outcome] += tuple.multiplicity;
    return outcome;
  }

  void leave(std::size_t l) const {
    prepared_->query.states.release(l);
    prepared_->query.next_values.release(l);
  }

 private:
  static constexpr std::uint32_t unranked = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t no_level = std::numeric_limits<std::size_t>::max();

  template <class Tuple>
  bool skips(std::size_t l, const Tuple& tuple) {
    if (tuple.words[0] >= prepared_->query.states.level(l).base) return false;
    words_[0] = tuple.words[0];
    return pass_by(pairs_, prepared_->relation.level(l), prepared_->query.next_values.level(l).base,
                   {tuple.words + 1, tuple.length - 1}, &words_[1]);
  }

  void view_level(std::size_t l) {
    if (l == level_) return;
    level_ = l;
    view_ = LevelView(prepared_->query, prepared_->relation, l);
  }

  // Returns the outcome of all states below, or 0 with the tuple in words_.
  template <class Tuple>
  NodeId child(const Tuple& tuple, Value value, NodeId state) {
    const Summary below = prepared_->summaries[state];
    words_[0] = state;
    end_ = 1;
    if (below.mover == Summary::none) {
      return below.terminal == Summary::several ? 0 : below.terminal;
    }
    if (below.mover == Summary::several) {
      collect(tuple, value);
      sort_pairs();
      return 0;
    }
    const std::vector<std::uint32_t>& rank = prepared_->rank[below.mover - 1];
    const std::vector<NodeId>& order = prepared_->query.movers[below.mover - 1].order;
    const std::uint32_t certain = collect_ranked(tuple, value, rank.data());
    if (certain != unranked) {
      drop_no_better(rank, certain);
      words_[end_++] = pairs_.pair(0, order[certain]);
    }
    sort_pairs();
    return decided(below, order, certain);
  }

  void sort_pairs() {
    end_ = static_cast<std::size_t>(sort_unique(&words_[1], &words_[0] + end_) - &words_[0]);
  }

  NodeId decided(Summary below, const std::vector<NodeId>& order, std::uint32_t certain) const {
    const bool all_certain = end_ == 2 && certain != unranked;
    if (end_ > 1 && !all_certain) return 0;
    const NodeId outcome = all_certain ? order[certain] : order.back();
    return below.terminal == Summary::none || below.terminal == outcome ? outcome : 0;
  }

  template <class Tuple, class Follow>
  void for_each_pair(const Tuple& tuple, Value value, Follow follow) const {
    const LevelView& view = view_;
    for (std::uint32_t i = 1; i < tuple.length; ++i) {
      const NodeId node = pairs_.node(tuple.words[i]);
      const std::size_t at = std::size_t{pairs_.relation_node(tuple.words[i])} * view.width + value;
      const Relation::Step* const end = view.steps.data() + view.begins[at + 1];
      const Relation::Step* step = view.steps.data() + view.begins[at];
      if (node < view.values_base) {
        for (; step != end; ++step) follow(step->target, node);
      } else {
        const NodeId* const row = view.values + std::size_t{node - view.values_base} * view.width;
        for (; step != end; ++step) follow(step->target, row[step->value]);
      }
    }
  }

  template <class Tuple>
  void collect(const Tuple& tuple, Value value) {
    Word* out = &words_[1];
    for_each_pair(tuple, value, [&](NodeId target, NodeId node) {
      if (node != 0) *out++ = pairs_.pair(target, node);
    });
    end_ = static_cast<std::size_t>(out - words_.data());
  }

  // Removes certain outcomes and the worst outcome. Returns the rank of the best certain one.
  template <class Tuple>
  std::uint32_t collect_ranked(const Tuple& tuple, Value value, const std::uint32_t* rank) {
    std::uint32_t certain = unranked;
    const std::uint32_t worst = prepared_->worst();
    const NodeId outcomes = prepared_->query.outcomes;
    Word* out = &words_[1];
    for_each_pair(tuple, value, [&](NodeId target, NodeId node) {
      if (node == 0) return;
      if (node <= outcomes) {
        if (rank[node] == worst) return;
        if (target == 0) {
          certain = std::min(certain, rank[node]);
          return;
        }
      }
      *out++ = pairs_.pair(target, node);
    });
    end_ = static_cast<std::size_t>(out - words_.data());
    return certain;
  }

  void drop_no_better(const std::vector<std::uint32_t>& rank, std::uint32_t certain) {
    if (certain == 0) {
      end_ = 1;
      return;
    }
    const auto kept = std::remove_if(&words_[1], &words_[0] + end_, [&](Word word) {
      const NodeId node = pairs_.node(word);
      return node <= prepared_->query.outcomes && rank[node] >= certain;
    });
    end_ = static_cast<std::size_t>(kept - words_.data());
  }

  template <class Tuple>
  NodeId outcome_of(const Tuple& tuple) const {
    const NodeId state = static_cast<NodeId>(tuple.words[0]);
    if (state <= prepared_->query.outcomes) return state;
    const std::size_t mover = prepared_->mover_of(state);
    std::uint32_t best = prepared_->worst();
    for (std::uint32_t i = 1; i < tuple.length; ++i) {
      best = std::min(best, prepared_->rank[mover][pairs_.node(tuple.words[i])]);
    }
    return prepared_->query.movers[mover].order[best];
  }

  const PreparedBest* prepared_;
  Pairs<PairWord> pairs_;
  std::size_t level_ = no_level;  // of the view
  LevelView view_;
  std::vector<PairWord> words_;        // the tuple under construction,
  std::size_t end_ = 0;                // and its length
  std::vector<std::uint64_t> counts_;  // by outcome
};

struct Part {
  Diagram values;
  std::vector<mpz_class> counts;
};

template <class Operation>
Passed<Part> construct_part(const PreparedBest& prepared, PairFormat format,
                            const Options& options) {
  using Word = typename Operation::Word;
  const BestQuery& query = prepared.query;
  std::vector<Word> root = {query.states.root()};
  if (query.next_values.root() != 0 && !prepared.relation.empty()) {
    root.push_back(Pairs<Word>(format).pair(prepared.relation.root(), query.next_values.root()));
  }
  std::vector<Operation> workers(std::max(1u, options.threads), Operation(prepared, format));
  auto values = construct<Operation>(query.states.domains(), query.outcomes + 1, root, workers,
                                     Reduction::dont_care, options);
  if (!values) return tl::unexpected(values.error());
  Part part{std::move(*values), {}};
  if constexpr (Operation::counted) {
    part.counts.resize(query.outcomes + 1);
    for (const Operation& worker : workers) {
      for (NodeId c = 0; c <= query.outcomes; ++c) part.counts[c] += to_mpz(worker.counts()[c]);
    }
  }
  return part;
}

Passed<Part> construct_part(const PreparedBest& prepared, const Options& options) {
  const PairFormat format = PairFormat::of(prepared.relation, prepared.query.next_values);
  if (prepared.members) {
    return format.short_words
               ? construct_part<BestOperation<std::uint32_t, true>>(prepared, format, options)
               : construct_part<BestOperation<std::uint64_t, true>>(prepared, format, options);
  }
  return format.short_words
             ? construct_part<BestOperation<std::uint32_t, false>>(prepared, format, options)
             : construct_part<BestOperation<std::uint64_t, false>>(prepared, format, options);
}

// Combines two values to the better one for the mover. In terminal states both are equal.
base::Result<Diagram> better(const PreparedBest& prepared, const Diagram& a, const Diagram& b,
                             const Options& options) {
  const auto value = [&](std::span<const NodeId> c) {
    if (c[0] <= prepared.query.outcomes) return c[0];
    const auto& rank = prepared.rank[prepared.mover_of(c[0])];
    return rank[c[1]] <= rank[c[2]] ? c[1] : c[2];
  };
  return combine({prepared.query.states, a, b},
                 {prepared.query.outcomes + 1, value, {{0, 0, 0}}, Reduction::dont_care}, options);
}

base::Result<Part> solve(PreparedBest& prepared, const Options& options);

base::Result<Part> solve_in_halves(PreparedBest& prepared, const std::vector<Relation>& halves,
                                   const Options& options) {
  prepared.members = std::nullopt;
  std::optional<Diagram> values;
  for (const Relation& half : halves) {
    prepared.relation = half;
    auto part = solve(prepared, options);
    if (!part) return part;
    if (!values) {
      values = std::move(part->values);
      continue;
    }
    auto joined = better(prepared, *values, part->values, options);
    if (!joined) return tl::unexpected(joined.error());
    values = std::move(*joined);
  }
  return Part{std::move(*values), {}};
}

base::Result<Part> solve(PreparedBest& prepared, const Options& options) {
  auto part = construct_part(prepared, options);
  if (part || part.error() != Stop::tuple_too_long) return result_of(std::move(part));
  const auto halves = prepared.relation.halves(options);
  if (!halves) return tl::unexpected(halves.error());
  if (halves->empty()) return result_of(construct_part(prepared, any_length(options)));
  return solve_in_halves(prepared, *halves, options);
}

base::Result<std::vector<mpz_class>> count_by_value(const BestQuery& query, const Diagram& values,
                                                    const Options& options) {
  const auto value = [](std::span<const NodeId> c) { return c[0] == 0 ? 0 : c[1]; };
  const auto exact =
      combine({query.states, values}, {query.outcomes + 1, value, {{0, 0, 0}}}, options);
  if (!exact) return tl::unexpected(exact.error());
  auto counts = exact->counts(options);
  if (counts) (*counts)[0] = 0;
  return counts;
}

}  // namespace

base::Result<BestResult> best_over_successors(const BestQuery& query, const Options& options) {
  assert(query.outcomes > 0 && query.next_values.constants() == query.outcomes + 1);
  if (query.states.root() == 0) {
    return BestResult{Diagram::constant(query.states.domains(), query.outcomes + 1, 0),
                      std::vector<mpz_class>(query.count ? query.outcomes + 1 : 0)};
  }
  auto prepared = prepare(query, options);
  if (!prepared) return tl::unexpected(prepared.error());
  auto part = solve(*prepared, options);
  if (!part) return tl::unexpected(part.error());
  BestResult result{std::move(part->values), std::move(part->counts)};
  if (!query.count || !result.counts.empty()) return result;
  auto counts = count_by_value(query, result.values, options);
  if (!counts) return tl::unexpected(counts.error());
  result.counts = std::move(*counts);
  return result;
}

}  // namespace zermelo::dd
