// Conditions on finite-domain variables: conjunctions (cubes) and disjunctions of them.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace zermelo::translate::sas {

// A variable has a value, or does not have it.
struct Condition {
  std::uint32_t variable = 0;
  std::uint32_t value : 31 = 0;
  std::uint32_t equal : 1 = true;

  Condition() = default;
  Condition(std::uint32_t of, std::uint32_t compared, bool same)
      : variable(of), value(compared & 0x7fffffffu), equal(same) {}

  // Ascending by variable, then by value.
  std::uint64_t key() const {
    return std::uint64_t{variable} << 32 | std::uint64_t{value} << 1 | equal;
  }
  bool operator==(const Condition& other) const { return key() == other.key(); }
  auto operator<=>(const Condition& other) const { return key() <=> other.key(); }
};

// All of some conditions, ascending. Empty: always. Most are short. The moves of the base class
// cannot fail either, but are not declared so: vectors of cubes would then copy them when they
// grow.
class Cube : public boost::container::small_vector<Condition, 4> {
  using Base = boost::container::small_vector<Condition, 4>;

 public:
  using Base::Base;
  Cube() = default;
  Cube(const Cube&) = default;
  Cube(Cube&& other) noexcept : Base(static_cast<Base&&>(other)) {}
  Cube& operator=(const Cube&) = default;
  Cube& operator=(Cube&& other) noexcept {
    Base::operator=(static_cast<Base&&>(other));
    return *this;
  }
  ~Cube() = default;

  bool operator==(const Cube& other) const {
    return size() == other.size() && std::equal(begin(), end(), other.begin());
  }
  auto operator<=>(const Cube& other) const {
    const std::size_t shorter = std::min(size(), other.size());
    const Condition *a = data(), *b = other.data();
    for (std::size_t i = 0; i < shorter; ++i) {
      if (a[i] != b[i]) return a[i] <=> b[i];
    }
    return size() <=> other.size();
  }
};
// Any of some cubes. Empty: never.
using Dnf = std::vector<Cube>;

template <class Predicate>
void erase_conditions(Cube& cube, Predicate predicate) {
  cube.erase(std::remove_if(cube.begin(), cube.end(), predicate), cube.end());
}

inline bool is_always(const Dnf& dnf) { return dnf.size() == 1 && dnf[0].empty(); }

// The number of values of every variable.
class Domains {
 public:
  std::uint32_t add(std::uint32_t values) {
    sizes_.push_back(values);
    return static_cast<std::uint32_t>(sizes_.size() - 1);
  }
  std::uint32_t size(std::uint32_t variable) const { return sizes_[variable]; }
  std::uint32_t variables() const { return static_cast<std::uint32_t>(sizes_.size()); }

  // Sorts and simplifies a cube: at most one `equal` per variable, and nothing beside it; where all
  // values but one are excluded, that one. False when the cube can never hold.
  bool normalise(Cube& cube) const;
  // Whether two normalised cubes never hold together.
  bool contradict(const Cube& cube, const Cube& known) const;
  // Drops what a cube that holds already says. False when they contradict each other. Both must be
  // normalised.
  bool restrict(Cube& cube, const Cube& known) const;
  // The negation, multiplied out, or nothing when it would have more than `most` cubes.
  std::optional<Dnf> negation(const Dnf& dnf, std::size_t most) const;

 private:
  std::size_t normalise_variable(Cube& cube, std::size_t begin, std::size_t end,
                                 std::size_t out) const;

  std::vector<std::uint32_t> sizes_;
};

// Sorts, and drops cubes that others cover.
void reduce(Dnf& dnf);

// The condition of a cube on a variable that names its value, or nothing.
std::optional<std::uint32_t> value_in(const Cube& cube, std::uint32_t variable);

}  // namespace zermelo::translate::sas
