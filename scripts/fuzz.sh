#!/bin/sh
# Fuzzes a reader for SECONDS (default 60) under address sanitizer: that of GDL with the validity
# checks (`gdl`), that of .toss files (`toss`), or those of folders of solutions and counts (`folder`).
#
#   fuzz.sh [SECONDS [READER]]
#
# An input that fails is minimised and kept in tests/found, tests/toss/found or tests/app/found, where
# the ordinary tests replay it.
set -eu
seconds=${1:-60}
case ${2:-gdl} in
  gdl) target=fuzz_check words=tests/fuzz/words.dict found=tests/found seeds=tests/fuzz/corpus suffix=gdl ;;
  toss) target=fuzz_toss words=tests/fuzz/toss.dict found=tests/toss/found seeds=games/toss suffix=toss ;;
  folder) target=fuzz_folder words= found=tests/app/found seeds=tests/app/found suffix=edits ;;
  *)
    echo "usage: fuzz.sh [SECONDS [gdl|toss|folder]]" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."

if ! command -v clang++ >/dev/null; then
  echo "fuzz.sh: installing clang" >&2
  if [ "$(id -u)" = 0 ]; then apt-get install -y clang; else sudo apt-get install -y clang; fi
fi

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "$target"
corpus=build/fuzz/corpus.$target
mkdir -p "$corpus" build/fuzz/crashes "$found"
fuzzer=build/fuzz/tests/fuzz/$target

status=0
"$fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 ${words:+-dict="$words"} \
  -artifact_prefix=build/fuzz/crashes/ "$corpus" "$seeds" "$found" || status=$?

for crash in build/fuzz/crashes/*; do
  [ -f "$crash" ] || continue
  kept=$found/$(basename "$crash").$suffix
  "$fuzzer" -minimize_crash=1 -max_total_time=60 -exact_artifact_path="$kept" "$crash" >/dev/null 2>&1 || true
  [ -f "$kept" ] || cp "$crash" "$kept"
  rm "$crash"
  echo "fuzz.sh: kept $kept" >&2
done
exit "$status"
