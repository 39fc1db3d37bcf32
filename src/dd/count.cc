// Exact counts. One pass from the bottom up gives every node the number of assignments of the
// variables at and below its level that lead to the constant. An edge that skips levels counts
// once for each assignment of the variables it skips. The numbers are machine words where the
// product of all domains fits into one, and arbitrarily long otherwise.

#include <cassert>

#include "dd/diagram.h"

namespace zermelo::dd {

namespace {

__extension__ using Wide = unsigned __int128;

mpz_class to_mpz(std::uint64_t number) { return mpz_class(static_cast<unsigned long>(number)); }

mpz_class to_mpz(Wide number) {
  return (to_mpz(static_cast<std::uint64_t>(number >> 64)) << 64) +
         to_mpz(static_cast<std::uint64_t>(number));
}

mpz_class to_mpz(const mpz_class& number) { return number; }

// By level l, the number of assignments of the variables from l on.
template <class Number>
std::vector<Number> assignments_from(const Domains& domains) {
  std::vector<Number> product(domains.size() + 1, Number(1));
  for (std::size_t l = domains.size(); l-- > 0;) product[l] = product[l + 1] * domains[l];
  return product;
}

// Bases only shrink with depth, so the level is found by looking at the next ones in turn.
std::size_t level_from(const Diagram& diagram, std::size_t first, NodeId id) {
  while (first < diagram.variables() && id < diagram.level(first).base) ++first;
  return first;
}

template <class Number>
mpz_class count_paths(const Diagram& diagram, NodeId constant) {
  const std::vector<Number> below = assignments_from<Number>(diagram.domains());
  std::vector<Number> number(diagram.ids(), Number(0));
  number[constant] = 1;
  const auto seen_from = [&](std::size_t l, NodeId id) -> Number {
    const std::size_t own = level_from(diagram, l, id);
    if (own == l) return number[id];
    return number[id] * Number(below[l] / below[own]);
  };
  for (std::size_t l = diagram.variables(); l-- > 0;) {
    const Diagram::Level& level = diagram.level(l);
    const std::size_t width = diagram.domains()[l];
    for (std::size_t row = 0; row < diagram.nodes_at(l); ++row) {
      Number& sum = number[level.base + row];
      for (std::size_t i = 0; i < width; ++i) {
        const NodeId child = level.children[row * width + i];
        if (child != 0 || constant == 0) sum += seen_from(l + 1, child);
      }
    }
  }
  return to_mpz(seen_from(0, diagram.root()));
}

}  // namespace

mpz_class Diagram::count(NodeId constant) const {
  assert(constant < constants());
  const mpz_class all = assignments_from<mpz_class>(domains())[0];
  const std::size_t bits = mpz_sizeinbase(all.get_mpz_t(), 2);
  if (bits <= 64) return count_paths<std::uint64_t>(*this, constant);
  if (bits <= 128) return count_paths<Wide>(*this, constant);
  return count_paths<mpz_class>(*this, constant);
}

std::vector<mpz_class> Diagram::counts() const {
  std::vector<mpz_class> result;
  for (NodeId c = 0; c < constants(); ++c) result.push_back(count(c));
  return result;
}

}  // namespace zermelo::dd
