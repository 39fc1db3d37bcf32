#include "dd/relation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "dd/buddy.h"
#include "dd/image.h"
#include "dd/random_diagrams.h"
#include "dd/single_moves.h"

namespace zermelo::dd {
namespace {

Case random_case(base::Random& random, const Domains& domains) {
  Case result;
  for (std::size_t v = 0; v < domains.size(); ++v) {
    if (random.below(3) != 0) continue;
    Case::Touch touch{v, {}};
    for (Value value = 0; value < domains[v]; ++value) {
      if (random.below(2) == 0) touch.allowed.push_back(value);
    }
    if (random.below(4) != 0) touch.next = random.below(domains[v]);
    result.touched.push_back(touch);
  }
  std::reverse(result.touched.begin(), result.touched.end());
  return result;
}

class RandomRelations : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomRelations() : random_(GetParam()), domains_(random_domains(random_, 5, 4)) {
    for (unsigned i = random_.below(12); i-- > 0;) {
      cases_.push_back(random_case(random_, domains_));
    }
  }

  Relation relation(const std::vector<Case>& cases) const {
    return *Relation::of_cases(domains_, cases);
  }
  Diagram set() { return random_diagram(random_, domains_, 2, 1 + random_.below(8)); }

  base::Random random_;
  Domains domains_;
  std::vector<Case> cases_;
};

bool holds(const std::vector<Case>& cases, const std::vector<Value>& x,
           const std::vector<Value>& y) {
  return std::any_of(cases.begin(), cases.end(), [&](const Case& c) {
    std::vector<Value> result = x;
    for (const Case::Touch& touch : c.touched) {
      const auto& allowed = touch.allowed;
      if (!allowed.empty() &&
          std::find(allowed.begin(), allowed.end(), x[touch.variable]) == allowed.end()) {
        return false;
      }
      if (touch.next) result[touch.variable] = *touch.next;
    }
    return result == y;
  });
}

// Runs the automaton on the table of the given side.
bool accepts(const Relation& relation, Relation::Side side, const std::vector<Value>& x,
             const std::vector<Value>& y) {
  if (relation.empty()) return false;
  const auto& here = side == Relation::Side::current ? x : y;
  const auto& there = side == Relation::Side::current ? y : x;
  NodeId node = relation.root();
  for (std::size_t l = 0; l < x.size(); ++l) {
    const Relation::Level& level = relation.level(l);
    if (level.is_identity(node)) {
      if (x[l] != y[l]) return false;
      node = level.after_identity(node);
      continue;
    }
    const auto steps = level.steps(side, node, here[l]);
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [&](const Relation::Step& s) { return s.value == there[l]; });
    if (step == steps.end()) return false;
    node = step->target;
  }
  return true;
}

TEST_P(RandomRelations, HoldWhereACaseDoes) {
  const Relation all = relation(cases_);
  const auto assignments = all_assignments(domains_);
  for (unsigned i = 0; i < 2000; ++i) {
    const auto any = [&] {
      return assignments[random_.below(static_cast<std::uint32_t>(assignments.size()))];
    };
    const auto x = any();
    auto y = any();
    if (i % 2 == 0) {
      y = x;
      const std::size_t v = random_.below(static_cast<std::uint32_t>(domains_.size()));
      y[v] = random_.below(domains_[v]);
    }
    EXPECT_EQ(accepts(all, Relation::Side::current, x, y), holds(cases_, x, y));
    EXPECT_EQ(accepts(all, Relation::Side::next, x, y), holds(cases_, x, y));
  }
}

TEST_P(RandomRelations, ImageAndPreimageAreThoseOfBuddy) {
  const Buddy buddy(domains_);
  const Relation all = relation(cases_);
  const bdd oracle = buddy.relation(cases_);
  for (unsigned i = 0; i < 4; ++i) {
    const Diagram states = set();
    EXPECT_EQ(buddy.members(*image({states, all})), buddy.image(buddy.members(states), oracle));
    EXPECT_EQ(buddy.members(*preimage({states, all})),
              buddy.preimage(buddy.members(states), oracle));
  }
}

TEST_P(RandomRelations, Union) {
  const Buddy buddy(domains_);
  std::vector<Case> others;
  for (unsigned i = 0; i < 5; ++i) others.push_back(random_case(random_, domains_));
  const Relation a = relation(cases_), b = relation(others);
  const bdd oracle_a = buddy.relation(cases_), oracle_b = buddy.relation(others);
  const Diagram states = set();
  EXPECT_EQ(buddy.members(*image({states, *union_of({a, b})})),
            buddy.image(buddy.members(states), oracle_a | oracle_b));
}

TEST_P(RandomRelations, BlocksDoNotChangeTheResult) {
  const Relation all = relation(cases_);
  const Diagram states = set();
  Options options;
  options.longest_tuple = 3;
  const auto whole = image({states, all}), blocks = image({states, all}, options);
  ASSERT_TRUE(blocks) << blocks.error().message;
  EXPECT_EQ(*blocks, *whole);
  const auto backward = preimage({states, all}, options);
  ASSERT_TRUE(backward) << backward.error().message;
  EXPECT_EQ(*backward, *preimage({states, all}));
  const auto halves = all.halves();
  ASSERT_TRUE(halves);
  ASSERT_EQ(halves->size(), cases_.size() < 2 ? 0u : 2u);
  if (halves->empty()) return;
  EXPECT_EQ(*union_of({*image({states, (*halves)[0]}), *image({states, (*halves)[1]})}), *whole);
}

TEST_P(RandomRelations, ClassesAndMembers) {
  const Relation all = relation(cases_);
  const Diagram states = random_diagram(random_, domains_, 4, 6);
  const Diagram classes = random_diagram(random_, domains_, 3, 6);
  const Diagram chosen = *relabel(states, {0, 1, 0, 1}, 2);
  const auto inside = [](std::span<const NodeId> c) { return c[0] == 0 ? 0 : c[1]; };
  EXPECT_EQ(*image({states, all, {false, true, false, true}, classes}),
            *combine({*image({chosen, all}), classes}, {3, inside}));
}

// Moves defined by updates: a random guard, and random conditions for each new value.
class RandomUpdates : public RandomRelations {
 protected:
  struct Move {
    Conditions::Id guard;
    std::vector<Update> updates;
  };

  Conditions::Id random_condition() {
    Conditions::Id result = Conditions::never;
    for (unsigned i = 0; i < 3; ++i) {
      const auto v = random_.below(static_cast<std::uint32_t>(domains_.size()));
      const auto w = random_.below(static_cast<std::uint32_t>(domains_.size()));
      result = *conditions_.either(
          result, *conditions_.both(conditions_.literal(v, {random_.below(domains_[v])}),
                                    conditions_.literal(w, {random_.below(domains_[w])})));
    }
    return result;
  }

  Update random_update(std::size_t variable) {
    Update update{variable, {}};
    Conditions::Id rest = Conditions::always;
    for (Value value = 0; value + 1 < domains_[variable]; ++value) {
      const Conditions::Id chosen = random_condition();
      update.becomes.push_back(*conditions_.both(rest, chosen));
      rest = *conditions_.both(rest, *conditions_.negation(chosen));
    }
    update.becomes.push_back(rest);
    return update;
  }

  Move random_move() {
    Move move{*conditions_.negation(random_condition()), {}};
    for (std::size_t v = 0; v < domains_.size(); ++v) {
      if (random_.below(2) == 0) move.updates.push_back(random_update(v));
    }
    return move;
  }

  bool holds(Conditions::Id condition, const std::vector<Value>& x) {
    auto known = diagrams_.find(condition);
    if (known == diagrams_.end()) {
      known = diagrams_.emplace(condition, conditions_.diagram(condition)).first;
    }
    return known->second.evaluate(x) != 0;
  }

  std::optional<std::vector<Value>> made(const Move& move, const std::vector<Value>& x) {
    if (!holds(move.guard, x)) return std::nullopt;
    std::vector<Value> y = x;
    for (const Update& update : move.updates) {
      for (Value value = 0; value < update.becomes.size(); ++value) {
        if (holds(update.becomes[value], x)) y[update.variable] = value;
      }
    }
    return y;
  }

  Relation relation(const Move& move) {
    return *Relation::of_updates(conditions_, move.guard, move.updates, 100'000);
  }

  Conditions conditions_{domains_};
  std::map<Conditions::Id, Diagram> diagrams_;  // of conditions evaluated so far
};

TEST_P(RandomUpdates, MatchTheirDefinitionAloneJoinedAndInBlocks) {
  const std::vector<Move> moves = {random_move(), random_move(), random_move()};
  std::vector<Relation> relations;
  for (const Move& move : moves) relations.push_back(relation(move));
  const Relation all = *union_of(relations);
  const Diagram states = set();
  std::set<std::vector<Value>> reached, found;
  for (const auto& x : all_assignments(domains_)) {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      const auto y = made(moves[m], x);
      EXPECT_TRUE(!y || accepts(relations[m], Relation::Side::next, x, *y));
      if (y && states.evaluate(x) != 0) reached.insert(*y);
    }
  }
  image({states, all})->enumerate(1, [&](std::span<const Value> y) {
    found.emplace(y.begin(), y.end());
    return true;
  });
  EXPECT_EQ(found, reached);
  const auto halves = *all.halves();
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_EQ(*union_of({*image({states, halves[0]}), *image({states, halves[1]})}),
            *image({states, all}));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomUpdates, ::testing::Range(0u, 20u));

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRelations, ::testing::Range(0u, 20u));

TEST(Relation, AMoveCostsOnlyTheVariablesItTouches) {
  const Domains domains(200, 5);
  const Relation one = *Relation::of_cases(domains, {Case{{{7, {0}, 3}, {150, {1, 2}}}}});
  EXPECT_EQ(one.nodes(), 2u);
  EXPECT_EQ(one.widest(), 2u);
  const Relation nothing_moves = *Relation::of_cases(domains, {Case{}});
  EXPECT_EQ(nothing_moves.nodes(), 0u);
  EXPECT_FALSE(nothing_moves.empty());
  EXPECT_TRUE(Relation::of_cases(domains, {})->empty());
  EXPECT_EQ(Relation::nothing(domains).nodes(), 0u);
}

// One case is a prefix of another: neither may absorb the other.
TEST(Relation, CasesWithACommonPrefix) {
  const Domains domains = {2, 2};
  const Relation both =
      *Relation::of_cases(domains, {Case{{{0, {0}, 1}}}, Case{{{0, {0}, 1}, {1, {0}, 1}}}});
  const Diagram start = diagram_of(domains, 2, {1, 0, 0, 0});
  EXPECT_EQ(table_of(*image({start, both})), (std::vector<NodeId>{0, 0, 1, 1}));
}

// Ten conditions that wait for their effects: a deterministic automaton has a node for each subset.
TEST(Relation, ConditionsFarAboveTheirEffects) {
  constexpr std::size_t half = 10;
  base::Random random(5);
  const Domains domains(2 * half, 3);
  std::vector<Case> even, odd;
  for (std::size_t v = 0; v < half; ++v) {
    (v % 2 == 0 ? even : odd).push_back({{{v, {1}}, {v + half, {0, 2}, 1}}});
  }
  std::vector<Case> all = even;
  all.insert(all.end(), odd.begin(), odd.end());
  const Buddy buddy(domains);
  Conditions conditions(domains);
  Conditions::Id start = Conditions::never;
  for (unsigned i = 0; i < 4; ++i) {
    Conditions::Id cube = Conditions::always;
    for (std::size_t v = 0; v < domains.size(); ++v) {
      if (random.below(3) == 0) continue;
      cube = *conditions.both(cube, conditions.literal(v, {random.below(3), random.below(3)}));
    }
    start = *conditions.either(start, cube);
  }
  const Diagram states = conditions.diagram(start);
  const bdd from = buddy.members(states), oracle = buddy.relation(all);
  const Relation loose = *Relation::of_cases(domains, all);
  const Relation joined =
      *union_of({*Relation::of_cases(domains, even), *Relation::of_cases(domains, odd)});
  for (const Relation& relation : {loose, joined}) {
    EXPECT_LT(relation.widest(), 256u);
    EXPECT_EQ(buddy.members(*image({states, relation})), buddy.image(from, oracle));
    EXPECT_EQ(buddy.members(*preimage({states, relation})), buddy.preimage(from, oracle));
  }
}

// 8,192 pairs in a tuple, twice the limit above which moves are processed in blocks.
TEST(Relation, AnOverwritingMoveIsNotSplit) {
  SingleMoves moves(13);
  const Relation relation = moves.forgetting();
  ASSERT_TRUE(relation.halves()->empty());
  const auto found = image({moves.equal(), relation});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, moves.first_half_is_zero());
}

TEST(Relation, ACopyingMoveIsNotSplitInThePreimage) {
  SingleMoves moves(8);
  const Relation relation = moves.copying();
  ASSERT_TRUE(relation.halves()->empty());
  Options options;
  options.longest_tuple = 100;
  const auto found = preimage({moves.equal(), relation}, options);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, Diagram::constant(moves.domains(), 2, 1));
  EXPECT_EQ(*preimage({moves.last_is_one(), relation}, options), moves.last_is_one());
}

TEST(Relation, WideDomains) {
  const Domains domains = {1200, 2, 1000, 3};
  std::vector<Case> cases;
  for (Value v = 0; v + 1 < 1200; ++v) cases.push_back({{{0, {v}, v + 1}}});
  for (Value v = 0; v + 1 < 1000; ++v) cases.push_back({{{1, {0}, 1}, {2, {v}, v + 1}}});
  const Relation relation = *Relation::of_cases(domains, cases);
  Conditions conditions(domains);
  const Diagram start = conditions.diagram(
      *conditions.both(conditions.literal(0, {5, 700}),
                       *conditions.both(conditions.literal(1, {0}), conditions.literal(2, {10}))));
  const Diagram next = *image({start, relation});
  EXPECT_EQ(next.count(1), (2 + 2) * 3);
  EXPECT_EQ(next.evaluate({6, 0, 10, 2}), 1u);
  EXPECT_EQ(next.evaluate({700, 1, 11, 0}), 1u);
  EXPECT_EQ(*preimage({next, relation}), *union_of({*preimage({next, relation}), start}));
}

}  // namespace
}  // namespace zermelo::dd
