#!/bin/sh
# Fuzzes the parser and the validity checks for SECONDS (default 60) under address sanitizer.
# An input that fails is minimised and kept in tests/found, where the ordinary tests replay it.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")/.."

if ! command -v clang++ >/dev/null; then
  echo "fuzz.sh: installing clang" >&2
  if [ "$(id -u)" = 0 ]; then apt-get install -y clang; else sudo apt-get install -y clang; fi
fi

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_check
mkdir -p build/fuzz/corpus build/fuzz/crashes
fuzzer=build/fuzz/tests/fuzz/fuzz_check

status=0
"$fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -dict=tests/fuzz/words.dict \
  -artifact_prefix=build/fuzz/crashes/ build/fuzz/corpus tests/fuzz/corpus tests/found || status=$?

for crash in build/fuzz/crashes/*; do
  [ -f "$crash" ] || continue
  kept=tests/found/$(basename "$crash").gdl
  "$fuzzer" -minimize_crash=1 -max_total_time=60 -exact_artifact_path="$kept" "$crash" >/dev/null 2>&1 || true
  [ -f "$kept" ] || cp "$crash" "$kept"
  rm "$crash"
  echo "fuzz.sh: kept $kept" >&2
done
exit "$status"
