// Exact counts. One pass from the bottom up gives every node the number of assignments of the
// variables at and below its level that lead to the constant. An edge that skips levels counts
// once for each assignment of the variables it skips. The numbers are machine words where the
// product of all domains fits into one, and arbitrarily long otherwise.

#include "dd/count.h"

#include <cassert>
#include <functional>

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

// Bases only shrink with depth, so the level is found by looking at the next ones in turn.
std::size_t level_from(const Diagram& diagram, std::size_t first, NodeId id) {
  while (first < diagram.variables() && id < diagram.level(first).base) ++first;
  return first;
}

template <class Number>
class PathCounter {
 public:
  explicit PathCounter(const Diagram& diagram) : diagram_(diagram) {}

  // By node, from its own level on. `wanted` says which constants count.
  std::vector<Number> numbers(const std::function<bool(NodeId)>& wanted) const {
    std::vector<Number> numbers(diagram_.ids(), Number(0));
    for (NodeId c = 0; c < diagram_.constants(); ++c) numbers[c] = wanted(c) ? 1 : 0;
    for (std::size_t l = diagram_.variables(); l-- > 0;) {
      const Diagram::Level& level = diagram_.level(l);
      const std::size_t width = diagram_.domains()[l];
      for (std::size_t i = 0; i < level.children.size(); ++i) {
        numbers[level.base + i / width] += from(l + 1, level.children[i], numbers);
      }
      diagram_.release(l);
    }
    return numbers;
  }

  // Counts each assignment of the variables between l and the node.
  Number from(std::size_t l, NodeId id, const std::vector<Number>& numbers) const {
    Number number = numbers[id];
    if (number == 0) return number;
    const std::size_t own = level_from(diagram_, l, id);
    for (; l < own; ++l) number *= diagram_.domains()[l];
    return number;
  }

  mpz_class total(const std::function<bool(NodeId)>& wanted) const {
    return to_mpz(from(0, diagram_.root(), numbers(wanted)));
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

// No number met on the way exceeds that of all assignments.
mpz_class total(const Diagram& diagram, const std::function<bool(NodeId)>& wanted) {
  const mpz_class all = assignments(diagram);
  if (bits_of(all) <= 64) return PathCounter<std::uint64_t>(diagram).total(wanted);
  if (bits_of(all) <= 128) return PathCounter<Wide>(diagram).total(wanted);
  return PathCounter<mpz_class>(diagram).total(wanted);
}

bool is_member(NodeId constant) { return constant != 0; }

}  // namespace

std::uint64_t MemberCounts::below(std::size_t l, NodeId id) const {
  return PathCounter<std::uint64_t>(diagram_).from(l, id, numbers_);
}

std::optional<MemberCounts> count_members(const Diagram& diagram) {
  if (bits_of(total(diagram, is_member)) > 64) return std::nullopt;
  MemberCounts counts(diagram);
  counts.numbers_ = PathCounter<std::uint64_t>(diagram).numbers(is_member);
  return counts;
}

mpz_class Diagram::count(NodeId constant) const {
  assert(constant < constants());
  return total(*this, [&](NodeId c) { return c == constant; });
}

std::vector<mpz_class> Diagram::counts() const {
  std::vector<mpz_class> result = {assignments(*this)};
  for (NodeId c = 1; c < constants(); ++c) {
    result.push_back(count(c));
    result[0] -= result[c];
  }
  return result;
}

}  // namespace zermelo::dd
