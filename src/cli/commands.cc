#include "cli/command.h"

namespace zermelo::cli {

std::span<const Command* const> commands() {
  static constexpr const Command* all[] = {
      &check_command,  &print_command,  &generate_command, &info_command,       &know_command,
      &factor_command, &perft_command,  &playouts_command, &compile_command,    &translate_command,
      &count_command,  &solve_command,  &query_command,    &verify_command,     &coalition_command,
      &plan_command,   &draw_command,   &evaluate_command, &train_command,      &toss_command,
      &match_command,  &play_command,   &replay_command,   &experiment_command, &player_command,
      &serve_command,  &referee_command};
  return all;
}

}  // namespace zermelo::cli
