// Moves that read or overwrite half of the variables. A single move cannot be split into blocks,
// however many pairs of nodes a tuple has.
#pragma once

#include <vector>

#include "dd/conditions.h"
#include "dd/operations.h"
#include "dd/relation.h"

namespace zermelo::dd {

// Two halves of `half` variables with two values each.
class SingleMoves {
 public:
  explicit SingleMoves(std::size_t half) : half_(half), conditions_(Domains(2 * half, 2)) {}

  const Domains& domains() const { return conditions_.domains(); }

  // Sets the first half to 0. The image must still distinguish its values.
  Relation forgetting() {
    std::vector<Update> updates;
    for (std::size_t v = 0; v < half_; ++v) {
      updates.push_back({v, {Conditions::always, Conditions::never}});
    }
    return *Relation::of_updates(conditions_, Conditions::always, updates, 100'000);
  }
  // Copies the second half to the first, which the preimage has to guess.
  Relation copying() {
    std::vector<Update> updates;
    for (std::size_t v = 0; v < half_; ++v) {
      updates.push_back({v, {partner(v, 0), partner(v, 1)}});
    }
    return *Relation::of_updates(conditions_, Conditions::always, updates, 100'000);
  }

  // Both halves are equal.
  Diagram equal() {
    std::vector<Diagram> pairs;
    for (std::size_t v = 0; v < half_; ++v) {
      pairs.push_back(conditions_.diagram(
          *conditions_.if_then_else(conditions_.literal(v, {0}), partner(v, 0), partner(v, 1))));
    }
    return *intersection_of(pairs);
  }
  Diagram first_half_is_zero() {
    Conditions::Id all = Conditions::always;
    for (std::size_t v = half_; v-- > 0;) {
      all = *conditions_.both(conditions_.literal(v, {0}), all);
    }
    return conditions_.diagram(all);
  }
  Diagram last_is_one() { return conditions_.diagram(conditions_.literal(2 * half_ - 1, {1})); }

 private:
  Conditions::Id partner(std::size_t v, Value value) {
    return conditions_.literal(v + half_, {value});
  }

  std::size_t half_;
  Conditions conditions_;
};

}  // namespace zermelo::dd
