// Puzzles about knowledge, in GDL-II: `random` deals, and the players see different things.
#include <fmt/format.h>

#include "families/makers.h"
#include "families/sheet.h"

namespace zermelo::families {
namespace {

constexpr std::string_view painting = R"(
(<= painting
    (true (step ?n))
    (child ?n))
(<= (legal random (paint ?n))
    (true (step ?n))
    (child ?n))
(<= (legal random (spare ?n))
    (true (step ?n))
    (child ?n))
(<= (legal random noop)
    (not painting))
(<= (next (muddy ?n))
    (does random (paint ?n)))
(<= (next (muddy ?n))
    (true (muddy ?n)))
(<= (sees ?child (muddy ?n))
    (is_child ?child ?m)
    (does random (paint ?n))
    (distinct ?m ?n))

; The father speaks.
(<= somebody_is_muddy
    (true (muddy ?_n)))
(<= (sees ?child somebody_is_muddy)
    (is_child ?child ?_n)
    (true (step father))
    somebody_is_muddy)

; The children answer until the last question.
(<= asking
    (true (step ?s))
    (question ?s))
(<= (legal ?child (say ?word))
    (is_child ?child ?n)
    asking
    (answer ?word)
    (not (true (answered ?n))))
(<= (legal ?child noop)
    (is_child ?child ?_n)
    (not asking))
(<= (legal ?child noop)
    (is_child ?child ?n)
    asking
    (true (answered ?n)))
(<= (sees ?child (said ?n ?word))
    (is_child ?child ?_m)
    (is_child ?other ?n)
    (does ?other (say ?word)))
(<= (next (answered ?n))
    (is_child ?child ?n)
    (does ?child (say ?word))
    (distinct ?word unknown))
(<= (next (answered ?n))
    (true (answered ?n)))
(<= (next (right ?n))
    (is_child ?child ?n)
    (does ?child (say muddy))
    (true (muddy ?n)))
(<= (next (right ?n))
    (is_child ?child ?n)
    (does ?child (say clean))
    (not (true (muddy ?n))))
(<= (next (right ?n))
    (true (right ?n)))

(<= (next (step ?t))
    (true (step ?s))
    (after ?s ?t))
(<= terminal
    (true (step end)))

; The father tells every child whether it was right.
(<= (sees ?child (was_right ?n))
    (is_child ?child ?n)
    (true (step last))
    (true (right ?n)))
(<= (sees ?child (was_right ?n))
    (is_child ?child ?n)
    (true (step last))
    (does ?child (say muddy))
    (true (muddy ?n)))
(<= (sees ?child (was_right ?n))
    (is_child ?child ?n)
    (true (step last))
    (does ?child (say clean))
    (not (true (muddy ?n))))
(<= (goal ?child 100)
    (is_child ?child ?n)
    (true (right ?n)))
(<= (goal ?child 50)
    (is_child ?child ?n)
    (not (true (answered ?n))))
(<= (goal ?child 0)
    (is_child ?child ?n)
    (true (answered ?n))
    (not (true (right ?n))))
)";

constexpr std::string_view dining = R"(
(init (step pay))

(<= (legal random (pays nsa))
    (true (step pay)))
(<= (legal random (pays ?n))
    (true (step pay))
    (seat ?_cryptographer ?n))
(<= (legal random (flip ?side))
    (true (step ?n))
    (seat ?_cryptographer ?n)
    (side ?side))
(<= (legal random noop)
    (true (step talk)))
(<= (legal ?cryptographer noop)
    (seat ?cryptographer ?_n)
    (not (true (step talk))))
(<= (legal ?cryptographer (say ?word))
    (true (step talk))
    (seat ?cryptographer ?n)
    (truth ?n ?word))

; A cryptographer sees the coin on its right and the coin of its left neighbour.
(<= (sees ?cryptographer i_pay)
    (seat ?cryptographer ?n)
    (does random (pays ?n)))
(<= (sees ?cryptographer (coin ?n ?side))
    (true (step ?n))
    (does random (flip ?side))
    (sees_coin ?cryptographer ?n))
(<= (sees ?cryptographer (said ?n ?word))
    (seat ?cryptographer ?_m)
    (seat ?other ?n)
    (does ?other (say ?word)))

; Who does not pay says whether its two coins are equal; who pays says the opposite.
(<= (equal ?n)
    (left_of ?n ?m)
    (true (coin ?n ?side))
    (true (coin ?m ?side)))
(<= (truth ?n same)
    (equal ?n)
    (not (true (paid ?n))))
(<= (truth ?n same)
    (left_of ?n ?_m)
    (not (equal ?n))
    (true (paid ?n)))
(<= (truth ?n different)
    (equal ?n)
    (true (paid ?n)))
(<= (truth ?n different)
    (left_of ?n ?_m)
    (not (equal ?n))
    (not (true (paid ?n))))

(<= (next (paid ?n))
    (does random (pays ?n)))
(<= (next (paid ?n))
    (true (paid ?n)))
(<= (next (coin ?n ?side))
    (true (step ?n))
    (does random (flip ?side)))
(<= (next (coin ?n ?side))
    (true (coin ?n ?side)))
(<= (next (step ?t))
    (true (step ?s))
    (after ?s ?t))
(<= terminal
    (true (step end)))
(<= (goal ?cryptographer 100)
    (seat ?cryptographer ?_n))
)";

constexpr std::string_view card_deal = R"(
(<= dealing
    (true (step ?card))
    (card ?card))
(<= (legal random (deal ?player))
    dealing
    (player ?player)
    (true (room ?player ?n))
    (distinct ?n 0))
(<= (legal random noop)
    (not dealing))
(<= (legal ?player noop)
    (player ?player)
    dealing)
(<= (legal ?player noop)
    (player ?player)
    (not dealing)
    (distinct ?player cath))
(<= (legal cath (guess ?player ?card))
    (not dealing)
    (player ?player)
    (distinct ?player cath)
    (card ?card)
    (not (true (has cath ?card))))

(<= (sees ?player (card ?card))
    (true (step ?card))
    (does random (deal ?player)))
(<= (sees ?player (owner ?card ?owner))
    (player ?player)
    (not dealing)
    (true (has ?owner ?card)))
(<= (sees ?player (guessed ?owner ?card))
    (player ?player)
    (does cath (guess ?owner ?card)))

(<= (next (has ?player ?card))
    (true (step ?card))
    (does random (deal ?player)))
(<= (next (has ?player ?card))
    (true (has ?player ?card)))
(<= (next (room ?player ?m))
    (does random (deal ?player))
    (true (room ?player ?n))
    (succ ?m ?n))
(<= (next (room ?player ?n))
    (true (room ?player ?n))
    (not (does random (deal ?player))))
(<= (next (guessed ?player ?card))
    (does cath (guess ?player ?card)))
(<= (next (step ?t))
    (true (step ?s))
    (after ?s ?t))
(<= terminal
    (true (step end)))

(<= cath_is_right
    (true (guessed ?player ?card))
    (true (has ?player ?card)))
(<= (goal cath 100)
    cath_is_right)
(<= (goal cath 0)
    (not cath_is_right))
(<= (goal ?player 0)
    (player ?player)
    (distinct ?player cath)
    cath_is_right)
(<= (goal ?player 100)
    (player ?player)
    (distinct ?player cath)
    (not cath_is_right))
)";

constexpr std::string_view bluffing = R"(
(<= rolling
    (true (rolls ?_player)))
(<= (legal random (roll ?face))
    rolling
    (face ?face))
(<= (legal random noop)
    (not rolling))
(<= (legal ?player (bid ?quantity ?face))
    (true (turn ?player))
    (bid ?new ?quantity ?face)
    (true (highest ?old))
    (less ?old ?new))
(<= (legal ?player liar)
    (true (turn ?player))
    (true (highest ?bid))
    (distinct ?bid 0))
(<= (legal ?player noop)
    (player ?player)
    (not (true (turn ?player))))

; Each player sees its own die, the moves of the other, and both dice at the end.
(<= (sees ?player (own_die ?face))
    (true (rolls ?player))
    (does random (roll ?face)))
(<= (sees ?player (did ?move))
    (opponent ?player ?other)
    (true (turn ?other))
    (does ?other ?move))
(<= (sees ?player (die_of ?other ?face))
    (opponent ?player ?other)
    (does ?_caller liar)
    (true (die ?other ?face)))

(<= (next (rolls second))
    (true (rolls first)))
(<= (next (die ?player ?face))
    (true (rolls ?player))
    (does random (roll ?face)))
(<= (next (die ?player ?face))
    (true (die ?player ?face)))
(<= (next (turn first))
    (true (rolls second)))
(<= (next (turn ?other))
    (true (turn ?player))
    (opponent ?player ?other)
    (does ?player (bid ?_quantity ?_face)))
(<= bids
    (does ?_player (bid ?_quantity ?_face)))
(<= (next (highest ?bid))
    (does ?_player (bid ?quantity ?face))
    (bid ?bid ?quantity ?face))
(<= (next (highest ?bid))
    (true (highest ?bid))
    (not bids))
(<= (next (called ?player))
    (does ?player liar))
(<= terminal
    (true (called ?_player)))

; The highest face counts as every face.
(<= (matches ?player ?face)
    (true (die ?player ?face))
    (face ?face))
(<= (matches ?player ?face)
    (true (die ?player ?joker))
    (joker ?joker)
    (face ?face))
(<= (holds 1 ?face)
    (matches ?_player ?face))
(<= (holds 2 ?face)
    (matches first ?face)
    (matches second ?face))
(<= bid_is_true
    (true (highest ?bid))
    (bid ?bid ?quantity ?face)
    (holds ?quantity ?face))
(<= (goal ?player 100)
    (true (called ?player))
    (not bid_is_true))
(<= (goal ?player 0)
    (true (called ?player))
    bid_is_true)
(<= (goal ?player 100)
    (opponent ?player ?other)
    (true (called ?other))
    bid_is_true)
(<= (goal ?player 0)
    (opponent ?player ?other)
    (true (called ?other))
    (not bid_is_true))
)";

constexpr std::string_view told_numbers = R"(
(init start)
(<= (legal random (choose ?x ?y))
    (true start)
    (pair ?x ?y ?_sum ?_product))
(<= (legal ?player noop)
    (true start)
    (player ?player))
(<= (next (numbers ?x ?y))
    (does random (choose ?x ?y)))
(<= (sees s (sum ?sum))
    (does random (choose ?x ?y))
    (pair ?x ?y ?sum ?_product))
(<= (sees p (product ?product))
    (does random (choose ?x ?y))
    (pair ?x ?y ?_sum ?product))
(<= terminal
    (not (true start)))
(<= (goal ?player 100)
    (player ?player))
)";

}  // namespace

Rules muddy_children(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 1, 12}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int children = (*read)[0];
  Sheet sheet(fmt::format("muddy-children {}", children));
  sheet.comment(fmt::format(
      "Muddy children. {} children play; random paints some foreheads, one child after the other. "
      "Every child sees the others, but not itself. The father says whether somebody is muddy, and "
      "then asks {} times whether they know if they are muddy themselves. They answer at the same "
      "time. Who answers right gets 100, who never answers 50, and who is wrong 0.",
      children, children));
  sheet.gap();
  std::vector<std::string> roles, names, order = {"(init (step 1))"};
  for (int n = 1; n <= children; ++n) {
    roles.push_back(fmt::format("(role child{})", n));
    names.push_back(fmt::format("(is_child child{} {}) (child {})", n, n, n));
    order.push_back(n < children ? fmt::format("(after {} {})", n, n + 1)
                                 : fmt::format("(after {} father)", n));
    const std::string question = n < children ? fmt::format("(ask {})", n) : "last";
    names.push_back(fmt::format("(question {})", question));
    order.push_back(
        fmt::format("(after {} {})", n == 1 ? "father" : fmt::format("(ask {})", n - 1), question));
  }
  roles.push_back("(role random)");
  order.push_back("(after last end)");
  sheet.facts(roles).facts(names).facts(order);
  sheet.facts({"(answer muddy)", "(answer clean)", "(answer unknown)"}).gap().rules(painting);
  return std::move(sheet).text();
}

Rules dining_cryptographers(const Sizes& sizes) {
  const Bound bounds[] = {{"N", 3, 12}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int count = (*read)[0];
  Sheet sheet(fmt::format("dining-cryptographers {}", count));
  sheet.comment(fmt::format(
      "Dining cryptographers. {} cryptographers sit around a table. Either one of them has paid "
      "for "
      "the dinner, or the NSA has; random decides. Between neighbours a coin is flipped, which "
      "only "
      "these two see. Then each says whether its two coins are equal; only who has paid says the "
      "opposite. Afterwards all know whether the NSA has paid, but otherwise not who. Nobody has a "
      "choice, and all get 100.",
      count));
  sheet.gap();
  std::vector<std::string> roles, seats, order = {"(after pay 1)", "(after talk end)"};
  for (int n = 1; n <= count; ++n) {
    const int next = n % count + 1;
    roles.push_back(fmt::format("(role c{})", n));
    seats.push_back(fmt::format("(seat c{} {})", n, n));
    seats.push_back(fmt::format("(left_of {} {})", next, n));
    seats.push_back(fmt::format("(sees_coin c{} {})", n, n));
    seats.push_back(fmt::format("(sees_coin c{} {})", next, n));
    order.push_back(n < count ? fmt::format("(after {} {})", n, n + 1)
                              : fmt::format("(after {} talk)", n));
  }
  roles.push_back("(role random)");
  sheet.facts(roles).facts(seats).facts(order).facts({"(side heads)", "(side tails)"});
  sheet.gap().rules(dining);
  return std::move(sheet).text();
}

Rules russian_cards(const Sizes& sizes) {
  const Bound bounds[] = {{"A", 1, 8}, {"B", 1, 8}, {"C", 1, 8}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const std::vector<int>& hands = *read;
  const int cards = hands[0] + hands[1] + hands[2];
  Sheet sheet(fmt::format("russian-cards {} {} {}", hands[0], hands[1], hands[2]));
  sheet.comment(fmt::format(
      "Russian cards. The cards 0 to {} are dealt by random: {} to alice, {} to bob and {} to "
      "cath. "
      "Everybody sees only its own hand. Then cath names a card and its owner. If she is right, "
      "she "
      "gets 100, otherwise alice and bob do. Alice and Bob can inform each other of their hands by "
      "announcements that cath hears and learns nothing from.",
      cards - 1, hands[0], hands[1], hands[2]));
  sheet.gap().rules("(role alice)\n(role bob)\n(role cath)\n(role random)").gap();
  sheet.facts({"(player alice)", "(player bob)", "(player cath)",
               fmt::format("(init (room alice {}))", hands[0]),
               fmt::format("(init (room bob {}))", hands[1]),
               fmt::format("(init (room cath {}))", hands[2]), "(init (step 0))"});
  sheet.numbers("card", 0, cards - 1).chain("after", 0, cards - 1);
  sheet.facts({fmt::format("(after {} guess)", cards - 1), "(after guess end)"});
  sheet.chain("succ", 0, 8).gap().rules(card_deal);
  return std::move(sheet).text();
}

Rules liars_dice(const Sizes& sizes) {
  const Bound bounds[] = {{"SIDES", 2, 12}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int sides = (*read)[0];
  Sheet sheet(fmt::format("liars-dice {}", sides));
  sheet.comment(
      fmt::format("Liar's dice. Each player has a die with {0} sides, rolled by random, and sees "
                  "only its own. In "
                  "turn they bid that there are so many dice of a face, one or two. Every bid must "
                  "be higher than "
                  "the one before: more dice, or the same number of a higher face. Instead of "
                  "bidding, a player "
                  "may call the other a liar. Then the dice are shown. Face {0} counts as every "
                  "face. If the last "
                  "bid is true, the bidder wins, otherwise the caller, 100 to 0.",
                  sides));
  sheet.gap().rules("(role first)\n(role second)\n(role random)").gap();
  std::vector<std::string> facts = {"(player first)",
                                    "(player second)",
                                    "(opponent first second)",
                                    "(opponent second first)",
                                    "(init (rolls first))",
                                    "(init (highest 0))",
                                    fmt::format("(joker {})", sides)};
  for (int bid = 1; bid <= 2 * sides; ++bid) {
    facts.push_back(
        fmt::format("(bid {} {} {})", bid, (bid - 1) / sides + 1, (bid - 1) % sides + 1));
  }
  sheet.facts(facts).numbers("face", 1, sides).chain("succ", 0, 2 * sides);
  sheet.rules(
      "(<= (less ?m ?n)\n    (succ ?m ?n))\n"
      "(<= (less ?l ?n)\n    (less ?l ?m)\n    (succ ?m ?n))");
  sheet.gap().rules(bluffing);
  return std::move(sheet).text();
}

Rules sum_and_product(const Sizes& sizes) {
  const Bound bounds[] = {{"MAX", 5, 200}};
  const auto read = read_sizes(sizes, bounds);
  if (!read) return tl::unexpected(read.error());
  const int most = (*read)[0];
  Sheet sheet(fmt::format("sum-and-product {}", most));
  sheet.comment(fmt::format(
      "Sum and product. Random chooses numbers x and y with 1 < x < y and x + y <= {}. Player s is "
      "told the sum and player p the product. The game ends then, with 100 for both: it is a "
      "situation to ask questions about.",
      most));
  sheet.gap().rules("(role s)\n(role p)\n(role random)").gap();
  std::vector<std::string> pairs = {"(player s)", "(player p)"};
  for (int x = 2; 2 * x + 1 <= most; ++x) {
    for (int y = x + 1; x + y <= most; ++y)
      pairs.push_back(fmt::format("(pair {} {} {} {})", x, y, x + y, x * y));
  }
  sheet.facts(pairs).gap().rules(told_numbers);
  return std::move(sheet).text();
}

}  // namespace zermelo::families
