// Models and games: Theorem 1 of the paper, both ways.
#include "know/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/random.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::know {
namespace {

Model random_model(std::uint64_t seed) {
  base::Random random(seed);
  Model model;
  const std::uint32_t agents = 1 + random.below(3), worlds = 1 + random.below(8);
  for (std::uint32_t a = 0; a < agents; ++a) model.agents.push_back("agent" + std::to_string(a));
  for (std::uint32_t w = 0; w < worlds; ++w) {
    model.worlds.push_back("w" + std::to_string(w));
    std::vector<std::string>& atoms = model.valuation.emplace_back();
    for (const char* atom : {"(at 1 2)", "(step 0)", "p", "q"}) {
      if (random.below(2) == 0) atoms.emplace_back(atom);
    }
  }
  for (std::uint32_t a = 0; a < agents; ++a) {
    std::vector<std::uint32_t>& classes = model.class_of.emplace_back();
    for (std::uint32_t w = 0; w < worlds; ++w) classes.push_back(random.below(worlds));
  }
  return model;
}

bool same_relations(const Model& a, const Model& b, const std::vector<std::size_t>& image) {
  for (std::size_t v = 0; v < image.size(); ++v) {
    if (a.valuation[v] != b.valuation[image[v]]) return false;
    for (std::size_t w = 0; w < v; ++w) {
      for (std::size_t i = 0; i < a.agents.size(); ++i) {
        if ((a.class_of[i][v] == a.class_of[i][w]) !=
            (b.class_of[i][image[v]] == b.class_of[i][image[w]]))
          return false;
      }
    }
  }
  return true;
}

// Tries all bijections, world by world.
bool extends(const Model& a, const Model& b, std::vector<std::size_t>& image,
             std::vector<bool>& used) {
  if (!same_relations(a, b, image)) return false;
  if (image.size() == a.worlds.size()) return true;
  for (std::size_t w = 0; w < b.worlds.size(); ++w) {
    if (used[w]) continue;
    used[w] = true;
    image.push_back(w);
    if (extends(a, b, image, used)) return true;
    image.pop_back();
    used[w] = false;
  }
  return false;
}

bool isomorphic(const Model& a, const Model& b) {
  if (a.agents != b.agents || a.worlds.size() != b.worlds.size()) return false;
  std::vector<std::size_t> image;
  std::vector<bool> used(b.worlds.size());
  return extends(a, b, image, used);
}

// The coarsest bisimulation over both models, by refining colours: every world of one model has a
// partner in the other.
bool bisimilar(const Model& a, const Model& b) {
  if (a.agents != b.agents) return false;
  const Model* models[] = {&a, &b};
  std::vector<std::vector<std::size_t>> colour(2);
  std::map<std::vector<std::string>, std::size_t> first;
  for (int m = 0; m < 2; ++m) {
    for (const auto& atoms : models[m]->valuation)
      colour[m].push_back(first.try_emplace(atoms, first.size()).first->second);
  }
  for (std::size_t step = 0; step < a.worlds.size() + b.worlds.size(); ++step) {
    std::map<std::vector<std::set<std::size_t>>, std::size_t> numbers;
    std::vector<std::vector<std::size_t>> next(2);
    for (int m = 0; m < 2; ++m) {
      for (std::size_t v = 0; v < models[m]->worlds.size(); ++v) {
        std::vector<std::set<std::size_t>> signature = {{colour[m][v]}};
        for (const auto& classes : models[m]->class_of) {
          std::set<std::size_t>& seen = signature.emplace_back();
          for (std::size_t w = 0; w < classes.size(); ++w) {
            if (classes[w] == classes[v]) seen.insert(colour[m][w]);
          }
        }
        next[m].push_back(numbers.try_emplace(signature, numbers.size()).first->second);
      }
    }
    colour = std::move(next);
  }
  const std::set<std::size_t> of_a(colour[0].begin(), colour[0].end());
  const std::set<std::size_t> of_b(colour[1].begin(), colour[1].end());
  return of_a == of_b;
}

Model first_round(const std::string& rules, bool merge) {
  Developments developments(testing::from_text(rules), {merge, {}});
  EXPECT_TRUE(developments.advance().value());
  return model_of(developments);
}

TEST(Models, ArisesFromTheirGames) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Model model = random_model(seed);
    const auto rules = to_game(model);
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_TRUE(isomorphic(model, first_round(*rules, false))) << seed << "\n" << *rules;
    EXPECT_TRUE(bisimilar(model, first_round(*rules, true))) << seed << "\n" << *rules;
  }
}

// The tests above can fail.
TEST(Models, AreToldApart) {
  std::size_t different = 0, not_bisimilar = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Model model = random_model(seed);
    Model changed = model;
    std::vector<std::string>& atoms = changed.valuation[seed % changed.worlds.size()];
    if (atoms.empty()) {
      atoms.push_back("p");
    } else {
      atoms.pop_back();
    }
    different += isomorphic(model, changed) ? 0 : 1;
    not_bisimilar += bisimilar(model, changed) ? 0 : 1;
  }
  EXPECT_EQ(different, 150u);
  EXPECT_GT(not_bisimilar, 100u);
}

TEST(Models, OfRoundsBecomeGamesAgain) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Developments developments(testing::from_text(testing::random_hidden_game(seed)), {});
    while (developments.last().worlds.size() < 12 && developments.advance().value()) {
      if (developments.last().worlds.size() > 40) break;
      const Model model = model_of(developments);
      const auto rules = to_game(model);
      ASSERT_TRUE(rules) << rules.error().message;
      EXPECT_TRUE(bisimilar(model, first_round(*rules, false))) << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20u);
}

TEST(Models, WithBadNamesAreRefused) {
  const Model good{{"a"}, {"w"}, {{"p"}}, {{0}}};
  EXPECT_TRUE(to_game(good));
  Model model = good;
  model.agents = {"random"};
  EXPECT_FALSE(to_game(model));
  model = good;
  model.worlds = {"w w"};
  EXPECT_FALSE(to_game(model));
  model = good;
  model.valuation = {{"(p"}};
  EXPECT_FALSE(to_game(model));
  EXPECT_FALSE(to_game(Model{}));
  model = {{"a"}, {"w", "W"}, {{}, {}}, {{0, 0}}};
  EXPECT_EQ(to_game(model).error().message, "world \"W\" occurs twice");
}

TEST(Models, AreKnowledgeStructures) {
  const Model model{{"alice", "the_bob"}, {"v", "w"}, {{"p"}, {}}, {{0, 0}, {0, 1}}};
  EXPECT_EQ(to_smcdel(model),
            "-- 1: p\nVARS 1,2,3\nLAW ((1 & ~ 2 & ~ 3)\n    | (~ 1 & ~ 2 & 3))\n"
            "OBS alice: 2\n    agent2: 3\n");
}

}  // namespace
}  // namespace zermelo::know
