// Rounds: merged against unmerged, and both against the reference engine.
#include "know/developments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.h"
#include "know/entailment.h"
#include "know/game_atoms.h"
#include "machine/perft.h"
#include "reference/reference.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::know {
namespace {

constexpr std::size_t most_worlds = 3000;

// ---- The obvious way: all developments on the reference engine, with histories as text.

struct PlainDevelopment {
  reference::Reference::State state;
  std::vector<std::string> seen;  // by agent: everything it has seen and done
};

class PlainDevelopments {
 public:
  explicit PlainDevelopments(const std::string& rules)
      : engine_(reference::Reference::make(testing::rulesheet(rules)).value()) {
    for (std::size_t r = 0; r < engine_.roles().size(); ++r) {
      if (engine_.roles()[r] != base::random_role) agents_.push_back(r);
    }
    last_.push_back({engine_.initial_state(), std::vector<std::string>(agents_.size())});
  }

  void advance() {
    std::vector<PlainDevelopment> next;
    for (const PlainDevelopment& one : last_) {
      if (engine_.terminal(one.state)) continue;
      std::vector<std::vector<base::Move>> legal;
      for (std::size_t r = 0; r < engine_.roles().size(); ++r)
        legal.push_back(engine_.legal_moves(one.state, r));
      machine::for_each_joint_move(legal, [&](std::span<const base::Move> joint) {
        PlainDevelopment longer{engine_.next_state(one.state, joint), one.seen};
        for (std::size_t a = 0; a < agents_.size(); ++a) {
          longer.seen[a] += " did " + engine_.move_name(joint[agents_[a]]) + " saw";
          for (const base::Percept percept : engine_.percepts(one.state, joint, agents_[a]))
            longer.seen[a] += " " + engine_.percept_name(percept);
          longer.seen[a] += ";";
        }
        next.push_back(std::move(longer));
        return true;
      });
    }
    last_ = std::move(next);
  }

  // By development: the fluents, and by agent what it has seen, as one text; sorted.
  std::vector<std::string> texts() {
    std::vector<std::string> result;
    for (const PlainDevelopment& one : last_) {
      std::string text;
      for (const std::string& fluent : engine_.fluent_names(one.state)) text += fluent + " ";
      for (const std::string& seen : one.seen) text += "|" + seen;
      result.push_back(std::move(text));
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  reference::Reference engine_;
  std::vector<std::size_t> agents_;
  std::vector<PlainDevelopment> last_;
};

// What an agent has seen and done, as in PlainDevelopments.
std::string seen_text(const Developments& developments, std::size_t agent, std::size_t round,
                      std::uint32_t set) {
  std::string text;
  for (; round > 0; --round) {
    const InformationSet& here = developments.round(round).information_sets[agent][set];
    std::string step = " did " + developments.machine().move_name(here.move) + " saw";
    for (const base::Percept percept : developments.percepts(here.percepts))
      step += " " + developments.machine().game().percept_name(percept);
    text = step + ";" + text;
    set = here.before;
  }
  return text;
}

std::vector<std::string> world_texts(const Developments& developments) {
  const Round& round = developments.last();
  const machine::Stepper stepper(developments.shared_machine());
  std::vector<std::string> result;
  for (std::size_t w = 0; w < round.worlds.size(); ++w) {
    std::string text;
    for (const std::string& fluent : stepper.fluent_names(round.states[round.worlds[w].state]))
      text += fluent + " ";
    for (std::size_t a = 0; a < developments.agents().size(); ++a) {
      text += "|" + seen_text(developments, a, developments.rounds() - 1, round.information[a][w]);
    }
    result.insert(result.end(), round.worlds[w].developments, text);
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Developments, AreThoseOfTheReferenceEngine) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string rules = testing::random_hidden_game(seed);
    PlainDevelopments plain(rules);
    const auto machine = testing::from_text(rules);
    Developments merged(machine, {});
    Developments single(machine, {.merge = false});
    while (single.last().worlds.size() < 300 && merged.advance().value()) {
      ASSERT_TRUE(single.advance().value());
      plain.advance();
      const std::vector<std::string> texts = plain.texts();
      EXPECT_EQ(world_texts(single), texts) << seed;
      EXPECT_EQ(world_texts(merged), texts) << seed;
      compared += texts.size();
    }
  }
  EXPECT_GT(compared, 10'000u);
}

// ---- Merged against unmerged: the same formulas hold.

Formula random_formula(base::Random& random, std::size_t atoms, std::size_t agents, int depth) {
  using Kind = Formula::Kind;
  Formula formula;
  const auto below = [&](std::size_t n) { return random.below(static_cast<std::uint32_t>(n)); };
  if (depth == 0 || below(5) == 0) {
    formula.atom = below(atoms);
    return formula;
  }
  formula.kind = static_cast<Kind>(1 + below(9));
  const bool binary = formula.kind == Kind::conjunction || formula.kind == Kind::disjunction ||
                      formula.kind == Kind::implication;
  for (int i = 0; i < (binary ? 2 : 1); ++i)
    formula.children.push_back(random_formula(random, atoms, agents, depth - 1));
  if (formula.kind == Kind::knows || formula.kind == Kind::knows_whether) {
    formula.agents = {below(agents)};
  } else if (formula.kind > Kind::knows_whether) {
    for (std::uint32_t agent = 0; agent < agents; ++agent) {
      if (below(2) == 0 || agent + 1 == agents) formula.agents.push_back(agent);
    }
  }
  return formula;
}

// The definition, for one world: for all worlds that are related, directly or over several steps.
bool holds_by_definition(const Formula& formula, const Frame& frame, std::uint32_t world) {
  using Kind = Formula::Kind;
  const auto child = [&](std::size_t i, std::uint32_t w) {
    return holds_by_definition(formula.children[i], frame, w);
  };
  const auto related = [&](std::uint32_t agent, std::uint32_t v, std::uint32_t w) {
    return frame.class_of[agent][v] == frame.class_of[agent][w];
  };
  const auto knows = [&](std::uint32_t agent, bool value) {
    for (std::uint32_t w = 0; w < frame.worlds; ++w) {
      if (related(agent, world, w) && child(0, w) != value) return false;
    }
    return true;
  };
  const auto all = [&](auto test) {
    return std::all_of(formula.agents.begin(), formula.agents.end(), test);
  };
  switch (formula.kind) {
    case Kind::atom:
      return frame.atoms.at(formula.atom)[world] != 0;
    case Kind::negation:
      return !child(0, world);
    case Kind::conjunction:
      return child(0, world) && child(1, world);
    case Kind::disjunction:
      return child(0, world) || child(1, world);
    case Kind::implication:
      return !child(0, world) || child(1, world);
    case Kind::knows:
      return knows(formula.agents[0], true);
    case Kind::knows_whether:
      return knows(formula.agents[0], true) || knows(formula.agents[0], false);
    case Kind::everybody_knows:
      return all([&](std::uint32_t agent) { return knows(agent, true); });
    case Kind::distributed_knowledge:
      for (std::uint32_t w = 0; w < frame.worlds; ++w) {
        if (all([&](std::uint32_t agent) { return related(agent, world, w); }) && !child(0, w))
          return false;
      }
      return true;
    case Kind::common_knowledge: {
      std::vector<std::uint32_t> open = {world};
      std::vector<bool> seen(frame.worlds);
      seen[world] = true;
      while (!open.empty()) {
        const std::uint32_t here = open.back();
        open.pop_back();
        if (!child(0, here)) return false;
        for (std::uint32_t w = 0; w < frame.worlds; ++w) {
          if (seen[w] || std::none_of(formula.agents.begin(), formula.agents.end(),
                                      [&](std::uint32_t a) { return related(a, here, w); }))
            continue;
          seen[w] = true;
          open.push_back(w);
        }
      }
      return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> all_atoms(const GameAtoms& atoms) {
  std::vector<std::uint32_t> all(atoms.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(Entailment, FollowsTheDefinition) {
  base::Random random(7);
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto machine = testing::from_text(testing::random_hidden_game(seed));
    const GameAtoms atoms(*machine);
    Developments developments(machine, {});
    while (developments.last().worlds.size() < 60 && developments.advance().value()) {
      if (developments.last().worlds.size() > 60) break;
      const Frame frame = atoms.frame(developments, all_atoms(atoms));
      for (int i = 0; i < 6; ++i) {
        const Formula formula =
            random_formula(random, atoms.size(), developments.agents().size(), 3);
        const Truth holds = truth(formula, frame);
        for (std::uint32_t w = 0; w < frame.worlds; ++w)
          EXPECT_EQ(holds[w] != 0, holds_by_definition(formula, frame, w)) << seed;
        checked += frame.worlds;
      }
    }
  }
  EXPECT_GT(checked, 3000u);
}

// Truth values with the worlds' fluents and information as text, sorted.
std::vector<std::string> answers(const Developments& developments, const GameAtoms& atoms,
                                 const Formula& formula) {
  const Round& round = developments.last();
  const Truth holds = truth(formula, atoms.frame(developments, all_atoms(atoms)));
  std::vector<std::string> result;
  std::map<std::uint32_t, std::string> known;
  for (std::size_t w = 0; w < round.worlds.size(); ++w) {
    std::string text = holds[w] != 0 ? "yes" : "no ";
    for (std::size_t a = 0; a < developments.agents().size(); ++a) {
      text += "|" + seen_text(developments, a, developments.rounds() - 1, round.information[a][w]);
    }
    round.states[round.worlds[w].state].for_each(
        [&](std::size_t fluent) { text += " " + std::to_string(fluent); });
    result.insert(result.end(), round.worlds[w].developments, text);
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Developments, AnswerTheSameWhenMerged) {
  base::Random random(11);
  std::size_t merged_away = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const auto machine = testing::from_text(testing::random_hidden_game(seed));
    const GameAtoms atoms(*machine);
    Developments merged(machine, {}), single(machine, {.merge = false});
    while (single.last().worlds.size() < most_worlds / 10 && merged.advance().value()) {
      ASSERT_TRUE(single.advance().value());
      if (single.last().worlds.size() > most_worlds) break;
      EXPECT_EQ(merged.last().developments(), single.last().worlds.size());
      merged_away += single.last().worlds.size() - merged.last().worlds.size();
      for (int i = 0; i < 3; ++i) {
        const Formula formula = random_formula(random, atoms.size(), merged.agents().size(), 3);
        EXPECT_EQ(answers(merged, atoms, formula), answers(single, atoms, formula)) << seed;
      }
    }
  }
  EXPECT_GT(merged_away, 1000u);
}

// The line of a world leads to its state, and `successor` finds the world again.
TEST(Developments, HaveLinesThatLeadToThem) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto machine = testing::from_text(testing::random_hidden_game(seed));
    machine::Stepper stepper(machine);
    for (const bool merge : {true, false}) {
      Developments developments(machine, {merge, {}});
      while (developments.last().worlds.size() < 200 && developments.advance().value()) {
        const std::size_t last = developments.rounds() - 1;
        const Round& round = developments.last();
        for (std::uint32_t w = 0; w < std::min<std::size_t>(round.worlds.size(), 40); ++w) {
          EXPECT_EQ(developments.line_to(last, w).size(), last);
          const auto joint = developments.joint(round.worlds[w].joint);
          const std::vector<Move> moves(joint.begin(), joint.end());
          EXPECT_EQ(developments.successor(round.worlds[w].parent, moves), w);
          machine::State state = stepper.initial_state();
          std::uint32_t here = w;
          std::vector<std::vector<Move>> line;
          for (std::size_t r = last; r > 0; here = developments.round(r--).worlds[here].parent) {
            const auto step = developments.joint(developments.round(r).worlds[here].joint);
            line.emplace_back(step.begin(), step.end());
          }
          for (std::size_t i = line.size(); i-- > 0;) state = stepper.next_state(state, line[i]);
          EXPECT_EQ(state, round.states[round.worlds[w].state]);
        }
      }
    }
  }
}

TEST(Developments, RespectLimits) {
  const auto machine = testing::generated("muddy-children", {"10"});
  base::Limits limits;
  limits.end_when([] { return true; });
  Developments developments(machine, {true, limits});
  base::Result<bool> more = true;
  while (more && *more) more = developments.advance();
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().kind, base::ErrorKind::time_limit);
  EXPECT_FALSE(developments.last().states.empty());
}

}  // namespace
}  // namespace zermelo::know
