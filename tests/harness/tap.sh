# SPDX-License-Identifier: BSD-3-Clause
# A producer of TAP for the test scripts, to be sourced: one result line per check, the
# plan at the end.  `work` is a scratch folder, removed at exit.

LC_ALL=C
export LC_ALL
results=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Flags for programs that include public headers: those that the build makes are in the build
# tree, or distributed.
here=$(cd "${top_builddir:-.}" && pwd)
source=$(cd "${srcdir:-.}" && pwd)
# The tool that BROADLOOM names, or the one that needs no script to start it, if it was built
# after the other.
tool=$here/tests/harness/broadloom
[ "$tool" -nt "$here/broadloom" ] || tool=$here/broadloom
tool=${BROADLOOM:-$tool}
headers="-I$here/include -I$source/include"
th_headers="-I$source/compat/th -I$here/compat/th -I$source/compat/th/TH -I$here/compat/th/TH"

# built FILE: where a file is that the build makes or the distribution has.
built() {
    if [ -e "$here/$1" ]; then echo "$here/$1"; else echo "$source/$1"; fi
}

# Print standard input as diagnostics.
tap_note() {
    sed 's/^/# /'
}

# tap_ok STATUS NAME: passed where STATUS is 0.
tap_ok() {
    results=$((results + 1))
    case $1 in 0) ;; *) printf 'not ' ;; esac
    printf 'ok %d - %s\n' "$results" "$(printf '%s' "$2" | sed 's/[\\#]/\\&/g')"
}

# tap_empty FILE NAME: passed where FILE, a list of faults, is empty; else it is shown.
tap_empty() {
    if [ -s "$1" ]; then
        tap_ok 1 "$2"
        head -n 40 "$1" | tap_note
    else
        tap_ok 0 "$2"
    fi
}

# tap_found FILE NAME: passed where FILE is not empty, for a fault that was planted.
tap_found() {
    if [ -s "$1" ]; then tap_ok 0 "$2"; else tap_ok 1 "$2"; fi
}

# tap_skip NAME REASON
tap_skip() {
    results=$((results + 1))
    printf 'ok %d - %s # SKIP %s\n' "$results" "$1" "$2"
}

# tap_long NAME: all of the script is for `make check-long`; otherwise it ends here.
tap_long() {
    case ${BROADLOOM_TEST_LONG:-0} in
    0)
        tap_skip "$1" "for make check-long"
        tap_done
        exit 0
        ;;
    esac
}

tap_done() {
    printf '1..%d\n' "$results"
}
