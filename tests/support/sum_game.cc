#include "support/sum_game.h"

#include <vector>

#include "base/random.h"

namespace zermelo::testing {
namespace {

constexpr const char* common_rules =
    "(role a) (role b) (init (control a))\n"
    "(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))\n"
    "(<= (legal a wait) (true (control b))) (<= (legal b wait) (true (control a)))\n"
    "(<= (touched ?g) (does ?_p (go ?g ?_v ?_w)))\n"
    "(<= (next (at ?g ?w)) (does ?_p (go ?g ?_v ?w)))\n"
    "(<= (next (at ?g ?v)) (true (at ?g ?v)) (not (touched ?g)))\n"
    "(<= can_move (true (control ?p)) (legal ?p (go ?_g ?_v ?_w)))\n";

class SumText {
 public:
  SumText(std::uint64_t seed, SumKind kind) : random_(seed), kind_(kind), text_(common_rules) {
    graphs_ = kind == SumKind::serial ? 2 : 2 + random_.below(2);
  }

  std::string build() {
    for (std::uint32_t g = 0; g < graphs_; ++g) add_graph(g);
    if (kind_ == SumKind::serial) {
      add("(<= over (true (control ?p)) (not (can_move_in_first ?p)))");
      add("(<= (can_move_in_first ?p) (edge ?p 0 ?v ?_w) (true (at 0 ?v)))");
      // The first graph is over for good once a player cannot move on it.
      add("(<= (next over_before) over) (<= (next over_before) (true over_before))");
      add("(<= first_is_over over) (<= first_is_over (true over_before))");
      add("(<= (legal ?p (go 0 ?v ?w)) (true (control ?p)) (edge ?p 0 ?v ?w) (true (at 0 ?v))"
          " (not first_is_over))");
      add("(<= (legal ?p (go 1 ?v ?w)) (true (control ?p)) (edge ?p 1 ?v ?w) (true (at 1 ?v))"
          " first_is_over)");
    } else {
      add("(<= (legal ?p (go ?g ?v ?w)) (true (control ?p)) (edge ?p ?g ?v ?w) (true (at ?g ?v)))");
    }
    add("(<= terminal (not can_move))");
    kind_ == SumKind::normal ? add_normal_goals() : add_rewards();
    return text_;
  }

 private:
  void add(const std::string& line) { text_ += line + "\n"; }

  void add_graph(std::uint32_t g) {
    const std::string graph = std::to_string(g);
    const std::uint32_t least = kind_ == SumKind::normal ? 4 : 7;  // so that some are equivalent
    // Of a serial composition: the first graph ends in many nodes, and the second one can be played
    // after most of them.
    const bool is_first = kind_ == SumKind::serial && g == 0;
    const bool is_second = kind_ == SumKind::serial && g == 1;
    const std::uint32_t nodes = least + random_.below(3) + (is_first ? 3 : 0);
    add("(init (at " + graph + " 0))");
    for (std::uint32_t v = 0; v < nodes; ++v) {
      for (std::uint32_t w = v + 1; w < nodes; ++w) {
        const bool is_path = w == v + 1 && (is_second || random_.below(is_first ? 2 : 4) != 0);
        if (!is_path && random_.below(3) != 0) continue;
        const std::uint32_t owner = is_second ? 0 : random_.below(3);
        for (const char* player : {"a", "b"}) {
          if (owner == (player[0] == 'a' ? 1u : 2u)) continue;
          add(std::string("(edge ") + player + " " + graph + " " + std::to_string(v) + " " +
              std::to_string(w) + ")");
        }
      }
      add("(<= (mark " + graph + " " + std::to_string(random_.below(2)) + ") (true (at " + graph +
          " " + std::to_string(v) + ")))");
    }
  }

  void add_normal_goals() {
    add("(<= (goal ?p 0) (true (control ?p)))");
    add("(<= (goal a 100) (true (control b))) (<= (goal b 100) (true (control a)))");
  }

  void add_rewards() {
    const bool is_timed = random_.below(3) == 0;
    if (is_timed) {
      add("(init (step 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)"
          " (after 6 7) (after 7 8)");
      add("(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))");
      add(kind_ == SumKind::serial ? "(<= terminal (true (step 8)))"
                                   : "(<= terminal (true (step 5)))");
    }
    for (std::uint32_t marks = 0; marks < 1u << graphs_; ++marks) {
      std::string body;
      for (std::uint32_t g = 0; g < graphs_; ++g) {
        body += " (mark " + std::to_string(g) + " " + std::to_string(marks >> g & 1) + ")";
      }
      if (random_.below(6) == 0 && kind_ != SumKind::serial) add("(<= terminal" + body + ")");
      for (const char* player : {"a", "b"}) {
        add(std::string("(<= (goal ") + player + " " + std::to_string(20 * random_.below(6)) + ")" +
            body + ")");
      }
    }
  }

  base::Random random_;
  SumKind kind_;
  std::string text_;
  std::uint32_t graphs_;
};

}  // namespace

std::string random_sum(std::uint64_t seed, SumKind kind) { return SumText(seed, kind).build(); }

}  // namespace zermelo::testing
