// Known answers of the literature about knowledge.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "know/developments.h"
#include "know/entailment.h"
#include "know/formula.h"
#include "know/game_atoms.h"
#include "support/load_game.h"

namespace zermelo::know {
namespace {

// A round of a game, and formulas about it.
class Situation {
 public:
  Situation(const testing::MachinePointer& machine, std::size_t round)
      : atoms_(std::make_shared<const GameAtoms>(*machine)) {
    Developments developments(machine, {});
    while (developments.rounds() <= round) EXPECT_TRUE(developments.advance().value());
    std::vector<std::uint32_t> all(atoms_->size());
    std::iota(all.begin(), all.end(), 0);
    frame_ = atoms_->frame(developments, all);
  }

  Formula formula(const std::string& text) const {
    auto parsed = parse_formula(text, atoms_->vocabulary());
    EXPECT_TRUE(parsed) << parsed.error().message;
    return parsed.value();
  }
  Truth truth(const std::string& text) const { return know::truth(formula(text), frame_); }
  // The number of worlds in which the formula holds.
  std::size_t count(const std::string& text) const {
    const Truth holds = truth(text);
    return static_cast<std::size_t>(std::count(holds.begin(), holds.end(), 1));
  }
  bool valid(const std::string& text) const { return count(text) == frame_.worlds; }
  void announce(const std::string& text) { announce(formula(text)); }
  void announce(const Formula& formula) {
    std::vector<std::uint32_t> kept;
    frame_ = know::announce(formula, frame_, kept);
  }
  std::size_t worlds() const { return frame_.worlds; }
  const Frame& frame() const { return frame_; }
  // The names of the fluents that hold in a world and begin with the text.
  std::vector<std::string> fluents(std::uint32_t world, const std::string& begin) const {
    std::vector<std::string> names;
    for (std::uint32_t atom = 0; atom < atoms_->size(); ++atom) {
      if (atoms_->is_fluent(atom) && frame_.atoms.at(atom)[world] != 0 &&
          atoms_->name(atom).rfind(begin, 0) == 0)
        names.push_back(atoms_->name(atom));
    }
    return names;
  }

 private:
  std::shared_ptr<const GameAtoms> atoms_;
  Frame frame_;
};

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// The world that a list of moves leads to, by step and role.
bool holds_after(const Line& line, const std::string& text) {
  const auto machine = testing::shipped("hidden/two_generals");
  const GameAtoms atoms(*machine);
  Developments developments(machine, {});
  std::uint32_t world = 0;
  for (const auto& names : line) {
    EXPECT_TRUE(developments.advance().value());
    std::vector<Move> joint;
    for (std::size_t role = 0; role < names.size(); ++role) {
      for (const Move move : machine->moves(role)) {
        if (machine->move_name(move) == names[role]) joint.push_back(move);
      }
    }
    world = developments.successor(world, joint).value();
  }
  const Formula formula = parse_formula(text, atoms.vocabulary()).value();
  return truth(formula, atoms.frame(developments, atoms_of(formula)))[world] != 0;
}

// The three developments of the paper, after "P is attack(3am)": the order is set, general B gets
// the message, and general A gets the acknowledgement.
const Line set = {{"(settime 3am)", "noop", "noop"}};
const Line received = {{"(settime 3am)", "noop", "noop"}, {"(send (ack 3am))", "noop", "pass"}};
const Line acknowledged = {{"(settime 3am)", "noop", "noop"},
                           {"(send (ack 3am))", "noop", "pass"},
                           {"noop", "(send (ack (ack 3am)))", "pass"}};

TEST(TwoGenerals, KnowWhatThePaperSays) {
  const std::string a = "K(generala, attack(3am))";
  const std::string ba = "K(generalb, " + a + ")";
  const std::string aba = "K(generala, " + ba + ")";
  const std::string baba = "K(generalb, " + aba + ")";
  const std::string common = "C({generala, generalb}, attack(3am))";
  EXPECT_TRUE(holds_after(set, a + " and not " + ba));
  EXPECT_TRUE(holds_after(received, ba + " and not " + aba));
  EXPECT_TRUE(holds_after(acknowledged, aba + " and not " + baba));
  for (const Line& line : {set, received, acknowledged})
    EXPECT_TRUE(holds_after(line, "not " + common));
}

TEST(TwoGenerals, NeverShareTheTimeAsCommonKnowledge) {
  const auto machine = testing::shipped("hidden/two_generals");
  for (std::size_t round = 1; round <= 9; ++round) {
    const Situation situation(machine, round);
    EXPECT_EQ(situation.count("C({generala, generalb}, attack(3am))"), 0u) << round;
    EXPECT_EQ(situation.count("C({generala, generalb}, attack(9pm))"), 0u) << round;
    EXPECT_TRUE(situation.valid("C({generala, generalb}, attack(3am) or attack(9pm))"));
    EXPECT_TRUE(
        situation.valid("D({generala, generalb}, attack(3am)) or "
                        "D({generala, generalb}, attack(9pm))"));
    EXPECT_TRUE(situation.valid("C({generala, generalb}, round(" + std::to_string(round) + "))"));
  }
}

// Figure 4 of the paper, bounded: with 3 and 4, both know that both numbers are below 6, but it is
// not common knowledge.
TEST(NumbersThatDifferByOne, AreNotCommonKnowledge) {
  const Situation situation(testing::shipped("hidden/numbers_that_differ_by_one"), 1);
  EXPECT_EQ(situation.worlds(), 24u);
  for (int bound = 6; bound <= 12; ++bound) {
    std::vector<std::string> a, b;
    for (int x = 0; x < bound; ++x) {
      a.push_back("has(a, " + std::to_string(x) + ")");
      b.push_back("has(b, " + std::to_string(x) + ")");
    }
    const std::string small = "(" + joined(a, " or ") + ") and (" + joined(b, " or ") + ")";
    const std::string here = "has(a, 3) and has(b, 4)";
    EXPECT_EQ(situation.count(here + " and E({a, b}, " + small + ")"), 1u) << bound;
    EXPECT_EQ(situation.count(here + " and C({a, b}, " + small + ")"), 0u) << bound;
  }
}

TEST(MuddyChildren, KnowAfterTheSecondAnswer) {
  Situation situation(testing::generated("muddy-children", {"3"}), 4);
  EXPECT_EQ(situation.worlds(), 8u);
  const std::string all = "muddy(1) and muddy(2) and muddy(3)";
  const std::string nobody_knows =
      "not Kw(child1, muddy(1)) and not Kw(child2, muddy(2)) and not Kw(child3, muddy(3))";
  const std::string everybody_knows =
      "Kw(child1, muddy(1)) and Kw(child2, muddy(2)) and Kw(child3, muddy(3))";
  situation.announce("muddy(1) or muddy(2) or muddy(3)");
  EXPECT_EQ(situation.worlds(), 7u);
  EXPECT_EQ(situation.count(all + " and " + nobody_knows), 1u);
  situation.announce(nobody_knows);
  EXPECT_EQ(situation.worlds(), 4u);
  EXPECT_EQ(situation.count(all + " and " + nobody_knows), 1u);
  situation.announce(nobody_knows);
  EXPECT_EQ(situation.worlds(), 1u);
  EXPECT_TRUE(situation.valid(all + " and " + everybody_knows));
}

// The father's words are a percept: they make "somebody is muddy" common knowledge if it is true.
TEST(MuddyChildren, HearTheFather) {
  const std::string somebody = "muddy(1) or muddy(2) or muddy(3)";
  const std::string common = "C({child1, child2, child3}, " + somebody + ")";
  const auto machine = testing::generated("muddy-children", {"3"});
  EXPECT_EQ(Situation(machine, 3).count(common), 0u);
  EXPECT_EQ(Situation(machine, 4).count(common), 7u);
}

TEST(DiningCryptographers, LearnOnlyWhetherTheNsaPaid) {
  for (int n = 3; n <= 8; ++n) {
    const std::string size = std::to_string(n);
    const Situation situation(testing::generated("dining-cryptographers", {size}),
                              static_cast<std::size_t>(n) + 2);
    std::vector<std::string> all, anonymous;
    for (int i = 1; i <= n; ++i) {
      all.push_back("c" + std::to_string(i));
      for (int j = 1; j <= n; ++j) {
        if (i == j) continue;
        anonymous.push_back("(not paid(" + std::to_string(i) + ") implies not K(c" +
                            std::to_string(i) + ", paid(" + std::to_string(j) + ")))");
      }
    }
    const std::string group = "{" + joined(all, ", ") + "}";
    EXPECT_TRUE(situation.valid(joined(anonymous, " and "))) << n;
    EXPECT_TRUE(situation.valid("C(" + group + ", paid(nsa)) or C(" + group + ", not paid(nsa))"));
    EXPECT_EQ(situation.worlds(), (std::size_t{1} << n) * (static_cast<std::size_t>(n) + 1));
  }
}

TEST(SumAndProduct, AreFourAndThirteen) {
  Situation situation(testing::generated("sum-and-product", {"100"}), 1);
  const std::size_t pairs = situation.worlds();
  EXPECT_EQ(pairs, 2352u);
  std::vector<std::string> names;
  for (std::uint32_t world = 0; world < pairs; ++world) {
    const std::string name = situation.fluents(world, "(numbers ").front();
    const std::size_t space = name.rfind(' ');
    names.push_back("numbers(" + name.substr(9, space - 9) + ", " +
                    name.substr(space + 1, name.size() - space - 2) + ")");
  }
  const auto knows = [&](const std::string& player) {
    std::vector<std::string> parts;
    for (const std::string& name : names) parts.push_back("K(" + player + ", " + name + ")");
    return joined(parts, " or ");
  };
  const std::string p_knows = knows("p"), s_knows = knows("s");
  situation.announce("not (" + p_knows + ") and K(s, not (" + p_knows + "))");
  situation.announce(p_knows);
  situation.announce(s_knows);
  EXPECT_EQ(situation.worlds(), 1u);
  EXPECT_EQ(situation.fluents(0, "(numbers "), (std::vector<std::string>{"(numbers 4 13)"}));
}

using Hand = std::vector<int>;

std::vector<Hand> hands_of_three() {
  std::vector<Hand> hands;
  for (int a = 0; a < 7; ++a) {
    for (int b = a + 1; b < 7; ++b) {
      for (int c = b + 1; c < 7; ++c) hands.push_back({a, b, c});
    }
  }
  return hands;
}

std::string holds_hand(const Hand& hand) {
  std::vector<std::string> parts;
  for (const int card : hand) parts.push_back("has(alice, " + std::to_string(card) + ")");
  return "(" + joined(parts, " and ") + ")";
}

// Calls visit(set) for all sets of hands that contain the hand 0, 1, 2 and in which no two hands
// share two cards. (If two hands h and g of an announcement do, Bob may hold the other three cards,
// and cannot tell h from g.)
template <class Visit>
void for_each_announcement(const std::vector<Hand>& hands, Visit visit) {
  std::vector<std::size_t> chosen = {0};
  const auto fits = [&](std::size_t candidate) {
    return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
      Hand common;
      std::set_intersection(hands[candidate].begin(), hands[candidate].end(), hands[other].begin(),
                            hands[other].end(), std::back_inserter(common));
      return common.size() < 2;
    });
  };
  const auto extend = [&](auto& self) -> void {
    visit(chosen);
    for (std::size_t next = chosen.back() + 1; next < hands.size(); ++next) {
      if (!fits(next)) continue;
      chosen.push_back(next);
      self(self);
      chosen.pop_back();
    }
  };
  extend(extend);
}

// After Alice has announced that she holds one of some hands, it is common knowledge that Bob knows
// her hand and that Cath knows the owner of none of their cards.
TEST(RussianCards, HaveOneHundredAndTwoSafeAnnouncements) {
  const Situation deal(testing::generated("russian-cards", {"3", "3", "1"}), 7);
  EXPECT_EQ(deal.worlds(), 140u);
  std::vector<std::string> safe;
  for (int card = 0; card < 7; ++card) {
    const std::string number = std::to_string(card);
    safe.push_back("Kw(bob, has(alice, " + number + "))");
    for (const char* player : {"alice", "bob"})
      safe.push_back("not K(cath, has(" + std::string(player) + ", " + number + "))");
  }
  const Formula common = deal.formula("C({alice, bob, cath}, " + joined(safe, " and ") + ")");
  const std::vector<Hand> hands = hands_of_three();
  std::size_t safe_announcements = 0;
  for_each_announcement(hands, [&](const std::vector<std::size_t>& chosen) {
    std::vector<std::string> parts;
    for (const std::size_t hand : chosen) parts.push_back(holds_hand(hands[hand]));
    Situation after = deal;
    after.announce(joined(parts, " or "));
    const Truth holds = truth(common, after.frame());
    if (std::all_of(holds.begin(), holds.end(), [](std::uint8_t value) { return value != 0; }))
      ++safe_announcements;
  });
  EXPECT_EQ(safe_announcements, 102u);
}

struct TreeSize {
  std::string game;
  std::uint64_t histories, terminal;
  std::size_t first_sets, second_sets;
};

class KnownTrees : public ::testing::TestWithParam<TreeSize> {};

// The figures are those of OpenSpiel: histories, and information states of the player to move.
TEST_P(KnownTrees, HaveTheSizes) {
  const TreeSize& expected = GetParam();
  const auto machine = testing::shipped("hidden/" + expected.game);
  Developments developments(machine, {.merge = false});
  machine::Stepper stepper(machine);
  TreeSize found{expected.game, 0, 0, 0, 0};
  do {
    const Round& round = developments.last();
    found.histories += round.worlds.size();
    for (std::size_t agent = 0; agent < 2; ++agent) {
      std::vector<bool> decides(round.information_set_count(agent));
      for (std::size_t w = 0; w < round.worlds.size(); ++w) {
        const machine::State& state = round.states[round.worlds[w].state];
        if (agent == 0 && stepper.terminal(state)) ++found.terminal;
        if (stepper.terminal(state)) continue;
        const auto legal = stepper.legal_moves(state, developments.agents()[agent]);
        if (legal.size() > 1 || machine->move_name(legal[0]) != "noop")
          decides[round.information[agent][w]] = true;
      }
      const auto count = static_cast<std::size_t>(std::count(decides.begin(), decides.end(), true));
      (agent == 0 ? found.first_sets : found.second_sets) += count;
    }
  } while (developments.advance().value());
  EXPECT_EQ(found.histories, expected.histories);
  EXPECT_EQ(found.terminal, expected.terminal);
  EXPECT_EQ(found.first_sets, expected.first_sets);
  EXPECT_EQ(found.second_sets, expected.second_sets);
}

INSTANTIATE_TEST_SUITE_P(Games, KnownTrees,
                         ::testing::Values(TreeSize{"kuhn_poker", 58, 30, 6, 6},
                                           TreeSize{"leduc_poker", 9457, 5520, 468, 468},
                                           TreeSize{"liars_dice", 1147, 567, 96, 96}),
                         [](const auto& parameter) { return parameter.param.game; });

}  // namespace
}  // namespace zermelo::know
