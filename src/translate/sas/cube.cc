#include "translate/sas/cube.h"

#include <algorithm>

namespace zermelo::translate::sas {

namespace {

constexpr std::size_t impossible = ~std::size_t{0};
constexpr std::size_t max_compared = 64;  // cubes that are searched for covered ones

// Whether every condition of `weaker` is one of `stronger`.
bool covers(const Cube& weaker, const Cube& stronger) {
  return weaker.size() <= stronger.size() &&
         std::includes(stronger.begin(), stronger.end(), weaker.begin(), weaker.end());
}

// Then none covers another, unless they are equal.
bool have_one_size(const Dnf& dnf) {
  return std::all_of(dnf.begin(), dnf.end(),
                     [&](const Cube& cube) { return cube.size() == dnf[0].size(); });
}

}  // namespace

// Writes what is left of the conditions [begin, end) on one variable to `out`; returns the end.
std::size_t Domains::normalise_variable(Cube& cube, std::size_t begin, std::size_t end,
                                        std::size_t out) const {
  const std::uint32_t variable = cube[begin].variable;
  const std::uint32_t values = size(variable);
  const auto first = cube.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = cube.begin() + static_cast<std::ptrdiff_t>(end);
  const auto equal = std::find_if(first, last, [](const Condition& c) { return c.equal; });
  if (equal != last) {
    const Condition wanted = *equal;
    const bool fits = wanted.value < values && std::all_of(first, last, [&](const Condition& c) {
                        return c.equal == (c.value == wanted.value);
                      });
    if (!fits) return impossible;
    cube[out] = wanted;
    return out + 1;
  }
  const std::size_t kept = out;
  for (std::size_t i = begin; i < end; ++i) {
    const Condition condition = cube[i];
    if (condition.value < values && (out == kept || cube[out - 1] != condition))
      cube[out++] = condition;
  }
  const std::size_t excluded = out - kept;
  if (excluded == values) return impossible;
  if (excluded + 1 < values || excluded == 0) return out;
  std::uint32_t left = 0;
  while (left < excluded && cube[kept + left].value == left) ++left;
  cube[kept] = {variable, left, true};
  return kept + 1;
}

bool Domains::normalise(Cube& cube) const {
  if (!std::is_sorted(cube.begin(), cube.end())) std::sort(cube.begin(), cube.end());
  std::size_t out = 0;
  for (std::size_t begin = 0; begin < cube.size();) {
    std::size_t end = begin + 1;
    while (end < cube.size() && cube[end].variable == cube[begin].variable) ++end;
    out = normalise_variable(cube, begin, end, out);
    if (out == impossible) return false;
    begin = end;
  }
  cube.resize(out);
  return true;
}

bool Domains::contradict(const Cube& cube, const Cube& known) const {
  auto place = known.begin();
  for (const Condition& condition : cube) {
    while (place != known.end() && place->variable < condition.variable) ++place;
    for (auto k = place; k != known.end() && k->variable == condition.variable; ++k) {
      const bool same = k->value == condition.value;
      if (k->equal ? same != condition.equal : same && condition.equal) return true;
    }
  }
  return false;
}

bool Domains::restrict(Cube& cube, const Cube& known) const {
  std::size_t out = 0;
  auto place = known.begin();
  for (const Condition condition : cube) {
    while (place != known.end() && place->variable < condition.variable) ++place;
    bool is_known = false;
    for (auto k = place; k != known.end() && k->variable == condition.variable; ++k) {
      const bool same = k->value == condition.value;
      if (k->equal ? same != condition.equal : same && condition.equal) return false;
      is_known |= k->equal || (same && !condition.equal);
    }
    if (!is_known) cube[out++] = condition;
  }
  cube.resize(out);
  return true;
}

std::optional<Dnf> Domains::negation(const Dnf& dnf, std::size_t most) const {
  Cube certain;  // the negations of cubes of one condition
  for (const Cube& cube : dnf) {
    if (cube.size() == 1) certain.push_back({cube[0].variable, cube[0].value, !cube[0].equal});
  }
  if (!normalise(certain)) return Dnf{};
  Dnf result = {std::move(certain)};
  for (const Cube& cube : dnf) {
    if (cube.size() == 1) continue;
    Dnf product;
    for (const Cube& before : result) {
      for (const Condition& condition : cube) {
        Cube longer = before;
        longer.push_back({condition.variable, condition.value, !condition.equal});
        if (normalise(longer)) product.push_back(std::move(longer));
      }
    }
    reduce(product);
    if (product.size() > most) return std::nullopt;
    result = std::move(product);
  }
  return result;
}

void reduce(Dnf& dnf) {
  if (dnf.size() < 2) return;
  if (!std::is_sorted(dnf.begin(), dnf.end())) std::sort(dnf.begin(), dnf.end());
  dnf.erase(std::unique(dnf.begin(), dnf.end()), dnf.end());
  if (dnf[0].empty()) dnf.resize(1);
  if (dnf.size() > max_compared || have_one_size(dnf)) return;
  std::vector<bool> is_covered;
  for (const Cube& cube : dnf) {
    is_covered.push_back(std::any_of(dnf.begin(), dnf.end(), [&](const Cube& other) {
      return other.size() < cube.size() && covers(other, cube);
    }));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dnf.size(); ++i) {
    if (!is_covered[i] && kept++ != i) dnf[kept - 1] = std::move(dnf[i]);
  }
  dnf.resize(kept);
}

std::optional<std::uint32_t> value_in(const Cube& cube, std::uint32_t variable) {
  const auto place = std::lower_bound(cube.begin(), cube.end(), Condition{variable, 0, false});
  for (auto c = place; c != cube.end() && c->variable == variable; ++c) {
    if (c->equal) return c->value;
  }
  return std::nullopt;
}

}  // namespace zermelo::translate::sas
