// By arguments: variables are sorted by their arguments in every order of significance (columns
// before rows, rows before columns), each argument ascending or from the centre outwards, families
// mixed or one after the other. Variables without arguments, such as the control, come first.
//
// By occurrence: FORCE (Aloul, Markov and Sakallah, "FORCE: A Fast and Easy-To-Implement
// Variable-Ordering Heuristic", GLSVLSI 2003). Every set pulls its variables to its centre of
// gravity, and the variables are sorted by the mean of these centres. This is repeated as long as
// the spans of the sets get shorter.

#include "symbolic/variable_order_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace zermelo::symbolic {
namespace {

// Only the first arguments are permuted.
constexpr std::size_t max_permuted = 3;

class ByArguments {
 public:
  explicit ByArguments(const OrderProblem& problem) : variables_(problem.variables) {
    for (const OrderVariable& variable : variables_) {
      arity_ = std::max(arity_, variable.arguments.size());
      families_.insert(variable.family);
      for (std::size_t a = 0; a < variable.arguments.size(); ++a) note(variable, a);
    }
  }

  // Returns at least one candidate, whatever the limits.
  std::vector<OrderCandidate> all(const base::Limits& limits) const {
    std::vector<OrderCandidate> result;
    std::vector<std::size_t> significance(std::min(arity_, max_permuted));
    std::iota(significance.begin(), significance.end(), 0);
    do {
      for (unsigned centred = 0; centred < 1u << significance.size(); ++centred) {
        result.push_back(sorted(significance, centred, false));
        if (families_.size() > 1) result.push_back(sorted(significance, centred, true));
        if (limits.exceeded()) return result;
      }
    } while (std::next_permutation(significance.begin(), significance.end()));
    return result;
  }

 private:
  using Key = std::vector<std::size_t>;

  void note(const OrderVariable& variable, std::size_t argument) {
    if (counts_.size() <= variable.family) counts_.resize(variable.family + 1);
    auto& counts = counts_[variable.family];
    if (counts.size() <= argument) counts.resize(argument + 1, 0);
    counts[argument] = std::max(counts[argument], variable.arguments[argument] + 1);
  }

  // Ranks 0, 1, 2, 3, 4 become 4, 2, 0, 1, 3.
  static std::size_t from_centre(std::size_t place, std::size_t count) {
    const std::size_t middle = (count - 1) / 2;
    return place > middle ? 2 * (place - middle) - 1 : 2 * (middle - place);
  }

  Key key(const OrderVariable& variable, const std::vector<std::size_t>& significance,
          unsigned centred, bool by_family) const {
    Key key = {variable.arguments.empty() ? 0u : 1u};
    if (by_family) key.push_back(variable.family);
    for (const std::size_t a : significance) {
      if (a >= variable.arguments.size()) continue;
      const std::size_t place = variable.arguments[a];
      key.push_back(centred >> a & 1 ? from_centre(place, counts_[variable.family][a]) : place);
    }
    for (std::size_t a = significance.size(); a < variable.arguments.size(); ++a) {
      key.push_back(variable.arguments[a]);
    }
    key.push_back(variable.family);
    return key;
  }

  OrderCandidate sorted(const std::vector<std::size_t>& significance, unsigned centred,
                        bool by_family) const {
    std::vector<std::pair<Key, std::size_t>> keys;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      keys.emplace_back(key(variables_[v], significance, centred, by_family), v);
    }
    std::sort(keys.begin(), keys.end());
    OrderCandidate candidate;
    for (const auto& [k, v] : keys) candidate.order.push_back(v);
    std::vector<std::string> words;
    if (by_family) words.push_back("predicate");
    for (const std::size_t a : significance) {
      words.push_back(fmt::format("argument {}{}", a + 1, centred >> a & 1 ? " centre-out" : ""));
    }
    candidate.origin = words.empty() ? "as listed" : fmt::format("{}", fmt::join(words, ", "));
    return candidate;
  }

  const std::vector<OrderVariable>& variables_;
  std::size_t arity_ = 0;
  std::set<std::size_t> families_;
  std::vector<std::vector<std::size_t>> counts_;  // by family and argument, the number of ranks
};

// One round of FORCE.
Order pulled(const std::vector<std::vector<std::size_t>>& sets, const Order& order) {
  std::vector<double> place(order.size()), pull(order.size(), 0);
  std::vector<std::size_t> pulls(order.size(), 0);
  for (std::size_t level = 0; level < order.size(); ++level) {
    place[order[level]] = static_cast<double>(level);
  }
  for (const auto& set : sets) {
    double centre = 0;
    for (const std::size_t v : set) centre += place[v] / static_cast<double>(set.size());
    for (const std::size_t v : set) pull[v] += centre;
    for (const std::size_t v : set) ++pulls[v];
  }
  for (std::size_t v = 0; v < order.size(); ++v) {
    if (pulls[v] > 0) place[v] = pull[v] / static_cast<double>(pulls[v]);
  }
  Order result = order;
  std::stable_sort(result.begin(), result.end(),
                   [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  return result;
}

Order force(const std::vector<std::vector<std::size_t>>& sets, Order order,
            const base::Limits& limits) {
  constexpr int max_rounds = 100;
  double span = mean_span(sets, order);
  for (int round = 0; round < max_rounds && !limits.exceeded(); ++round) {
    Order next = pulled(sets, order);
    const double next_span = mean_span(sets, next);
    if (next_span >= span) break;
    order = std::move(next);
    span = next_span;
  }
  return order;
}

}  // namespace

std::vector<OrderCandidate> order_candidates(const OrderProblem& problem,
                                             const base::Limits& limits) {
  std::vector<OrderCandidate> all = ByArguments(problem).all(limits);
  auto sets = problem.moves;
  all.push_back({force(sets, all.front().order, limits), "FORCE on moves"});
  sets.insert(sets.end(), problem.conditions.begin(), problem.conditions.end());
  all.push_back({force(sets, all.front().order, limits), "FORCE on moves and conditions"});
  std::vector<OrderCandidate> different;
  std::set<Order> seen;
  for (OrderCandidate& candidate : all) {
    if (seen.insert(candidate.order).second) different.push_back(std::move(candidate));
  }
  return different;
}

}  // namespace zermelo::symbolic
