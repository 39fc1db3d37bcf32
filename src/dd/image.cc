// The image of a set of states under a relation, by a subset construction level by level.
//
// Above some level, a prefix of a next state is compatible with some prefixes of moves and of
// current states: with a set of pairs (node of the relation, node of the states). The rest of the
// result depends only on that set and the node of the classes, so these form the tuple of the
// expansion. This is the subset construction for the product of two automata. A pair that accepts
// everything below makes the others redundant. The preimage is the same with the sides exchanged.
//
// If sets grow too long, the relation is split into two halves and the results are joined. A single
// move cannot be split and is processed with sets of any length.

#include "dd/image.h"

#include <cassert>
#include <utility>

#include "dd/expand.h"
#include "dd/operations.h"
#include "dd/pairs.h"

namespace zermelo::dd {

namespace {

// The data of a query, with the defaults filled in.
struct PreparedImage {
  Diagram states;
  Relation relation;
  std::vector<bool> members;
  Diagram classes;
  std::vector<std::uint8_t> alive;  // by node of states: whether it leads to a member
  Relation::Side side;              // the side that the result is about

  // The children in `states` of the level being expanded; 0 for those that lead to no member.
  std::vector<NodeId> living = {};
};

base::Result<PreparedImage> prepare(const ImageQuery& query, Relation::Side side,
                                    const Options& options) {
  const Diagram& states = query.states;
  std::vector<bool> members = query.members;
  assert(members.empty() || !members[0]);
  if (members.empty()) {
    members.assign(states.constants(), true);
    members[0] = false;
  }
  assert(members.size() == states.constants());
  auto alive = reaches(states, members, options);
  if (!alive) return tl::unexpected(alive.error());
  return PreparedImage{states,
                       query.relation,
                       std::move(members),
                       query.classes ? *query.classes : Diagram::constant(states.domains(), 2, 1),
                       std::move(*alive),
                       side};
}

template <class PairWord>
class alignas(cache_lines) ImageOperation {
 public:
  using Word = PairWord;
  static constexpr bool counted = false;

  ImageOperation(PreparedImage& query, PairFormat format) : query_(&query), pairs_(format) {}

  void enter(std::size_t l, Team& team) const {
    constexpr std::size_t block = 1 << 14;
    const NodeArray& children = query_->states.level(l).children;
    std::vector<NodeId>& living = query_->living;
    living.resize(std::max(living.size(), children.size()));
    team.run((children.size() + block - 1) / block, [&](unsigned, std::size_t task) {
      const std::size_t end = std::min(children.size(), (task + 1) * block);
      for (std::size_t i = task * block; i < end; ++i) {
        living[i] = query_->alive[children[i]] ? children[i] : 0;
      }
    });
  }

  template <class Tuple>
  void prefetch(std::size_t l, const Tuple& tuple) const {
    const NodeId base = query_->states.level(l).base;
    const Value values = query_->states.domains()[l];
    const NodeId* const living = query_->living.data();
    for (std::uint32_t i = 1; i < tuple.length; ++i) {
      const NodeId node = pairs_.node(tuple.words[i]);
      if (node >= base) __builtin_prefetch(&living[std::size_t{node - base} * values]);
    }
  }

  template <class Tuple, class Sink>
  void children(std::size_t l, const Tuple& tuple, Sink& sink) {
    const std::size_t max_steps = query_->relation.level(l).max_steps(query_->side);
    words_.resize(std::max(words_.size(), tuple.length * max_steps));
    if (skips(l, tuple)) return sink.same_tuple(words_.data(), tuple.length);
    const Value values = query_->states.domains()[l];
    for (Value value = 0; value < values; ++value) child(l, tuple, value, sink);
  }

  template <class Tuple>
  NodeId value(const Tuple& tuple) {
    return static_cast<NodeId>(tuple.words[0]);
  }

  void leave(std::size_t l) const {
    query_->states.release(l);
    query_->classes.release(l);
  }

 private:
  // Returns whether nothing depends on the level's variable. If so, words_ begins with the next
  // level's tuple.
  template <class Tuple>
  bool skips(std::size_t l, const Tuple& tuple) {
    if (tuple.words[0] >= query_->classes.level(l).base) return false;
    words_[0] = tuple.words[0];
    return pass_by(pairs_, query_->relation.level(l), query_->states.level(l).base,
                   {tuple.words + 1, tuple.length - 1}, &words_[1]);
  }

  template <class Tuple, class Sink>
  void child(std::size_t l, const Tuple& tuple, Value value, Sink& sink) {
    const NodeId in_class = query_->classes.child(l, static_cast<NodeId>(tuple.words[0]), value);
    if (in_class == 0) return sink.constant(0);
    words_[0] = in_class;
    Word* const pairs = &words_[1];
    bool accepted = false;
    Word* end = collect(l, tuple, value, pairs, accepted);
    if (accepted && in_class < query_->classes.constants()) return sink.constant(in_class);
    if (accepted) {
      pairs[0] = pairs_.pair(0, some_member());
      end = pairs + 1;
    }
    if (end == pairs) return sink.constant(0);
    end = sort_unique(pairs, end);
    sink.tuple(words_.data(), static_cast<std::size_t>(end - words_.data()));
  }

  // Writes the pairs and returns their end. Stops early at a pair that accepts everything below.
  template <class Tuple>
  Word* collect(std::size_t l, const Tuple& tuple, Value value, Word* out, bool& accepted) const {
    const Relation::Level& relation = query_->relation.level(l);
    const NodeId base = query_->states.level(l).base, constants = query_->states.constants();
    const Value values = query_->states.domains()[l];
    const NodeId* const living = query_->living.data();
    for (std::uint32_t i = 1; i < tuple.length && !accepted; ++i) {
      const NodeId node = pairs_.node(tuple.words[i]);
      const auto child = [&](Value at) {
        return node < base ? node : living[std::size_t{node - base} * values + at];
      };
      for_each_step(relation, query_->side, pairs_.relation_node(tuple.words[i]), value, child,
                    [&](NodeId target, NodeId to) {
                      *out = pairs_.pair(target, to);
                      out += to != 0;
                      accepted = accepted || (target == 0 && to != 0 && to < constants);
                    });
    }
    return out;
  }

  NodeId some_member() const {
    NodeId constant = 0;
    while (!query_->members[constant]) ++constant;
    return constant;
  }

  PreparedImage* query_;
  Pairs<PairWord> pairs_;
  std::vector<PairWord> words_;  // the tuple under construction, or more
};

template <class Word>
Passed<Diagram> construct_image(PreparedImage& query, PairFormat format, const Options& options) {
  const Word root[] = {query.classes.root(),
                       Pairs<Word>(format).pair(query.relation.root(), query.states.root())};
  return construct<ImageOperation<Word>>(query.states.domains(), query.classes.constants(), root,
                                         ImageOperation<Word>(query, format), Reduction::exact,
                                         options);
}

Passed<Diagram> construct_image(PreparedImage& query, const Options& options) {
  const PairFormat format = PairFormat::of(query.relation, query.states);
  return format.short_words ? construct_image<std::uint32_t>(query, format, options)
                            : construct_image<std::uint64_t>(query, format, options);
}

// If one operand is not 0, it is the class of the state.
base::Result<Diagram> join(const Diagram& a, const Diagram& b, const Options& options) {
  Combination larger{a.constants(), [](std::span<const NodeId> c) { return std::max(c[0], c[1]); }};
  for (NodeId c = 1; c < a.constants(); ++c) {
    larger.shortcuts.push_back({0, c, c});
    larger.shortcuts.push_back({1, c, c});
  }
  return combine({a, b}, larger, options);
}

base::Result<Diagram> find(PreparedImage& query, const Options& options) {
  const Diagram nothing = Diagram::constant(query.states.domains(), query.classes.constants(), 0);
  if (query.relation.empty() || !query.alive[query.states.root()] || query.classes.root() == 0) {
    return nothing;
  }
  auto passed = construct_image(query, options);
  if (passed || passed.error() != Stop::tuple_too_long) return result_of(std::move(passed));
  const auto halves = query.relation.halves(options);
  if (!halves) return tl::unexpected(halves.error());
  if (halves->empty()) return result_of(construct_image(query, any_length(options)));
  base::Result<Diagram> result = nothing;
  for (const Relation& half : *halves) {
    query.relation = half;
    const auto part = find(query, options);
    if (!part) return part;
    result = join(*result, *part, options);
    if (!result) return result;
  }
  return result;
}

base::Result<Diagram> find(const ImageQuery& query, Relation::Side side, const Options& options) {
  auto prepared = prepare(query, side, options);
  if (!prepared) return tl::unexpected(prepared.error());
  return find(*prepared, options);
}

}  // namespace

base::Result<Diagram> image(const ImageQuery& query, const Options& options) {
  return find(query, Relation::Side::next, options);
}

base::Result<Diagram> preimage(const ImageQuery& query, const Options& options) {
  return find(query, Relation::Side::current, options);
}

}  // namespace zermelo::dd
