#!/usr/bin/env bash
# Rebuilds the web page and compares it with web/dist byte for byte, then tests it in a browser. The first argument
# is the program to test. Node, npm and Chromium are installed where they are missing.
set -u

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
source "$root/scripts/setup.sh"

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v chromium >/dev/null || missing+=(chromium)
((${#missing[@]} == 0)) || install_missing "${missing[@]}" || exit "$setup_failed"

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
tar -C "$root/web" --exclude=./node_modules --exclude=./dist -cf - . | tar -C "$work" -xf - || exit
cd "$work" || exit
# Not `npm ci`: it refuses a lock file without packages that other platforms would need.
quietly npm install --no-save --no-audit --no-fund --ignore-scripts || { say "the web page's packages cannot be installed" && exit 1; }
quietly npx vite build || { say "the web page cannot be built" && exit 1; }
diff -r "$work/dist" "$root/web/dist" >&2 ||
  { say "web/dist differs from its sources: run npm install && npm run build in web/" && exit 1; }
for tests in tests/*.test.mjs; do
  ZERMELO=$1 node --test "$tests" >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
  grep -E 'first paint|^# (pass|fail)' "$work/log"
done
