#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a build says of itself names the commit or the release, and configure's arguments.

. "${srcdir:-.}/tests/harness/tap.sh"
"$tool" --version > "$work/said"

source=$(sed -n 's/.*, from \(.*\), configured with: .*/\1/p' "$work/said")
if [ -e "${srcdir:-.}/.git" ]; then
    commit=${source#commit }
    git -C "${srcdir:-.}" rev-parse --verify --quiet "${commit%-dirty}^{commit}" > /dev/null ||
        [ "$source" = "commit unknown" ]
    tap_ok $? "a build of a checkout names a commit of it: $source"
else
    release=$(sed -n 's/^#define BL_VERSION_STRING "\(.*\)"/\1/p' \
        "${srcdir:-.}/include/broadloom/base.h")
    [ "$source" = "release $release" ]
    tap_ok $? "a build of a tarball names its release: $source"
fi

# Releases of Autoconf quote arguments differently.
arguments=$("$here/config.status" --config | sed "s/'//g; s/^ *//; s/ *\$//")
[ "$(sed "s/.*, configured with: //; s/'//g" "$work/said")" = "${arguments:-nothing}" ]
tap_ok $? "it says configure's arguments: $arguments"
tap_done
