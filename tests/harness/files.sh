# SPDX-License-Identifier: BSD-3-Clause
# For tests of the source tree, to be sourced after tap.sh: which files the project has.
# The tests stand in the source folder.

cd "$source" || exit 1

is_checkout() {
    [ -e .git ] && git rev-parse --git-dir > /dev/null 2>&1
}

# The lines that a target of the build prints: names of files.
listed() { # TARGET
    MAKEFLAGS= "${MAKE:-make}" -s --no-print-directory -C "$here" "$1" | sed 's/ *$//' | sort -u
}

# What a distribution has, less what autoreconf and the build made.
distributed() {
    listed list-generated > "$work/generated"
    listed list-dist | while read -r file; do
        if [ -d "$file" ]; then find "$file" -type f; else echo "$file"; fi
    done | sort -u | comm -23 - "$work/generated" |
        grep -v -E -x 'configure|aclocal.m4|config.h.in|Makefile.in|tools/(aux/.*|m4/l.*)'
}

# Every file of the project: from Git where there is a checkout, else as distributed.
project_files() {
    if is_checkout; then
        git ls-files --cached --others --exclude-standard | sort > "$work/listed"
        git ls-files --deleted | sort | comm -23 "$work/listed" -
    else
        distributed
    fi
}

# Less what earlier releases are kept in, which is not edited any more.
edited_files() {
    project_files | grep -v '^tests/abi/[0-9]'
}

# each FILES COMMAND...: the command over the files of a list.
each() {
    list=$1
    shift
    tr '\n' '\0' < "$list" | xargs -0 "$@"
}
