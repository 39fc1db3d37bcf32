#!/usr/bin/env bash
# Records the perft counts and playthroughs of the shipped games in tests/games. Read the difference
# before committing it: the rules of a game should change only on purpose.
set -eu
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
cd "$root"
cmake --preset check >/dev/null
cmake --build build/check --target machine_test
ZERMELO_RECORD_GAMES=1 build/check/tests/machine_test --gtest_brief=1 \
  --gtest_filter='*ShippedGame.HasTheRecordedCounts/*:*ShippedGame.RepeatsTheRecordedPlaythrough/*'
git --no-pager diff --stat -- tests/games
