# Common parts of ./zermelo and ./check: installing packages and building. To be sourced, with `root`
# set to the checkout. All messages go to stderr; stdout is for the program.

# The exit code of both scripts if the program could not be built (EX_UNAVAILABLE).
setup_failed=69

build_packages=(g++ cmake ninja-build libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev libasmjit-dev
  libzstd-dev libgmp-dev libcadical-dev libedit-dev libboost-dev libeigen3-dev libglpk-dev libltdl-dev zlib1g-dev)
check_packages=("${build_packages[@]}" libgtest-dev libbdd-dev clang-format python3 swi-prolog-nox
  libopenmpi-dev openmpi-bin)

say() { printf 'zermelo: %s\n' "$*" >&2; }

# Prints the packages that are not installed. Without dpkg it prints nothing, and the build reports
# missing packages.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local package
  for package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      printf '%s\n' "$package"
  done
}

# Prints a command prefix that allows installing packages, or fails.
become_root() {
  if ((EUID == 0)); then
    printf 'env'
  elif ! command -v sudo >/dev/null; then
    return 1
  elif [[ -t 2 ]]; then
    printf 'sudo'
  elif sudo -n true 2>/dev/null; then
    printf 'sudo -n'
  else
    return 1
  fi
}

# Runs a command and shows its output only if it fails, and says so if the output tells of a missing network.
quietly() {
  local log status
  log=$(mktemp) || return
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  if ((status != 0)); then
    tail -n 60 "$log" >&2
    ! grep -qE 'Temporary failure resolving|Could not (resolve|connect)|Network is unreachable|timed out' "$log" ||
      say "the package servers cannot be reached: check the network connection"
  fi
  rm -f "$log"
  return "$status"
}

install_missing() {
  local missing prefix
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return
  if ! command -v apt-get >/dev/null || ! prefix=$(become_root); then
    say "missing packages that cannot be installed automatically: ${missing[*]}"
    say "as root, run: apt-get install ${missing[*]}"
    return 1
  fi
  say "installing ${missing[*]}"
  quietly install_packages "$prefix" "${missing[@]}" ||
    { say "installing failed; as root, run: apt-get install ${missing[*]}" && return 1; }
}

install_packages() {
  local apt=($1 DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${@:2}"
}

# Deletes a build folder that was configured for a checkout at another path.
discard_moved_build() {
  local cache=$root/build/$1/CMakeCache.txt
  [[ ! -e $cache ]] || grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" ||
    rm -rf "${root:?}/build/$1"
}

configure_and_build() {
  cd "$root" && cmake --preset "$1" && cmake --build "build/$1" --parallel "$(nproc)" ${2:+--target "$2"}
}

# Succeeds if a source or a folder of sources (a file was added or removed) is newer than the last build.
changed_since_build() {
  local stamp=$root/build/$1/up-to-date
  [[ ! -e $stamp || -n $(find "$root/src" "$root/games" "$root/web/dist" "$root/CMakeLists.txt" \
    "$root/CMakePresets.json" -newer "$stamp" -print -quit) ]]
}

# Succeeds if builds can be written. Tries it: access rights alone do not tell of a read-only file system.
can_build() { { mkdir -p "$root/build" && : >>"$root/build/lock"; } 2>/dev/null; }

# Builds a target of a preset. Waits for a build by another process, and skips the build if it is up to
# date. The stamp has the start time of the build, so that files edited during the build are newer.
build_once() {
  local folder=$root/build/$1
  (
    flock 9 || exit
    ! changed_since_build "$1" && [[ -x $folder/src/$2 ]] && exit
    discard_moved_build "$1"
    mkdir -p "$folder" && touch "$folder/begun" || exit
    (sleep 3 >/dev/null 2>&1 && say "building; this takes some minutes the first time") 9>&- &
    trap "kill $! 2>/dev/null" EXIT
    quietly configure_and_build "$1" "$2" || { say "the build failed" && exit 1; }
    mv "$folder/begun" "$folder/up-to-date"
  ) 9>>"$root/build/lock"
}
