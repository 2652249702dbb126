#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Keep the public headers of a release as text: install them into a scratch folder and copy
# them to tests/abi/VERSION/include.  `make keep-headers` calls this in the build folder, with
# the version of the tree, as 0.2.
set -eu
root=${srcdir:-.}
kept=$root/tests/abi/$1/include
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -e "$kept" ]; then
    echo "$kept is kept: headers of a release do not change" >&2
    exit 1
fi
${MAKE:-make} -s install-data DESTDIR="$scratch" > "$scratch/log"
broadloom=$(find "$scratch" -name broadloom.h)
mkdir -p "$root/tests/abi/$1"
cp -R "${broadloom%/*}" "$kept"
echo "$(find "$kept" -type f | wc -l) headers in $kept"
