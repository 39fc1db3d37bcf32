// The numbers solve linear equations: in every state of a few random games, the sum is the number
// of steps made. To keep the system small, values of the same kind have the same number: for
// example cell(2, 3, x) and cell(4, 1, x), because 2 and 3 are common to all values of the variable
// and are ignored. Arithmetic is modulo a prime far above any number of layers; sums that differ
// modulo the prime differ.
//
// Nothing is proved about the rules. The sums of all states of a layer are checked on its diagram
// in one pass upwards: all members below a node must have the same sum.

#include "symbolic/grading.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "base/random.h"
#include "dd/upwards.h"

namespace zermelo::symbolic {

namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 31) - 1;
using Row = std::vector<std::uint64_t>;  // coefficients, then the right side

std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t e = prime - 2; e > 0; e >>= 1, a = a * a % prime) {
    if (e & 1) result = result * a % prime;
  }
  return result;
}

// Linear equations modulo the prime, kept in echelon form.
class Equations {
 public:
  explicit Equations(std::size_t unknowns) : rows_(unknowns) {}

  // Returns false if the equation contradicts the others.
  bool add(Row row) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (row[i] == 0) continue;
      if (rows_[i].empty()) {
        scale(row, inverse(row[i]));
        rows_[i] = std::move(row);
        return true;
      }
      subtract(row, rows_[i], row[i]);
    }
    return row.back() == 0;
  }

  // Returns one solution; free unknowns are 0.
  std::vector<std::uint64_t> solve() const {
    std::vector<std::uint64_t> values(rows_.size(), 0);
    for (std::size_t i = rows_.size(); i-- > 0;) {
      if (rows_[i].empty()) continue;
      std::uint64_t value = rows_[i].back();
      for (std::size_t j = i + 1; j < rows_.size(); ++j) {
        value = (value + (prime - rows_[i][j]) * values[j]) % prime;
      }
      values[i] = value;
    }
    return values;
  }

 private:
  static void scale(Row& row, std::uint64_t factor) {
    for (std::uint64_t& x : row) x = x * factor % prime;
  }
  static void subtract(Row& row, const Row& other, std::uint64_t factor) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = (row[i] + (prime - factor) * other[i]) % prime;
    }
  }

  std::vector<Row> rows_;  // by leading unknown, or empty
};

// By variable and value, its kind.
class Kinds {
  using Words = std::vector<std::string>;

 public:
  Kinds(const ground::Game& game, const Encoding& encoding) {
    for (const Variable& variable : encoding.variables()) {
      std::vector<Words> names;
      for (const ground::Atom fluent : variable.fluents) {
        names.push_back(words_of(game.fluent_name(fluent)));
      }
      const std::vector<bool> is_common = common_words(names);
      std::vector<std::size_t>& kinds = kinds_.emplace_back();
      for (const Words& words : names) kinds.push_back(number(kind(words, is_common)));
      if (variable.may_be_none) kinds.push_back(number("none " + kind(names[0], is_common)));
    }
  }

  std::size_t size() const { return numbers_.size(); }
  std::size_t of(std::size_t variable, dd::Value value) const { return kinds_[variable][value]; }

 private:
  std::size_t number(const std::string& name) {
    return numbers_.try_emplace(name, numbers_.size()).first->second;
  }

  // By index, whether all names have the same word there.
  static std::vector<bool> common_words(const std::vector<Words>& names) {
    std::vector<bool> is_common(names[0].size(), true);
    for (const Words& words : names) {
      for (std::size_t i = 0; i < is_common.size(); ++i) {
        is_common[i] = is_common[i] && i < words.size() && words[i] == names[0][i];
      }
    }
    return is_common;
  }

  // The first word, and the words that are not common.
  static std::string kind(const Words& words, const std::vector<bool>& is_common) {
    std::string result = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
      result += i < is_common.size() && is_common[i] ? " _" : ' ' + words[i];
    }
    return result;
  }

  static Words words_of(const std::string& name) {
    Words words(1);
    for (const char c : name) {
      if (c == ' ' || c == '(' || c == ')') {
        if (!words.back().empty()) words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    return words;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> kinds_;
};

Row equation(const Encoding& encoding, const Kinds& kinds, const machine::State& state,
             std::size_t steps) {
  Row row(kinds.size() + 1, 0);
  const std::vector<dd::Value> assignment = encoding.assignment(state);
  for (std::size_t v = 0; v < assignment.size(); ++v) ++row[kinds.of(v, assignment[v])];
  row.back() = steps;
  return row;
}

bool random_move(machine::Cursor& cursor, std::size_t roles, base::Random& random) {
  std::vector<machine::Move> joint;
  for (std::size_t role = 0; role < roles && !cursor.terminal(); ++role) {
    const auto legal = cursor.legal(role);
    if (legal.empty()) return false;
    joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  if (joint.size() < roles) return false;
  cursor.make(joint);
  return true;
}

}  // namespace

std::optional<Grading> Grading::guess(std::shared_ptr<const machine::Machine> machine,
                                      const Encoding& encoding) {
  constexpr std::size_t max_kinds = 300, games = 12, max_steps = 200;
  const Kinds kinds(machine->game(), encoding);
  if (kinds.size() > max_kinds) return std::nullopt;
  Equations equations(kinds.size());
  base::Random random(1);
  for (std::size_t game = 0; game < games; ++game) {
    machine::Cursor cursor(machine);
    for (std::size_t steps = 0; steps < max_steps; ++steps) {
      if (!equations.add(equation(encoding, kinds, cursor.state(), steps))) return std::nullopt;
      if (!random_move(cursor, machine->roles().size(), random)) break;
    }
  }
  const std::vector<std::uint64_t> values = equations.solve();
  Numbers numbers;
  for (std::size_t v = 0; v < encoding.variables().size(); ++v) {
    auto& of_variable = numbers.emplace_back();
    for (dd::Value value = 0; value < encoding.variables()[v].values(); ++value) {
      of_variable.push_back(values[kinds.of(v, value)]);
    }
  }
  return Grading(std::move(numbers));
}

namespace {

// The sum of the members below each node, if it is the same for all of them.
class Sums {
 public:
  Sums(const dd::Diagram& layer, const std::vector<std::vector<std::uint64_t>>& numbers)
      : layer_(layer), numbers_(numbers) {}

  dd::Passed<bool> all_are(std::uint64_t number, const dd::Options& options) const {
    std::atomic<bool> differ = false;
    const auto sums =
        dd::values_upwards(layer_, ByNode(layer_.constants(), 0), options,
                           [&](std::size_t l, const dd::NodeId* children, const ByNode& below) {
                             const auto sum = of_row(l, children, below);
                             if (!sum) differ = true;
                             return sum.value_or(open);
                           });
    if (!sums) return tl::unexpected(sums.error());
    if (differ) return false;
    const auto sum = from(0, layer_.root(), *sums);
    return sum && *sum == number % prime;
  }

 private:
  using ByNode = std::vector<std::uint32_t>;  // the sum from its level on
  static constexpr std::uint32_t open = ~std::uint32_t{0};

  std::optional<std::uint32_t> of_row(std::size_t l, const dd::NodeId* children,
                                      const ByNode& sums) const {
    std::uint32_t own = open;
    for (dd::Value value = 0; value < layer_.domains()[l]; ++value) {
      if (children[value] == 0) continue;
      const auto below = from(l + 1, children[value], sums);
      if (!below) return std::nullopt;
      const std::uint32_t sum = plus(*below, numbers_[l][value]);
      if (own != open && own != sum) return std::nullopt;
      own = sum;
    }
    return own;
  }

  static std::uint32_t plus(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(a + b < prime ? a + b : a + b - prime);
  }

  // The sum from level l on of the members below a node that may be deeper. A skipped variable can
  // have any value, so all its values must have the same number.
  std::optional<std::uint32_t> from(std::size_t l, dd::NodeId id, const ByNode& sums) const {
    std::uint32_t sum = sums[id];
    for (; l < layer_.variables() && id < layer_.level(l).base; ++l) {
      const auto& of = numbers_[l];
      if (std::any_of(of.begin(), of.end(), [&](std::uint64_t x) { return x != of[0]; })) {
        return std::nullopt;
      }
      sum = plus(sum, of[0]);
    }
    return sum;
  }

  const dd::Diagram& layer_;
  const std::vector<std::vector<std::uint64_t>>& numbers_;
};

}  // namespace

base::Result<bool> Grading::holds(const dd::Diagram& layer, std::size_t number,
                                  const dd::Options& options) const {
  return dd::result_of(
      dd::within_memory([&] { return Sums(layer, numbers_).all_are(number, options); }));
}

}  // namespace zermelo::symbolic
