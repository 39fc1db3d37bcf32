// Random sets over a dozen variables, built in the same steps by BuDDy, by Conditions and by
// Diagram operations.

#include "dd/buddy.h"

#include <gtest/gtest.h>

#include "dd/random_diagrams.h"

namespace zermelo::dd {
namespace {

struct Triple {
  Conditions::Id condition;
  Diagram diagram;
  bdd oracle;
};

TEST(Buddy, AgreesOnRandomFormulas) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    base::Random random(seed);
    const Domains domains = random_domains(random, 12, 4);
    const Buddy buddy(domains);
    Conditions conditions(domains);
    std::vector<Triple> pool;
    for (std::size_t v = 0; v < domains.size(); ++v) {
      const Value value = random.below(domains[v]);
      const Conditions::Id id = conditions.literal(v, {value});
      pool.push_back({id, conditions.diagram(id), buddy.literal(v, value)});
    }
    for (unsigned step = 0; step < 40; ++step) {
      const auto any = [&] { return pool[random.below(static_cast<std::uint32_t>(pool.size()))]; };
      const Triple a = any(), b = any();
      const unsigned kind = random.below(4);
      if (kind == 0) {
        pool.push_back({*conditions.both(a.condition, b.condition),
                        *intersection_of({a.diagram, b.diagram}), a.oracle & b.oracle});
      } else if (kind == 1) {
        pool.push_back({*conditions.either(a.condition, b.condition),
                        *union_of({a.diagram, b.diagram}), a.oracle | b.oracle});
      } else if (kind == 2) {
        pool.push_back({*conditions.both(a.condition, *conditions.negation(b.condition)),
                        *difference(a.diagram, b.diagram), a.oracle - b.oracle});
      } else {
        pool.push_back({*conditions.negation(a.condition), *complement(a.diagram), !a.oracle});
      }
      const Triple& made = pool.back();
      EXPECT_EQ(conditions.diagram(made.condition), made.diagram);
      EXPECT_EQ(buddy.members(made.diagram), made.oracle & buddy.everything());
    }
  }
}

TEST(Buddy, AgreesOnProjections) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    base::Random random(seed);
    const Domains domains = random_domains(random, 6, 4);
    const Buddy buddy(domains);
    const Diagram set = random_diagram(random, domains, 2, 8);
    std::vector<std::size_t> gone;
    bdd blocks = bddtrue;
    for (std::size_t v = 0; v < domains.size(); ++v) {
      if (random.below(2) == 0) continue;
      gone.push_back(v);
      blocks &= fdd_ithset(static_cast<int>(2 * v));
    }
    EXPECT_EQ(buddy.members(*project(set, gone)),
              bdd_exist(buddy.members(set), blocks) & buddy.everything());
  }
}

}  // namespace
}  // namespace zermelo::dd
