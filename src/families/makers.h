// One function per family. Each parses its sizes and returns its rulesheet.
#pragma once

#include "families/sizes.h"

namespace zermelo::families {

using Rules = base::Result<std::string>;

Rules blocks(const Sizes& sizes);
Rules breakthrough(const Sizes& sizes);
Rules chomp(const Sizes& sizes);
Rules clobber(const Sizes& sizes);
Rules connect_four(const Sizes& sizes);
Rules cubi_cup(const Sizes& sizes);
Rules dining_cryptographers(const Sizes& sizes);
Rules hanoi(const Sizes& sizes);
Rules knights_tour(const Sizes& sizes);
Rules liars_dice(const Sizes& sizes);
Rules lights_out(const Sizes& sizes);
Rules muddy_children(const Sizes& sizes);
Rules nim(const Sizes& sizes);
Rules optimistic(const Sizes& sizes);
Rules pancakes(const Sizes& sizes);
Rules peg(const Sizes& sizes);
Rules penalties(const Sizes& sizes);
Rules progression(const Sizes& sizes);
Rules punishment(const Sizes& sizes);
Rules queens(const Sizes& sizes);
Rules russian_cards(const Sizes& sizes);
Rules shock_step(const Sizes& sizes);
Rules sliding_tiles(const Sizes& sizes);
Rules sum_and_product(const Sizes& sizes);
Rules tic_tac_toe(const Sizes& sizes);

}  // namespace zermelo::families
