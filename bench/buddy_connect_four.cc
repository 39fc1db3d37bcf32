// Counts Connect Four with BuDDy, the classical way, as a baseline: count.py calls it.
//   buddy_connect_four WIDTH HEIGHT [NODES [CACHE]]
// Two bits per cell (taken, and by whom), columns from the centre outwards, current and next bits
// interleaved, one relation for both players with all frames, one termination diagram per player,
// breadth-first layers that differ in the number of discs. Prints the number of states.

#include <bdd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

class Board {
 public:
  Board(int width, int height) : width_(width), height_(height), place_(width) {
    for (int i = 0; i < width; ++i) {
      const int middle = (width - 1) / 2, step = (i + 1) / 2;
      place_[static_cast<std::size_t>(i % 2 == 1 ? middle + step : middle - step)] = i;
    }
  }
  int cells() const { return width_ * height_; }
  int bits() const { return 1 + 2 * cells(); }
  // Bit 0 tells whose turn it is.
  int taken(int column, int row) const {
    return 1 + 2 * (place_[static_cast<std::size_t>(column)] * height_ + row);
  }
  int owner(int column, int row) const { return taken(column, row) + 1; }

  bdd disc(int player, int column, int row) const {
    return now(taken(column, row)) & value(now(owner(column, row)), player);
  }

  bdd start() const {
    bdd all = bddtrue;
    for (int b = bits() - 1; b >= 0; --b) all &= !now(b);
    return all;
  }

  bdd line(int player) const {
    constexpr int directions[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    bdd any = bddfalse;
    for (const auto& direction : directions) {
      for (int column = 0; column < width_; ++column) {
        for (int row = 0; row < height_; ++row) any |= line_from(player, column, row, direction);
      }
    }
    return any;
  }

  bdd relation() const {
    bdd all = bddfalse;
    for (int player = 0; player < 2; ++player) {
      for (int column = 0; column < width_; ++column) {
        for (int row = 0; row < height_; ++row) all |= drop(player, column, row);
      }
    }
    return all;
  }

 private:
  static bdd now(int bit) { return bdd_ithvar(2 * bit); }
  static bdd next(int bit) { return bdd_ithvar(2 * bit + 1); }
  static bdd value(const bdd& bit, int one) { return one != 0 ? bit : !bit; }

  bdd line_from(int player, int column, int row, const int (&direction)[2]) const {
    const int last_column = column + 3 * direction[0], last_row = row + 3 * direction[1];
    if (last_column >= width_ || last_row >= height_ || last_row < 0) return bddfalse;
    bdd all = bddtrue;
    for (int i = 0; i < 4; ++i) {
      all &= disc(player, column + i * direction[0], row + i * direction[1]);
    }
    return all;
  }

  bdd drop(int player, int column, int row) const {
    bdd move = value(now(0), player) & value(next(0), 1 - player);
    move &= next(taken(column, row)) - now(taken(column, row));
    move &= value(next(owner(column, row)), player);
    if (row > 0) move &= now(taken(column, row - 1));
    for (int bit = bits() - 1; bit > 0; --bit) {
      if (bit != taken(column, row) && bit != owner(column, row)) {
        move &= bdd_biimp(now(bit), next(bit));
      }
    }
    return move;
  }

  int width_, height_;
  std::vector<int> place_;  // by column
};

double count(const Board& board) {
  bdd current = bddtrue;
  bddPair* back = bdd_newpair();
  for (int bit = 0; bit < board.bits(); ++bit) {
    current &= bdd_ithvar(2 * bit);
    bdd_setpair(back, 2 * bit + 1, 2 * bit);
  }
  const bdd relation = board.relation();
  const bdd lines[] = {board.line(0), board.line(1)};
  bdd layer = board.start();
  double states = 1;
  for (int ply = 1; ply <= board.cells(); ++ply) {
    // Only who moved last can have made a line.
    if (ply > 1) layer = layer - lines[ply % 2];
    layer = bdd_replace(bdd_appex(layer, relation, bddop_and, current), back);
    states += std::ldexp(bdd_satcount(layer), -board.bits());
  }
  return states;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: buddy_connect_four WIDTH HEIGHT [NODES [CACHE]]\n");
    return 2;
  }
  const Board board(std::atoi(argv[1]), std::atoi(argv[2]));
  bdd_init(argc > 3 ? std::atoi(argv[3]) : 16'000'000, argc > 4 ? std::atoi(argv[4]) : 4'000'000);
  bdd_gbc_hook(nullptr);
  bdd_setmaxincrease(20'000'000);
  bdd_setvarnum(2 * board.bits());
  std::printf("%.0f\n", count(board));
  return 0;
}
