#!/usr/bin/env bash
# Rewrites the recordings of all golden tests, or of the named cases. Read the difference before
# committing it.
set -eu
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
cd "$root"
./zermelo --version >/dev/null
export ZERMELO=$PWD/build/release/src/zermelo
if (($# == 0)); then
  set -- tests/golden/*/
else
  set -- "${@/#/tests/golden/}"
fi
python3 scripts/golden.py --regenerate "$@"
git --no-pager diff --stat -- tests/golden
