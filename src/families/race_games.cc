// The races of Finnsson and Björnsson, "Game-Tree Properties and MCTS Performance" (GIGA 2011), in
// which properties of the game tree are parameters: penalties, shock-step and punishment (width and
// depth), progression.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

// What stepping on a square costs, by the distance of its lane from the safe lane (at least 1) and
// by the number of steps that lead to it.
using Penalty = int (*)(int distance, int steps);

struct Course {
  int lanes;
  int length;
  Penalty penalty;

  // The runners stand on row 1. The last row has the flags and no penalties.
  int last_penalised_row() const { return length - 1; }
  int largest_total() const {
    int total = 0;
    for (int row = 2; row <= last_penalised_row(); ++row) {
      int worst = 0;
      for (int distance = 1; distance < lanes; ++distance)
        worst = std::max(worst, penalty(distance, row - 1));
      total += worst;
    }
    return total;
  }
};

constexpr std::array<std::string_view, 4> places = {"ones", "tens", "hundreds", "thousands"};

int digits_of(int number) {
  int digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

constexpr std::string_view race_moves = R"(
; A step leads one row forward, to any lane.
(<= (legal ?p (step ?l))
    (true (control ?p))
    (lane ?l))
(<= (arrives ?p ?s ?l)
    (does ?p (step ?l))
    (true (at ?p ?r ?_l))
    (up ?r ?s))
(<= (next (at ?p ?s ?l))
    (arrives ?p ?s ?l))
(<= (next (at ?p ?r ?l))
    (does ?p noop)
    (true (at ?p ?r ?l)))

; The squares that a runner has left are part of the state: different paths lead to different
; states.
(<= (next (passed ?p ?r ?l))
    (does ?p (step ?_l))
    (true (at ?p ?r ?l)))
(<= (next (passed ?p ?r ?l))
    (true (passed ?p ?r ?l)))
)";

constexpr std::string_view race_total = R"(
; The total penalty of a player, one decimal digit per fluent, lowest digit first.
(<= (added ?p ?place ?d)
    (arrives ?p ?r ?l)
    (penalty ?p ?r ?l ?place ?d))
(<= (added_some ?p ?place)
    (added ?p ?place ?_d))
(<= (summand ?p ?place ?d)
    (added ?p ?place ?d))
(<= (summand ?p ?place 0)
    (role ?p)
    (place ?place)
    (not (added_some ?p ?place)))
(<= (carried ?p ones 0)
    (role ?p))
(<= (carried ?p ?high ?c)
    (above ?high ?low)
    (carry_from ?p ?low ?c))
(<= (carry_from ?p ?place ?carry)
    (summand ?p ?place ?a)
    (true (total ?p ?place ?b))
    (carried ?p ?place ?c)
    (plus ?a ?b ?c ?_d ?carry))
(<= (next (total ?p ?place ?d))
    (summand ?p ?place ?a)
    (true (total ?p ?place ?b))
    (carried ?p ?place ?c)
    (plus ?a ?b ?c ?d ?_carry))
(<= (init (total ?p ?place 0))
    (role ?p)
    (place ?place))
)";

constexpr std::string_view race_end = R"(
(<= (running ?p)
    (true (at ?p ?r ?_l))
    (up ?r ?_s))
(<= terminal
    (not (running white))
    (not (running black)))

; The smaller total wins: the highest digit in which the totals differ decides.
(<= (same_above ?low)
    (above ?high ?low)
    (same_above ?high)
    (true (total white ?high ?d))
    (true (total black ?high ?d)))
(<= (ahead ?p)
    (same_above ?place)
    (true (total ?p ?place ?d))
    (true (total ?q ?place ?e))
    (below ?d ?e)
    (distinct ?p ?q))
(<= decided
    (ahead ?_p))
(<= (goal ?p 100)
    (ahead ?p))
(<= (goal ?p 50)
    (role ?p)
    (not decided))
(<= (goal ?p 0)
    (role ?p)
    decided
    (not (ahead ?p)))
)";

std::vector<std::string> penalty_facts(const Course& course) {
  std::vector<std::string> facts;
  for (const bool white : {true, false}) {
    for (int row = 2; row <= course.last_penalised_row(); ++row) {
      for (int lane = 1; lane <= course.lanes; ++lane) {
        const int distance = white ? lane - 1 : course.lanes - lane;
        int left = distance == 0 ? 0 : course.penalty(distance, row - 1);
        for (std::size_t place = 0; left > 0; ++place, left /= 10) {
          if (left % 10 == 0) continue;
          facts.push_back(fmt::format("(penalty {} {} {} {} {})", white ? "white" : "black", row,
                                      lane, places[place], left % 10));
        }
      }
    }
  }
  return facts;
}

std::vector<std::string> digit_facts(int digits) {
  std::vector<std::string> facts;
  for (int place = 0; place < digits; ++place) {
    facts.push_back(fmt::format("(place {})", places[place]));
    if (place > 0) facts.push_back(fmt::format("(above {} {})", places[place], places[place - 1]));
  }
  facts.push_back(fmt::format("(same_above {})", places[digits - 1]));
  for (int a = 0; a < 10; ++a) {
    for (int b = a + 1; b < 10; ++b) facts.push_back(fmt::format("(below {} {})", a, b));
  }
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) {
      for (int c = 0; c < 2; ++c) {
        const int sum = a + b + c;
        facts.push_back(fmt::format("(plus {} {} {} {} {})", a, b, c, sum % 10, sum / 10));
      }
    }
  }
  return facts;
}

Rules race(std::string_view name, const Sizes& sizes, std::string_view prose, Penalty penalty) {
  constexpr std::array bounds = {Bound{"LANES", 2, 20}, Bound{"LENGTH", 4, 20}};
  const auto numbers = read_sizes(sizes, bounds);
  if (!numbers) return tl::unexpected(numbers.error());
  const Course course{(*numbers)[0], (*numbers)[1], penalty};
  Sheet sheet(fmt::format("{} {} {}", name, course.lanes, course.length));
  sheet.comment(prose)
      .comment(
          "White and black each have a runner on lanes of their own. The safe lane of white is 1, "
          "that of black the "
          "last one. A runner that has reached the last row is at its goal; the game ends when "
          "both are there. Fewer "
          "penalty points win.")
      .gap()
      .facts({"(role white)", "(role black)"})
      .numbers("lane", 1, course.lanes)
      .chain("up", 1, course.length)
      .gap()
      .turns("white", "black")
      .gap()
      .facts({"(init (at white 1 1))", fmt::format("(init (at black 1 {}))", course.lanes)})
      .rules(race_moves)
      .gap()
      .rules(race_total)
      .facts(digit_facts(std::max(2, digits_of(course.largest_total()))))
      .gap()
      .facts(penalty_facts(course))
      .gap()
      .rules(race_end);
  return std::move(sheet).text();
}

constexpr int progression_lanes = 10;
constexpr int progression_rows = 10;
constexpr int progression_steps = 2 * (progression_rows - 1);  // until black can be at a goal

constexpr std::string_view progression_moves = R"(
; A player moves one of its runners. An active one takes a step, an inactive one stays where it is.
(<= (legal ?p (run ?l))
    (true (control ?p))
    (lane ?l))
(<= (next (at ?p ?l ?s))
    (does ?p (run ?l))
    (true (at ?p ?l ?r))
    (up ?r ?s))
(<= (next (at ?p ?l ?r))
    (true (at ?p ?l ?r))
    (not (does ?p (run ?l))))

(<= (arrived ?p)
    (true (at ?p ?_l {})))
(<= terminal
    (arrived ?_p))
(<= decided
    (arrived ?_p))
(<= (goal ?p 100)
    (arrived ?p))
(<= (goal ?p 0)
    (role ?p)
    decided
    (not (arrived ?p)))
(<= (goal ?p 50)
    (role ?p)
    (not decided))
)";

}  // namespace

Rules penalties(const Sizes& sizes) {
  return race("penalties", sizes,
              "Every square outside the safe lane costs 1 point, whatever its lane and row.",
              [](int, int) { return 1; });
}

Rules shock_step(const Sizes& sizes) {
  return race("shock-step", sizes,
              "A square costs as many points as its lane is away from the safe lane.",
              [](int distance, int) { return distance; });
}

Rules punishment(const Sizes& sizes) {
  return race(
      "punishment", sizes,
      "A square costs the distance of its lane from the safe lane times the number of steps made.",
      [](int distance, int steps) { return distance * steps; });
}

Rules progression(const Sizes& sizes) {
  constexpr std::array bounds = {Bound{"ACTIVE", 1, progression_lanes}, Bound{"FACTOR", 1, 50}};
  const auto numbers = read_sizes(sizes, bounds);
  if (!numbers) return tl::unexpected(numbers.error());
  const int active = (*numbers)[0], factor = (*numbers)[1];
  std::vector<std::string> runners;
  for (const char* player : {"white", "black"}) {
    for (int lane = 1; lane <= active; ++lane)
      runners.push_back(fmt::format("(init (at {} {} 1))", player, lane));
  }
  Sheet sheet(fmt::format("progression {} {}", active, factor));
  sheet
      .comment(fmt::format("Each player has {} runners, of which {} are active. The first player "
                           "with a runner on the last row wins. "
                           "After {} times {} moves the game is a draw.",
                           progression_lanes, active, factor, progression_steps))
      .gap()
      .facts({"(role white)", "(role black)"})
      .numbers("lane", 1, progression_lanes)
      .chain("up", 1, progression_rows)
      .gap()
      .turns("white", "black")
      .gap()
      .facts(runners)
      .rules(fmt::format(progression_moves, progression_rows))
      .gap()
      .step_limit(factor * progression_steps);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
