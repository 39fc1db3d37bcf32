// Exact counts. One pass from the bottom up gives every node the number of assignments of the
// variables at and below its level that lead to the constant. An edge that skips levels counts
// once for each assignment of the variables it skips. The numbers are one or two machine words
// where the product of all domains fits, and arbitrarily long otherwise.

#include "dd/count.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

#include "dd/upwards.h"

namespace zermelo::dd {

mpz_class to_mpz(std::uint64_t number) { return mpz_class(static_cast<unsigned long>(number)); }

namespace {

__extension__ using Wide = unsigned __int128;

mpz_class to_mpz(Wide number) {
  return (dd::to_mpz(static_cast<std::uint64_t>(number >> 64)) << 64) +
         dd::to_mpz(static_cast<std::uint64_t>(number));
}

mpz_class to_mpz(const mpz_class& number) { return number; }
mpz_class to_mpz(std::uint64_t number) { return dd::to_mpz(number); }

// Which constants are counted together: by constant a number below `lanes`, or any other for none.
using Lane = std::function<std::size_t(NodeId)>;

template <class Number, std::size_t lanes>
class PathCounter {
 public:
  using Numbers = std::array<Number, lanes>;

  explicit PathCounter(const Diagram& diagram) : diagram_(diagram) {}

  // By node, from its own level on.
  std::vector<Numbers> numbers(const Lane& lane, unsigned threads) const {
    std::vector<Numbers> numbers(diagram_.ids(), Numbers{});
    for (NodeId c = 0; c < diagram_.constants(); ++c) {
      if (lane(c) < lanes) numbers[c][lane(c)] = 1;
    }
    for_each_row_upwards(diagram_, threads, [&](std::size_t l, NodeId id, const NodeId* children) {
      Numbers sum = {};
      for (Value value = 0; value < diagram_.domains()[l]; ++value) {
        add(l + 1, children[value], numbers, sum);
      }
      numbers[id] = sum;
    });
    return numbers;
  }

  // Adds what each assignment of the variables between l and the node contributes.
  void add(std::size_t l, NodeId id, const std::vector<Numbers>& numbers, Numbers& sum) const {
    const Numbers& below = numbers[id];
    if (std::all_of(below.begin(), below.end(), [](const Number& n) { return n == 0; })) return;
    Number skipped = 1;
    for (; l < diagram_.variables() && id < diagram_.level(l).base; ++l) {
      skipped *= diagram_.domains()[l];
    }
    for (std::size_t i = 0; i < lanes; ++i) sum[i] += skipped * below[i];
  }

  Numbers from_root(const std::vector<Numbers>& numbers) const {
    Numbers sum = {};
    add(0, diagram_.root(), numbers, sum);
    return sum;
  }

 private:
  const Diagram& diagram_;
};

std::size_t bits_of(const mpz_class& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

mpz_class assignments(const Diagram& diagram) {
  mpz_class all = 1;
  for (const Value domain : diagram.domains()) all *= domain;
  return all;
}

template <class Number, std::size_t lanes>
std::array<mpz_class, lanes> totals_in(const Diagram& diagram, const Lane& lane, unsigned threads) {
  const PathCounter<Number, lanes> counter(diagram);
  std::array<mpz_class, lanes> result;
  const auto totals = counter.from_root(counter.numbers(lane, threads));
  for (std::size_t i = 0; i < lanes; ++i) result[i] = to_mpz(totals[i]);
  return result;
}

// No number met on the way exceeds that of all assignments.
template <std::size_t lanes>
std::array<mpz_class, lanes> totals(const Diagram& diagram, const Lane& lane, unsigned threads) {
  const std::size_t bits = bits_of(assignments(diagram));
  if (bits <= 64) return totals_in<std::uint64_t, lanes>(diagram, lane, threads);
  if (bits <= 128) return totals_in<Wide, lanes>(diagram, lane, threads);
  return totals_in<mpz_class, lanes>(diagram, lane, threads);
}

std::size_t lane_of_members(NodeId constant) { return constant == 0 ? 1 : 0; }

}  // namespace

std::uint64_t MemberCounts::below(std::size_t l, NodeId id) const {
  std::array<std::uint64_t, 1> sum = {};
  PathCounter<std::uint64_t, 1>(diagram_).add(l, id, numbers_, sum);
  return sum[0];
}

std::optional<MemberCounts> count_members(const Diagram& diagram) {
  if (bits_of(totals<1>(diagram, lane_of_members, 1)[0]) > 64) return std::nullopt;
  MemberCounts counts(diagram);
  counts.numbers_ = PathCounter<std::uint64_t, 1>(diagram).numbers(lane_of_members, 1);
  return counts;
}

mpz_class Diagram::count(NodeId constant) const {
  assert(constant < constants());
  return totals<1>(
      *this, [&](NodeId c) { return c == constant ? 0 : 1; }, 1)[0];
}

// Two constants in one pass: most sets of states have two.
std::vector<mpz_class> Diagram::counts(unsigned threads) const {
  std::vector<mpz_class> result = {assignments(*this)};
  for (NodeId first = 1; first < constants(); first += 2) {
    const auto found = totals<2>(
        *this, [&](NodeId c) { return c - first; }, threads);
    for (std::size_t i = 0; i < 2 && first + i < constants(); ++i) {
      result.push_back(found[i]);
      result[0] -= found[i];
    }
  }
  return result;
}

}  // namespace zermelo::dd
