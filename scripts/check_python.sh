#!/usr/bin/env bash
# Installs the Python module with pip and runs its tests. The first argument is a build folder with tests, whose
# libraries become part of the module. Everything that pip installs goes into .venv.
set -u

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
source "$root/scripts/setup.sh"

build=$(readlink -f -- "$1") || exit
requirements=$root/tests/python/requirements.txt
environment=$root/.venv

# The distribution's Python: its headers and `venv` are packages.
python=/usr/bin/python3
[[ -x $python ]] && [[ $build == "$root"/* ]] || { say "usage: $0 BUILD_FOLDER" && exit 2; }
install_missing python3 python3-dev python3-venv || exit "$setup_failed"

# The environment is made again if the list of packages changed.
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  rm -rf "$environment"
  quietly "$python" -m venv "$environment" &&
    quietly "$environment/bin/pip" install --disable-pip-version-check -r "$requirements" ||
    { say "the Python packages for the tests cannot be installed" && exit "$setup_failed"; }
  cp "$requirements" "$environment/requirements.txt"
fi

# The same as `pip install .`, but in the build folder, where the libraries are.
cd "$root" || exit
quietly "$environment/bin/pip" install --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
  --config-settings "build-dir=$build" . || { say "the Python module cannot be installed" && exit 1; }
"$environment/bin/python" -m pytest
