// Exact counts. One pass from the bottom up computes for every node the number of assignments of
// the variables at and below its level that lead to the constant. An edge that skips levels counts
// once for each assignment of the skipped variables. The numbers are one or two machine words if
// the product of all domains fits, and arbitrary-precision otherwise.

#include "dd/count.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <utility>

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

// Maps each constant to the lane that counts it; numbers not below `lanes` are not counted.
using Lane = std::function<std::size_t(NodeId)>;

template <class Number, std::size_t lanes>
class PathCounter {
 public:
  using Numbers = std::array<Number, lanes>;

  explicit PathCounter(const Diagram& diagram) : diagram_(diagram) {}

  // Returns the counts by node, from its own level on.
  Passed<std::vector<Numbers>> numbers(const Lane& lane, const Options& options) const {
    std::vector<Numbers> of_constants(diagram_.constants(), Numbers{});
    for (NodeId c = 0; c < diagram_.constants(); ++c) {
      if (lane(c) < lanes) of_constants[c][lane(c)] = 1;
    }
    return values_upwards(
        diagram_, std::move(of_constants), options,
        [&](std::size_t l, const NodeId* children, const std::vector<Numbers>& numbers) {
          Numbers sum = {};
          for (Value value = 0; value < diagram_.domains()[l]; ++value) {
            add(l + 1, children[value], numbers, sum);
          }
          return sum;
        });
  }

  // Adds the count of the node for each assignment of the variables between l and the node.
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

template <std::size_t lanes>
using Totals = std::array<mpz_class, lanes>;

template <class Number, std::size_t lanes>
Passed<Totals<lanes>> totals_in(const Diagram& diagram, const Lane& lane, const Options& options) {
  const PathCounter<Number, lanes> counter(diagram);
  const auto numbers = counter.numbers(lane, options);
  if (!numbers) return tl::unexpected(numbers.error());
  const auto from_root = counter.from_root(*numbers);
  Totals<lanes> result;
  for (std::size_t i = 0; i < lanes; ++i) result[i] = to_mpz(from_root[i]);
  return result;
}

// No intermediate number exceeds the number of all assignments.
template <std::size_t lanes>
Passed<Totals<lanes>> totals(const Diagram& diagram, const Lane& lane, const Options& options) {
  const std::size_t bits = bits_of(assignments(diagram));
  if (bits <= 64) return totals_in<std::uint64_t, lanes>(diagram, lane, options);
  if (bits <= 128) return totals_in<Wide, lanes>(diagram, lane, options);
  return totals_in<mpz_class, lanes>(diagram, lane, options);
}

// Counts two constants per pass, as most sets of states have two.
Passed<std::vector<mpz_class>> counts_of(const Diagram& diagram, const Options& options) {
  std::vector<mpz_class> result = {assignments(diagram)};
  for (NodeId first = 1; first < diagram.constants(); first += 2) {
    const auto found = totals<2>(
        diagram, [&](NodeId c) { return c - first; }, options);
    if (!found) return tl::unexpected(found.error());
    for (std::size_t i = 0; i < 2 && first + i < diagram.constants(); ++i) {
      result.push_back((*found)[i]);
      result[0] -= (*found)[i];
    }
  }
  return result;
}

std::size_t lane_of_members(NodeId constant) { return constant == 0 ? 1 : 0; }

Passed<bool> fit_a_word(const Diagram& diagram, const Options& options) {
  if (bits_of(assignments(diagram)) <= 64) return true;
  const auto members = totals<1>(diagram, lane_of_members, options);
  if (!members) return tl::unexpected(members.error());
  return bits_of((*members)[0]) <= 64;
}

// Returns nullopt if the numbers do not fit.
Passed<std::optional<MemberCounts::Numbers>> member_numbers(const Diagram& diagram,
                                                            const Options& options) {
  const auto fit = fit_a_word(diagram, options);
  if (!fit) return tl::unexpected(fit.error());
  if (!*fit) return std::nullopt;
  auto numbers = PathCounter<std::uint64_t, 1>(diagram).numbers(lane_of_members, options);
  if (!numbers) return tl::unexpected(numbers.error());
  return std::move(*numbers);
}

}  // namespace

template <class Number>
Number MemberCountsIn<Number>::below(std::size_t l, NodeId id) const {
  std::array<Number, 1> sum = {};
  PathCounter<Number, 1>(diagram_).add(l, id, numbers_, sum);
  return sum[0];
}
template class MemberCountsIn<std::uint64_t>;
template class MemberCountsIn<mpz_class>;

base::Result<std::optional<MemberCounts>> count_members(const Diagram& diagram,
                                                        const Options& options) {
  auto numbers = within_memory([&] { return member_numbers(diagram, options); });
  if (!numbers) return tl::unexpected(error_of(numbers.error()));
  if (!*numbers) return std::nullopt;
  return MemberCounts(diagram, std::move(**numbers));
}

base::Result<LongMemberCounts> count_many_members(const Diagram& diagram, const Options& options) {
  auto numbers = within_memory(
      [&] { return PathCounter<mpz_class, 1>(diagram).numbers(lane_of_members, options); });
  if (!numbers) return tl::unexpected(error_of(numbers.error()));
  return LongMemberCounts(diagram, std::move(*numbers));
}

mpz_class Diagram::count(NodeId constant) const {
  assert(constant < constants());
  const auto lane = [&](NodeId c) { return c == constant ? 0 : 1; };
  return (*totals<1>(*this, lane, {}))[0];
}

base::Result<std::vector<mpz_class>> Diagram::counts(const Options& options) const {
  return result_of(within_memory([&] { return counts_of(*this, options); }));
}

}  // namespace zermelo::dd
