#include "support/simultaneous_game.h"

#include "base/random.h"

namespace zermelo::testing {
namespace {

class GameTree {
 public:
  GameTree(std::uint64_t seed, bool constant_sum) : random_(seed), constant_sum_(constant_sum) {}

  std::string rules() {
    text_ = "(role a) (role b) (init (node 0))\n";
    add_node(new_node(), 1 + random_.below(3));
    return text_;
  }

 private:
  std::string new_node() { return std::to_string(nodes_++); }

  void add_node(const std::string& node, std::uint32_t rounds) {
    if (rounds == 0) return add_leaf(node);
    const std::uint32_t rows = 2 + random_.below(2), columns = 2 + random_.below(2);
    for (std::uint32_t x = 0; x < rows; ++x) add_move("a", node, x);
    for (std::uint32_t y = 0; y < columns; ++y) add_move("b", node, y);
    for (std::uint32_t x = 0; x < rows; ++x) {
      for (std::uint32_t y = 0; y < columns; ++y) add_successor(node, x, y, rounds);
    }
  }

  void add_move(const char* role, const std::string& node, std::uint32_t move) {
    text_ += "(<= (legal " + std::string(role) + " m" + std::to_string(move) + ") (true (node " +
             node + ")))\n";
  }

  // Some branches end early.
  void add_successor(const std::string& node, std::uint32_t x, std::uint32_t y,
                     std::uint32_t rounds) {
    const std::string next = new_node();
    text_ += "(<= (next (node " + next + ")) (true (node " + node + ")) (does a m" +
             std::to_string(x) + ") (does b m" + std::to_string(y) + "))\n";
    add_node(next, random_.below(4) == 0 ? 0 : rounds - 1);
  }

  void add_leaf(const std::string& node) {
    const std::uint32_t of_a = random_.below(101);
    const std::uint32_t of_b = constant_sum_ ? 100 - of_a : random_.below(101);
    const std::string here = " (true (node " + node + ")))\n";
    text_ += "(<= terminal" + here;
    text_ += "(<= (goal a " + std::to_string(of_a) + ")" + here;
    text_ += "(<= (goal b " + std::to_string(of_b) + ")" + here;
  }

  base::Random random_;
  bool constant_sum_;
  std::uint32_t nodes_ = 0;
  std::string text_;
};

}  // namespace

std::string random_simultaneous_game(std::uint64_t seed, bool constant_sum) {
  return GameTree(seed, constant_sum).rules();
}

}  // namespace zermelo::testing
