// Games in which both players choose at the same time: bids for a mark or a prize, and armies.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

// (more B A) for numbers A < B.
constexpr std::string_view order_of_numbers = R"(
(<= (more ?n ?m)
    (succ ?m ?n))
(<= (more ?n ?l)
    (more ?m ?l)
    (succ ?m ?n))
)";

constexpr std::string_view ahead_by_points = R"(
(<= (ahead ?p)
    (true (points ?p ?m))
    (true (points ?_q ?n))
    (more ?m ?n))
)";

constexpr std::string_view bids_for_prizes = R"(
(<= (init (hand ?p ?c))
    (role ?p)
    (card ?c))
(init (prize 1))
(init (points left 0))
(init (points right 0))

(<= (legal ?p (bid ?c))
    (true (hand ?p ?c)))

(<= (played ?p ?c)
    (does ?p (bid ?c)))
(<= (next (hand ?p ?c))
    (true (hand ?p ?c))
    (not (played ?p ?c)))
(<= (takes ?p)
    (does ?p (bid ?c))
    (does ?_q (bid ?d))
    (more ?c ?d))
(<= (next (points ?p ?n))
    (true (points ?p ?m))
    (takes ?p)
    (true (prize ?k))
    (plus ?m ?k ?n))
(<= (next (points ?p ?n))
    (true (points ?p ?n))
    (not (takes ?p)))
(<= (next (prize ?n))
    (true (prize ?m))
    (succ ?m ?n))
)";

constexpr std::string_view armies = R"(
(init unknown)

(<= (shown ?p)
    (true (sent ?p ?_f ?_n)))
(<= terminal
    (shown left))

; (fields P F N): of the first F fields, P wins N.
(<= (wins ?p ?f)
    (true (sent ?p ?f ?m))
    (true (sent ?q ?f ?n))
    (distinct ?p ?q)
    (more ?m ?n))
(<= (fields ?p 0 0)
    (role ?p))
(<= (fields ?p ?f ?n)
    (next_field ?e ?f)
    (fields ?p ?e ?m)
    (wins ?p ?f)
    (succ ?m ?n))
(<= (fields ?p ?f ?n)
    (next_field ?e ?f)
    (fields ?p ?e ?n)
    (not (wins ?p ?f)))
)";

constexpr std::string_view bids_for_marks = R"(
; The cells of the board, numbered like a numeric keypad:  7 8 9
;                                                          4 5 6
;                                                          1 2 3
(key 1) (key 2) (key 3) (key 4) (key 5) (key 6) (key 7) (key 8) (key 9)
(line 1 2 3) (line 4 5 6) (line 7 8 9)
(line 1 4 7) (line 2 5 8) (line 3 6 9)
(line 1 5 9) (line 3 5 7)

(<= (init (cell ?k blank))
    (key ?k))
(init bidding)
(init (advantage x))

(<= (legal ?p (bid ?b))
    (true bidding)
    (true (chips ?p ?n))
    (plus ?b ?_rest ?n))
(<= (legal ?p (mark ?k))
    (true (marking ?p))
    (true (cell ?k blank)))
(<= (legal ?q noop)
    (true (marking ?p))
    (role ?q)
    (distinct ?p ?q))

; The larger bid wins. In a tie the player with the advantage wins and hands it over.
(<= tied
    (does x (bid ?b))
    (does o (bid ?b)))
(<= (wins_bid ?p ?b)
    (does ?p (bid ?b))
    (does ?_q (bid ?c))
    (more ?b ?c))
(<= (wins_bid ?p ?b)
    (does ?p (bid ?b))
    (true (advantage ?p))
    tied)
(<= (next (advantage ?p))
    (true (advantage ?p))
    (not tied))
(<= (next (advantage ?q))
    (true (advantage ?p))
    (role ?q)
    (distinct ?p ?q)
    tied)

; The winner pays the bid to the other player and marks a cell.
(<= (next (chips ?p ?n))
    (wins_bid ?p ?b)
    (true (chips ?p ?m))
    (plus ?n ?b ?m))
(<= (next (chips ?q ?n))
    (wins_bid ?p ?b)
    (true (chips ?q ?m))
    (distinct ?p ?q)
    (plus ?m ?b ?n))
(<= (next (chips ?p ?n))
    (true (chips ?p ?n))
    (not (true bidding)))
(<= (next (marking ?p))
    (wins_bid ?p ?_b))
(<= (next bidding)
    (true (marking ?_p)))

(<= (next (cell ?k ?p))
    (does ?p (mark ?k)))
(<= (marked ?k)
    (does ?_p (mark ?k)))
(<= (next (cell ?k ?v))
    (true (cell ?k ?v))
    (not (marked ?k)))

(<= (won ?p)
    (role ?p)
    (line ?i ?j ?k)
    (true (cell ?i ?p))
    (true (cell ?j ?p))
    (true (cell ?k ?p)))
(<= open
    (true (cell ?_k blank)))
(<= terminal
    (won ?_p))
(<= terminal
    (not open))
)";

// The player for whom the predicate holds gets 100 and the other 0; 50 each if it holds for nobody.
std::string winner_takes_all(std::string_view predicate, std::string_view first,
                             std::string_view second) {
  return fmt::format(R"((<= (goal ?p 100)
    ({0} ?p))
(<= (goal ?q 0)
    ({0} ?p)
    (role ?q)
    (distinct ?p ?q))
(<= (goal ?p 50)
    (role ?p)
    (not ({0} {1}))
    (not ({0} {2})))
)",
                     predicate, first, second);
}

// (plus A B C) for A <= first, B <= second, C = A + B <= sum.
std::vector<std::string> sums(int first, int second, int sum) {
  std::vector<std::string> facts;
  for (int a = 0; a <= first; ++a) {
    for (int b = 0; b <= second && a + b <= sum; ++b) {
      facts.push_back(fmt::format("(plus {} {} {})", a, b, a + b));
    }
  }
  return facts;
}

// All ways to send an army of `soldiers` to `fields` fields, as lists of numbers.
std::vector<std::vector<int>> deployments(int soldiers, int fields) {
  if (fields == 1) return {{soldiers}};
  std::vector<std::vector<int>> all;
  for (int first = 0; first <= soldiers; ++first) {
    for (std::vector<int> rest : deployments(soldiers - first, fields - 1)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

}  // namespace

Rules bidding_tic_tac_toe(const Sizes& sizes) {
  constexpr std::array bounds = {Bound{"CHIPS", 0, 100}};
  const auto size = read_sizes(sizes, bounds);
  if (!size) return tl::unexpected(size.error());
  const int chips = (*size)[0];
  Sheet sheet(fmt::format("bidding-tic-tac-toe {}", chips));
  sheet.comment(fmt::format(
      "Bidding tic-tac-toe. The players x and o have {} chips each. Instead of taking turns they "
      "bid at the same time, and the larger bid wins: its player pays the bid to the other one and "
      "marks a cell. In a tie the player with the advantage, at first x, wins the bid and hands "
      "the "
      "advantage over. Three marks in a line win, 100 to 0. A full board is a draw, 50 each.",
      chips));
  sheet.gap().rules("(role x)\n(role o)").gap();
  sheet.facts(
      {fmt::format("(init (chips x {}))", chips), fmt::format("(init (chips o {}))", chips)});
  sheet.facts(sums(2 * chips, 2 * chips, 2 * chips));
  if (chips > 0) sheet.chain("succ", 0, 2 * chips).rules(order_of_numbers);
  if (chips == 0) sheet.rules("(more 1 0)");
  sheet.gap().rules(bids_for_marks).rules(winner_takes_all("won", "x", "o"));
  return std::move(sheet).text();
}

Rules blotto(const Sizes& sizes) {
  constexpr std::array bounds = {Bound{"SOLDIERS", 1, 20}, Bound{"FIELDS", 2, 5}};
  const auto size = read_sizes(sizes, bounds);
  if (!size) return tl::unexpected(size.error());
  const int soldiers = (*size)[0], fields = (*size)[1];
  const std::vector<std::vector<int>> all = deployments(soldiers, fields);
  Sheet sheet(fmt::format("blotto {} {}", soldiers, fields));
  sheet.comment(fmt::format(
      "Colonel Blotto. The players left and right send {} soldiers each to {} fields, at the same "
      "time: a move names the soldiers for each field. The larger army wins a field, and equal "
      "armies leave it to nobody. The player who wins more fields gets 100 and the other 0. Equal "
      "numbers are a draw, 50 each.",
      soldiers, fields));
  sheet.gap().rules("(role left)\n(role right)").gap();
  std::vector<std::string> facts;
  for (const std::vector<int>& numbers : all) {
    facts.push_back(fmt::format("(deployment {})", fmt::join(numbers, " ")));
  }
  sheet.facts(facts).chain("succ", 0, std::max(soldiers, fields)).chain("next_field", 0, fields);
  sheet.rules(order_of_numbers).gap();
  std::vector<std::string> variables;
  for (int f = 1; f <= fields; ++f) variables.push_back(fmt::format("?n{}", f));
  const std::string list = fmt::format("{}", fmt::join(variables, " "));
  sheet.rules(fmt::format(
      "(<= (legal ?p (send {0}))\n    (role ?p)\n    (true unknown)\n    (deployment {0}))", list));
  for (int f = 1; f <= fields; ++f) {
    std::vector<std::string> others;
    for (int g = 1; g <= fields; ++g) others.push_back(fmt::format("?{}n{}", g == f ? "" : "_", g));
    sheet.rules(fmt::format("(<= (next (sent ?p {0} ?n{0}))\n    (does ?p (send {1})))", f,
                            fmt::join(others, " ")));
  }
  sheet.rules(armies);
  sheet.rules(fmt::format(R"(
(<= (ahead ?p)
    (fields ?p {0} ?m)
    (fields ?q {0} ?n)
    (distinct ?p ?q)
    (more ?m ?n))
)",
                          fields));
  sheet.rules(winner_takes_all("ahead", "left", "right"));
  return std::move(sheet).text();
}

Rules goofspiel(const Sizes& sizes) {
  constexpr std::array bounds = {Bound{"CARDS", 1, 13}};
  const auto size = read_sizes(sizes, bounds);
  if (!size) return tl::unexpected(size.error());
  const int cards = (*size)[0], points = cards * (cards + 1) / 2;
  Sheet sheet(fmt::format("goofspiel {}", cards));
  sheet.comment(fmt::format(
      "Goofspiel. The players left and right hold the cards 1 to {0} each. The prizes 1 to {0} are "
      "auctioned in ascending order: both play a card at the same time, the larger card takes the "
      "prize, and with equal cards nobody gets it. The player with more points at the end gets 100 "
      "and the other 0. Equal points are a draw, 50 each.",
      cards));
  sheet.gap().rules("(role left)\n(role right)").gap();
  sheet.numbers("card", 1, cards);
  sheet.chain("succ", 0, std::max(points, cards + 1));
  sheet.facts(sums(points, cards, points)).rules(order_of_numbers);
  sheet.gap().rules(bids_for_prizes);
  sheet.rules(fmt::format("(<= terminal\n    (true (prize {})))", cards + 1)).gap();
  sheet.rules(ahead_by_points).rules(winner_takes_all("ahead", "left", "right"));
  return std::move(sheet).text();
}

}  // namespace zermelo::families
